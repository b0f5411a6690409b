// SPDX-License-Identifier: MIT
// Associative operators and transforms as users write them.
#pragma once

#include "predicates.hpp"

#include <functional>
#include <limits>
#include <numeric>

namespace callables {

/// An operator of the library, for comparison with user-defined ones.
template <class Operator>
struct of_sam : Operator {
  static constexpr char const* label = "sam_plus";
};
struct sam_maximum : sam::maximum {
  static constexpr char const* label = "sam_maximum";
};

template <class T>
struct operators {
  using U = std::make_unsigned_t<T>;
  static constexpr int modulus = sizeof(T) == 1 ? 256 : 1000;
  static constexpr U most = std::numeric_limits<U>::max();

  SAM_CALLABLE(sum, (T a, T b), return static_cast<T>(static_cast<U>(a) + static_cast<U>(b));)
  SAM_CALLABLE(product, (T a, T b),
               return static_cast<T>(1u * static_cast<U>(a) * static_cast<U>(b));)
  SAM_CALLABLE(larger, (T a, T b), return a < b ? b : a;)
  SAM_CALLABLE(smaller, (T a, T b), return b < a ? b : a;)
  SAM_CALLABLE(std_max, (T const& a, T const& b), return std::max(a, b);)
  SAM_CALLABLE(all_bits, (T a, T b), return static_cast<T>(a | b);)
  SAM_CALLABLE(parity, (T a, T b), return static_cast<T>(a ^ b);)
  SAM_CALLABLE(saturating, (T a, T b), {
    U const sum = static_cast<U>(static_cast<U>(a) + static_cast<U>(b));
    return static_cast<T>(sum < static_cast<U>(a) ? most : sum);
  })
  SAM_CALLABLE(capped, (T a, T b),
               return static_cast<T>(std::min<std::int64_t>(100, std::int64_t{a} + b));)
  SAM_CALLABLE(modular, (T a, T b), {
    auto const sum = a + b;
    return static_cast<T>(sum >= modulus ? sum - modulus : sum);
  })
  SAM_CALLABLE(last_nonzero, (T a, T b), return b != 0 ? b : a;)
  SAM_CALLABLE(first_nonzero, (T a, T b), return a != 0 ? a : b;)
  SAM_CALLABLE(larger_low_bits, (T a, T b), return (a & 15) < (b & 15) ? b : a;)
  SAM_CALLABLE(by_if, (T a, T b), {
    if (a < b)
      return b;
    return a;
  })
  SAM_CALLABLE(right, (T, T b), return b;)
  // The map x -> m x + c modulo a power of two, with m and c in the halves of an item.
  SAM_CALLABLE(affine, (T a, T b), {
    constexpr int half = 4 * sizeof(T);
    constexpr U low = static_cast<U>(most >> half);
    U const x = static_cast<U>(a), y = static_cast<U>(b);
    U const m = static_cast<U>((x >> half) * (y >> half) & low);
    U const c = static_cast<U>(((y >> half) * (x & low) + (y & low)) & low);
    return static_cast<T>(m << half | c);
  })
  SAM_CALLABLE(gcd, (T a, T b),
               return static_cast<T>(std::gcd(static_cast<U>(a), static_cast<U>(b)));)
  using all = list<of_sam<sam::plus>, sam_maximum, sum, product, larger, smaller, std_max, all_bits,
                   parity, saturating, capped, modular, last_nonzero, first_nonzero,
                   larger_low_bits, by_if, right, affine, gcd>;
};

template <std::floating_point T>
struct operators<T> {
  SAM_CALLABLE(sum, (T a, T b), return a + b;)
  SAM_CALLABLE(product, (T a, T b), return a * b;)
  SAM_CALLABLE(larger, (T a, T b), return a < b ? b : a;)
  SAM_CALLABLE(smaller, (T a, T b), return b < a ? b : a;)
  SAM_CALLABLE(std_max, (T const& a, T const& b), return std::max(a, b);)
  SAM_CALLABLE(fmax, (T a, T b), return std::fmax(a, b);)
  SAM_CALLABLE(farther, (T a, T b), return std::abs(a) < std::abs(b) ? b : a;)
  SAM_CALLABLE(either, (T a, T b), return a + b - a * b;)
  SAM_CALLABLE(capped, (T a, T b), return std::min(a + b, T(100));)
  SAM_CALLABLE(capped_by_if, (T a, T b), {
    if (a + b > 100)
      return T(100);
    return a + b;
  })
  SAM_CALLABLE(last_nonzero, (T a, T b), return b != 0 ? b : a;)
  SAM_CALLABLE(last_number, (T a, T b), return b == b ? b : a;)
  SAM_CALLABLE(hypotenuse, (T a, T b), return std::sqrt(a * a + b * b);)
  SAM_CALLABLE(by_if, (T a, T b), {
    if (a < b)
      return b;
    return a;
  })
  SAM_CALLABLE(right, (T, T b), return b;)
  SAM_CALLABLE(log_sum, (T a, T b), {
    T const larger = a < b ? b : a, smaller = a < b ? a : b;
    return larger + std::log1p(std::exp(smaller - larger));
  })
  using all = list<of_sam<sam::plus>, sam_maximum, sum, product, larger, smaller, std_max, fmax,
                   farther, either, capped, capped_by_if, last_nonzero, last_number, hypotenuse,
                   by_if, right, log_sum>;
};

template <>
struct operators<pair> {
  static std::int32_t add(std::int32_t a, std::int32_t b) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
  }
  static std::int32_t multiply(std::int32_t a, std::int32_t b) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) * static_cast<std::uint32_t>(b));
  }
  SAM_CALLABLE(both_sums, (pair a, pair b),
               return pair{add(a.first, b.first), add(a.second, b.second)};)
  SAM_CALLABLE(range, (pair a, pair b),
               return pair{std::min(a.first, b.first), std::max(a.second, b.second)};)
  SAM_CALLABLE(larger_key, (pair a, pair b), return a.first < b.first ? b : a;)
  SAM_CALLABLE(in_order, (pair a, pair b), {
    if (a.first != b.first)
      return a.first < b.first ? a : b;
    return a.second < b.second ? a : b;
  })
  SAM_CALLABLE(affine, (pair a, pair b),
               return pair{multiply(b.first, a.first), add(multiply(b.first, a.second), b.second)};)
  using all = list<both_sums, range, larger_key, in_order, affine>;
};

