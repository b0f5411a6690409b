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

/// Where an array lies, with the type of its items forgotten: what is asked of arrays below is
/// compiled once, not once for each type.
struct extent {
  void const* data;
  index_t items;
  std::size_t item_bytes;
};
template <array A>
extent extent_of(A const& a) {
  return {a.data(), size_of(a), sizeof(item_of<A>)};
}

inline void expect_items(std::string_view function, std::string_view argument, extent a,
                         std::source_location at) {
  if (a.items != 0 && a.data == nullptr)
    throw invalid_argument(
        function, argument,
        "is a null pointer but should hold " + std::to_string(a.items) + " items", at);
}

inline void expect_same_size(std::string_view function, std::string_view argument, extent a,
                             std::string_view other, extent b, std::source_location at) {
  if (a.items != b.items)
    throw invalid_argument(function, argument,
                           "holds " + std::to_string(a.items) + " items but " + std::string(other) +
                               " holds " + std::to_string(b.items) +
                               "; both must hold the same number",
                           at);
}

inline bool lie_apart(extent a, extent b) {
  auto const first = reinterpret_cast<std::uintptr_t>(a.data);
  auto const second = reinterpret_cast<std::uintptr_t>(b.data);
  auto const first_bytes = static_cast<std::uintptr_t>(a.items) * a.item_bytes;
  auto const second_bytes = static_cast<std::uintptr_t>(b.items) * b.item_bytes;
  return first_bytes == 0 || second_bytes == 0 || second + second_bytes <= first ||
         first + first_bytes <= second;
}

inline void expect_same_or_apart(std::string_view function, std::string_view argument, extent out,
                                 std::string_view other, extent in, std::source_location at) {
  bool const same = in.data == out.data && in.item_bytes == out.item_bytes;
  if (!same && !lie_apart(in, out))
    throw invalid_argument(function, argument,
                           "overlaps " + std::string(other) +
                               " without being the same array; pass the same items to work in "
                               "place, or memory apart from " +
                               std::string(other),
                           at);
}

inline void expect_apart(std::string_view function, std::string_view argument, extent a,
                         std::string_view other, extent b, std::source_location at) {
  if (!lie_apart(a, b))
    throw invalid_argument(function, argument,
                           "overlaps " + std::string(other) + "; the two must lie apart", at);
}

/// Refuses null data behind a size that is not zero.
template <array A>
void expect_items(std::string_view function, std::string_view argument, A const& a,
                  std::source_location at) {
  expect_contiguous(function, argument, a, at);
  expect_items(function, argument, extent_of(a), at);
}

/// What a function calls the two arrays of a check.
struct argument_names {
  std::string_view in = "in";
  std::string_view out = "out";
};

/// Refuses an array that does not hold as many items as another.
template <array A, array B>
void expect_same_size(std::string_view function, std::string_view argument, A const& a,
                      std::string_view other, B const& b, std::source_location at) {
  expect_same_size(function, argument, extent_of(a), other, extent_of(b), at);
}
template <array In, array Out>
void expect_same_size(std::string_view function, In const& in, Out const& out,
                      std::source_location at, argument_names const& names = {}) {
  expect_same_size(function, names.out, out, names.in, in, at);
}

/// Refuses an output that overlaps an input without being the same items.
template <array Out, array In>
void expect_same_or_apart(std::string_view function, std::string_view argument, Out const& out,
                          std::string_view other, In const& in, std::source_location at) {
  expect_same_or_apart(function, argument, extent_of(out), other, extent_of(in), at);
}
template <array In, array Out>
void expect_same_or_apart(std::string_view function, In const& in, Out const& out,
                          std::source_location at, argument_names const& names = {}) {
  expect_same_or_apart(function, names.out, out, names.in, in, at);
}

/// Refuses two arrays that overlap at all.
template <array A, array B>
void expect_apart(std::string_view function, std::string_view argument, A const& a,
                  std::string_view other, B const& b, std::source_location at) {
  expect_apart(function, argument, extent_of(a), other, extent_of(b), at);
}

/// Refuses an array of integers, of type T, that cannot hold `largest`.
template <integer T>
void expect_fits(std::string_view function, std::string_view argument, index_t largest,
                 std::source_location at) {
  if constexpr (sizeof(T) < sizeof(index_t))
    if (largest > static_cast<index_t>(highest_of<T>))
      throw invalid_argument(function, argument,
                             "holds integers of up to " + std::to_string(highest_of<T>) +
                                 " but may have to hold " + std::to_string(largest),
                             at);
}

}  // namespace sam
