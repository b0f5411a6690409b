// SPDX-License-Identifier: MIT
// Sorts segments by one sort of all items, by key and segment number.
//
// The items lie in segment order at first. A stable sort whose digits are the key's, and above
// these the segment number's, orders them by segment, then by key. So each key is stored with the
// number of its segment.
#pragma once

#include <sam/backend/sort_job.hpp>

#include <bit>

namespace sam::inline v0_1::detail {

/// A key, with the number of segments before its own that are not empty.
template <class Key>
struct key_in_segment {
  Key key;
  std::uint32_t segment;
};

/// Returns the number of bits that distinguish `most` segments.
inline int bits_of_segments(index_t most) {
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(max_of(1, most) - 1)));
}

/// Combines digits: the key's bits below `end`, and the segment number from bit `end` on.
template <class Digits>
struct digits_in_segments {
  using ordered_key = std::uint64_t;
  static constexpr int bits = Digits::bits + 32;
  Digits inner;
  int end;
  template <class Key>
  SAM_FUNCTION ordered_key operator()(key_in_segment<Key> const& x) const {
    ordered_key const above = ~ordered_key{0} << end, of_key = inner(x.key);
    return (of_key & ~above) | ordered_key{x.segment} << end;
  }
};
/// Maps an item to the digits of its key, for a sort by key followed by one by segment. It serves
/// digits that do not fit into 64 bits with a segment number: a second sort is faster than wider
/// digits.
template <class Digits>
struct digits_of_key_alone {
  using ordered_key = typename Digits::ordered_key;
  static constexpr int bits = Digits::bits;
  Digits inner;
  template <class Key>
  SAM_FUNCTION ordered_key operator()(key_in_segment<Key> const& x) const {
    return inner(x.key);
  }
};
struct digits_of_segment {
  using ordered_key = std::uint32_t;
  static constexpr int bits = 32;
  template <class Key>
  SAM_FUNCTION ordered_key operator()(key_in_segment<Key> const& x) const {
    return x.segment;
  }
};

template <class Digits>
inline constexpr bool is_consistent<digits_in_segments<Digits>> = is_consistent<Digits>;
template <class Digits>
inline constexpr bool is_consistent<digits_of_key_alone<Digits>> = is_consistent<Digits>;
template <>
inline constexpr bool is_consistent<digits_of_segment> = true;

/// Returns a sort of `items` in place, with the values of `job` and other digits.
template <class Key, class Value, class Digits, class NewDigits>
auto sort_job_in_segments(sort_job<Key, Value, Digits> const& job, key_in_segment<Key>* items,
                          NewDigits const& digits, int begin_bit, int end_bit) {
  return sort_job<key_in_segment<Key>, Value, NewDigits>{
      job.n,   items,   items,  job.values, job.sorted_values,
      nullptr, nullptr, digits, begin_bit,  end_bit};
}

/// Calls use(job) for one sort, or for two in sequence, which together sort `items` by segment and
/// key. `items` have the keys of `job`, whose values move with them. There are at most `most`
/// segments.
template <class Key, class Value, class Digits, class Use>
void for_each_sort_in_segments(sort_job<Key, Value, Digits> const& job, key_in_segment<Key>* items,
                               index_t most, Use const& use) {
  int const segment_bits = bits_of_segments(most);
  using together = digits_in_segments<Digits>;
  if constexpr (together::bits <= 64) {
    use(detail::sort_job_in_segments(job, items, together{job.digits, job.end_bit}, job.begin_bit,
                                     job.end_bit + segment_bits));
  } else {
    auto by_segment =
        detail::sort_job_in_segments(job, items, digits_of_segment{}, 0, segment_bits);
    by_segment.values = job.sorted_values;
    use(detail::sort_job_in_segments(job, items, digits_of_key_alone<Digits>{job.digits},
                                     job.begin_bit, job.end_bit));
    use(by_segment);
  }
}

}  // namespace sam::inline v0_1::detail
