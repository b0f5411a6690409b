// SPDX-License-Identifier: MIT
// Searches a sorted range by one warp, whose lanes each probe a position at a time. That takes
// fewer dependent loads than a binary search by one thread.
#pragma once

#include <sam/portable.hpp>

namespace sam::inline v0_1::gpu {

/// Returns the first k of [low, high) for which is_behind(k) holds, or `high` if there is none. If
/// is_behind holds for k, it must hold for all greater values.
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

}  // namespace sam::inline v0_1::gpu
