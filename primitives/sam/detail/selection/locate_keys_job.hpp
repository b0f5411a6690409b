// SPDX-License-Identifier: MIT
// Defines the job by which devices find extreme numbers: numbers become unsigned keys, of which the
// smallest, together with the lowest index, is a minimum of integers. Such keys need no test for
// NaNs and for missing items, and few instructions to exchange between lanes.
#pragma once

#include <sam/algebra/located.hpp>
#include <sam/backend/job.hpp>
#include <sam/digits.hpp>

namespace sam::inline v0_1::detail {

/// True if natural_extreme orders items of T by keys.
template <class T>
inline constexpr bool has_extreme_keys = numeric_key<T> && sizeof(T) <= 8;

/// Maps a number to a key. Keys of numbers that natural_extreme<Max> puts first are smaller; equal
/// numbers, as zeros of either sign and all NaNs are, have the same key.
template <bool Max, class T>
SAM_FUNCTION auto extreme_key(T const& x) {
  using key = typename number_digits<T>::ordered_key;
  auto const of = [](T const& y) {
    key const ordered = number_digits<T>()(y);
    return Max ? static_cast<key>(~ordered) : ordered;
  };
  if constexpr (binary_float<T>) {  // a key of 0 is that of a NaN only
    using floats = numeric_floats<T>;
    key const number = of(floats::is_zero(x) ? T(0) : x);
    return floats::is_nan(x) ? key(0) : number;
  } else {
    return of(x);
  }
}

/// A key of up to 32 bits above the index of its item.
using short_key = std::uint64_t;
/// A key of 64 bits and the index of its item.
struct long_key {
  std::uint64_t key, index;
};
/// A key of up to 32 bits and the index of its item, aligned so that 32 bits may follow it.
struct split_key {
  std::uint32_t index, key;
  SAM_FUNCTION short_key joined() const { return short_key{key} << 32 | index; }
};
/// The keys of the first smallest and the first largest item.
template <class Key>
struct key_pair {
  Key min, max;
};

/// Makes a key of a number and its index.
template <bool Max, class Key, class T>
SAM_FUNCTION Key located_key(T const& x, index_t i) {
  auto const of_number = detail::extreme_key<Max>(x);
  if constexpr (std::is_same_v<Key, short_key>)
    return short_key{of_number} << 32 | static_cast<std::uint32_t>(i);
  else if constexpr (std::is_same_v<Key, split_key>)
    return {static_cast<std::uint32_t>(i), of_number};
  else
    return {of_number, static_cast<std::uint64_t>(i)};
}

/// Combines keys: the smaller one, or the one with the lower index.
struct smallest_key {
  static constexpr bool commutative = true;
  static constexpr bool idempotent = true;
  static constexpr bool runs_on_devices = true;
  // For back ends that combine vectors of each member of a pair:
  using first = minimum;
  using second = minimum;
  template <class Pair>
  using member = decltype(Pair::min);

  SAM_FUNCTION short_key operator()(short_key a, short_key b) const { return b < a ? b : a; }
  SAM_FUNCTION long_key operator()(long_key const& a, long_key const& b) const {
    return b.key < a.key || (b.key == a.key && b.index < a.index) ? b : a;
  }
  SAM_FUNCTION split_key operator()(split_key const& a, split_key const& b) const {
    short_key const chosen = (*this)(a.joined(), b.joined());
    return {static_cast<std::uint32_t>(chosen), static_cast<std::uint32_t>(chosen >> 32)};
  }
  template <class Key>
  SAM_FUNCTION key_pair<Key> operator()(key_pair<Key> const& a, key_pair<Key> const& b) const {
    return {(*this)(a.min, b.min), (*this)(a.max, b.max)};
  }
  /// Combines the keys of all lanes of a warp, of those that have one. least_of(x) returns the
  /// least x of the lanes.
  template <class LeastOf>
  SAM_FUNCTION split_key of_lanes(split_key const& own, bool has, LeastOf const& least_of) const {
    constexpr std::uint32_t none = highest_of<std::uint32_t>;
    std::uint32_t const least = least_of(has ? own.key : none);
    return {least_of(has && own.key == least ? own.index : none), least};
  }
  template <class LeastOf>
  SAM_FUNCTION key_pair<split_key> of_lanes(key_pair<split_key> const& own, bool has,
                                            LeastOf const& least_of) const {
    return {of_lanes(own.min, has, least_of), of_lanes(own.max, has, least_of)};
  }
  /// Combines the keys of all lanes of a warp, where those without one have the identity.
  template <class LeastOf>
  SAM_FUNCTION short_key of_lanes(short_key own, LeastOf const& least_of) const {
    return least_word(own, true, least_of);
  }
  template <class LeastOf>
  SAM_FUNCTION long_key of_lanes(long_key const& own, LeastOf const& least_of) const {
    std::uint64_t const least = least_word(own.key, true, least_of);
    return {least, least_word(own.index, own.key == least, least_of)};
  }
  template <class Key, class LeastOf>
  SAM_FUNCTION key_pair<Key> of_lanes(key_pair<Key> const& own, LeastOf const& least_of) const
      requires(!std::is_same_v<Key, split_key>) {
    return {of_lanes(own.min, least_of), of_lanes(own.max, least_of)};
  }
  /// Returns the index of the item of a key; a negative one for no item.
  SAM_FUNCTION static index_t index_of_choice(long_key const& x) {
    return static_cast<index_t>(x.index);
  }
  SAM_FUNCTION static index_t index_of_choice(short_key x) {
    auto const index = static_cast<std::uint32_t>(x);
    return index == highest_of<std::uint32_t> ? -1 : static_cast<index_t>(index);
  }
  SAM_FUNCTION static index_t index_of_choice(split_key const& x) {
    return x.index == highest_of<std::uint32_t> ? -1 : static_cast<index_t>(x.index);
  }
  template <class Key>
  SAM_FUNCTION static Key identity() {
    constexpr auto highest = highest_of<std::uint64_t>;
    if constexpr (std::is_same_v<Key, short_key>)
      return highest;
    else if constexpr (std::is_same_v<Key, long_key>)
      return {highest, highest};
    else if constexpr (std::is_same_v<Key, split_key>)
      return {highest_of<std::uint32_t>, highest_of<std::uint32_t>};
    else
      return {identity<decltype(Key::min)>(), identity<decltype(Key::max)>()};
  }

