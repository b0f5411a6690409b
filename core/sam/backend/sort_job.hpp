// SPDX-License-Identifier: MIT
// The sorts that a back end may offer. A context that sorts has, beside run,
//
//   template <class Key, class Value, class Digits>
//   void sort(sort_job<Key, Value, Digits> const&);
//   template <class Key, class Value, class Digits>
//   index_t sort_workspace(sort_job<Key, Value, Digits> const&) const;
//
// sort_workspace returns how many bytes of the context's own memory sort needs at most. It looks at
// n, at the bits and at which pointers are null, never behind them nor at which are equal.
//
// A sort of many segments is one of all items by segment and key, which `sort` does. A back end
// that knows better, because a segment fits into a cache or a block, may also offer
//
//   template <class Key, class Value, class Digits, class Heads>
//   void segmented_sort(sort_job<Key, Value, Digits> const&, Heads const&);
//   template <class Key, class Value, class Digits>
//   index_t segmented_sort_workspace(sort_job<Key, Value, Digits> const&) const;
//
// heads.at(i) says whether item i begins a segment. On a host, heads.next(i, end), for 0 <= i < end
// <= n, returns the first item behind i that does, or end if none before end does. Item 0 begins
// one in any case. If all segments but the last are of one length, heads.length is it.
#pragma once

#include <sam/digits.hpp>

namespace sam {

/// The values of a sort of keys alone.
struct no_values {};

/// Facts about a sort that are known when it is compiled, so that a back end compiles nothing for
/// other sorts.
///
/// all_bits  keys are sorted by all of their bits
/// few       there are fewer than 2^30 keys
struct sort_facts {
  bool all_bits = false;
  bool few = false;
};

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
  Digits
      digits;  // ::ordered_key, the unsigned type of digits(key); ::bits, how many bits of it count
  int begin_bit, end_bit;  // 0 <= begin_bit <= end_bit <= Digits::bits
};

/// A sort of which Facts are known. A back end to which they make no difference takes it for the
/// sort_job that it is.
template <class Key, class Value, class Digits, sort_facts Facts>
struct known_sort_job : sort_job<Key, Value, Digits> {};

}  // namespace sam
