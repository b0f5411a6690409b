// SPDX-License-Identifier: MIT
// This header defines arrays that are read and written backward, so that a backward scan needs no
// reversed copy of its arrays.
#pragma once

#include <sam/array.hpp>
#include <sam/host/simd/simd.hpp>

#include <cstdint>

namespace sam::inline v0_1::host {

#if defined(__GNUC__) && !defined(__CUDACC__) && !defined(__HIPCC__)
/// Reverses the lanes of a vector.
template <class T>
vec<T> turn(vec<T> v) {
  return host::shuffle<T, [](int l) { return lanes<T> - 1 - l; }>(v, v);
}
#endif

/// Presents items in memory in reverse order. Item 0 lies directly before `end`.
template <class T>
struct reversed_array {
  T* end;

  reversed_array operator+(index_t i) const { return {end - i}; }
  T& operator[](index_t i) const { return end[-1 - i]; }
#if defined(__GNUC__) && !defined(__CUDACC__) && !defined(__HIPCC__)
  template <class Lane>
  vec<Lane> vector() const {
    return host::turn<Lane>(host::load<Lane>(end - lanes<Lane>));
  }
  template <class V>
  void put(V v) const {
    using lane = std::remove_cvref_t<decltype(v[0])>;
    host::store(end - lanes<lane>, host::turn<lane>(v));
  }
#endif
};

/// Returns the lowest address of the first `count` items.
template <class T>
T* lowest(T* items, index_t) {
  return items;
}
template <class T>
T* lowest(reversed_array<T> items, index_t count) {
  return items.end - count;
}

/// Stores reversed items past the caches, as `streamed` does for items in memory order.
template <class T>
struct streamed_reversed {
  reversed_array<T> items;

  streamed_reversed operator+(index_t i) const { return {items + i}; }
  T& operator[](index_t i) const { return items[i]; }
#if defined(__GNUC__) && !defined(__CUDACC__) && !defined(__HIPCC__)
  template <class V>
  void put(V v) const {
    using lane = std::remove_cvref_t<decltype(v[0])>;
    host::streaming_store(items.end - lanes<lane>, host::turn<lane>(v));
  }
#endif
};
/// Returns a view of items whose stores of vectors bypass the caches.
template <class T>
streamed<T> past_caches(T* items) {
  return {items};
}
template <class T>
streamed_reversed<T> past_caches(reversed_array<T> items) {
  return {items};
}

/// Returns the number of the last of `count` items that share a cache line with the items behind
/// them.
template <class T>
index_t past_line(T* items, index_t count) {
  constexpr index_t size = sizeof(T);
  return static_cast<index_t>(reinterpret_cast<std::uintptr_t>(items + count) % 64) / size;
}
template <class T>
index_t past_line(reversed_array<T> items, index_t count) {
  constexpr index_t size = sizeof(T);
  auto const place = static_cast<index_t>(reinterpret_cast<std::uintptr_t>(items.end - count) % 64);
  return (64 - place) % 64 / size;
}

}  // namespace sam::inline v0_1::host
