// SPDX-License-Identifier: MIT
// Equalities, digits and bins as users write them.
#pragma once

#include "predicates.hpp"

#include <string_view>

namespace callables {

template <class T>
struct equalities {
  SAM_CALLABLE(equal, (T a, T b), return a == b;)
  SAM_CALLABLE(same_quarter, (T a, T b), return (a >> 2) == (b >> 2);)
  SAM_CALLABLE(same_tens, (T a, T b), return a / 10 == b / 10;)
  SAM_CALLABLE(same_parity, (T a, T b), return (a & 1) == (b & 1);)
  SAM_CALLABLE(same_bits, (T a, T b), return ((a ^ b) & 12) == 0;)
  SAM_CALLABLE(in_no_order, (T a, T b), return !(a < b) && !(b < a);)
  SAM_CALLABLE(same_in_table, (T a, T b), return table.at[a & 255] == table.at[b & 255];)
  SAM_CALLABLE(by_ifs, (T a, T b), {
    if (a < 8)
      return b < 8;
    return a == b;
  })
  using all = list<equal, same_quarter, same_tens, same_parity, same_bits, in_no_order,
                   same_in_table, by_ifs>;
};
template <std::floating_point T>
struct equalities<T> {
  SAM_CALLABLE(equal, (T a, T b), return a == b;)
  SAM_CALLABLE(same_floor, (T a, T b), return std::floor(a / 4) == std::floor(b / 4);)
  SAM_CALLABLE(same_sign, (T a, T b), return std::signbit(a) == std::signbit(b);)
  SAM_CALLABLE(same_integer, (T a, T b), return static_cast<int>(a) == static_cast<int>(b);)
  SAM_CALLABLE(in_no_order, (T a, T b), return !(a < b) && !(b < a);)
  SAM_CALLABLE(equal_or_nan, (T a, T b), return a == b || (a != a && b != b);)
  using all = list<equal, same_floor, same_sign, same_integer, in_no_order, equal_or_nan>;
};

template <class T>
struct digits {
  using U = std::make_unsigned_t<T>;
  SAM_CALLABLE(as_unsigned, (T x), return static_cast<U>(x);)
  SAM_CALLABLE(opposite, (T x), return static_cast<U>(~static_cast<U>(x));)
  SAM_CALLABLE(low_byte, (T x), return static_cast<std::uint8_t>(x);)
  SAM_CALLABLE(from_table, (T x), return table.at[x & 255];)
  SAM_CALLABLE(tens, (T x), return static_cast<std::uint16_t>(x / 10);)
  SAM_CALLABLE(zigzag, (T x),
               return static_cast<U>((static_cast<U>(x) << 1) ^ static_cast<U>(x < 100 ? 0 : -1));)
  SAM_CALLABLE(by_ifs, (T x), {
    if (x < 50)
      return std::uint8_t{1};
    if (x < 100)
      return std::uint8_t{2};
    return std::uint8_t{3};
  })
  using all = list<as_unsigned, opposite, low_byte, from_table, tens, zigzag, by_ifs>;
};

/// Function objects that return the bin of an item: 0 to `count` - 1.
template <class T>
struct bins {
  static constexpr index_t count = 64;
  SAM_CALLABLE(low_bits, (T x), return x & 63;)
  SAM_CALLABLE(high_bits, (T x), return x >> 4;)
  SAM_CALLABLE(tens, (T x), return x / 10;)
  SAM_CALLABLE(remainder, (T x), return x % 10;)
  SAM_CALLABLE(looked_up, (T x), return table.at[x & 255] & 63;)
  SAM_CALLABLE(hashed, (T x), return static_cast<std::uint32_t>(x) * 2654435769u >> 26;)
  SAM_CALLABLE(width, (T x), return std::bit_width(static_cast<std::make_unsigned_t<T>>(x));)
  SAM_CALLABLE(some, (T x), return x < 100 ? x / 2 : -1;)
  SAM_CALLABLE(by_ifs, (T x), {
    if (x < 50)
      return 0;
    if (x < 100)
      return 1;
    return x < 200 ? 2 : 3;
  })
  using all = list<low_bits, high_bits, tens, remainder, looked_up, hashed, width, some, by_ifs>;
};
template <std::floating_point T>
struct bins<T> {
  static constexpr index_t count = 64;
  SAM_CALLABLE(even, (T x), return static_cast<int>((x + 1) * 32);)
  SAM_CALLABLE(floor, (T x), return static_cast<index_t>(std::floor(x * 32)) + 32;)
  SAM_CALLABLE(some, (T x), return x > 0 ? static_cast<int>(x * 64) : -1;)
  SAM_CALLABLE(sign, (T x), return std::signbit(x) ? 1 : 0;)
  SAM_CALLABLE(exponent, (T x), return std::ilogb(x) + 63;)
  SAM_CALLABLE(looked_up, (T x), return table.at[static_cast<int>(x * 1024) & 255] & 63;)
  SAM_CALLABLE(by_ifs, (T x), {
    if (x < T(-0.5))
      return 0;
    if (x < 0)
      return 1;
    return x < T(0.5) ? 2 : 3;
  })
  using all = list<even, floor, some, sign, exponent, looked_up, by_ifs>;
};

}  // namespace callables
