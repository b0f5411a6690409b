// SPDX-License-Identifier: MIT
// Defines the operators by which segmented scans are ordinary scans of (value, head flag) pairs.
//
// A head is the first item of a segment. The aggregate of a run of items has two parts. Its value
// combines the items from the last head on, or all items if there is no head. Its flag is set if
// the run has a head. Appending one aggregate to another is associative, so an ordinary scan of
// aggregates is a segmented scan, at the same cost for segments of any length. Source: Blelloch,
// "Prefix sums and their applications", 1990; Sengupta, Harris, Zhang, Owens, "Scan primitives for
// GPU computing", 2007.
#pragma once

#include <sam/operators.hpp>

namespace sam::inline v0_1::engine {

/// The aggregate of a run of items. `heads` is 0 if no segment begins in the run.
template <class T, integer Heads>
struct segmented_value {
  using value_type = T;
  T value;
  Heads heads;
};
}  // namespace sam::inline v0_1::engine

namespace sam::inline v0_1 {
template <class T, integer Heads>
inline constexpr bool is_exact<engine::segmented_value<T, Heads>> = is_exact<T>;
}  // namespace sam::inline v0_1

namespace sam::inline v0_1::detail {
/// An unsigned integer of at least Bytes bytes and as wide as T's alignment, so that pairs have no
/// padding.
template <class T, int Bytes = 1>
using heads_beside =
    std::conditional_t<(alignof(T) >= 8 || Bytes > 4), std::uint64_t,
                       std::conditional_t<(alignof(T) == 4 || Bytes > 2), std::uint32_t,
                                          std::conditional_t<(alignof(T) == 2 || Bytes > 1),
                                                             std::uint16_t, std::uint8_t>>>;

/// Returns b if it begins a segment, else op(a, b). For a lanewise operator, calling the operator
/// and discarding the result is cheaper than a branch. No other operator sees items of two
/// segments.
template <class Op, class T>
SAM_FUNCTION constexpr T combine_in_segment(Op const& op, T const& a, T const& b, bool begins) {
  if constexpr (lanewise_operator<Op, T>) {
    T const both = op(a, b);
    return begins ? b : both;
  } else {
    return begins ? b : static_cast<T>(op(a, b));
  }
}
}  // namespace sam::inline v0_1::detail

namespace sam::inline v0_1::engine {

/// Applies `op` within segments: a value before a head is discarded. `heads` is a flag.
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

/// Applies `op` within segments as `segmented` does, and counts heads in `heads`.
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

}  // namespace sam::inline v0_1::engine

namespace sam::inline v0_1 {
template <class Op, class T, class Heads>
inline constexpr bool rounds_once_on<engine::segmented<Op>, engine::segmented_value<T, Heads>> =
    rounds_once_on<Op, T>;
}  // namespace sam::inline v0_1
