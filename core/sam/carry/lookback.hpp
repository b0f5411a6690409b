// SPDX-License-Identifier: MIT
// Defines the decoupled look-back carry scheme.
#pragma once

#include <sam/carry_scheme.hpp>

namespace sam::inline v0_1::carry {

/// Decoupled look-back: walks back over aggregates to the latest inclusive prefix, then accumulates
/// forward. The walk only tests which descriptors are ready. Aggregates are appended on the way
/// forward, so the result does not depend on where the walk ended. Source: Merrill, Garland,
/// NVR-2016-002; the forward accumulation is our own.
struct lookback {
  static constexpr auto prefixes = asked_prefixes::named;

  template <tile_descriptors Descriptors>
  SAM_FUNCTION static void announce(Descriptors& descriptors, index_t tile) {
    descriptors.publish_aggregate(tile);
  }

  template <tile_descriptors Descriptors>
  SAM_FUNCTION static void exclusive_prefix(Descriptors& descriptors, index_t tile,
                                            typename Descriptors::state& known) {
    index_t const oldest =
        engine::max_of(descriptors.oldest_readable(tile), descriptors.tiles_covered(known));
    index_t const from = descriptors.latest_inclusive_prefix(oldest, tile);
    if (from > descriptors.tiles_covered(known))
      descriptors.read_inclusive_prefix(from - 1, known);
    descriptors.accumulate_aggregates(tile, known);
  }
};
static_assert(single_pass_scheme<lookback>);

}  // namespace sam::inline v0_1::carry
