// SPDX-License-Identifier: MIT
// Ranks a few numbers by comparing each with all others. This takes quadratic time, but is
// vectorized and branch-free, hence faster than any other sort of so few.
#pragma once

#if defined(__GNUC__) && !defined(__CUDACC__) && !defined(__HIPCC__)
#define SAM_HAVE_RANKING 1
#include <sam/host/simd/simd.hpp>
#endif

#include <sam/portable.hpp>

#include <cstddef>

namespace sam::inline v0_1::host {

#ifdef SAM_HAVE_RANKING

/// The largest number of unsigned integers that rank() takes. More are sorted faster by digits.
template <class T>
inline constexpr index_t most_ranked = sizeof(T) > 8 ? 0 : min_of(64, 8 * lanes<T>);

/// Ranks `Vectors` vectors of n numbers, from number `first` on.
template <int Vectors, class T>
void rank_vectors(T const* numbers, index_t n, T* places, index_t first = 0) {
  vec<T> x[std::size_t{Vectors}], place[std::size_t{Vectors}], index[std::size_t{Vectors}];
  for (int v = 0; v < Vectors; ++v) {
    x[v] = host::load<T>(numbers + first + v * lanes<T>);
    place[v] = vec<T>{};
    for (int l = 0; l < lanes<T>; ++l)
      index[v][l] = static_cast<T>(first + v * lanes<T> + l);
  }
  for (index_t i = 0; i < n; ++i) {
    vec<T> const one = host::all_lanes(numbers[i]), at = host::all_lanes(static_cast<T>(i));
#pragma GCC unroll 8
    for (int v = 0; v < Vectors; ++v)  // true is -1 in a lane
      place[v] -= reinterpret_cast<vec<T>>((one < x[v]) | ((one == x[v]) & (at < index[v])));
  }
  for (int v = 0; v < Vectors; ++v)
    host::store(places + first + v * lanes<T>, place[v]);
}

/// Sets places[i] to the index of numbers[i] in the stable order of all n. Both arrays have space
/// for most_ranked numbers.
template <class T>
void rank(T const* numbers, index_t n, T* places) {
  if (n <= lanes<T>)
    host::rank_vectors<1>(numbers, n, places);
  else if (n <= 2 * lanes<T>)
    host::rank_vectors<2>(numbers, n, places);
  else if (n <= 4 * lanes<T>)
    host::rank_vectors<4>(numbers, n, places);
  else
    host::rank_vectors<8>(numbers, n, places);
}

/// Sets places as rank() does, for any n that T can count. Both arrays have space for a multiple of
/// most_ranked numbers.
template <class T>
void rank_many(T const* numbers, index_t n, T* places) {
  constexpr int vectors = static_cast<int>(most_ranked<T> / lanes<T>);
  for (index_t first = 0; first < n; first += most_ranked<T>)
    host::rank_vectors<vectors>(numbers, n, places, first);
}

#else

template <class T>
inline constexpr index_t most_ranked = 0;

template <class T>
void rank(T const* numbers, index_t n, T* places);  // never called, since most_ranked is 0
template <class T>
void rank_many(T const* numbers, index_t n, T* places);  // likewise
#endif

}  // namespace sam::inline v0_1::host
