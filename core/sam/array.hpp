// SPDX-License-Identifier: MIT
// Arrays as arguments: contiguous items in memory, whoever owns them.
#pragma once

#include <sam/portable.hpp>

#include <concepts>
#include <cstddef>
#include <iterator>
#include <span>
#include <type_traits>

namespace sam {

namespace detail {

/// Returns the raw pointer behind what data() returns: that pointer itself, or the one that a
/// pointer-like class such as thrust::device_ptr holds.
template <class T>
requires(!std::is_void_v<T>) constexpr T* raw_pointer(T* p) { return p; }
template <class P>
requires(!std::is_pointer_v<P> &&
         requires(P const& p) { *p.get(); }) constexpr auto raw_pointer(P const& p) {
  return sam::detail::raw_pointer(p.get());
}

template <class A>
concept has_items = requires(A& a) {
  sam::detail::raw_pointer(std::data(a));
  static_cast<index_t>(std::size(a));
};

/// Views of Kokkos and alike say their rank as a static member, those of dynamic rank by a member
/// function.
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

/// std::vector<bool> and its like hold no bool in memory for each item.
template <class A>
concept packs_bools = requires {
  requires std::is_same_v<typename A::value_type, bool>;
  requires !std::is_reference_v<typename A::reference>;
};

}  // namespace detail

/// Contiguous items in memory: std::span (a pointer and n), std::vector, std::array, a C array, a
/// Kokkos::View of rank 1 or 0, thrust::device_vector. The caller and the context agree on whether
/// the memory is the host's or a device's.
template <class A>
concept array = detail::has_items<std::remove_reference_t<A>> &&
    !detail::has_rank_of_2_or_more<std::remove_cvref_t<A>>;

/// The type of an array's items as data() shows them: const where they may not be written.
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
/// copy of the argument is as good as the argument: std::span, std::string_view and other borrowed
/// ranges, Kokkos::View. Specialise it for a type of your own that is alike.
template <class A>
inline constexpr bool is_borrowed =
    std::ranges::enable_borrowed_range<A> || std::ranges::enable_view<A> ||
    detail::has_static_rank<A> || detail::has_dynamic_rank<A>;

namespace detail {

/// True if an argument that was passed as A (a forwarding reference's type) outlives the call: a
/// temporary does only if it is borrowed.
template <class A>
inline constexpr bool outlives_call = std::is_lvalue_reference_v<A> || is_borrowed<A>;

/// Returns what to keep of an array that was passed as A: a copy of a borrowed one, which shares
/// its items, or a span of one that the caller owns.
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

}  // namespace sam
