// SPDX-License-Identifier: MIT
// Sorts unsigned integers that fit in a cache, on one thread: a quicksort whose partitions compress
// vectors, down to a network that sorts 64 at a time. No branch depends on one key.
//
// It is not stable, so it serves keys alone, of which equal ones have equal bits.
//
// Sources: Bramas, "A novel hybrid quicksort algorithm vectorized using AVX-512 on Intel Skylake",
// IJACSA 2017 (partitions by compression); Batcher, "Sorting networks and their applications",
// AFIPS 1968 (bitonic merges).
#pragma once

#include <sam/host/simd/compress.hpp>
#include <sam/host/simd/simd.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>

namespace sam::inline v0_1::host {

#if defined(SAM_HAVE_STREAMING_STORES) && HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
/// True if integers of this type are sorted faster by vectors than by digits.
template <class T>
inline constexpr bool sorts_by_vectors = (sizeof(T) == 4 || sizeof(T) == 8) && vector_bytes == 64;

/// A network that sorts `Rows` vectors of T as one sequence, which goes down the rows of one lane
/// after another. So most steps order whole vectors, and the first of each merge of lanes mirrors
/// them. Lanes are numbered as by to_rows, which moves the sequence to memory.
template <int Rows, class T>
class sorting_network {
  static constexpr int width = lanes<T>;

  static void order(vec<T>& a, vec<T>& b) {
    vec<T> const x = a, y = b;
    a = x < y ? x : y;
    b = x < y ? y : x;
  }
  /// Returns the lanes of x that change places with those whose number differs by some bits.
  template <int Bits>
  static vec<T> partners(vec<T> x) {
    return host::shuffle<T, [](int l) { return host::lane_of<T>(host::run_of<T>(l) ^ Bits); }>(x,
                                                                                               x);
  }
  /// Returns the lesser of both in lanes whose number has not a bit, and the greater in others.
  template <int Bit>
  static vec<T> ordered(vec<T> x, vec<T> y) {
    vec<T> const least = x < y ? x : y, greatest = x < y ? y : x;
    return host::shuffle<T, [](int l) { return (host::run_of<T>(l) & Bit) != 0 ? width + l : l; }>(
        least, greatest);
  }
  template <int Step>
  [[gnu::always_inline]] static void merge_rows(vec<T>* x) {
    if constexpr (Step > 0) {
#pragma GCC unroll 16
      for (int k = 0; k < Rows; ++k)
        if ((k & Step) == 0)
          order(x[k], x[k + Step]);
      merge_rows<Step / 2>(x);
    }
  }
  template <int Length>
  [[gnu::always_inline]] static void sort_rows(vec<T>* x) {
    if constexpr (Length <= Rows) {
#pragma GCC unroll 16
      for (int k = 0; k < Rows; ++k)
        if ((k & Length / 2) == 0)
          order(x[k], x[k ^ (Length - 1)]);
      merge_rows<Length / 4>(x);
      sort_rows<2 * Length>(x);
    }
  }
  template <int Step>
  [[gnu::always_inline]] static void merge_lanes(vec<T>* x) {
    if constexpr (Step > 0) {
#pragma GCC unroll 16
      for (int k = 0; k < Rows; ++k)
        x[k] = ordered<Step>(x[k], partners<Step>(x[k]));
      merge_lanes<Step / 2>(x);
    }
  }
  template <int Length>
  [[gnu::always_inline]] static void sort_lanes(vec<T>* x) {
    if constexpr (Length <= width) {
#pragma GCC unroll 8
      for (int k = 0; k < (Rows + 1) / 2; ++k) {
        vec<T> const a = x[k], b = x[Rows - 1 - k];
        x[k] = ordered<Length / 2>(a, partners<Length - 1>(b));
        x[Rows - 1 - k] = ordered<Length / 2>(b, partners<Length - 1>(a));
      }
      merge_lanes<Length / 4>(x);
      merge_rows<Rows / 2>(x);
      sort_lanes<2 * Length>(x);
    }
  }

