// SPDX-License-Identifier: MIT
// The arguments that all kernels of a sort take.
#pragma once

#include <sam/gpu/sort/radix_traits.hpp>
#include <sam/gpu/sort/sort_control.hpp>

#include <initializer_list>

namespace sam::gpu {

template <class Job>
struct sort_arguments;
/// A sort on a device. Places are of digit_bits bits each, but for the last, which may have fewer.
template <class Key, class Value, class Digits>
struct sort_arguments<sort_job<Key, Value, Digits>> {
  sort_job<Key, Value, Digits> job;
  Key* keys_at[2] = {};  // the result's memory, and the spare
  Value* values_at[2] = {};
  sort_control* control = nullptr;
  void* words = nullptr;  // for looking back: one a digit and tile
  index_t words_bytes = 0;
  int steps = 0;         // the places, and one more if an odd number of passes may come back
  void* runs = nullptr;  // where clusters leave what they have sorted, if it is still to be merged
  // Of a pass's kernel, by its onesweep:
  int step = 0;
  index_t tiles = 0;
  std::uint32_t* group_words = nullptr;
  int copies = 0;         // of counters in shared memory: a power of two, at most a warp's lanes
  bool packs = false;     // keys and values may be packed where passes hand them on
  bool in_place = false;  // some result lies where it is read from
  bool all_in_place = false;
  ranking how = ranking::ballot;

  /// Packs where the memory is aligned for it.
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
  /// Behind the last place, no bits.
  SAM_FUNCTION digit_place place(int p, int digit_bits) const {
    int const bit = job.begin_bit + p * digit_bits;
    int const left = job.end_bit - bit;
    return left > 0 ? digit_place{bit, left < digit_bits ? left : digit_bits} : digit_place{};
  }
};

}  // namespace sam::gpu
