// SPDX-License-Identifier: MIT
// Defines the carry algebra, by which an order-q scan over a module runs in one pass and not q.
//
// After some prefix, the state of an order-q scan is q values c_1 ... c_q per component: the last
// items of its order-1, ..., order-q scans. They are read as a polynomial c_1 + c_2 z + ... modulo
// z^q. In an inclusive scan every round includes the new item x, which turns c into (c + x) / (1 -
// z). In an exclusive scan it turns c into c (1 + z) + x. So m zero items multiply the state by the
// m-th power of a fixed series g. A run of M items with aggregate b turns a state a into a g^M + b.
// This is associative and has integer coefficients, hence works over any module.
#pragma once

#include <sam/operators.hpp>

#include <cstddef>

namespace sam::inline v0_1::engine {

/// The bound of a prefix: it includes item i or ends before it.
enum class bound { inclusive, exclusive };

/// A polynomial modulo z^Q with coefficients in the ring R, an integer that wraps around or a
/// float.
template <class R, int Q>
struct series {
  using ring = R;
  static constexpr int terms = Q;
  R at[std::size_t{Q}] = {};

  friend SAM_FUNCTION constexpr series operator*(series const& a, series const& b) {
    series product;
    for (int i = 0; i < Q; ++i)
      for (int k = 0; k + i < Q; ++k)
        product.at[i + k] = static_cast<R>(product.at[i + k] + a.at[i] * b.at[k]);
    return product;
  }
};

/// Returns g^m, the factor by which m zero items multiply a state. Its coefficients are binomials
/// C(m + k - 1, k) or C(m, k). They are computed by squaring, since a division is wrong after
/// wrap-around. A negative m undoes -m zero items.
template <class Series>
SAM_FUNCTION constexpr Series zero_items(bound kind, index_t m) {
  using R = typename Series::ring;
  bool const geometric = (kind == bound::inclusive) == (m >= 0);  // (1 -+ z)^-1, not 1 +- z
  R const step = kind == bound::inclusive ? static_cast<R>(1) : static_cast<R>(-1);
  Series square;
  R power = static_cast<R>(1);
  for (int k = 0; k < Series::terms; ++k) {
    square.at[k] = k == 0 || geometric ? power : k == 1 ? static_cast<R>(R(0) - step) : R(0);
    power = static_cast<R>(power * step);
  }
  Series result;
  result.at[0] = R(1);
  for (index_t left = m < 0 ? -m : m; left > 0; left /= 2) {
    if (left % 2 == 1)
      result = result * square;
    square = square * square;
  }
  return result;
}

}  // namespace sam::inline v0_1::engine

namespace sam::inline v0_1::detail {
template <class Op, class T>
struct ring_of {
  using type = int;  // no algebra: never used
};
template <class Op, class T>
requires module_operator<Op, T>
struct ring_of<Op, T> {
  using type = typename Op::template coefficient<T>;
};
}  // namespace sam::inline v0_1::detail

namespace sam::inline v0_1::engine {

/// The series type that scales states of an order-Q scan of T under Op.
template <class Op, class T, int Q>
using power_of = series<typename detail::ring_of<Op, T>::type, Q>;

/// Appends a run to a state in place: state = state * run_power + run. Both are of one component,
/// with coefficients `stride` apart.
template <int Q, class Op, class T, class R>
SAM_FUNCTION constexpr void append(Op const& op, T* state, T const* run,
                                   series<R, Q> const& run_power, index_t stride = 1) {
  for (int j = Q; j-- > 0;) {
    T sum = run[j * stride];
    for (int i = 0; i < j; ++i)
      sum = op(Op::scale(state[i * stride], run_power.at[j - i]), sum);
    state[j * stride] = op(state[j * stride], sum);
  }
}

/// Passes one item through an order-Q scan of one component: returns the output and updates the
/// state.
template <int Q, bound Kind, class Op, class T>
SAM_FUNCTION constexpr T step(Op const& op, T* state, T item, index_t stride = 1) {
  if constexpr (Kind == bound::inclusive) {
    for (int j = 0; j < Q; ++j)
      item = state[j * stride] = op(state[j * stride], item);
    return item;
  } else {
    // From the last round to the first. In the opposite order, g++ 13 and 14 at -O2 generate wrong
    // vector code for loops over components that are structs of two numbers.
    T const before = state[(Q - 1) * stride];
    for (int j = Q - 1; j > 0; --j)
      state[j * stride] = op(state[j * stride], state[(j - 1) * stride]);
    state[0] = op(state[0], item);
    return before;
  }
}

}  // namespace sam::inline v0_1::engine
