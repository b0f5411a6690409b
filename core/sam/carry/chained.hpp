// SPDX-License-Identifier: MIT
// Defines the chained-scan carry scheme: each tile waits for the inclusive prefix of the one
// before.
#pragma once

#include <sam/carry_scheme.hpp>

namespace sam::inline v0_1::carry {

/// The carry scheme of LightScan: a tile waits for the inclusive prefix of the tile before it and
/// reads nothing else. It reads one word per tile, but forms a chain through all blocks. Source:
/// Liu, Aluru, "LightScan", 2016, section 4.3.
struct chained {
  template <tile_descriptors Descriptors>
  SAM_FUNCTION static void announce(Descriptors&, index_t) {}

  template <tile_descriptors Descriptors>
  SAM_FUNCTION static void exclusive_prefix(Descriptors& descriptors, index_t tile,
                                            typename Descriptors::state& known) {
    // `known` never covers tile `tile` or later, so the prefix never covers fewer tiles than it.
    if (descriptors.tiles_covered(known) < tile) {
      descriptors.read_inclusive_prefix(tile - 1, known);
    }
  }
};
static_assert(single_pass_scheme<chained>);

}  // namespace sam::inline v0_1::carry
