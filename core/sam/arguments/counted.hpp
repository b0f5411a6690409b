// SPDX-License-Identifier: MIT
// Defines counted, which gives an array a number of items that lies in the context's memory.
#pragma once

#include <sam/array.hpp>

#include <cstdint>
#include <type_traits>

namespace sam::inline v0_1 {

namespace detail {
/// True for the types of inputs that compute their items, such as sam::generated returns.
template <class A>
inline constexpr bool is_lazy = requires {
  typename std::remove_cvref_t<A>::lazy_input;
};

/// Names what stands for an array: a copy of one that does not own its items, or a reference.
template <class A>
using copy_or_reference = std::conditional_t<is_borrowed<A> || is_lazy<A>, A const, A const&>;
/// An array and the number of its items that a call takes.
template <class Items, class Number>
struct counted_array {
  copy_or_reference<Items> items;
  copy_or_reference<Number> number;
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

/// A number of items that the host knows.
struct known_count {
  index_t n;
  SAM_FUNCTION index_t operator()() const { return n; }
};
/// A number of items in the context's memory, of at most `capacity`.
template <class N>
struct loaded_count {
  N const* at;
  index_t capacity;
  SAM_FUNCTION index_t operator()() const {
    // Compared as N first, since a large unsigned number may not fit an index_t.
    N const n = *at;
    if (n <= N(0))
      return 0;
    using wide = std::common_type_t<std::uint64_t, std::make_unsigned_t<N>>;
    return wide(n) < wide(capacity) ? static_cast<index_t>(n) : capacity;
  }
  /// Returns the number itself, also above `capacity`.
  SAM_FUNCTION index_t unlimited() const { return *at > N(0) ? static_cast<index_t>(*at) : 0; }
};
/// A number of items that the host passes by value, of which calls use at most `capacity`.
struct passed_count {
  index_t n;
  index_t capacity;
  SAM_FUNCTION index_t operator()() const { return n < capacity ? n : capacity; }
  SAM_FUNCTION index_t unlimited() const { return n; }
};
}  // namespace detail

/// Returns an input that consists of the first number[0] items of an array. The call that takes it
/// reads the number when its work runs, and the host does not wait for it. So the number may come
/// from earlier work of the same context, such as a compaction, and the call may be captured in a
/// graph.
///
/// items    the array. A call checks its other arrays against the size of this one
/// number   an array of one integer in memory that the context reaches. A number below 0 counts as
///          0, and one above the array's size as that size
/// returns  an object that holds copies of arrays that do not own their items, such as std::span,
/// and
///          refers to others
template <class Items, class Number>
detail::counted_array<Items, Number> counted(Items const& items, Number const& number) {
  return {items, number};
}

}  // namespace sam::inline v0_1
