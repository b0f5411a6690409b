// SPDX-License-Identifier: MIT
// The compiler's vector type, as wide as the target's registers, and the few ways in which a scan
// moves lanes. No instruction set is named: shuffles are by lane number, the compiler picks them.
#pragma once

#include <sam/operators.hpp>

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace sam::host {

#if defined(__GNUC__) && !defined(__CUDACC__) && !defined(__HIPCC__)
inline constexpr bool has_vectors = true;
#else
inline constexpr bool has_vectors = false;
#endif

#if defined(__AVX512BW__)
inline constexpr int vector_bytes = 64;
#elif defined(__AVX2__)
inline constexpr int vector_bytes = 32;
#else
inline constexpr int vector_bytes = 16;
#endif

template <class T>
inline constexpr int lanes = vector_bytes / int(sizeof(T));

/// What a lane holds: unsigned where the operator works modulo 2^w, for defined overflow.
template <class T, class Op>
struct lane_type {
  using type = T;
};
template <integer T, class Op>
requires is_modular<Op>
struct lane_type<T, Op> {
  using type = std::make_unsigned_t<T>;
};

#if defined(__GNUC__) && !defined(__CUDACC__) && !defined(__HIPCC__)

template <class T>
struct vector_of {
  typedef T type __attribute__((vector_size(vector_bytes)));
};
template <class T>
using vec = typename vector_of<T>::type;

/// Lane numbers, as wide as the lanes they number.
template <class T>
using lane_number = std::conditional_t<
    sizeof(T) == 1, std::int8_t,
    std::conditional_t<sizeof(T) == 2, std::int16_t,
                       std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>>>;

/// Loads lanes of T from items of the same size, at any address.
template <class T, class Item>
vec<T> load(Item const* from) {
  vec<T> v;
  std::memcpy(&v, from, sizeof v);
  return v;
}
template <class Item, class V>
void store(Item* to, V v) {
  std::memcpy(to, &v, sizeof v);
}

template <class T>
vec<T> all_lanes(T x) {
  return x - vec<T>{};  // not +: -0.0 + 0.0 is 0.0
}

namespace detail {
template <class T, auto From, int... L>
vec<T> shuffled(vec<T> a, vec<T> b, std::integer_sequence<int, L...>) {
  return __builtin_shufflevector(a, b, From(L)...);
}
}  // namespace detail

/// Lane l of the result is lane From(l) of a and b laid end to end.
template <class T, auto From>
vec<T> shuffle(vec<T> a, vec<T> b) {
  return detail::shuffled<T, From>(a, b, std::make_integer_sequence<int, lanes<T>>{});
}

/// The lanes of x moved up by K places; K lanes of `fill` come in below.
template <int K, class T>
vec<T> move_up(vec<T> fill, vec<T> x) {
  return shuffle<T, [](int l) { return l < K ? l : lanes<T> + l - K; }>(fill, x);
}

/// The last S lanes over and over: lane l is lane W - S + l % S.
template <int S, class T>
vec<T> repeat_last(vec<T> x) {
  return shuffle<T, [](int l) { return lanes<T> - S + l % S; }>(x, x);
}

/// The last S lanes of `earlier`, then the first lanes of x.
template <int S, class T>
vec<T> delay(vec<T> earlier, vec<T> x) {
  return shuffle<T, [](int l) { return l < S ? lanes<T> - S + l : lanes<T> + l - S; }>(earlier, x);
}

/// Four vectors of consecutive items to four columns, and back: item 4 l + r is lane l of column r.
template <class T>
void to_columns(vec<T> (&v)[4]) {
  constexpr auto even = [](int l) { return 2 * l; };
  constexpr auto odd = [](int l) { return 2 * l + 1; };
  vec<T> const e0 = shuffle<T, even>(v[0], v[1]), e1 = shuffle<T, even>(v[2], v[3]);
  vec<T> const o0 = shuffle<T, odd>(v[0], v[1]), o1 = shuffle<T, odd>(v[2], v[3]);
  v[0] = shuffle<T, even>(e0, e1), v[2] = shuffle<T, odd>(e0, e1);
  v[1] = shuffle<T, even>(o0, o1), v[3] = shuffle<T, odd>(o0, o1);
}
template <class T>
void to_rows(vec<T> (&v)[4]) {
  constexpr auto lower = [](int l) { return l / 2 + l % 2 * lanes<T>; };
  constexpr auto upper = [](int l) { return (lanes<T> + l) / 2 + l % 2 * lanes<T>; };
  vec<T> const e0 = shuffle<T, lower>(v[0], v[2]), e1 = shuffle<T, upper>(v[0], v[2]);
  vec<T> const o0 = shuffle<T, lower>(v[1], v[3]), o1 = shuffle<T, upper>(v[1], v[3]);
  v[0] = shuffle<T, lower>(e0, o0), v[1] = shuffle<T, upper>(e0, o0);
  v[2] = shuffle<T, lower>(e1, o1), v[3] = shuffle<T, upper>(e1, o1);
}

#endif

}  // namespace sam::host
