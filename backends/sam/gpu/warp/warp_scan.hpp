// SPDX-License-Identifier: MIT
// Computes prefix sums of integers over the lanes of a warp.
#pragma once

#include <sam/portable.hpp>

#include <cstdint>

namespace sam::inline v0_1::gpu {

/// Returns the inclusive prefix sum of x over the lanes of the warp. The result is valid in the
/// first `Lanes` lanes.
template <class Device, int Lanes = Device::warp_size>
SAM_DEVICE std::uint32_t sum_upto_lane(std::uint32_t x) {
#pragma unroll
  for (int step = 1; step < Lanes; step *= 2) {
    std::uint32_t const before = Device::shuffle_up(x, step);
    x += Device::lane() >= step ? before : 0;
  }
  return x;
}
/// Returns the inclusive prefix sum of 64-bit x over the lanes of the warp.
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

}  // namespace sam::inline v0_1::gpu
