// SPDX-License-Identifier: MIT
// Predicates as users write them. Most keep about half of random items.
#pragma once

#include "harness.hpp"

#include <bit>
#include <cmath>

namespace callables {

/// A table of 256 bytes, about half of which are not 0.
struct table_of_bytes {
  std::uint8_t at[256];
  constexpr table_of_bytes() : at() {
    std::uint32_t state = 1;
    for (std::uint8_t& b : at) {
      state = state * 1664525u + 1013904223u;
      b = state >> 31 != 0 ? static_cast<std::uint8_t>(state >> 16 | 1) : 0;
    }
  }
};
inline constexpr table_of_bytes table;

/// Compares in a function that compilers do not inline.
template <class T>
[[gnu::noinline]] bool is_large_elsewhere(T x, T limit) {
  asm volatile("");
  return x > limit;
}

template <class T>
struct predicates {
  static constexpr T low = sizeof(T) == 1 ? 64 : 250, mid = 2 * low, high = 3 * low;
  using wide = std::conditional_t<sizeof(T) == 8, std::int64_t, int>;
  using bits = std::make_unsigned_t<T>;

  SAM_CALLABLE(greater, (T x), return x > mid;)
  SAM_CALLABLE(between, (T x), return x >= low && x < high;)
  SAM_CALLABLE(outside, (T x), return x < low || x >= high;)
  SAM_CALLABLE(odd, (T x), return x & 1;)
  SAM_CALLABLE(odd_compared, (T x), return (x & 1) != 0;)
  SAM_CALLABLE(even, (T x), return !(x & 1);)
  SAM_CALLABLE(remainder, (T x), return x % 2;)
  SAM_CALLABLE(multiple_of_3, (T x), return x % 3 == 0;)
  SAM_CALLABLE(third_bit, (T x), return x & 4;)
  SAM_CALLABLE(shifted_bit, (T x), return x >> 3 & 1;)
  SAM_CALLABLE(two_bits, (T x), return (x & 6) == 2;)
  SAM_CALLABLE(many_bits, (T x), return std::popcount(static_cast<bits>(x)) > 4;)
  SAM_CALLABLE(one_of_three, (T x), return x == 7 || x == low || x == high;)
  SAM_CALLABLE(in_table, (T x), return table.at[x & 255] != 0;)
  SAM_CALLABLE(nearly_power_of_2, (T x), return (x & (x - 1)) < 128;)
  SAM_CALLABLE(hashed, (T x), return static_cast<std::uint32_t>(x) * 2654435769u >> 31;)
  SAM_CALLABLE(as_double, (T x), return static_cast<double>(x) * 0.5 > low;)
  SAM_CALLABLE(chosen, (T x), return x < mid ? x & 1 : x & 2;)
  SAM_CALLABLE(by_ifs, (T x), {
    if (x < low)
      return true;
    if (x < mid)
      return false;
    return x < high;
  })
  SAM_CALLABLE(by_switch, (T x), {
    switch (x % 4) {
    case 0:
    case 3:
      return true;
    default:
      return false;
    }
  })
  SAM_CALLABLE(odd_digits, (T x), {
    bool is = false;
    for (auto rest = static_cast<bits>(x); rest != 0; rest /= 10)
      is ^= rest % 10 % 2 != 0;
    return is;
  })
  SAM_CALLABLE(elsewhere, (T x), return is_large_elsewhere(x, mid);)
  struct captured {
    static constexpr char const* label = "captured";
    T const* limit = [] {
      static T const value = mid;
      return &value;
    }();
    bool operator()(T const& x) const { return x > *limit; }
  };
  using all =
      list<greater, between, outside, odd, odd_compared, even, remainder, multiple_of_3, third_bit,
           shifted_bit, two_bits, many_bits, one_of_three, in_table, nearly_power_of_2, hashed,
           as_double, chosen, by_ifs, by_switch, odd_digits, elsewhere, captured>;
};

template <std::floating_point T>
struct predicates<T> {
  static constexpr T half = T(0.5);
  SAM_CALLABLE(greater, (T x), return x > 0;)
  SAM_CALLABLE(between, (T x), return x >= -half && x < half;)
  SAM_CALLABLE(outside, (T x), return x < -half || x >= half;)
  SAM_CALLABLE(large, (T x), return std::abs(x) > half;)
  SAM_CALLABLE(large_square, (T x), return x * x > T(0.25);)
  SAM_CALLABLE(number, (T x), return x == x;)
  SAM_CALLABLE(negative, (T x), return std::signbit(x);)
  SAM_CALLABLE(finite_and_positive, (T x), return std::isfinite(x) && x > 0;)
  SAM_CALLABLE(odd_integer, (T x), return static_cast<int>(x * 1024) & 1;)
  SAM_CALLABLE(even_floor, (T x), return std::floor(x * 8) == 2 * std::floor(x * 4);)
  SAM_CALLABLE(fraction, (T x), return x * 16 - std::floor(x * 16) < half;)
  SAM_CALLABLE(long_vector, (T x), return std::sqrt(x * x + 1) > T(1.1);)
  SAM_CALLABLE(clamped, (T x), return std::min(std::max(x, -half), half) == x;)
  SAM_CALLABLE(chosen, (T x), return x < 0 ? -x > half : x > half;)
  SAM_CALLABLE(one_sided, (T x), return (x > 0) != (x > half);)
  SAM_CALLABLE(nonzero, (T x), return x != 0;)
  SAM_CALLABLE(cast, (T x), return static_cast<bool>(static_cast<int>(x * 2));)
  SAM_CALLABLE(polynomial, (T x), return ((x * 3 + 1) * x - 2) * x > 0;)
  SAM_CALLABLE(in_table, (T x), return table.at[static_cast<int>(x * 1024) & 255] != 0;)
  SAM_CALLABLE(by_ifs, (T x), {
    if (x < -half)
      return true;
    if (x < 0)
      return false;
    return x < half;
  })
  SAM_CALLABLE(elsewhere, (T x), return is_large_elsewhere(x, T(0));)
  struct captured {
    static constexpr char const* label = "captured";
    T const* limit = [] {
      static T const value = 0;
      return &value;
    }();
    bool operator()(T const& x) const { return x > *limit; }
  };
  using all =
      list<greater, between, outside, large, large_square, number, negative, finite_and_positive,
           odd_integer, even_floor, fraction, long_vector, clamped, chosen, one_sided, nonzero,
           cast, polynomial, in_table, by_ifs, elsewhere, captured>;
};

}  // namespace callables