template <class T>
struct transforms {
  using U = std::make_unsigned_t<T>;
  SAM_CALLABLE(square, (T x), return static_cast<T>(1u * static_cast<U>(x) * static_cast<U>(x));)
  SAM_CALLABLE(absolute, (T x), return static_cast<T>(x < 100 ? 100 - x : x - 100);)
  SAM_CALLABLE(odd, (T x), return static_cast<T>(x & 1);)
  SAM_CALLABLE(is_7, (T x), return x == 7;)
  SAM_CALLABLE(clamped, (T x), return std::clamp(x, T(50), T(100));)
  SAM_CALLABLE(if_large, (T x), return x > 100 ? x : T(0);)
  SAM_CALLABLE(third, (T x), return static_cast<T>(x / 3);)
  SAM_CALLABLE(remainder, (T x), return static_cast<T>(x % 7);)
  SAM_CALLABLE(bits, (T x), return static_cast<T>(std::popcount(static_cast<U>(x)));)
  SAM_CALLABLE(looked_up, (T x), return static_cast<T>(table.at[x & 255]);)
  SAM_CALLABLE(widened, (T x), return static_cast<std::int64_t>(x);)
  SAM_CALLABLE(as_double, (T x), return static_cast<double>(x) * 0.5;)
  SAM_CALLABLE(by_ifs, (T x), {
    if (x < 50)
      return T(1);
    if (x < 100)
      return T(2);
    return T(3);
  })
  using all = list<square, absolute, odd, is_7, clamped, if_large, third, remainder, bits,
                   looked_up, widened, as_double, by_ifs>;
};

template <std::floating_point T>
struct transforms<T> {
  SAM_CALLABLE(square, (T x), return x * x;)
  SAM_CALLABLE(absolute, (T x), return std::abs(x);)
  SAM_CALLABLE(is_positive, (T x), return x > 0 ? 1 : 0;)
  SAM_CALLABLE(clamped, (T x), return std::clamp(x, T(-0.5), T(0.5));)
  SAM_CALLABLE(if_large, (T x), return x > T(0.5) ? x : T(0);)
  SAM_CALLABLE(root, (T x), return std::sqrt(x * x + 1);)
  SAM_CALLABLE(inverse, (T x), return 1 / (x + 2);)
  SAM_CALLABLE(rounded, (T x), return std::floor(x * 8);)
  SAM_CALLABLE(looked_up, (T x), return T(table.at[static_cast<int>(x * 1024) & 255]);)
  SAM_CALLABLE(widened, (T x), return static_cast<double>(x);)
  SAM_CALLABLE(as_integer, (T x), return static_cast<std::int32_t>(x * 1024);)
  SAM_CALLABLE(by_ifs, (T x), {
    if (x < T(-0.5))
      return T(1);
    if (x < T(0.5))
      return T(2);
    return T(3);
  })
  using all = list<square, absolute, is_positive, clamped, if_large, root, inverse, rounded,
                   looked_up, widened, as_integer, by_ifs>;
};

}  // namespace callables
