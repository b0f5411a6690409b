// SPDX-License-Identifier: MIT
// Sorts by other libraries that are installed, as peers. They sort in place, most are not stable,
// and a key and its value are one item.
#pragma once

#include <sam/backend/sort_job.hpp>

#include "backend_sort_peers.hpp"  // of the back end's folder

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#if __has_include(<oneapi/tbb/parallel_sort.h>)
#define SAM_PEER_TBB_SORT 1
#include <oneapi/tbb/parallel_sort.h>

#include <execution>
#endif
#if __has_include(<parlay/primitives.h>)
#define SAM_PEER_PARLAY 1
#include <parlay/primitives.h>
#endif
#ifdef SAM_PEER_VQSORT  // set if its library is available
#ifndef HWY_WANT_AVX3_DL
#define HWY_WANT_AVX3_DL
#endif
#include <hwy/contrib/sort/vqsort.h>
#endif

namespace perf {

/// A pair in the form that Highway sorts: one number whose upper half is the key.
template <class Key, class Value>
struct key_and_value {
  Value value;
  Key key;
  friend bool operator<(key_and_value const& a, key_and_value const& b) { return a.key < b.key; }
};
template <class Key, class Value>
using sorted_item =
    std::conditional_t<std::is_same_v<Value, sam::no_values>, Key, key_and_value<Key, Value>>;

/// Sorts on one thread.
struct std_sort {
  static constexpr char const* name = "serial";
  static constexpr char const* full_name = "std_sort";
  template <class T>
  static void sort(T* items, std::ptrdiff_t n) {
    std::sort(items, items + n);
  }
};

#ifdef SAM_PEER_TBB_SORT
struct std_par_sort {
  static constexpr char const* name = "std_par";
  template <class T>
  static void sort(T* items, std::ptrdiff_t n) {
    std::sort(std::execution::par_unseq, items, items + n);
  }
};
struct tbb_sort {
  static constexpr char const* name = "tbb";
  template <class T>
  static void sort(T* items, std::ptrdiff_t n) {
    tbb::parallel_sort(items, items + n);
  }
};
#endif

#ifdef SAM_PEER_PARLAY
/// A stable radix sort of unsigned keys.
struct parlay_sort {
  static constexpr char const* name = "parlay";
  template <class T>
  static void sort(T* items, std::ptrdiff_t n) {
    auto const all = parlay::make_slice(items, items + n);
    if constexpr (std::is_unsigned_v<T>)
      parlay::integer_sort_inplace(all);
    else
      parlay::integer_sort_inplace(all, [](T const& item) { return item.key; });
  }
};
#endif

#ifdef SAM_PEER_VQSORT
/// Sorts on one thread with vectors.
struct vqsort {
  static constexpr char const* name = "vqsort";
  static constexpr char const* full_name = name;
  template <class T>
  static void sort(T* items, std::ptrdiff_t n) {
    static hwy::Sorter const sorter;
    auto const count = static_cast<std::size_t>(n);
    if constexpr (std::is_arithmetic_v<T>)
      sorter(items, count, hwy::SortAscending());
    else
      sorter(reinterpret_cast<hwy::K32V32*>(items), count, hwy::SortAscending());
  }
};
#endif

/// Calls use(peer) for every available peer that sorts items of T on one thread.
template <class T, class Use>
void for_each_serial_sort_peer(Use use) {
  use(std_sort{});
#ifdef SAM_PEER_VQSORT
  if constexpr ((std::is_arithmetic_v<T> && sizeof(T) > 1) ||
                std::is_same_v<T, key_and_value<std::uint32_t, std::uint32_t>>)
    use(vqsort{});
#endif
}

/// Calls use(peer) for every available peer that sorts items of T.
template <class T, class Use>
void for_each_sort_peer(Use use) {
  for_each_serial_sort_peer<T>(use);
#ifdef SAM_PEER_TBB_SORT
  use(std_par_sort{});
  use(tbb_sort{});
#endif
#ifdef SAM_PEER_PARLAY
  if constexpr (std::is_unsigned_v<T> || !std::is_arithmetic_v<T>)
    use(parlay_sort{});
#endif
  if constexpr (std::is_arithmetic_v<T>)
    for_each_sort_peer_of_backend(use);
}

}  // namespace perf
