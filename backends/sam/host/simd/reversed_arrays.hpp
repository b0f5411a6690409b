// SPDX-License-Identifier: MIT
// Accesses arrays in reversed order, so that a backward scan needs no reversed copy of them.
#pragma once

#include <sam/array.hpp>
#include <sam/host/simd/simd.hpp>

#include <cstdint>

namespace sam::host {

#if defined(__GNUC__) && !defined(__CUDACC__) && !defined(__HIPCC__)
/// Reverses the lanes of a vector.
template <class T>
vec<T> turn(vec<T> v) {
  return host::shuffle<T, [](int l) { return lanes<T> - 1 - l; }>(v, v);
}
#endif

/// Wraps an array in reversed order; its first item is the one before `end`.
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

/// Wraps a reversed array for streaming stores, as streamed does for one in order.
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
template <class T>
streamed<T> past_caches(T* items) {
  return {items};
}
template <class T>
streamed_reversed<T> past_caches(reversed_array<T> items) {
  return {items};
}

/// Returns how many of the first `count` items share a cache line with the items after them.
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

}  // namespace sam::host
