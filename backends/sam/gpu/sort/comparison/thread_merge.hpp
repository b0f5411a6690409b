// SPDX-License-Identifier: MIT
// Merges two runs in shared memory by one thread, which produces a few items in registers.
#pragma once

#include <sam/backend/merge_job.hpp>
#include <sam/portable.hpp>

#include <type_traits>

namespace sam::inline v0_1::gpu {

/// Configures a block: warps, and items of a thread. With an odd number of items, threads that read
/// one item each, this many items apart, read from different banks.
template <int Warps, int Items>
struct comparison_config {
  static constexpr int warps = Warps;
  static constexpr int items = Items;
  static_assert(Warps >= 2);
};

/// Two runs of items in an array in shared memory: [a, a_end) and [b, b_end).
struct shared_runs {
  int a, a_end, b, b_end;
};

/// Returns how many of the first `first` merged items are those of run a.
template <class T, class Precedes>
SAM_DEVICE int split_of(T const* shared, shared_runs const& runs, int first,
                        Precedes const& precedes) {
  int low = int(max_of(0, first - (runs.b_end - runs.b)));
  int high = int(min_of(first, runs.a_end - runs.a));
  while (low < high) {
    int const k = (low + high) / 2;
    if (precedes(shared[runs.b + first - 1 - k], shared[runs.a + k]))
      high = k;
    else
      low = k + 1;
  }
  return low;
}

/// Assigns x or y. Objects are assigned by branches: clang for AMD GPUs would keep their arrays in
/// memory if it had to choose between addresses.
template <class T>
SAM_DEVICE void assign_one(T& to, bool takes_x, T const& x, T const& y) {
  if constexpr (!std::is_class_v<T>)
    to = takes_x ? x : y;
  else if (takes_x)
    to = x;
  else
    to = y;
}

/// Holds the items of a thread. All of them are always assigned, also where a tile ends before:
/// registers that only some branches assign would be held through the whole kernel.
template <class T, int Items>
struct thread_items {
  uninitialized_array<T, Items> own;

  SAM_DEVICE void load(T const* from) {
#pragma unroll
    for (int k = 0; k < Items; ++k)
      own.at[k] = from[k];
  }
  /// Stores the first `count` items.
  SAM_DEVICE void store(T* to, int count) const {
#pragma unroll
    for (int k = 0; k < Items; ++k)
      if (k < count)
        to[k] = own.at[k];
  }

  /// Sorts the first `count` items stably, by odd-even transposition.
  template <class Precedes>
  SAM_DEVICE void sort(int count, Precedes const& precedes) {
#pragma unroll
    for (int round = 0; round < Items; ++round) {
#pragma unroll
      for (int k = round % 2; k + 1 < Items; k += 2)
        if (k + 1 < count && precedes(own.at[k + 1], own.at[k])) {
          T const x = own.at[k];
          own.at[k] = own.at[k + 1];
          own.at[k + 1] = x;
        }
    }
  }

  /// Takes the merge of two runs, from item `first` on, which may be its end. What lies behind the
  /// end is unspecified, and is compared with nothing. The array must have `Items` items behind the
  /// runs, which may be read.
  template <class Precedes>
  SAM_DEVICE void merge(T const* shared, shared_runs const& runs, int first,
                        Precedes const& precedes) {
    int const low = gpu::split_of(shared, runs, first, precedes);
    int a = runs.a + low, b = runs.b + first - low;
    uninitialized_array<T, 2> next;
    next.at[0] = shared[a];
    next.at[1] = shared[b];
#pragma unroll
    for (int k = 0; k < Items; ++k) {
      bool const takes_b = b < runs.b_end && (a >= runs.a_end || precedes(next.at[1], next.at[0]));
      gpu::assign_one(own.at[k], takes_b, next.at[1], next.at[0]);
      a += takes_b ? 0 : 1;
      b += takes_b ? 1 : 0;
      T const x = shared[takes_b ? b : a];
      gpu::assign_one(next.at[0], takes_b, next.at[0], x);
      gpu::assign_one(next.at[1], takes_b, x, next.at[1]);
    }
  }
};

/// Copies `count` items, at least one, between memory and an array in shared memory, by all threads
/// of a block. Each thread issues all its loads before its first store. A full tile has Threads *
/// Items items.
template <int Threads, int Items, bool Full, class T, class Load>
SAM_DEVICE void load_tile(T* shared, int thread, int count, Load const& load) {
  uninitialized_array<T, Items> x;
#pragma unroll
  for (int k = 0; k < Items; ++k) {
    int const i = k * Threads + thread;
    x.at[k] = load(Full || i < count ? i : count - 1);
  }
#pragma unroll
  for (int k = 0; k < Items; ++k)
    if (Full || k * Threads + thread < count)
      shared[k * Threads + thread] = x.at[k];
}
template <int Threads, int Items, bool Full, class T, class Store>
SAM_DEVICE void store_tile(T const* shared, int thread, int count, Store const& store) {
#pragma unroll
  for (int k = 0; k < Items; ++k)
    if (Full || k * Threads + thread < count)
      store(k * Threads + thread, shared[k * Threads + thread]);
}

}  // namespace sam::inline v0_1::gpu
