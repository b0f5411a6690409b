// SPDX-License-Identifier: MIT
// Defines a key with its index, and the least and the greatest key of a warp.
#pragma once

#include <sam/gpu/warp/warp_state.hpp>
#include <sam/portable.hpp>

#include <type_traits>

namespace sam::inline v0_1::gpu {

/// Holds the digits of a key, as a word, and its index, by which equal keys are ordered.
template <class Key>
struct ordered_entry {
  using word = std::conditional_t<sizeof(Key) <= 4, std::uint32_t, std::uint64_t>;
  word key;
  std::uint32_t index;
  SAM_DEVICE bool is_before(ordered_entry const& other) const {
    if constexpr (sizeof(word) == 4)
      return joined() < other.joined();
    else
      return key < other.key || (key == other.key && index < other.index);
  }
  SAM_DEVICE std::uint64_t joined() const { return std::uint64_t{key} << 32 | index; }
};

/// Sets low and high to the least low and the greatest high of all lanes.
template <class Device, class Word>
SAM_DEVICE void least_and_greatest(Word& low, Word& high) {
  if constexpr (sizeof(Word) == 4) {
    low = Device::least_of_all(low);
    high = Device::greatest_of_all(high);
  } else {
#pragma unroll
    for (int step = Device::warp_size / 2; step > 0; step /= 2) {
      Word const l = gpu::shuffle_from<Device>(low, Device::lane() ^ step);
      Word const h = gpu::shuffle_from<Device>(high, Device::lane() ^ step);
      low = l < low ? l : low;
      high = high < h ? h : high;
    }
  }
}

}  // namespace sam::inline v0_1::gpu
