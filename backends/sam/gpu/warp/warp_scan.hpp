// SPDX-License-Identifier: MIT
// This file defines inclusive sums over the lanes of a warp.
#pragma once

#include <sam/portable.hpp>

#include <cstdint>

namespace sam::gpu {

/// Returns the sum of x over this lane and all lower lanes. Valid in the first `Lanes` lanes.
template <class Device, int Lanes = Device::warp_size>
SAM_DEVICE std::uint32_t sum_upto_lane(std::uint32_t x) {
#pragma unroll
  for (int step = 1; step < Lanes; step *= 2) {
    std::uint32_t const before = Device::shuffle_up(x, step);
    x += Device::lane() >= step ? before : 0;
  }
  return x;
}
/// Returns the 64-bit sum of x over this lane and all lower lanes.
template <class Device>
SAM_DEVICE std::uint64_t sum_upto_lane(std::uint64_t x) {
#pragma unroll
  for (int step = 1; step < Device::warp_size; step *= 2) {
    std::uint64_t const low = Device::shuffle_up(std::uint32_t(x), step);
    std::uint64_t const high = Device::shuffle_up(std::uint32_t(x >> 32), step);
    x += Device::lane() >= step ? high << 32 | low : 0;
  }
  return x;
}

}  // namespace sam::gpu
