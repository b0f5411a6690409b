// SPDX-License-Identifier: MIT
// Defines counted, which gives an array a number of items that lies in the context's memory.
#pragma once

#include <sam/array.hpp>

#include <type_traits>

namespace sam::inline v0_1 {

namespace detail {
/// Refers to an array and to the number of its items that a call takes.
template <class Items, class Number>
struct counted_array {
  Items const& items;
  Number const& number;
};
template <class A>
inline constexpr bool is_counted = false;
template <class Items, class Number>
inline constexpr bool is_counted<counted_array<Items, Number>> = true;

/// Names the array of a counted array, or the array itself.
template <class A>
struct array_within {
  using type = A;
};
template <class Items, class Number>
struct array_within<counted_array<Items, Number>> {
  using type = Items;
};
template <class A>
using array_within_t = typename array_within<A>::type;

template <class A>
A const& items_within(A const& a) {
  return a;
}
template <class Items, class Number>
Items const& items_within(counted_array<Items, Number> const& a) {
  return a.items;
}
}  // namespace detail

/// Returns an input that consists of the first number[0] items of an array. The call that takes it
/// reads the number when its work runs, and the host does not wait for it. So the number may come
/// from earlier work of the same context, such as a compaction, and the call may be captured in a
/// graph.
///
/// items    the array. A call checks its other arrays against the size of this one
/// number   an array of one integer in memory that the context reaches. A number below 0 counts as
///          0, and one above the array's size as that size
/// returns  an object that refers to both arrays, to be passed to a call at once
template <class Items, class Number>
detail::counted_array<Items, Number> counted(Items const& items, Number const& number) {
  return {items, number};
}

}  // namespace sam::inline v0_1
