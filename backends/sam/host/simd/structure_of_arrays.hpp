// SPDX-License-Identifier: MIT
// This header defines arrays of items for vector code: numbers in one array, pairs of numbers in
// two.
#pragma once

#include <sam/algebra/affine_map.hpp>
#include <sam/algebra/segmented.hpp>
#include <sam/host/simd/simd.hpp>

namespace sam::inline v0_1::host {

/// Holds N items. Compilers vectorize a loop over lanes that reads and writes single items by `get`
/// and `put`.
///
/// - load, store: move W items at a position k from or to vectors of bits, one vector for each part
///   of an item.
/// - part, join: convert W consecutive items in memory to such vectors, and back.
/// - part_all, join_all: convert N consecutive items in memory to this structure, and back.
template <class T, int N>
struct spread {};

template <class T, int N>
requires(std::is_scalar_v<T> && sizeof(T) <= 8) struct alignas(vector_bytes) spread<T, N> {
  using bits = bits_of<T>;
  using V = vec<bits>;
  static constexpr int parts = 1;
  uninitialized_array<T, N> items;

  T get(int k) const { return items.at[k]; }
  void put(int k, T x) { items.at[k] = x; }
  void load(int k, V* v) const { *v = host::load_made<bits>(items.at + k); }
  void store(int k, V const* v) { join(items.at + k, v); }
  static void part(T const* from, V* v) { *v = host::load<bits>(from); }
  static void join(T* to, V const* v) { host::store(to, *v); }
};

/// Describes structs of two numbers of equal size: `match` is true, and `first` and `second` are
/// the types of the numbers.
template <class Pair>
struct halves {
  static constexpr bool match = false;
};
template <class First, class Second>
struct these_halves {
  using first = First;
  using second = Second;
  static constexpr bool match =
      std::is_scalar_v<First> && sizeof(First) >= 2 && sizeof(First) == sizeof(Second);
};
template <class T, class Heads>
struct halves<segmented_value<T, Heads>> : these_halves<T, Heads> {};
template <class T>
struct halves<affine_map<T>> : these_halves<T, T> {};

template <class Pair, int N>
requires(halves<Pair>::match) struct alignas(vector_bytes) spread<Pair, N> {
  using item = Pair;
  using first = typename halves<Pair>::first;
  using second = typename halves<Pair>::second;
  using bits = bits_of<first>;
  using V = vec<bits>;
  static constexpr int parts = 2;
  static constexpr int W = lanes<bits>;
  uninitialized_array<first, N> firsts;
  uninitialized_array<second, N> seconds;

  item get(int k) const { return {firsts.at[k], seconds.at[k]}; }
  void put(int k, item x) {
    auto const& [a, b] = x;
    firsts.at[k] = a;
    seconds.at[k] = b;
  }
  void load(int k, V* v) const {
    v[0] = host::load_made<bits>(firsts.at + k);
    v[1] = host::load_made<bits>(seconds.at + k);
  }
  void store(int k, V const* v) {
    host::store(firsts.at + k, v[0]);
    host::store(seconds.at + k, v[1]);
  }
  void part_all(item const* from) {
#pragma GCC unroll 16
    for (int k = 0; k < N; k += W) {
      V v[parts];
      part(from + k, v);
      store(k, v);
    }
  }
  void join_all(item* to) const {
#pragma GCC unroll 16
    for (int k = 0; k < N; k += W) {
      V v[parts];
      load(k, v);
      join(to + k, v);
    }
  }
  static void part(item const* from, V* v) {
    auto const* const raw = reinterpret_cast<std::byte const*>(from);
    V const a = host::load<bits>(raw), b = host::load<bits>(raw + sizeof(V));
    v[0] = host::shuffle<bits, [](int l) { return 2 * l; }>(a, b);
    v[1] = host::shuffle<bits, [](int l) { return 2 * l + 1; }>(a, b);
  }
  static void join(item* to, V const* v) {
    auto* const raw = reinterpret_cast<std::byte*>(to);
    host::store(raw, host::shuffle<bits, [](int l) { return l / 2 + l % 2 * W; }>(v[0], v[1]));
    host::store(raw + sizeof(V),
                host::shuffle<bits, [](int l) { return W / 2 + l / 2 + l % 2 * W; }>(v[0], v[1]));
  }
};

/// True if spread can hold items of type T.
template <class T>
concept is_spread = requires {
  spread<T, 1>::parts;
};

}  // namespace sam::inline v0_1::host
