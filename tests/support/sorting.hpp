// SPDX-License-Identifier: MIT
// Keys, options and output checks for tests of sorts.
#pragma once

#include <sam/reference.hpp>
#include <sam/sort_options.hpp>

#include "support.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

namespace test {

using sam::sort_order;

struct twelve_bytes {
  std::uint32_t at[3];
};

/// A key type that radix sorts do not support without digits. Its size does not divide a cache
/// line.
struct parcel {
  std::uint16_t to, from;
  float weight;
  std::uint32_t id;
};
/// Sorts parcels by a number computed from two of their members and run-time state.
struct by_distance {
  std::uint16_t from_where;
  SAM_FUNCTION std::uint16_t operator()(parcel const& p) const {
    return static_cast<std::uint16_t>(p.to + p.from - from_where);
  }
};

/// Sorts the bits of floats in the order of the floats; also has run-time state.
struct by_sign {
  std::uint32_t sign = 1u << 31, if_negative = ~0u;
  SAM_FUNCTION std::uint32_t operator()(std::uint32_t bits) const {
    return bits ^ ((bits & sign) != 0 ? if_negative : sign);
  }
};

/// The distribution of keys: their order, and how many are equal or equal in some bits.
enum class shape { random, five_keys, sorted, reversed, equal, narrow, skewed };
constexpr shape shapes[] = {shape::random, shape::five_keys, shape::sorted, shape::reversed,
                            shape::equal,  shape::narrow,    shape::skewed};

template <class T>
T random_bytes(generator& bits, std::size_t count = sizeof(T)) {
  unsigned char bytes[sizeof(T)] = {};
  for (std::size_t k = 0; k < count; ++k)
    bytes[k] = static_cast<unsigned char>(bits() >> 11);
  T x;
  std::memcpy(static_cast<void*>(&x), bytes, sizeof(T));
  return x;
}

template <class Key, class Digits>
std::vector<Key> random_keys(index_t n, shape kind, Digits digits, std::uint64_t seed) {
  generator bits(seed);
  std::vector<Key> keys, five(5);
  for (Key& key : five)
    key = random_bytes<Key>(bits);
  constexpr std::size_t half = (sizeof(Key) + 1) / 2;
  for (index_t i = 0; i < n; ++i)
    if (kind == shape::five_keys)
      keys.push_back(five[bits() % 5]);
    else if (kind == shape::equal)
      keys.push_back(five[0]);
    else if (kind == shape::narrow || (kind == shape::skewed && bits() % 4 != 0))
      keys.push_back(random_bytes<Key>(bits, half));  // the last bytes are the lowest digits
    else
      keys.push_back(random_bytes<Key>(bits));
  if (kind == shape::sorted || kind == shape::reversed) {
    auto const order = sam::reference::radix_argsort<index_t>(
        keys, digits, 0, 8 * static_cast<int>(sizeof(digits(keys[0]))));
    keys = sam::reference::in_order(keys, order);
    if (kind == shape::reversed)
      std::reverse(keys.begin(), keys.end());
  }
  return keys;
}

/// The options of a sort besides its arrays.
struct request {
  sort_order order = sort_order::ascending;
  sam::bit_range bits = {};
};

/// Returns the n-th of a few combinations of an order and a range of bits, for keys of `bits` bits.
inline request nth_request(int n, int bits) {
  using sam::bit_range;
  bit_range const ranges[] = {
      {}, {bits / 2, bits - 1}, {}, {0, bits / 2 + 1}, {bits / 3, bits / 3 + 1}, {}, {bits, bits}};
  return {n % 2 == 0 ? sort_order::ascending : sort_order::descending, ranges[n % 7]};
}

/// Computes the expected keys and values of a sort, and checks a sort against them. `Sorts` has
/// members that are called like sam::radix_sort and its variants. Its order(keys, digits, begin,
/// end) returns the expected order.
template <class Key, class Value, class Digits, class Sorts>
class sort_checker {
  static constexpr bool has_values = !std::is_same_v<Value, sam::no_values>;
  template <class T>
  using array = fenced_array<T>;
  using options = sam::sort_options<Key, Value>;

