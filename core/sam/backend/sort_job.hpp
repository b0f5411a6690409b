// SPDX-License-Identifier: MIT
// Defines the sort job. The context of a back end that sorts has, beside run,
//
//   template <class Key, class Value, class Digits>
//   void sort(sort_job<Key, Value, Digits> const&);
//   template <class Key, class Value, class Digits>
//   index_t sort_workspace(sort_job<Key, Value, Digits> const&) const;
//
// sort_workspace returns the largest number of bytes of the context's own memory that sort needs.
// It reads n, the bits, and which pointers are null. It does not dereference or compare pointers.
//
// By default, many segments are sorted by one sort of all items, by segment and key. A back end
// that sorts segments faster, as when they fit into a cache or a block, may also have
//
//   template <class Key, class Value, class Digits, class Heads>
//   void segmented_sort(sort_job<Key, Value, Digits> const&, Heads const&);
//   template <class Key, class Value, class Digits>
//   index_t segmented_sort_workspace(sort_job<Key, Value, Digits> const&) const;
//
// heads.at(i) is true if item i begins a segment. Host back ends may call heads.next(i, end), for
// 0 <= i < end <= n. It returns the first item behind i that begins a segment, or end if none
// before end does. Item 0 always begins a segment. If all segments but the last have the same
// length, heads.length is that length.
#pragma once

#include <sam/backend/job/number_in_memory.hpp>
#include <sam/digits.hpp>

namespace sam::inline v0_1 {

/// The value type of a sort of keys alone.
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

}  // namespace sam::inline v0_1

namespace sam::inline v0_1::engine {

/// Describes a stable sort of n keys, and of values beside them, by bits [begin_bit, end_bit) of
/// digits(key). Inputs are not changed, except where they are outputs too. keys may be sorted_keys,
/// and values may be sorted_values; no other arrays overlap.
template <class Key, class Value, class Digits>
struct sort_job {
  static constexpr bool has_values = !std::is_same_v<Value, no_values>;

  index_t n;
  Key const* keys;
  Key* sorted_keys;      // null if not wanted, as in an argsort
  Value const* values;   // null with an integer Value: value i is i
  Value* sorted_values;  // null with no_values, as is spare_values
  // The caller's memory for n keys and n values; both or neither are given. If null, the context's
  // own memory is used.
  Key* spare_keys;
  Value* spare_values;
  // Has a type ::ordered_key, the unsigned type of digits(key), and ::bits, the bits of it in use.
  Digits digits;
  int begin_bit, end_bit;  // 0 <= begin_bit <= end_bit <= Digits::bits
};

/// A sort of which Facts are known. A back end to which they make no difference takes it for the
/// sort_job that it is.
template <class Key, class Value, class Digits, sort_facts Facts>
struct known_sort_job : sort_job<Key, Value, Digits> {};

}  // namespace sam::inline v0_1::engine
