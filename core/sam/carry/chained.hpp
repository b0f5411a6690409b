// SPDX-License-Identifier: MIT
#pragma once

#include <sam/carry_scheme.hpp>

namespace sam::carry {

/// LightScan's scheme: wait for the total of the tile before, nothing else: one word read per
/// tile, and a chain through all blocks.
/// Source: Liu, Aluru, "LightScan", 2016, section 4.3.
struct chained {
  template <tile_descriptors Descriptors>
  SAM_FUNCTION static void announce(Descriptors&, index_t) {}

  template <tile_descriptors Descriptors>
  SAM_FUNCTION static void exclusive_prefix(Descriptors& descriptors, index_t tile,
                                            typename Descriptors::state& known) {
    // A total never covers less than `known`: both come from tiles before this one.
    if (descriptors.tiles_covered(known) < tile) {
      descriptors.read_inclusive_prefix(tile - 1, known);
    }
  }
};
static_assert(single_pass_scheme<chained>);

}  // namespace sam::carry
