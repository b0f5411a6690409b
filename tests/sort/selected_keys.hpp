// SPDX-License-Identifier: MIT
// Keys for tests of selections by rank, and comparisons of their bits.
#pragma once

#include <sam/top_k.hpp>

#include "support.hpp"

#include <cstddef>
#include <vector>

namespace test {

template <class T>
using order_of = sam::number_digits<T>;

enum class keys_are { random, few, equal, in_low_bits };

template <class T>
std::vector<T> make_keys(index_t n, keys_are what) {
  std::vector<T> keys;
  generator bits(seed_for(n));
  for (index_t i = 0; i < n; ++i) {
    auto x = bits();
    if (what == keys_are::few)
      x = x % 5 * 0x1111'1111'1111'1111u;
    else if (what == keys_are::equal)
      x = 42;
    else if (what == keys_are::in_low_bits)
      x %= 100;
    keys.push_back(order_of<T>::key_of(static_cast<typename order_of<T>::ordered_key>(x)));
  }
  return keys;
}

template <class T>
bool same_bits(std::vector<T> const& a, std::vector<T> const& b) {
  if (a.size() != b.size())
    return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (order_of<T>{}(a[i]) != order_of<T>{}(b[i]))
      return false;
  return true;
}

}  // namespace test
