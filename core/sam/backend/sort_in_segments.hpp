// SPDX-License-Identifier: MIT
// A sort of segments as a sort of all items, by their keys and the numbers of their segments.
//
// Items that are in the order of segments come into that of segments, then keys, by a stable sort
// whose digits are the key's and, above these, the segment's. So the number of a segment goes where
// its key goes, beside it.
#pragma once

#include <sam/backend/sort_job.hpp>

#include <bit>

namespace sam::detail {

/// A key, and how many segments that are not empty come before its own.
template <class Key>
struct key_in_segment {
  Key key;
  std::uint32_t segment;
};

/// Bits that tell so many segments apart.
inline int bits_of_segments(index_t most) {
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(max_of(1, most) - 1)));
}

/// The bits of the key below `end`, and those of the segment from there on.
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
/// One after the other, where no integer of 64 bits holds both: wider ones take longer than to
/// begin opaque.
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

/// A sort of items that lie at `items`, in place, with the values of another.
template <class Key, class Value, class Digits, class NewDigits>
auto sort_job_in_segments(sort_job<Key, Value, Digits> const& job, key_in_segment<Key>* items,
                          NewDigits const& digits, int begin_bit, int end_bit) {
  return sort_job<key_in_segment<Key>, Value, NewDigits>{
      job.n,   items,   items,  job.values, job.sorted_values,
      nullptr, nullptr, digits, begin_bit,  end_bit};
}

/// Calls use(job) for one sort or, one after the other, for two, which together sort `items`, of
/// `job`'s keys and with its values, by segment, of which there are `most` at most, and key.
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

}  // namespace sam::detail
