// SPDX-License-Identifier: MIT
// Defines the accumulators of reductions that find an extreme item and its index, and the operator
// that combines them. The operator prefers the lower index among equal items. It is then
// commutative, so that back ends may combine items in any order.
#pragma once

#include <sam/operators.hpp>

namespace sam::inline v0_1 {

/// An item and its index in an array.
template <class T>
struct indexed_value {
  T value;
  index_t index;
};

/// The first smallest and the first largest item of an array, with their indices.
template <class T>
struct minmax_values {
  indexed_value<T> min, max;
};

/// Compares items by <. Unlike std::less, it can be called on a device.
struct less {
  static constexpr bool runs_on_devices = true;
  template <class T>
  requires requires(T const& a, T const& b) { a < b; }
  SAM_FUNCTION constexpr bool operator()(T const& a, T const& b) const { return a < b; }
};
/// Compares items by >.
struct greater {
  static constexpr bool runs_on_devices = true;
  template <class T>
  requires requires(T const& a, T const& b) { b < a; }
  SAM_FUNCTION constexpr bool operator()(T const& a, T const& b) const { return b < a; }
};

namespace detail {

/// Orders numbers by <, or by > if Max. A NaN precedes all numbers either way, so that it is the
/// extreme item of its array, as it is for sam::minimum and sam::maximum.
template <bool Max>
struct natural_extreme {
  static constexpr bool runs_on_devices = true;
  static constexpr bool compares_any_items = true;  // also those of located<T>::nothing()
  template <class T>
  SAM_FUNCTION constexpr bool operator()(T const& a, T const& b) const {
    bool const precedes = Max ? b < a : a < b;
    if constexpr (is_floating<T>)
      return precedes || (a != a && b == b);
    else
      return precedes;
  }
};

/// Orders items by a caller's comparison, or by its inverse if Max.
template <class Less, bool Max>
struct extreme_by {
  Less less;
  template <class T>
  SAM_FUNCTION constexpr bool operator()(T const& a, T const& b) const {
    if constexpr (Max)
      return static_cast<bool>(less(b, a));
    else
      return static_cast<bool>(less(a, b));
  }
};

/// Holds an item and its index, or no item. Index is a signed integer.
template <class T, class Index = index_t>
struct located {
  static constexpr Index none = -1;
  engine::uninitialized_array<T, 1> item;  // T need not be default constructible
  Index index;

  static SAM_FUNCTION located of(T const& x, index_t i) {
    located all;
    all.item.at[0] = x;
    all.index = static_cast<Index>(i);
    return all;
  }
  static SAM_FUNCTION located nothing() {
    located all;
    if constexpr (std::is_trivially_default_constructible_v<T>)
      all.item.at[0] = T();
    all.index = none;
    return all;
  }
  /// Returns b if `second`, else a. Numbers are chosen member by member: GPUs would keep both
  /// arguments in memory to choose one by its address.
  static SAM_FUNCTION located chosen(bool second, located const& a, located const& b) {
    if constexpr (std::is_arithmetic_v<T>) {
      T const of_a = a.value(), of_b = b.value();
      Index const index_of_a = a.index, index_of_b = b.index;
      return of(second ? of_b : of_a, second ? index_of_b : index_of_a);
    } else {
      return second ? b : a;
    }
  }
  SAM_FUNCTION T const& value() const { return item.at[0]; }
};

/// Holds the first smallest and the first largest item.
template <class T, class Index = index_t>
struct located_pair {
  located<T, Index> min, max;
};

/// Combines located items: the result is the one that Precedes puts first, and the one with the
/// lower index if neither precedes the other.
template <class Precedes>
struct first_of_order {
  static constexpr bool commutative = true;
  static constexpr bool idempotent = true;
  Precedes precedes;

