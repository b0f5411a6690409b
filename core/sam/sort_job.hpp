// SPDX-License-Identifier: MIT
// What a back end is asked to sort. Beside `run`, a back end that sorts offers, found through the
// type of its context,
//
//   template <class Key, class Value, class Digits>
//   void sort(context&, sort_job<Key, Value, Digits> const&);
//   template <class Key, class Value, class Digits>
//   index_t sort_workspace(context const&, sort_job<Key, Value, Digits> const&);
//
// The latter says how many bytes, at most, the former will need of the context's own memory. It
// looks at n, at the bits and at which pointers are null, never behind them nor at which are equal.
//
// To sort each of many segments is to sort all items by segment and key, which `sort` does. A back
// end that knows better, because a segment fits into a cache or a block, may also offer
//
//   template <class Key, class Value, class Digits, class Heads>
//   void segmented_sort(context&, sort_job<Key, Value, Digits> const&, Heads const&);
//   template <class Key, class Value, class Digits>
//   index_t segmented_sort_workspace(context const&, sort_job<Key, Value, Digits> const&);
//
// where heads.at(i) is whether item i begins a segment and, on a host, heads.next(i, end), for
// 0 <= i < end <= n, the first item behind i that does, or end if none before end does. Item 0
// begins one in any case. If all segments but the last are of one length, heads.length is it.
#pragma once

#include <sam/digits.hpp>

namespace sam {

/// The values of a sort of keys alone.
struct no_values {};

/// The stable order of n keys by bits [begin_bit, end_bit) of digits(key), values beside them. What
/// is read stays as it is unless it is also what is written. All arrays lie apart but for keys and
/// sorted_keys, which may be one and the same, and so may values and sorted_values.
template <class Key, class Value, class Digits>
struct sort_job {
  static constexpr bool has_values = !std::is_same_v<Value, no_values>;

  index_t n;
  Key const* keys;
  Key* sorted_keys;      // null if nobody wants them, as for an argsort
  Value const* values;   // null with an integer Value: value i is i
  Value* sorted_values;  // with no_values these and their spare are null
  Key* spare_keys;       // room for n, which is the caller's; or null: the context's own memory
  Value* spare_values;   // likewise; both are given or neither
  Digits digits;  // ::image, the unsigned type of digits(key); ::bits, how many bits of it count
  int begin_bit, end_bit;  // 0 <= begin_bit <= end_bit <= Digits::bits
};

}  // namespace sam
