// SPDX-License-Identifier: MIT
// Operators of benchmarks on all back ends.
#pragma once

#include <sam/portable.hpp>

namespace perf {

/// A tuple of S items, for libraries that only scan items.
template <class T, int S>
struct tuple {
  T at[S];
};
template <class Op>
struct by_component {
  Op op;
  template <class T, int S>
  SAM_FUNCTION tuple<T, S> operator()(tuple<T, S> const& a, tuple<T, S> const& b) const {
    tuple<T, S> c;
    for (int k = 0; k < S; ++k)
      c.at[k] = op(a.at[k], b.at[k]);
    return c;
  }
};

/// Returns the last item that is not 0, as to fill gaps. The operator does not commute, and no
/// library knows it.
struct last_nonzero {
  SAM_FUNCTION std::int32_t operator()(std::int32_t a, std::int32_t b) const {
    return b != 0 ? b : a;
  }
  SAM_FUNCTION std::int32_t identity() const { return 0; }
};

/// Returns the larger of two numbers by one comparison. It is wrong for NaN, and for zeros of
/// different sign it depends on their order. sam::maximum is compared with it.
struct plain_maximum {
  static constexpr bool commutative = true;
  static constexpr bool idempotent = true;
  static constexpr bool lanewise = true;

  template <class T>
  SAM_FUNCTION constexpr T operator()(T a, T b) const {
    return a < b ? b : a;
  }
  template <class T>
  SAM_FUNCTION static constexpr T identity() {
    return sam::engine::lowest_of<T>;
  }
};

}  // namespace perf