  template <class T, class Index>
  SAM_FUNCTION located<T, Index> operator()(located<T, Index> const& a,
                                            located<T, Index> const& b) const {
    bool second;
    if constexpr (std::is_arithmetic_v<T> && requires { requires Precedes::compares_any_items; }) {
      bool const precedes_a = precedes(b.value(), a.value()), is_lower = b.index < a.index;
      bool const follows_a = precedes(a.value(), b.value()), is_first = a.index < 0;
      // Without branches: GPUs need fewer instructions for it.
      second = (b.index >= 0) & (is_first | precedes_a | (is_lower & !follows_a));
    } else {
      second = b.index >= 0 && (a.index < 0 || precedes(b.value(), a.value()) ||
                                (b.index < a.index && !precedes(a.value(), b.value())));
    }
    return located<T, Index>::chosen(second, a, b);
  }
  /// True if a located item of items(0) to items(count - 1), all behind `a`, may be chosen in its
  /// place. Compilers vectorize the loop, so that a CPU can pass over most items.
  template <class T, class Index, class Items>
  requires(std::is_arithmetic_v<T>) bool may_pass_on(located<T, Index> const& a, Items const& items,
                                                     index_t count) const {
    T const best = a.value();
    unsigned any = a.index < 0 ? 1 : 0;
    for (index_t i = 0; i < count; ++i)
      any |= precedes(items(i).value(), best) ? 1u : 0u;
    return any != 0;
  }
  /// Combines `a` with items(0) to items(count - 1), which lie behind it in ascending order.
  template <class T, class Index, class Items>
  requires(std::is_arithmetic_v<T>) located<T, Index> appended(located<T, Index> const& a,
                                                               Items const& items, index_t count)
  const {
    T best = a.value();
    Index at = a.index;
    for (index_t i = 0; i < count; ++i) {
      located<T, Index> const b = items(i);
      bool const second = (b.index >= 0) & ((at < 0) | precedes(b.value(), best));
      best = second ? b.value() : best;
      at = second ? b.index : at;
    }
    return located<T, Index>::of(best, at);
  }
  /// Returns the index of an item; a negative one for no item.
  template <class T, class Index>
  SAM_FUNCTION static index_t index_of_choice(located<T, Index> const& x) {
    return x.index;
  }
  template <class A>
  SAM_FUNCTION static A identity() {
    return A::nothing();
  }
};

/// Combines pairs of located items.
template <class PrecedesMin, class PrecedesMax>
struct first_of_both_orders {
  static constexpr bool commutative = true;
  static constexpr bool idempotent = true;
  first_of_order<PrecedesMin> min;
  first_of_order<PrecedesMax> max;

  template <class T, class Index>
  SAM_FUNCTION located_pair<T, Index> operator()(located_pair<T, Index> const& a,
                                                 located_pair<T, Index> const& b) const {
    return {min(a.min, b.min), max(a.max, b.max)};
  }
  /// Returns true if either extreme may change, as for one.
  template <class T, class Index, class Items>
  requires(std::is_arithmetic_v<T>) bool may_pass_on(located_pair<T, Index> const& a,
                                                     Items const& items, index_t count) const {
    auto const mins = [&](index_t i) { return items(i).min; };
    auto const maxs = [&](index_t i) { return items(i).max; };
    return min.may_pass_on(a.min, mins, count) || max.may_pass_on(a.max, maxs, count);
  }
  template <class T, class Index, class Items>
  requires(std::is_arithmetic_v<T>) located_pair<T, Index> appended(located_pair<T, Index> const& a,
                                                                    Items const& items,
                                                                    index_t count)
  const {
    auto const mins = [&](index_t i) { return items(i).min; };
    auto const maxs = [&](index_t i) { return items(i).max; };
    return {min.appended(a.min, mins, count), max.appended(a.max, maxs, count)};
  }
  /// Returns the index of the smallest or the largest item; a negative one for no item.
  template <class T, class Index>
  SAM_FUNCTION static index_t index_of_first(located_pair<T, Index> const& x) {
    return x.min.index;
  }
  template <class T, class Index>
  SAM_FUNCTION static index_t index_of_second(located_pair<T, Index> const& x) {
    return x.max.index;
  }
  /// Returns the smallest item of a and the largest one of b.
  template <class T, class Index>
  SAM_FUNCTION static located_pair<T, Index> joined(located_pair<T, Index> const& a,
                                                    located_pair<T, Index> const& b) {
    return {a.min, b.max};
  }
  template <class A>
  SAM_FUNCTION static A identity() {
    using one = decltype(A::min);
    return {one::nothing(), one::nothing()};
  }
};

}  // namespace detail

/// The choice among located items does not depend on their grouping.
template <class T, class Index>
inline constexpr bool is_exact<detail::located<T, Index>> = true;
template <class T, class Index>
inline constexpr bool is_exact<detail::located_pair<T, Index>> = true;

}  // namespace sam::inline v0_1
