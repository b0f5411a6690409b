// SPDX-License-Identifier: MIT
// This header defines vectors as wide as the registers of the target, through the compiler's vector
// extension, and the lane moves that a scan needs. It names no instruction set: shuffles are by
// lane number, and the compiler picks the instructions.
#pragma once

#include <sam/host/memory/streaming.hpp>
#include <sam/host/memory/tuning.hpp>
#include <sam/operators.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace sam::inline v0_1::host {

#if defined(__AVX512BW__)
inline constexpr int vector_bytes = 64;
#elif defined(__AVX2__)
inline constexpr int vector_bytes = 32;
#else
inline constexpr int vector_bytes = 16;
#endif

template <class T>
inline constexpr int lanes = vector_bytes / int(sizeof(T));

/// Selects the type of a lane. It is unsigned if the operator works modulo 2^w, so that overflow is
/// defined.
template <class T, class Op>
struct lane_type {
  using type = T;
};
template <integer T, class Op>
requires is_modular<Op>
struct lane_type<T, Op> {
  using type = std::make_unsigned_t<T>;
};

/// Wraps items so that a load of a vector also prefetches the items so many bytes behind it.
template <class T>
struct fetched_ahead {
  T const* items;
  index_t distance;

  fetched_ahead operator+(index_t i) const { return {items + i, distance}; }
  T const& operator[](index_t i) const { return items[i]; }
};

#if defined(__GNUC__) && !defined(__CUDACC__) && !defined(__HIPCC__)

template <class T>
struct vector_of {
  typedef T type __attribute__((vector_size(vector_bytes)));
};
template <class T>
using vec = typename vector_of<T>::type;

/// Selects the signed integer type as wide as T.
template <class T>
using bits_of = std::conditional_t<
    sizeof(T) == 1, std::int8_t,
    std::conditional_t<sizeof(T) == 2, std::int16_t,
                       std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>>>;

/// Loads lanes of T from memory at any address.
template <class T, class Item>
vec<T> load(Item const* from) {
  vec<T> v;
  std::memcpy(&v, from, sizeof v);
  return v;
}
template <class T, class Item>
vec<T> load(fetched_ahead<Item> from) {
  __builtin_prefetch(reinterpret_cast<std::byte const*>(from.items) + from.distance);
  return host::load<T>(from.items);
}
/// Loads lanes of T that a loop over lanes has just stored: by halves if a vector has 64 bytes. g++
/// makes 32 at a time, and a load of two stores together would wait until both have left the store
/// buffer.
template <class T, class Item>
[[gnu::always_inline]] inline vec<T> load_made(Item const* made) {
#if defined(__AVX512BW__) && __has_builtin(__builtin_shufflevector)
  constexpr int w = lanes<T>;
  using half [[gnu::vector_size(vector_bytes / 2)]] = T;
  half low, high;
  std::memcpy(&low, made, sizeof low);
  std::memcpy(&high, made + w / 2, sizeof high);
  return [&]<int... L>(std::integer_sequence<int, L...>) {
    return __builtin_shufflevector(low, high, L...);
  }
  (std::make_integer_sequence<int, w>{});
#else
  return host::load<T>(made);
#endif
}
/// Loads lanes of T from a class that makes its items into vectors, by its member `vector`.
template <class T, class Items>
requires requires(Items const& from) {
  { from.template vector<T>() } -> std::same_as<vec<T>>;
}
vec<T> load(Items from) { return from.template vector<T>(); }
/// Loads N consecutive vectors in address order, which suits the hardware prefetcher. Compilers
/// would otherwise load them in the order of their use.
template <int N, class T, class Items>
[[gnu::always_inline]] inline void load_in_order(vec<T>* v, Items from) {
#pragma GCC unroll 16
  for (int k = 0; k < N; ++k) {
    v[k] = host::load<T>(from + k * lanes<T>);
    asm volatile("" : : : "memory");  // no load moves across this
  }
}
template <class Item, class V>
void store(Item* to, V v) {
  std::memcpy(to, &v, sizeof v);
}

template <class Item, class V>
void store(streamed<Item> to, V v) {
  host::streaming_store(to.items, v);
}
/// Stores a vector to a class that places its items, by its member `put`.
template <class Items, class V>
requires requires(Items const& to, V v) { to.put(v); }
void store(Items to, V v) { to.put(v); }

/// Returns a vector with x in every lane.
template <class T>
vec<T> all_lanes(T x) {
  return x - vec<T>{};  // not +, because -0.0 + 0.0 is 0.0
}

namespace detail {
template <class T, auto From, int... L>
vec<T> shuffled(vec<T> a, vec<T> b, std::integer_sequence<int, L...>) {
#if __has_builtin(__builtin_shufflevector)
  return __builtin_shufflevector(a, b, From(L)...);
#else  // g++ 11
  return __builtin_shuffle(a, b, vec<bits_of<T>>{static_cast<bits_of<T>>(From(L))...});
#endif
}
}  // namespace detail

/// Returns a vector whose lane l is lane From(l) of a and b laid end to end.
template <class T, auto From>
vec<T> shuffle(vec<T> a, vec<T> b) {
  return detail::shuffled<T, From>(a, b, std::make_integer_sequence<int, lanes<T>>{});
}

/// A chunk of 16 bytes holds this many items. Registers move lanes fast within a chunk.
template <class T>
inline constexpr int chunk = 16 / int(sizeof(T));

