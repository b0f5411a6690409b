// SPDX-License-Identifier: MIT
// Combines some values by some threads, in order if the operator does not commute.
#pragma once

#include <sam/gpu/warp/warp_state.hpp>

#include <type_traits>

namespace sam::inline v0_1::gpu {

/// Combines values by threads that load `Together` of them at a time. Each thread takes values that
/// lie a number of threads apart, so that lanes load neighbouring ones. If the operator does not
/// commute, each thread takes consecutive values.
template <class Device, class T, class Op, int Together>
class value_combiner {
  static constexpr bool commutes = is_commutative<Op>;

 public:
  /// The value of a thread, which is valid only if the thread has any.
  using one = uninitialized_array<T, 1>;

  SAM_DEVICE explicit value_combiner(Op const& op) : op_(op) {}

  /// Returns how many of `threads` threads have values if there are `count`.
  static SAM_DEVICE int having(int count, int threads) {
    if constexpr (commutes)
      return int(min_of(count, threads));
    else
      return count == 0 ? 0 : int(div_up(count, div_up(count, threads)));
  }
  /// Combines the values of one of `threads` threads in `sum`, if it has any. value(i) returns
  /// value i of `count`.
  template <class Value>
  SAM_DEVICE void of_thread(int count, int thread, int threads, Value const& value,
                            one& sum) const {
    int first = thread, end = count, step = threads;
    if constexpr (!commutes) {
      int const each = int(div_up(count, threads));
      first = int(min_of(index_t{thread} * each, count)), end = int(min_of(first + each, count));
      step = 1;
    }
    bool has = false;
#pragma unroll 1
    for (; first < end; first += Together * step) {
      uninitialized_array<T, Together> x;
#pragma unroll
      for (int u = 0; u < Together; ++u)
        if (first + u * step < end)
          x.at[u] = value(first + u * step);
        else if constexpr (std::is_trivially_default_constructible_v<T>)
          x.at[u] = T();  // else its register would be in use in all other turns, too
      sum.at[0] = has ? static_cast<T>(op_(sum.at[0], x.at[0])) : x.at[0];
      has = true;
#pragma unroll
      for (int u = 1; u < Together; ++u)
        if (first + u * step < end)
          sum.at[0] = op_(sum.at[0], x.at[u]);
    }
  }
  /// Combines the items of one of `threads` threads, of `count` items of a source from `begin` on,
  /// in `sum`. Returns how many threads have a value. Vectors are loaded if the grouping of items
  /// changes no bit, since which items share a vector depends on the address.
  template <class Source>
  SAM_DEVICE int of_source(Source const& source, index_t begin, int count, int thread, int threads,
                           one& sum) const {
    using loads = engine::source_loads<Source>;
    using loaded = typename loads::loaded;
    constexpr int of_vector = int(16 / sizeof(loaded));
    if constexpr (commutes && is_exact<T> && loads::of_elements && sizeof(loaded) <= 8 &&
                  16 % sizeof(loaded) == 0) {
      loaded const* const from = source.reads().first + begin;
      auto const value = [&](int i, loaded const& x) {
        return static_cast<T>(loads::item(source, begin + i, x));
      };
      int const past = int(reinterpret_cast<std::uintptr_t>(from) % 16 / sizeof(loaded));
      int const head = int(min_of(count, (of_vector - past) % of_vector));
      int const vectors = (count - head) / of_vector, last = head + vectors * of_vector;
      int const ends = head + count - last;  // items in no vector, fewer than the lanes of a warp
      bool has = thread < ends;
      if (has) {
        int const i = thread < head ? thread : last + thread - head;
        sum.at[0] = value(i, from[i]);
      }
      struct alignas(16) vector {
        uninitialized_array<loaded, of_vector> x;
      };
      auto const* const all = reinterpret_cast<vector const*>(from + head);
      constexpr int together = sizeof(T) <= 8 || sizeof(T) <= sizeof(loaded) ? 4 : 2;
#pragma unroll 1
      for (int v = thread; v < vectors; v += together * threads) {
        vector x[together];
#pragma unroll
        for (int u = 0; u < together; ++u)
          if (v + u * threads < vectors)
            x[u] = all[v + u * threads];
#pragma unroll
        for (int u = 0; u < together; ++u)
          if (v + u * threads < vectors) {
            int const first = head + (v + u * threads) * of_vector;
            T of_all = value(first, x[u].x.at[0]);
#pragma unroll
            for (int k = 1; k < of_vector; ++k)
              of_all = op_(of_all, value(first + k, x[u].x.at[k]));
            sum.at[0] = has ? static_cast<T>(op_(sum.at[0], of_all)) : of_all;
            has = true;
          }
      }
      return int(engine::max_of(ends, min_of(vectors, threads)));
    } else {
      of_thread(
          count, thread, threads, [&](int i) { return static_cast<T>(source.at(begin + i)); }, sum);
      return having(count, threads);
    }
  }
  /// Combines the values of the first `having` of every `width` lanes, a power of two, in the first
  /// one. All lanes of the warp call it.
  SAM_DEVICE void join_lanes(int having, int width, one& sum) const {
    int const own = Device::lane() & (width - 1);
    constexpr auto least_of = [](std::uint32_t x) { return Device::least_of_all(x); };
    if constexpr (requires { op_.of_lanes(sum.at[0], true, least_of); })
      if (width == Device::warp_size) {
        sum.at[0] = op_.of_lanes(sum.at[0], own < having, least_of);
        return;
      }
#pragma unroll
    for (int d = 1; d < Device::warp_size; d *= 2) {
      if (d >= width)
        break;
      T const other = gpu::shuffle_from<Device>(sum.at[0], Device::lane() + d);
      if ((own & (2 * d - 1)) == 0 && own + d < having)
        sum.at[0] = op_(sum.at[0], other);
    }
  }

 private:
  Op const& op_;
};

}  // namespace sam::inline v0_1::gpu
