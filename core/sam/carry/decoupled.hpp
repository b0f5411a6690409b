// SPDX-License-Identifier: MIT
// Defines SAM's carry scheme, which reads the aggregates of all tiles since the block's last tile.
#pragma once

#include <sam/carry_scheme.hpp>

namespace sam::inline v0_1::carry {

/// The carry scheme of SAM: each block publishes the aggregate of its tile at once. For the
/// exclusive prefix of a tile, it reads the aggregates of all tiles since its last one. These are
/// one write and independent reads, so no chain forms between blocks. A block that fell behind the
/// descriptor ring continues from an inclusive prefix. Source: Maleki, Yang, Burtscher, PLDI 2016,
/// section 2.2 and figure 2.
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

}  // namespace sam::inline v0_1::carry