/// Returns the lanes of x moved up by K places. The lanes below come from `fill`, whose lanes are
/// all equal.
template <int K, class T>
vec<T> move_up(vec<T> fill, vec<T> x) {
  constexpr int c = chunk<T>, w = lanes<T>;
  if constexpr (vector_bytes == 32 && sizeof(T) <= 2 && K < c) {
    // Moves whole chunks, then lanes within chunks. g++ compiles that to two instructions, and a
    // single shuffle to six.
    vec<T> const before = host::shuffle<T, [](int l) { return l < c ? l : w + l - c; }>(fill, x);
    return host::shuffle<T, [](int l) { return l % c < K ? l + c - K : w + l - K; }>(before, x);
  } else {
    return host::shuffle<T, [](int l) { return l < K ? l : w + l - K; }>(fill, x);
  }
}

/// Repeats the last S lanes of x: lane l of the result is lane W - S + l % S.
template <int S, class T>
vec<T> repeat_last(vec<T> x) {
  return host::shuffle<T, [](int l) { return lanes<T> - S + l % S; }>(x, x);
}

namespace detail {
/// Separates the chunks of pairs of vectors: those of even number go to the first half of the
/// vectors, those of odd number to the second half.
template <int N, class T>
[[gnu::always_inline]] inline void part_chunks(vec<T>* v) {
  constexpr int c = chunk<T>;
  vec<T> to[std::size_t{N}];
#pragma GCC unroll 16
  for (int k = 0; k < N / 2; ++k) {
    vec<T> const a = v[2 * k], b = v[2 * k + 1];
    to[k] = host::shuffle<T, [](int l) { return l / c * 2 * c + l % c; }>(a, b);
    to[N / 2 + k] = host::shuffle<T, [](int l) { return l / c * 2 * c + l % c + c; }>(a, b);
  }
#pragma GCC unroll 16
  for (int k = 0; k < N; ++k)
    v[k] = to[k];
}
template <int N, class T>
[[gnu::always_inline]] inline void join_chunks(vec<T>* v) {
  constexpr int c = chunk<T>, w = lanes<T>;
  vec<T> to[std::size_t{N}];
#pragma GCC unroll 16
  for (int k = 0; k < N / 2; ++k) {
    vec<T> const a = v[k], b = v[N / 2 + k];
    to[2 * k] = host::shuffle<T, [](int l) { return l / c / 2 * c + l % c + l / c % 2 * w; }>(a, b);
    to[2 * k + 1] =
        host::shuffle<T, [](int l) { return (w + l) / c / 2 * c + l % c + (w + l) / c % 2 * w; }>(
            a, b);
  }
#pragma GCC unroll 16
  for (int k = 0; k < N; ++k)
    v[k] = to[k];
}

/// Transposes every square of chunks of chunk<T> vectors.
template <class T>
[[gnu::always_inline]] inline void transpose_chunks(vec<T>* v) {
  constexpr int c = chunk<T>, w = lanes<T>;
#pragma GCC unroll 8
  for (int step = 1; step < c; step *= 2) {
    vec<T> to[std::size_t{c}];
#pragma GCC unroll 16
    for (int k = 0; k < c / 2; ++k) {
      vec<T> const a = v[k], b = v[c / 2 + k];
      to[2 * k] = host::shuffle<T, [](int l) { return l / c * c + l % c / 2 + l % 2 * w; }>(a, b);
      to[2 * k + 1] =
          host::shuffle<T, [](int l) { return l / c * c + c / 2 + l % c / 2 + l % 2 * w; }>(a, b);
    }
#pragma GCC unroll 16
    for (int k = 0; k < c; ++k)
      v[k] = to[k];
  }
}
}  // namespace detail

/// Transposes N vectors of consecutive items to N columns, and to_rows transposes them back. N is a
/// power of two and at least chunk<T>. Each lane of the columns holds a run of N consecutive items,
/// and lane l holds run number run_of<T>(l). Inlining keeps the vectors in registers.
template <int N, class T>
[[gnu::always_inline]] inline void to_columns(vec<T>* v) {
#pragma GCC unroll 8
  for (int step = chunk<T>; step < N; step *= 2)
    detail::part_chunks<N, T>(v);
#pragma GCC unroll 8
  for (int k = 0; k < N; k += chunk<T>)
    detail::transpose_chunks<T>(v + k);
}
template <int N, class T>
[[gnu::always_inline]] inline void to_rows(vec<T>* v) {
#pragma GCC unroll 8
  for (int k = 0; k < N; k += chunk<T>)
    detail::transpose_chunks<T>(v + k);
#pragma GCC unroll 8
  for (int step = chunk<T>; step < N; step *= 2)
    detail::join_chunks<N, T>(v);
}
/// Returns the number of the run that a lane of columns holds.
template <class T>
constexpr int run_of(int lane) {
  return lane % chunk<T> * (lanes<T> / chunk<T>)+lane / chunk<T>;
}
/// Returns the lane of columns that holds a run.
template <class T>
constexpr int lane_of(int run) {
  constexpr int n = lanes<T> / chunk<T>;
  return run % n * chunk<T> + run / n;
}

/// Returns the lanes of x moved up by K runs. The lanes of the first K runs come from `fill`.
template <int K, class T>
vec<T> move_up_runs(vec<T> fill, vec<T> x) {
  return host::shuffle<T, [](int l) {
    return host::run_of<T>(l) < K ? l : lanes<T> + host::lane_of<T>(host::run_of<T>(l) - K);
  }>(fill, x);
}

#endif

}  // namespace sam::inline v0_1::host
