// SPDX-License-Identifier: MIT
// Floats for which minimum and maximum are error-prone: NaN, signed zeros and infinities.
#pragma once

#include "operators.hpp"

#include <cstring>
#include <limits>
#include <string>
#include <vector>

namespace test {

/// The number of kinds of float sequences: few values, zeros, values of one sign and zeros, only
/// NaN, and so on.
inline constexpr int kinds_of_extremes = 6;

template <class T>
T extreme_item(generator& bits, int kind) {
  auto const number = static_cast<T>(static_cast<int>(bits() % 9) - 4);
  T const infinity = static_cast<T>(std::numeric_limits<float>::infinity());
  T const nan = static_cast<T>(std::numeric_limits<float>::quiet_NaN());
  T const sign = bits() % 2 == 0 ? T(1) : T(-1);
  switch (kind) {
  case 0:
    return bits() % 8 == 0 ? sign * infinity : number;
  case 1:
    return sign * T(0.0F);
  case 2:
    return number < T(0.0F) ? number : -number;
  case 3:
    return number < T(0.0F) ? -number : number;
  case 4:
    return sign * nan;
  default:
    return bits() % 3 == 0 ? sign * nan : number;
  }
}

/// Returns n floats of a kind. Most sequences have a NaN and zeros of both signs at some place.
template <class T>
std::vector<T> extreme_items(index_t n, int kind, std::uint64_t seed) {
  generator bits{seed + static_cast<std::uint64_t>(kind)};
  std::vector<T> items;
  for (index_t i = 0; i < n; ++i)
    items.push_back(extreme_item<T>(bits, kind));
  for (T const x : {T(-0.0F), T(0.0F), static_cast<T>(std::numeric_limits<float>::quiet_NaN())})
    if (n > 0 && bits() % 3 != 0)
      items[static_cast<std::size_t>(bits() % static_cast<std::uint64_t>(n))] = x;
  return items;
}

/// Describes the first item that differs, or returns an empty string. All NaNs are equal, but 0.0
/// differs from -0.0.
template <class Got, class T>
std::string unlike(Got const& got, std::vector<T> const& wanted) {
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    T const a = got[i], b = wanted[i];
    if (std::memcmp(&a, &b, sizeof a) != 0 && !(a != a && b != b))
      return "item " + std::to_string(i) + " of " + std::to_string(wanted.size()) + " is " +
             std::to_string(static_cast<double>(a)) + " instead of " +
             std::to_string(static_cast<double>(b)) + "; ";
  }
  return "";
}

}  // namespace test
