// SPDX-License-Identifier: MIT
// What may be passed as an array: contiguous items behind data() and size().
#pragma once

#include <sam/error.hpp>
#include <sam/portable.hpp>

#include <cstdint>
#include <string>
#include <type_traits>

namespace sam {

namespace detail {
template <class A>
concept has_rank = requires {
  std::remove_cvref_t<A>::rank();
};
template <class A>
concept rank_is_one = !has_rank<A> || std::remove_cvref_t<A>::rank() == 1;
}  // namespace detail

/// Contiguous items: std::span (a pointer and n), std::vector, std::array, Kokkos::View of rank 1.
/// Whether the memory is the host's or a device's is between the caller and the context.
template <class A>
concept array = detail::rank_is_one<A> && requires(A& a) {
  *a.data();
  static_cast<index_t>(a.size());
};

template <array A>
using item_of = std::remove_cvref_t<decltype(*std::declval<A&>().data())>;

/// An array whose items may be written.
template <class A>
concept output_array =
    array<A> && !std::is_const_v<std::remove_reference_t<decltype(*std::declval<A&>().data())>>;

template <array A>
index_t size_of(A const& a) {
  return static_cast<index_t>(a.size());
}

/// Refuses a strided view: `argument` must lie in one piece.
template <array A>
void expect_contiguous(std::string_view function, std::string_view argument, A const& a,
                       std::source_location at) {
  if constexpr (requires { a.span_is_contiguous(); })
    if (!a.span_is_contiguous())
      throw invalid_argument(function, argument,
                             "is a strided view; it must be contiguous in memory", at);
}

/// Refuses null data behind a size that is not zero.
template <array A>
void expect_items(std::string_view function, std::string_view argument, A const& a,
                  std::source_location at) {
  expect_contiguous(function, argument, a, at);
  if (size_of(a) != 0 && a.data() == nullptr)
    throw invalid_argument(
        function, argument,
        "is a null pointer but should hold " + std::to_string(size_of(a)) + " items", at);
}

/// Refuses an output that does not hold as many items as the input.
template <array In, array Out>
void expect_same_size(std::string_view function, In const& in, Out const& out,
                      std::source_location at) {
  if (size_of(in) != size_of(out))
    throw invalid_argument(function, "out",
                           "holds " + std::to_string(size_of(out)) + " items but in holds " +
                               std::to_string(size_of(in)) + "; both must hold the same number",
                           at);
}

/// Refuses an output that overlaps the input without being the same items.
template <array In, array Out>
void expect_same_or_apart(std::string_view function, In const& in, Out const& out,
                          std::source_location at) {
  auto const from = reinterpret_cast<std::uintptr_t>(in.data());
  auto const to = reinterpret_cast<std::uintptr_t>(out.data());
  auto const from_bytes = static_cast<std::uintptr_t>(size_of(in)) * sizeof(item_of<In>);
  auto const to_bytes = static_cast<std::uintptr_t>(size_of(out)) * sizeof(item_of<Out>);
  bool const same = from == to && sizeof(item_of<In>) == sizeof(item_of<Out>);
  bool const apart = to + to_bytes <= from || from + from_bytes <= to;
  if (!same && !apart)
    throw invalid_argument(function, "out",
                           "overlaps in without being the same array; pass the same items to "
                           "scan in place, or memory apart from in",
                           at);
}

/// Refuses two arrays that have memory in common.
template <array A, array B>
void expect_apart(std::string_view function, std::string_view argument, A const& a,
                  std::string_view other, B const& b, std::source_location at) {
  auto const begin = [](auto const& x) { return reinterpret_cast<std::uintptr_t>(x.data()); };
  auto const end = [&](auto const& x) {
    return begin(x) + static_cast<std::uintptr_t>(size_of(x)) * sizeof(*x.data());
  };
  if (begin(a) < end(b) && begin(b) < end(a))
    throw invalid_argument(function, argument,
                           "overlaps " + std::string(other) + "; they must lie apart", at);
}

}  // namespace sam
