// SPDX-License-Identifier: MIT
// Defines the concept of an array argument: contiguous items in memory, owned or not.
#pragma once

#include <sam/portable.hpp>

#include <concepts>
#include <cstddef>
#include <iterator>
#include <span>
#include <type_traits>

namespace sam::inline v0_1 {

namespace detail {

/// Returns the raw pointer behind data(): the pointer itself, or the one in a pointer-like class
/// such as thrust::device_ptr.
template <class T>
requires(!std::is_void_v<T>) constexpr T* raw_pointer(T* p) { return p; }
template <class P>
requires(!std::is_pointer_v<P> &&
         requires(P const& p) { *p.get(); }) constexpr auto raw_pointer(P const& p) {
  return sam::detail::raw_pointer(p.get());
}

/// True unless an array says that its items do not lie side by side, as a strided View does.
template <class A>
constexpr bool is_contiguous(A const& a) {
  if constexpr (requires { a.span_is_contiguous(); })
    return a.span_is_contiguous();
  else
    return true;
}

template <class A>
concept has_items = requires(A& a) {
  sam::detail::raw_pointer(std::data(a));
  static_cast<index_t>(std::size(a));
};

/// True for types with a static member rank(), such as Kokkos views. Views of dynamic rank have a
/// member function instead.
template <class A>
concept has_static_rank = requires {
  A::rank();
};
template <class A>
concept has_dynamic_rank = !has_static_rank<A> && requires(A const& a) {
  { a.rank() } -> std::convertible_to<index_t>;
};
template <class A>
concept has_rank_of_2_or_more = has_static_rank<A> &&(A::rank() > 1);

/// True for std::vector<bool> and similar types, which have no bool in memory for each item.
template <class A>
concept packs_bools = requires {
  requires std::is_same_v<typename A::value_type, bool>;
  requires !std::is_reference_v<typename A::reference>;
};

}  // namespace detail

/// A type with contiguous items in memory: std::span (a pointer and n), std::vector, std::array, a
/// C array, a Kokkos::View of rank 1 or 0, thrust::device_vector. The context must be able to
/// access the memory, on the host or on a device.
template <class A>
concept array = detail::has_items<std::remove_reference_t<A>> &&
    !detail::has_rank_of_2_or_more<std::remove_cvref_t<A>>;

/// The type of an array's items as data() returns them: const if they may not be written.
template <array A>
using element_of = std::remove_pointer_t<decltype(detail::raw_pointer(
    std::data(std::declval<std::remove_reference_t<A>&>())))>;
template <array A>
using item_of = std::remove_cv_t<element_of<A>>;

/// An array whose items may be written.
template <class A>
concept output_array = array<A> && !std::is_const_v<element_of<A>>;

/// Returns the number of items of an array.
template <array A>
constexpr index_t size_of(A const& a) {
  return static_cast<index_t>(std::size(a));
}

/// True for types that refer to items without owning them, or share them between copies, so that a
/// copy serves as well as the original: std::span, std::string_view and other borrowed ranges,
/// Kokkos::View. Specialise it for similar types of your own.
template <class A>
inline constexpr bool is_borrowed =
    std::ranges::enable_borrowed_range<A> || std::ranges::enable_view<A> ||
    detail::has_static_rank<A> || detail::has_dynamic_rank<A>;

namespace detail {

/// True if an argument passed as A (the type of a forwarding reference) outlives the call. A
/// temporary does so only if it is borrowed.
template <class A>
inline constexpr bool outlives_call = std::is_lvalue_reference_v<A> || is_borrowed<A>;

/// Returns a copy of a borrowed array, which shares its items, or a span of an array that the
/// caller owns.
template <class A>
requires(is_borrowed<std::remove_cvref_t<A>>) constexpr std::remove_cvref_t<A> borrow(A&& a) {
  return a;
}
template <class A>
requires(!is_borrowed<std::remove_cvref_t<A>>) constexpr std::span<element_of<A>> borrow(A&& a) {
  return {sam::detail::raw_pointer(std::data(a)), static_cast<std::size_t>(std::size(a))};
}
template <class A>
using borrowed_t = decltype(sam::detail::borrow(std::declval<A>()));

}  // namespace detail

}  // namespace sam::inline v0_1
