// SPDX-License-Identifier: MIT
// Segmented scans as scans: of pairs, by an operator that forgets what lies before a segment.
//
// A head is the first item of a segment. A stretch of items is summed up by the combination of what
// follows its last head, or of all of it without one, and by whether it has a head. Putting two
// stretches together is associative, and an ordinary scan of such pairs is a segmented scan,
// however long or short the segments are. Source: Blelloch, "Prefix sums and their applications",
// 1990; Sengupta, Harris, Zhang, Owens, "Scan primitives for GPU computing", 2007.
#pragma once

#include <sam/operators.hpp>

namespace sam {

/// What a stretch of items comes to. `heads` is 0 if no segment begins in it.
template <class T, integer Heads>
struct segmented_value {
  using value_type = T;
  T value;
  Heads heads;
};
template <class T, integer Heads>
inline constexpr bool is_exact<segmented_value<T, Heads>> = is_exact<T>;

namespace detail {
/// An unsigned integer of at least so many bytes, as wide as T is aligned: pairs have no padding.
template <class T, int Bytes = 1>
using heads_beside =
    std::conditional_t<(alignof(T) >= 8 || Bytes > 4), std::uint64_t,
                       std::conditional_t<(alignof(T) == 4 || Bytes > 2), std::uint32_t,
                                          std::conditional_t<(alignof(T) == 2 || Bytes > 1),
                                                             std::uint16_t, std::uint8_t>>>;

/// Of the operators that the library knows all about, calling one and dropping what it returns is
/// cheaper than a branch. Any other one never sees items of two segments.
template <class Op, class T>
SAM_FUNCTION constexpr T combine_in_segment(Op const& op, T const& a, T const& b, bool begins) {
  if constexpr (lanewise_operator<Op, T>) {
    T const both = op(a, b);
    return begins ? b : both;
  } else {
    return begins ? b : static_cast<T>(op(a, b));
  }
}
}  // namespace detail

/// `op` within segments: what lies before a head is forgotten.
template <class Op>
struct segmented {
  Op op;

  template <class T, class Heads>
  SAM_FUNCTION constexpr segmented_value<T, Heads>
  operator()(segmented_value<T, Heads> const& a, segmented_value<T, Heads> const& b) const {
    return {detail::combine_in_segment(op, a.value, b.value, b.heads != 0),
            static_cast<Heads>(a.heads | b.heads)};
  }
  template <class Pair>
  requires has_identity<Op, typename Pair::value_type> SAM_FUNCTION constexpr Pair
  identity() const {
    return {sam::identity_of<typename Pair::value_type>(op), 0};
  }
};

/// The same, where `heads` counts them.
template <class Op>
struct segmented_and_counted {
  Op op;

  template <class T, class Heads>
  SAM_FUNCTION constexpr segmented_value<T, Heads>
  operator()(segmented_value<T, Heads> const& a, segmented_value<T, Heads> const& b) const {
    return {detail::combine_in_segment(op, a.value, b.value, b.heads != 0),
            static_cast<Heads>(a.heads + b.heads)};
  }
  template <class Pair>
  requires has_identity<Op, typename Pair::value_type> SAM_FUNCTION constexpr Pair
  identity() const {
    return {sam::identity_of<typename Pair::value_type>(op), 0};
  }
};

}  // namespace sam