 public:
  static constexpr index_t items = Rows * width;
  /// Sorts vectors down the rows.
  [[gnu::always_inline]] static void sort(vec<T>* x) {
    sort_rows<2>(x);
    sort_lanes<2>(x);
  }
  /// Sorts up to `items` items in place.
  static void sort(T* at, index_t n) {
    alignas(64) T all[std::size_t{items}];
    vec<T> x[std::size_t{Rows}];
    std::memcpy(all, at, static_cast<std::size_t>(n) * sizeof(T));
    std::fill(all + n, all + items, static_cast<T>(~T{0}));
#pragma GCC unroll 16
    for (int k = 0; k < Rows; ++k)
      x[k] = host::load<T>(all + k * width);
    sort(x);
    host::to_rows<Rows, T>(x);
#pragma GCC unroll 16
    for (int k = 0; k < Rows; ++k)
      host::store(all + k * width, x[k]);
    std::memcpy(at, all, static_cast<std::size_t>(n) * sizeof(T));
  }
};

/// Sorts integers in place.
template <class T>
class vector_quicksort {
  static constexpr index_t width = lanes<T>;
  static constexpr int rows = 16, sampled = 16;
  static constexpr index_t few = rows * width;

 public:
  /// Constructs the sort. `spare` has space for the largest n, and for a vector more.
  explicit vector_quicksort(T* spare) : spare_(spare) {}

  void operator()(T* items, index_t n) const {
    sort(items, n, 2 * static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n))));
  }

 private:
  void sort(T* items, index_t n, int depth) const {
    while (n > few) {
      if (depth-- == 0)
        return std::sort(items, items + n);
      T const pivot = middle_of_some(items, n);
      index_t front = part<false>(items, n, pivot);
      if (front == 0)  // The pivot is the least item.
        front = part<true>(items, n, pivot);
      else
        sort(items, front, depth);
      items += front;
      n -= front;
    }
    if (n <= few / 4)
      sorting_network<rows / 4, T>::sort(items, n);
    else if (n <= few / 2)
      sorting_network<rows / 2, T>::sort(items, n);
    else
      sorting_network<rows, T>::sort(items, n);
  }
  static T middle_of_some(T const* items, index_t n) {
    constexpr int some_rows = sampled / static_cast<int>(width);
    alignas(64) T some[std::size_t{sampled}];
    for (index_t k = 0; k < sampled; ++k)
      some[k] = items[k * (n / sampled)];
    vec<T> x[std::size_t{some_rows}];
    for (int k = 0; k < some_rows; ++k)
      x[k] = host::load<T>(some + k * width);
    sorting_network<some_rows, T>::sort(x);
    return x[0][host::lane_of<T>(static_cast<int>(width) / 2)];
  }

  /// Moves the items less than the pivot, or those not greater, to the front. Returns their number.
  template <bool Equal>
  index_t part(T* items, index_t n, T pivot) const {
    namespace hn = hwy::HWY_NAMESPACE;
    hn::ScalableTag<T> const d;
    auto const bound = hn::Set(d, pivot);
    T *front = items, *back = spare_;
    index_t i = 0;
    for (; i + width <= n; i += width) {
      auto const x = hn::LoadU(d, items + i);
      auto const is_front = Equal ? hn::Not(hn::Lt(bound, x)) : hn::Lt(x, bound);
      index_t const count = std::popcount(host::word_of_mask(d, is_front));
      if constexpr (sizeof(T) == 4) {
        auto const others = static_cast<__mmask16>(~is_front.raw);
        _mm512_storeu_si512(back, _mm512_maskz_compress_epi32(others, x.raw));
        _mm512_storeu_si512(front, _mm512_maskz_compress_epi32(is_front.raw, x.raw));
      } else {
        auto const others = static_cast<__mmask8>(~is_front.raw);
        _mm512_storeu_si512(back, _mm512_maskz_compress_epi64(others, x.raw));
        _mm512_storeu_si512(front, _mm512_maskz_compress_epi64(is_front.raw, x.raw));
      }
      front += count;
      back += width - count;
    }
    for (; i < n; ++i) {
      T const x = items[i];
      bool const is_front = Equal ? x <= pivot : x < pivot;
      *front = x;
      *back = x;
      front += is_front ? 1 : 0;
      back += is_front ? 0 : 1;
    }
    std::memcpy(front, spare_, static_cast<std::size_t>(back - spare_) * sizeof(T));
    return front - items;
  }

  T* spare_;
};

#else
template <class T>
inline constexpr bool sorts_by_vectors = false;
template <class T>
class vector_quicksort;  // never used
#endif

}  // namespace sam::inline v0_1::host
