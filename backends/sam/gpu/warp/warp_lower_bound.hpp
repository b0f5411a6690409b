// SPDX-License-Identifier: MIT
// This file defines a binary search by a whole warp: each step probes one position per lane, so
// that a search has fewer dependent loads.
#pragma once

#include <sam/portable.hpp>

namespace sam::gpu {

/// Returns the first k in [low, high) for which is_behind(k) is true, or high. is_behind must be
/// monotone.
template <class Device, class Predicate>
SAM_DEVICE index_t search(index_t low, index_t high, Predicate const& is_behind) {
  constexpr int lanes = Device::warp_size;
  while (low < high) {
    index_t const step = div_up(high - low, lanes + 1);
    index_t const k = low + (Device::lane() + 1) * step - 1;
    int const lane = Device::first_lane_where(k >= high || is_behind(k));
    if (lane < lanes)
      high = min_of(high, low + (lane + 1) * step - 1);
    low += lane * step;
  }
  return high;
}

}  // namespace sam::gpu
