// SPDX-License-Identifier: MIT
// Defines the arguments that all kernels of a sort take.
#pragma once

#include <sam/gpu/sort/radix_traits.hpp>
#include <sam/gpu/sort/ranking.hpp>
#include <sam/gpu/sort/sort_control.hpp>

#include <initializer_list>

namespace sam::inline v0_1::gpu {

template <class Job>
struct sort_arguments;
/// Holds the arguments of a sort. A digit place has digit_bits bits, except for the last one, which
/// may have fewer.
template <class Key, class Value, class Digits>
struct sort_arguments<sort_job<Key, Value, Digits>> {
  sort_job<Key, Value, Digits> job;
  Key* keys_at[2] = {};  // the result's memory and the spare memory
  Value* values_at[2] = {};
  sort_control* control = nullptr;
  void* words = nullptr;  // descriptor words: one for each digit and tile, then those of groups
  index_t words_bytes = 0;
  int steps = 0;         // digit places, and one more if an odd number of passes may need a copy
  void* runs = nullptr;  // output of clusters whose sorted runs are still to be merged
  // Set by onesweep::prepare() for one pass:
  int step = 0;
  index_t tiles = 0;
  std::uint32_t* group_words = nullptr;
  int copies = 0;         // of counters in shared memory: a power of 2, at most a warp's lanes
  bool packs = false;     // passes may exchange keys and values as packed pairs
  bool in_place = false;  // some output array is also its input
  bool all_in_place = false;
  rank_choice ranks = {};

  /// Sets `packs` if the job can use packed pairs and all arrays are aligned for them.
  void pack_if_aligned() {
    using traits = radix_traits<sort_job<Key, Value, Digits>>;
    packs = traits::packs;
    if constexpr (traits::packs)
      for (void const* memory :
           std::initializer_list<void const*>{keys_at[0], keys_at[1], values_at[0], values_at[1]})
        packs = packs &&
                reinterpret_cast<std::uintptr_t>(memory) % alignof(typename traits::packed) == 0;
  }
  /// Returns one of two arrays. Devices whose arguments can be indexed in place index them; on
  /// others that would make the compiler copy all arguments to the memory of the thread.
  template <class Device, class T>
  static SAM_DEVICE T* one_of(T* const (&arrays)[2], int which) {
    if constexpr (Device::indexes_arguments)
      return arrays[which];
    else
      return which == 0 ? arrays[0] : arrays[1];
  }
  /// Returns the packed pairs of n items that lie in one of two pairs of arrays.
  template <class Device, class Index>
  SAM_DEVICE auto pairs_at(int which, index_t n) const {
    return packed_pairs<typename radix_traits<sort_job<Key, Value, Digits>>::packed, Index>(
        one_of<Device>(keys_at, which), one_of<Device>(values_at, which),
        control->last_pairs + which, n);
  }

  SAM_FUNCTION int places(int digit_bits) const {
    return (job.end_bit - job.begin_bit + digit_bits - 1) / digit_bits;
  }
  /// Returns digit place p; it has no bits if p is past the last place.
  SAM_FUNCTION digit_position place(int p, int digit_bits) const {
    int const bit = job.begin_bit + p * digit_bits;
    int const left = job.end_bit - bit;
    return left > 0 ? digit_position{bit, left < digit_bits ? left : digit_bits} : digit_position{};
  }
};

/// Adds to the arguments of a kernel the place of the number of items, at most job.n, if only the
/// device knows it.
template <class Job, class Arguments = sort_arguments<Job>>
struct device_count_arguments : Arguments {
  using known = Arguments;
  engine::number_in_memory count = {};

  /// Returns the number of items. A negative number counts as 0.
  SAM_DEVICE index_t items() const { return count.upto(this->job.n); }
};

/// Calls f(arguments) for all.items() items, unless there are none. f must not index the arrays in
/// the arguments, or they would lie in the memory of each thread. The first kernel of a sort waits
/// for the work before it. Later ones need not wait to read the number: they begin only once all
/// blocks of the kernel before them have done so.
template <class Device, bool IsFirst, class Counted, class F>
SAM_DEVICE void with_count(Counted const& all, F const& f) {
  if constexpr (IsFirst)
    Device::grid_dependency_wait();
  typename Counted::known a = all;
  a.job.n = all.items();
  if (a.job.n > 0)
    f(a);
  else if constexpr (!IsFirst)
    Device::grid_dependency_wait();  // so that the kernel behind this one waits for those before
}

}  // namespace sam::inline v0_1::gpu
