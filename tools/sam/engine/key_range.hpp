// SPDX-License-Identifier: MIT
// Compares numbers of any type by comparing unsigned keys of the same width.
#pragma once

#include <sam/portable.hpp>

#include "engine.hpp"

#include <cstring>
#include <limits>

namespace sam::tool {

/// A predicate that is true if an item's key lies in [low, high], or if it does not, as `outside`
/// says. The item is given as its bits. Keys have the order of the numbers: unsigned integers are
/// their own keys, signed items get their sign bit flipped, and negative floats all bits. NaN is in
/// no range.
template <class U>
struct key_range {
  U sign = 0;      // the bits to flip in every item
  U negative = 0;  // further bits to flip in negative items
  U low = 1, high = 0;
  bool outside = false;

  SAM_FUNCTION U key(U x) const {
    bool const below_0 = (x >> (8 * sizeof(U) - 1)) != 0;
    return static_cast<U>(x ^ sign ^ (below_0 ? negative : U(0)));
  }
  SAM_FUNCTION bool operator()(U x) const {
    U const k = key(x);
    return (low <= k && k <= high) != outside;
  }
};

template <class T>
using bits_of_number = std::conditional_t<
    sizeof(T) == 1, std::uint8_t,
    std::conditional_t<sizeof(T) == 2, std::uint16_t,
                       std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;

/// Returns the range of keys of the numbers that are greater than, less than or equal to a value.
template <class T>
auto range_of(relation relation, T value) {
  using U = bits_of_number<T>;
  using limits = std::numeric_limits<T>;
  constexpr auto sign = static_cast<U>(U(1) << (8 * sizeof(U) - 1));
  key_range<U> range;
  range.sign = limits::is_signed ? sign : U(0);
  range.negative = limits::is_integer ? U(0) : static_cast<U>(~sign);
  auto const key = [&](T x) {
    U bits;
    std::memcpy(&bits, &x, sizeof bits);
    return range.key(bits);
  };
  if (value != value)
    return range;
  bool const is_zero = !limits::is_integer && value == T(0);  // floats have two zeros
  U const least = key(is_zero ? static_cast<T>(-T(0)) : value);
  U const greatest = key(is_zero ? T(0) : value);
  T const first = limits::has_infinity ? static_cast<T>(-limits::infinity()) : limits::lowest();
  T const last = limits::has_infinity ? limits::infinity() : limits::max();
  U const before = key(first), after = key(last);
  if (relation == relation::equal) {
    range.low = least, range.high = greatest;
  } else if (relation == relation::greater && greatest < after) {
    range.low = static_cast<U>(greatest + 1), range.high = after;
  } else if (relation == relation::less && least > before) {
    range.low = before, range.high = static_cast<U>(least - 1);
  }
  return range;
}

}  // namespace sam::tool
