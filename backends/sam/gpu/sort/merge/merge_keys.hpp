// SPDX-License-Identifier: MIT
// Defines the items that the merge sorts compare.
//
// For keys without values that can be computed from their ordered keys, an item is the ordered key,
// and equal items are interchangeable. Otherwise an item is the sorted bits followed by the item's
// index. No two such items are equal, so the sort is stable. The index tells where to load the
// value from after the sort, and the key, too, unless the sorted bits determine it.
#pragma once

#include <sam/gpu/sort/radix_traits.hpp>

namespace sam::inline v0_1::gpu {

/// Converts between the keys and values of a job and the items that merge sorts compare.
template <class Job>
class merge_keys {
  using traits = radix_traits<Job>;
  using key = typename traits::key;
  using value = typename traits::value;
  using ordered_key = typename traits::ordered_key;
  static constexpr int number_bits = 32, two_digits = 16;
  static constexpr int digit_bits = std::remove_cvref_t<decltype(Job::digits)>::bits;
  static constexpr int bytes = sizeof(key) + sizeof(value);
  static constexpr bool tells_keys_by_all_bits =
      is_one_to_one<std::remove_cvref_t<decltype(Job::digits)>>;

 public:
  static constexpr bool are_numbered = !traits::keys_only;
  using item = std::conditional_t<are_numbered, std::uint64_t, ordered_key>;
  /// Type of items in memory between kernels.
  using stored = std::conditional_t<are_numbered, item, key>;

  /// True if the merge sorts can handle items of this kind. Items with an index that are sorted by
  /// at most two digits are excluded, since a radix sort is faster.
  static constexpr bool is_possible = are_numbered ? digit_bits > two_digits &&
                                                         sizeof(ordered_key) <= 4 && bytes <= 16
                                                   : sizeof(ordered_key) <= 8;
  /// True if the items compare all bits that the job sorts by.
  static bool takes(Job const& job) {
    return is_possible && job.n >> (number_bits - 1) == 0 &&
           (are_numbered ? job.end_bit - job.begin_bit > two_digits : traits::sorts_all_bits(job));
  }

  /// True if keys can be computed from items with an index.
  static SAM_FUNCTION bool tell_keys(Job const& job) {
    return tells_keys_by_all_bits && job.begin_bit == 0 && job.end_bit == digit_bits;
  }

  /// Returns an item that no other is greater than, used as padding.
  static SAM_DEVICE item last() { return static_cast<item>(~item(0)); }
  static SAM_DEVICE item of(Job const& job, int i) {
    auto const x = static_cast<ordered_key>(job.digits(job.keys[i]));
    if constexpr (are_numbered)
      return item(bits_between{job.begin_bit, job.end_bit}(x)) << number_bits | std::uint32_t(i);
    else
      return x;
  }
  static SAM_DEVICE item of_stored(Job const& job, stored const& x) {
    if constexpr (are_numbered)
      return x;
    else
      return static_cast<item>(job.digits(x));
  }
  /// Stores a thread's items, Step positions apart. There are `left` positions from the first one
  /// to the end of the array.
  template <int Step, int Slots>
  static SAM_DEVICE void store(Job const& job, stored* to, int left, item const (&items)[Slots]) {
    for_each_there<Step, Slots>(left, [&](int s) { to[s * Step] = to_be_stored(job, items[s]); });
  }
  /// Writes a thread's part of the result, Step positions apart from position `first` on. It calls
  /// await() after its last load: in an in-place sort all threads must have loaded before any
  /// stores.
  template <int Step, int Slots, class Await>
  static SAM_DEVICE void write(Job const& job, int first, int left, item const (&items)[Slots],
                               Await const& await) {
    if constexpr (!are_numbered) {
      store<Step>(job, job.sorted_keys + first, left, items);
    } else {
      uninitialized_array<key, Slots> keys;
      uninitialized_array<value, Slots> values;
      auto const load_items = [&](auto const& key_of) {
#pragma unroll
        for (int s = 0; s < Slots; ++s) {  // padding loads the last item: no branch
          auto const number = static_cast<std::uint32_t>(items[s]);
          index_t const i = engine::min_of(index_t{number}, job.n - 1);
          key_of(keys.at[s], items[s], i);
          if constexpr (traits::has_values)
            values.at[s] = value_at(job, i);
        }
      };
      if (job.sorted_keys == nullptr) {
        load_items([](key&, item, index_t) {});
      } else if (!tell_keys(job)) {
        load_items([&](key& k, item, index_t i) { k = job.keys[i]; });
      } else if constexpr (tells_keys_by_all_bits) {
        load_items([&](key& k, item x, index_t) {
          k = gpu::key_of_ordered_key<key>(job.digits, static_cast<ordered_key>(x >> number_bits));
        });
      }
      await();
      for_each_there<Step, Slots>(left, [&](int s) {
        if (job.sorted_keys != nullptr)
          job.sorted_keys[first + s * Step] = keys.at[s];
        if constexpr (traits::has_values)
          job.sorted_values[first + s * Step] = values.at[s];
      });
    }
  }

 private:
  static SAM_DEVICE stored to_be_stored(Job const& job, item x) {
    if constexpr (are_numbered)
      return x;
    else
      return gpu::key_of_ordered_key<key>(job.digits, x);
  }
  template <int Step, int Slots, class F>
  static SAM_DEVICE void for_each_there(int left, F const& f) {
#pragma unroll
    for (int s = 0; s < Slots; ++s)
      if (s * Step < left)
        f(s);
  }
  static SAM_DEVICE value value_at(Job const& job, index_t i) requires(traits::has_values) {
    if constexpr (integer<value>)
      if (job.values == nullptr)
        return static_cast<value>(i);
    return job.values[i];
  }
};

}  // namespace sam::inline v0_1::gpu
