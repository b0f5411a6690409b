// SPDX-License-Identifier: MIT
// Float keys for which numeric and total order differ, and their numeric order.
#pragma once

#include <sam/reference.hpp>
#include <sam/sort_options.hpp>

#include "items.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

namespace test {

/// The number of zeros and NaNs among the keys.
enum class of_specials { none, one, many, all_zeros, all_nans };

template <class Key>
Key float_from_bits(std::uint64_t bits) {
  auto const raw = static_cast<typename sam::numeric_floats<Key>::bits>(bits);
  Key key;
  std::memcpy(static_cast<void*>(&key), &raw, sizeof(Key));
  return key;
}

/// Returns n floats: numbers of all magnitudes, infinities, zeros of both signs, and NaNs of both
/// signs with and without payload.
template <class Key>
std::vector<Key> float_keys(sam::index_t n, of_specials specials, std::uint64_t seed) {
  using floats = sam::numeric_floats<Key>;
  generator random(seed);
  std::vector<Key> keys;
  for (sam::index_t i = 0; i < n; ++i) {
    std::uint64_t const sign = random() % 2 == 0 ? 0 : floats::sign;
    bool const is_one = specials == of_specials::one && i == n / 2;
    bool const is_special = specials > of_specials::many ||
                            (specials == of_specials::many && random() % 3 == 0) || is_one;
    bool const is_zero = specials == of_specials::all_zeros ||
                         (specials != of_specials::all_nans && random() % 2 == 0);
    std::uint64_t const payload = random() % (2 * std::uint64_t{floats::quiet});
    std::uint64_t const nan = floats::infinity + (random() % 3 == 0 ? floats::quiet : payload | 1);
    std::uint64_t const number = random() % (std::uint64_t{floats::infinity} + 1);
    if (!is_special)
      keys.push_back(float_from_bits<Key>(sign | std::max(number, std::uint64_t{1})));
    else
      keys.push_back(float_from_bits<Key>((is_one ? floats::sign : sign) | (is_zero ? 0 : nan)));
  }
  return keys;
}

/// The options of a sort.
struct request_for_floats {
  sam::sort_order order = sam::sort_order::ascending;
  sam::bit_range bits = {};
};

/// True if a precedes b, by comparisons only, as a predicate for std::stable_sort.
template <class Key>
bool is_before(Key const& a, Key const& b, sam::sort_order order) {
  auto const x = static_cast<double>(static_cast<float>(a));
  auto const y = static_cast<double>(static_cast<float>(b));
  bool const a_is_nan = x != x, b_is_nan = y != y;
  if (order == sam::sort_order::descending)
    return a_is_nan ? !b_is_nan : x > y;
  return b_is_nan ? !a_is_nan : x < y;
}
inline bool is_before(double a, double b, sam::sort_order order) {
  bool const a_is_nan = a != a, b_is_nan = b != b;
  if (order == sam::sort_order::descending)
    return a_is_nan ? !b_is_nan : a > b;
  return b_is_nan ? !a_is_nan : a < b;
}

/// Returns the indices of the keys of every segment in numeric order. If all bits are sorted by,
/// this is the order of std::stable_sort. Otherwise it is the order of the given bits of the
/// canonical floats.
template <class Key>
std::vector<sam::index_t> numeric_order(std::vector<Key> const& keys,
                                        std::vector<sam::index_t> const& offsets,
                                        request_for_floats const& asked) {
  using image = typename sam::number_digits<Key>::ordered_key;
  bool const falls = asked.order == sam::sort_order::descending;
  auto const digits = [&](Key const& key) {
    auto const x = sam::number_digits<Key>{}(sam::numeric_floats<Key>::canonical(key));
    return static_cast<image>(falls ? ~x : x);
  };
  if (asked.bits.end != sam::bit_range::last)
    return sam::reference::segmented_radix_argsort<sam::index_t>(keys, offsets, digits,
                                                                 asked.bits.begin, asked.bits.end);
  std::vector<sam::index_t> order(keys.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    order[i] = static_cast<sam::index_t>(i);
  for (std::size_t k = 1; k < offsets.size(); ++k)
    std::stable_sort(order.begin() + offsets[k - 1], order.begin() + offsets[k],
                     [&](sam::index_t i, sam::index_t j) {
                       return is_before(keys[static_cast<std::size_t>(i)],
                                        keys[static_cast<std::size_t>(j)], asked.order);
                     });
  return order;
}

}  // namespace test
