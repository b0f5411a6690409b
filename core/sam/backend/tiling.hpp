// SPDX-License-Identifier: MIT
// Defines tiling, which cuts n items into tiles.
#pragma once

#include <sam/portable.hpp>

namespace sam::inline v0_1::engine {

/// Cuts n items into tiles of `size` items; only the last may be shorter.
struct tiling {
  index_t n;
  index_t size;

  SAM_FUNCTION constexpr index_t tiles() const { return div_up(n, size); }
  SAM_FUNCTION constexpr index_t begin(index_t tile) const { return tile * size; }
  SAM_FUNCTION constexpr index_t count(index_t tile) const { return min_of(size, n - begin(tile)); }
  SAM_FUNCTION constexpr bool is_last(index_t tile) const { return begin(tile) + size >= n; }
};

SAM_FUNCTION constexpr index_t greatest_common_divisor(index_t a, index_t b) {
  while (b != 0) {
    index_t const rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}
SAM_FUNCTION constexpr index_t least_common_multiple(index_t a, index_t b) {
  return a / greatest_common_divisor(a, b) * b;
}

/// Returns the largest multiple of `step` up to `size`, but at least one step. If `step` is a
/// multiple of the tuple size, item i of every tile belongs to component i % tuple_size.
SAM_FUNCTION constexpr index_t tile_size_near(index_t size, index_t step) {
  return max_of(size / step, 1) * step;
}

}  // namespace sam::inline v0_1::engine