 private:
  /// Returns the least 64 bits of the lanes that have some.
  template <class LeastOf>
  static SAM_FUNCTION std::uint64_t least_word(std::uint64_t x, bool has, LeastOf const& least_of) {
    constexpr std::uint32_t none = highest_of<std::uint32_t>;
    auto const upper = static_cast<std::uint32_t>(x >> 32);
    std::uint32_t const least = least_of(has ? upper : none);
    bool const is_least = has && upper == least;
    return std::uint64_t{least} << 32 | least_of(is_least ? static_cast<std::uint32_t>(x) : none);
  }
};

/// Reduces numbers to the extreme one, or to both. Accumulator is located<T> or located_pair<T>,
/// and Put writes one. `Max` tells which extreme a located<T> is.
template <class T, class Accumulator, bool Max, class Put>
struct locate_keys_job {
  static constexpr bool finds_both = !std::is_same_v<Accumulator, located<T>>;
  using key = std::conditional_t<sizeof(T) <= 4, short_key, long_key>;
  using item = std::conditional_t<finds_both, key_pair<key>, key>;
  using accumulator = item;
  static constexpr bool ends = true;
  static constexpr index_t item_bytes = sizeof(T);
  /// Fewer items than these have indices beside their keys: the highest one stands for no item.
  static constexpr index_t most = sizeof(T) <= 4 ? index_t{1} << 32 : highest_of<index_t>;
  T const* in;
  index_t n;
  Put put;

  SAM_FUNCTION auto reads() const { return engine::make_pointers(in); }
  SAM_FUNCTION item load(index_t i, T const* x) const {
    if constexpr (finds_both)
      return {key_at<false>(i, *x), key_at<true>(i, *x)};
    else
      return key_at<Max>(i, *x);
  }
  SAM_FUNCTION item load(index_t i) const { return load(i, in + i); }
  SAM_FUNCTION accumulator to_accumulator(item const& x) const { return x; }
  SAM_FUNCTION void store(index_t i, item const&, accumulator const& y) const {
    if (i != n - 1)
      return;
    if constexpr (finds_both)
      put(Accumulator{item_of(y.min), item_of(y.max)});
    else
      put(item_of(y));
  }

  // to_chosen(y) has chosen_bits, and is greatest for the first smallest key, so that devices take
  // a maximum for up to most_chosen items. 0 stands for no item.
  static constexpr int chosen_bits = std::is_same_v<item, short_key> ? 53 : 0;
  static constexpr index_t most_chosen = (index_t{1} << 21) - 1;
  static SAM_FUNCTION std::uint64_t to_chosen(item const& y) requires(chosen_bits > 0) {
    return (y & 0xffffffff) < most_chosen
               ? ~(y >> 32 << 21 | (y & most_chosen)) & ((std::uint64_t{1} << chosen_bits) - 1)
               : 0;
  }
  static SAM_FUNCTION item of_chosen(std::uint64_t x) requires(chosen_bits > 0) {
    return (~x >> 21 & 0xffffffff) << 32 | (~x & most_chosen);
  }

  /// Combines the items of vector v. Only the first extreme number of a vector becomes a key.
  template <int Count>
  SAM_FUNCTION accumulator of_vector(index_t v, T const* x) const {
    if constexpr (finds_both)
      return {first_of<false, Count>(v, x), first_of<true, Count>(v, x)};
    else
      return first_of<Max, Count>(v, x);
  }

 private:
  template <bool Largest>
  static SAM_FUNCTION key key_at(index_t i, T const& x) {
    return detail::located_key<Largest, key>(x, i);
  }
  template <bool Largest, int Count>
  static SAM_FUNCTION key first_of(index_t v, T const* x) {
    int at = Count - 1;
    T first = x[at];
    for (int k = Count - 2; k >= 0; --k) {  // backwards, so that earlier items stand for equal ones
      bool takes = Largest ? x[k] >= first : x[k] <= first;
      if constexpr (is_floating<T>)
        takes = takes || x[k] != x[k];
      first = takes ? x[k] : first;
      at = takes ? k : at;
    }
    return key_at<Largest>(v * Count + at, first);
  }
  SAM_FUNCTION located<T> item_of(key const& y) const {
    index_t i;
    if constexpr (sizeof(T) <= 4)
      i = static_cast<index_t>(static_cast<std::uint32_t>(y));
    else
      i = static_cast<index_t>(y.index);
    // The index of no item, which only some of the first items may be, is none.
    return i >= 0 && i < n ? located<T>::of(in[i], i) : located<T>::nothing();
  }
};

}  // namespace sam::inline v0_1::detail

namespace sam::inline v0_1 {
/// The smallest key does not depend on the grouping.
template <>
inline constexpr bool is_exact<detail::long_key> = true;
template <>
inline constexpr bool is_exact<detail::split_key> = true;
template <class Key>
inline constexpr bool is_exact<detail::key_pair<Key>> = true;
}  // namespace sam::inline v0_1
