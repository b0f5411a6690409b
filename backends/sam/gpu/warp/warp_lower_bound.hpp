// SPDX-License-Identifier: MIT
// A search by a warp, whose lanes ask for as many places at a time: memory is far.
#pragma once

#include <sam/portable.hpp>

namespace sam::gpu {

/// The first k of [low, high) for which is_behind(k) holds, as it does for all that follow; or
/// high.
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
