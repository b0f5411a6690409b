// SPDX-License-Identifier: MIT
// Random items of every type, and comparison of results.
#pragma once

#include <sam/operators.hpp>

#include "operators.hpp"
#include <catch2/catch_get_random_seed.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

namespace test {

/// Returns a seed that differs between runs and sizes. Catch2 prints the seed of a run and accepts
/// it by --rng-seed.
inline std::uint64_t seed_for(index_t n) {
  return (std::uint64_t{Catch::getSeed()} << 32) + static_cast<std::uint64_t>(n);
}

template <class T>
T small_number(generator& bits) {
  return static_cast<T>(static_cast<int>(bits() % 9) - 4);
}

/// True for about `times` of n calls.
inline bool rarely(generator& bits, index_t n, index_t times) {
  return bits() % static_cast<std::uint64_t>(sam::engine::max_of(n / times, 1)) == 0;
}

/// Returns values that rise from the lowest to near the highest, so that a lost carry changes the
/// maximum at any place.
template <class T>
T rising(generator& bits, index_t i, index_t n) {
  double const at = static_cast<double>(i) / static_cast<double>(n);
  if constexpr (std::is_floating_point_v<T>) {
    if (i < 3)
      return sam::engine::lowest_of<T>;
    return static_cast<T>(2000 * at + static_cast<double>(bits() % 128) - 1000);
  } else {
    constexpr int width = 8 * sizeof(T);
    auto const lowest = static_cast<std::uint64_t>(sam::engine::lowest_of<T>);
    auto const trend = static_cast<std::uint64_t>(at * std::ldexp(0.9375, width));
    return static_cast<T>(lowest + trend + (bits() >> (68 - width)));
  }
}

/// Returns item i of n for scans by `Op`. Items are chosen so that every prefix depends on all of
/// its items: a product of even numbers or a maximum of uniform ones soon does not. Sums of floats
/// are exact.
template <class T, class Op>
T random_item(generator& bits, index_t i, index_t n) {
  if constexpr (requires { T::random(bits); }) {
    return T::random(bits);
  } else if constexpr (std::is_same_v<Op, sam::maximum>) {
    return rising<T>(bits, i, n);
  } else if constexpr (std::is_same_v<Op, sam::minimum>) {
    T const x = rising<T>(bits, i, n);
    if constexpr (std::is_floating_point_v<T>)
      return -x;
    else
      return static_cast<T>(~x);
  } else if constexpr (std::is_same_v<Op, sam::bit_or> || std::is_same_v<Op, sam::bit_and>) {
    constexpr int width = 8 * sizeof(T);
    T const one = rarely(bits, n, 2 * width) ? static_cast<T>(T(1) << bits() % width) : T(0);
    return std::is_same_v<Op, sam::bit_or> ? one : static_cast<T>(~one);
  } else if constexpr (std::is_same_v<Op, sam::logical_and>) {
    return static_cast<T>(!rarely(bits, n, 1) * (bits() % 5 + 1));
  } else if constexpr (std::is_same_v<Op, sam::logical_or>) {
    return static_cast<T>(rarely(bits, n, 1) * (bits() % 5 + 1));
  } else if constexpr (std::is_same_v<Op, saturating_plus>) {
    return static_cast<T>(bits() %
                          (2 * std::uint64_t{sam::engine::highest_of<T>} / std::uint64_t(n) + 1));
  } else if constexpr (std::is_same_v<Op, plus_modulo>) {
    return static_cast<T>(bits() % 1000);
  } else if constexpr (std::is_same_v<Op, sam::multiplies>) {
    return static_cast<T>(std::is_floating_point_v<T> ? T(1) - T(2) * T(bits() % 2)
                                                      : T(bits() | 1));
  } else if constexpr (std::is_floating_point_v<T>) {
    return small_number<T>(bits);
  } else {
    return static_cast<T>(bits());
  }
}

template <class T, class Op = sam::plus>
std::vector<T> random_items(index_t n, std::uint64_t seed) {
  generator bits{seed};
  std::vector<T> items;
  if constexpr (std::is_trivially_default_constructible_v<T> &&
                std::is_trivially_copy_assignable_v<T>) {
    items.resize(static_cast<std::size_t>(n));  // without optimisation, push_back takes long
    index_t i = 0;
    for (auto&& x : items)
      x = random_item<T, Op>(bits, i++, n);
  } else {
    items.reserve(static_cast<std::size_t>(n));
    for (index_t i = 0; i < n; ++i)
      items.push_back(random_item<T, Op>(bits, i, n));
  }
  return items;
}

/// Returns real numbers in [-1, 1) with all digits, whose sums are rounded.
template <class T>
std::vector<T> random_reals(index_t n, std::uint64_t seed) {
  generator bits{seed};
  std::vector<T> items(static_cast<std::size_t>(n));
  for (T& x : items)
    x = static_cast<T>(static_cast<double>(bits() >> 11) * 0x1p-52 - 1);
  return items;
}

inline std::string text_of_real(long double x) {
  std::ostringstream text;
  text << std::hexfloat << x;
  return text.str();
}
inline std::string text_of_bytes(void const* item, std::size_t size) {
  std::ostringstream text;
  for (std::size_t k = 0; k < size; ++k)
    text << std::hex << int{static_cast<unsigned char const*>(item)[k]} << ' ';
  return text.str();
}
template <class T>
std::string text_of(T const& item) {
  if constexpr (std::is_floating_point_v<T>)
    return text_of_real(item);
  else if constexpr (std::is_integral_v<T>)
    return std::to_string(+item);
  else
    return text_of_bytes(&item, sizeof(T));
}

/// Returns `count` items from item `begin` on.
template <class T>
std::vector<T> part(std::vector<T> const& items, sam::index_t begin, sam::index_t count) {
  return {items.begin() + begin, items.begin() + begin + count};
}

template <class T>
bool same_bits(T const& a, T const& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

/// A type-erased array, so that checks are compiled once instead of once per type.
struct any_items {
  void const* items;
  std::size_t count, item_size;
  std::string (*text)(void const* item);

  std::byte const* at(std::size_t i) const {
    return static_cast<std::byte const*>(items) + i * item_size;
  }
  std::size_t bytes() const { return count * item_size; }
};
template <class Items>
any_items forget_type(Items const& items) {
  using T = std::remove_cvref_t<decltype(*items.data())>;
  return {items.data(), items.size(), sizeof(T),
          [](void const* item) { return text_of(*static_cast<T const*>(item)); }};
}

/// Describes where `got` and `wanted` differ, bit for bit. Returns an empty string if they are
/// equal. Item types have no padding.
inline std::string differences(any_items const& got, any_items const& wanted) {
  if (got.count != wanted.count)
    return "sizes differ: " + std::to_string(got.count) + ", " + std::to_string(wanted.count);
  if (got.count == 0 || std::memcmp(got.items, wanted.items, got.bytes()) == 0)
    return "";
  index_t count = 0;
  std::string first;
  for (std::size_t i = 0; i < got.count; ++i)
    if (std::memcmp(got.at(i), wanted.at(i), got.item_size) != 0 && count++ == 0)
      first = "item " + std::to_string(i) + " is " + got.text(got.at(i)) + " instead of " +
              wanted.text(wanted.at(i));
  return first + "; " + std::to_string(count) + " items differ in all";
}
template <class Got, class Wanted>
std::string differences(Got const& got, Wanted const& wanted) {
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(*got.data())>,
                               std::remove_cvref_t<decltype(*wanted.data())>>);
  return differences(forget_type(got), forget_type(wanted));
}

}  // namespace test
