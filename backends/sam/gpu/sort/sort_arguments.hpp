// SPDX-License-Identifier: MIT
// Defines sort_arguments, the arguments that all kernels of a sort take.
#pragma once

#include <sam/gpu/sort/radix_traits.hpp>
#include <sam/gpu/sort/sort_control.hpp>

#include <initializer_list>

namespace sam::gpu {

template <class Job>
struct sort_arguments;
/// Holds the arguments of a device-wide sort. Each digit has digit_bits bits, except that the last
/// one may have fewer.
template <class Key, class Value, class Digits>
struct sort_arguments<sort_job<Key, Value, Digits>> {
  sort_job<Key, Value, Digits> job;
  Key* keys_at[2] = {};  // the result's memory and the spare memory
  Value* values_at[2] = {};
  sort_control* control = nullptr;
  void* words = nullptr;  // look-back descriptor words, one for each digit of each tile
  index_t words_bytes = 0;
  // the digits, and one more where an odd number of passes may end in the wrong memory
  int steps = 0;
  void* runs = nullptr;  // where clusters store sorted runs that are still to be merged
  // Set for one pass's kernel by its onesweep:
  int step = 0;
  index_t tiles = 0;
  std::uint32_t* group_words = nullptr;
  // copies of the counters in shared memory: a power of two, at most a warp's lanes
  int copies = 0;
  bool packs = false;     // passes may hand keys and values on as packed pairs
  bool in_place = false;  // some output array is also an input array
  bool all_in_place = false;
  ranking how = ranking::ballot;

  /// Sets `packs` if the job's types can be packed and all arrays are aligned for packed pairs.
  void pack_if_aligned() {
    using traits = radix_traits<sort_job<Key, Value, Digits>>;
    packs = traits::packs;
    if constexpr (traits::packs)
      for (void const* memory :
           std::initializer_list<void const*>{keys_at[0], keys_at[1], values_at[0], values_at[1]})
        packs = packs &&
                reinterpret_cast<std::uintptr_t>(memory) % alignof(typename traits::packed) == 0;
  }
  template <class Index>
  SAM_DEVICE auto pairs_at(int which) const {
    return packed_pairs<typename radix_traits<sort_job<Key, Value, Digits>>::packed, Index>(
        keys_at[which], values_at[which], control->last_pairs + which, job.n);
  }

  SAM_FUNCTION int places(int digit_bits) const {
    return (job.end_bit - job.begin_bit + digit_bits - 1) / digit_bits;
  }
  /// Returns the bits of digit p, or an empty digit if p is past the last one.
  SAM_FUNCTION digit_place place(int p, int digit_bits) const {
    int const bit = job.begin_bit + p * digit_bits;
    int const left = job.end_bit - bit;
    return left > 0 ? digit_place{bit, left < digit_bits ? left : digit_bits} : digit_place{};
  }
};

}  // namespace sam::gpu
