// SPDX-License-Identifier: MIT
// Defines the ring in which a recursive filter is a first-order recurrence; see
// sam/detail/recurrence/recurrence_job.hpp.
#pragma once

#include <sam/algebra/affine_map.hpp>

#include <array>
#include <cstddef>

namespace sam::inline v0_1::engine {

/// A polynomial of degree below Q; at[k] is the coefficient of z^k.
template <class T, int Q>
struct polynomial {
  T at[std::size_t{Q}];
};

/// Returns the polynomial x z^degree.
template <class T, int Q>
SAM_FUNCTION constexpr polynomial<T, Q> monomial(T x, int degree) {
  polynomial<T, Q> result{};
  result.at[degree] = x;
  return result;
}

/// The ring of polynomials modulo z^Q - c[0] z^{Q-1} - ... - c[Q-1].
template <class T, int Q>
struct filter_ring {
  using numbers = number_ring<T>;
  using value = polynomial<T, Q>;
  static constexpr int order = Q;
  T c[std::size_t{Q}];

  explicit filter_ring(std::array<T, std::size_t{Q}> const& coefficients) {
    for (int k = 0; k < Q; ++k)
      c[k] = coefficients[static_cast<std::size_t>(k)];
  }

  SAM_FUNCTION constexpr value multiply(value const& a, value const& b) const {
    T product[std::size_t{2 * Q - 1}];
    for (int d = 0; d < 2 * Q - 1; ++d)
      for (int k = d < Q ? 0 : d - Q + 1, first = k; k < Q && k <= d; ++k) {
        T const term = numbers::multiply(a.at[k], b.at[d - k]);
        product[d] = k == first ? term : numbers::add(product[d], term);
      }
    for (int d = 2 * Q - 2; d >= Q; --d)
      for (int k = 0; k < Q; ++k)
        product[d - 1 - k] = numbers::add(product[d - 1 - k], numbers::multiply(c[k], product[d]));
    value result;
    for (int k = 0; k < Q; ++k)
      result.at[k] = product[k];
    return result;
  }
  SAM_FUNCTION constexpr value add(value a, value const& b) const {
    for (int k = 0; k < Q; ++k)
      a.at[k] = numbers::add(a.at[k], b.at[k]);
    return a;
  }
  /// Returns z a.
  SAM_FUNCTION constexpr value shifted(value const& a) const {
    value result;
    T const last = a.at[Q - 1];
    for (int k = 0; k < Q; ++k) {
      T const back = numbers::multiply(c[Q - 1 - k], last);
      result.at[k] = k == 0 ? back : numbers::add(back, a.at[k - 1]);
    }
    return result;
  }
  /// Returns z^m, by repeated squaring.
  constexpr value power(index_t m) const {
    value result = engine::monomial<T, Q>(T(1), 0), square = shifted(result);
    for (; m > 0; m /= 2) {
      if (m % 2 == 1)
        result = multiply(result, square);
      square = multiply(square, square);
    }
    return result;
  }
  /// Returns the filter state after the outputs x_{-1} = before[0], x_{-2} = before[1], ...
  SAM_FUNCTION constexpr value state_behind(T const* before) const {
    value state{};
    state.at[Q - 1] = before[0];
    for (int k = 0; k + 1 < Q; ++k)
      for (int l = 0; l <= k; ++l)
        state.at[k] = numbers::add(state.at[k], numbers::multiply(c[Q - 1 - k + l], before[1 + l]));
    return state;
  }
};

}  // namespace sam::inline v0_1::engine