 public:
  sort_checker(std::vector<Key> const& keys, Digits digits, request const& asked,
               std::uint64_t seed, Sorts const& sorts)
      : keys_(keys), digits_(digits), asked_(asked), sorts_(sorts) {
    auto const images = sam::detail::digits_for<Key>(digits);
    using image = typename decltype(images)::ordered_key;
    auto const [order, bits] = asked;
    sam::flipped_digits<std::remove_const_t<decltype(images)>> const flipped{
        images, static_cast<image>(order == sort_order::descending ? ~image(0) : image(0))};
    order_ = sorts.order(keys, flipped, bits.begin,
                         bits.end == sam::bit_range::last ? images.bits : bits.end);
    sorted_keys_ = sam::reference::in_order(keys, order_);
    if constexpr (has_values) {
      generator random(seed);
      for (std::size_t i = 0; i < keys.size(); ++i)
        values_.push_back(random_bytes<Value>(random));
      sorted_values_ = sam::reference::in_order(values_, order_);
    }
  }

  template <class Context>
  void run_all(Context& context) const {
    for (bool const spare : {false, true}) {
      CAPTURE(spare);
      apart(context, spare);
      in_place(context, spare);
    }
    if constexpr (has_values)
      keys_in_place(context);
  }

  template <class Index, class Context>
  void argsort(Context& context) const {
    auto const keys = on_backend(keys_, 1);
    array<Index> out(n(), 3);
    sorts_.argsort(context, keys, out, digits_,
                   sam::sort_options<Key, Index>{asked_.order, asked_.bits, {}, {}});
    context.wait();
    REQUIRE(differences(out.to_host(), std::vector<Index>(order_.begin(), order_.end())) == "");
    REQUIRE(out.fences_intact());
    REQUIRE(differences(keys.to_host(), keys_) == "");
  }

 private:
  index_t n() const { return static_cast<index_t>(keys_.size()); }

  template <class Context>
  void apart(Context& context, bool with_spare) const {
    auto const in = on_backend(keys_, 1);
    array<Key> out(n(), with_spare ? 0 : 3);
    auto values = on_backend(values_, 3);
    array<Value> values_out(has_values ? n() : 0, 1);
    sort(context, in, values, out, values_out, with_spare);
    check(out, values_out);
    REQUIRE(differences(in.to_host(), keys_) == "");
    if constexpr (has_values)
      REQUIRE(differences(values.to_host(), values_) == "");
  }
  template <class Context>
  void in_place(Context& context, bool with_spare) const {
    auto keys = on_backend(keys_, 1);
    auto values = on_backend(values_, 1);
    sort(context, keys, values, keys, values, with_spare);
    check(keys, values);
  }
  template <class Context>
  void keys_in_place(Context& context) const {
    auto keys = on_backend(keys_, 2);
    auto const values = on_backend(values_, 1);
    array<Value> values_out(n());
    sort(context, keys, values, keys, values_out, false);
    check(keys, values_out);
  }

  template <class Context, class Keys, class Values>
  void sort(Context& context, Keys& keys, Values& values, array<Key>& out, array<Value>& values_out,
            bool with_spare) const {
    array<Key> spare_keys(with_spare ? n() + 1 : 0, 1);
    array<Value> spare_values(with_spare && has_values ? n() : 0, 3);
    options const how{asked_.order, asked_.bits, as_span(spare_keys), as_span(spare_values)};
    constexpr bool natural = std::is_same_v<Digits, sam::detail::natural_digits>;
    if constexpr (has_values && natural)
      sorts_.sort_pairs(context, keys, values, out, values_out, how);
    else if constexpr (has_values)
      sorts_.sort_pairs(context, keys, values, out, values_out, digits_, how);
    else if constexpr (natural)
      sorts_.sort(context, keys, out, how);
    else
      sorts_.sort(context, keys, out, digits_, how);
    context.wait();
    REQUIRE((spare_keys.fences_intact() && spare_values.fences_intact()));
  }

  void check(array<Key> const& keys, array<Value> const& values) const {
    REQUIRE(differences(keys.to_host(), sorted_keys_) == "");
    REQUIRE(keys.fences_intact());
    if constexpr (has_values) {
      REQUIRE(differences(values.to_host(), sorted_values_) == "");
      REQUIRE(values.fences_intact());
    }
  }

  std::vector<Key> keys_, sorted_keys_;
  std::vector<Value> values_, sorted_values_;
  std::vector<index_t> order_;
  Digits digits_;
  request asked_;
  Sorts sorts_;
};

template <class Key, class Value, class Digits = sam::detail::natural_digits>
struct sort_case {
  using key = Key;
  using value = Value;
  using digits = Digits;
};

}  // namespace test
