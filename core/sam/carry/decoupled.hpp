// SPDX-License-Identifier: MIT
#pragma once

#include <sam/carry_scheme.hpp>

namespace sam::carry {

/// SAM's scheme: publish each aggregate at once; to learn what lies before a tile, read the
/// aggregates since this block last knew. A write, then independent reads, so nothing is handed
/// from block to block. A block that fell far behind takes up the thread at a total. Source:
/// Maleki, Yang, Burtscher, PLDI 2016, section 2.2 and figure 2.
struct decoupled {
  static constexpr auto prefixes = asked_prefixes::at_oldest_readable;

  template <tile_descriptors Descriptors>
  SAM_FUNCTION static void announce(Descriptors& descriptors, index_t tile) {
    descriptors.publish_aggregate(tile);
  }

  template <tile_descriptors Descriptors>
  SAM_FUNCTION static void exclusive_prefix(Descriptors& descriptors, index_t tile,
                                            typename Descriptors::state& known) {
    if (descriptors.tiles_covered(known) < descriptors.oldest_readable(tile))
      descriptors.read_inclusive_prefix(descriptors.oldest_readable(tile) - 1, known);
    descriptors.accumulate_aggregates(tile, known);
  }
};
static_assert(single_pass_scheme<decoupled>);

}  // namespace sam::carry
