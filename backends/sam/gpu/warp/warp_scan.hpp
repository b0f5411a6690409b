// SPDX-License-Identifier: MIT
// Sums of numbers of which each lane of a warp has one.
#pragma once

#include <sam/portable.hpp>

#include <cstdint>

namespace sam::gpu {

/// What a lane's x comes to with those of all lower lanes, in the first `Lanes` lanes.
template <class Device, int Lanes = Device::warp_size>
SAM_DEVICE std::uint32_t sum_upto_lane(std::uint32_t x) {
#pragma unroll
  for (int step = 1; step < Lanes; step *= 2) {
    std::uint32_t const before = Device::shuffle_up(x, step);
    x += Device::lane() >= step ? before : 0;
  }
  return x;
}
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
