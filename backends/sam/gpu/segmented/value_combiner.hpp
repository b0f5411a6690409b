// SPDX-License-Identifier: MIT
// Combines some values by some threads, in order if the operator does not commute.
#pragma once

#include <sam/gpu/warp/warp_state.hpp>

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
      sum.at[0] = has ? static_cast<T>(op_(sum.at[0], x.at[0])) : x.at[0];
      has = true;
#pragma unroll
      for (int u = 1; u < Together; ++u)
        if (first + u * step < end)
          sum.at[0] = op_(sum.at[0], x.at[u]);
    }
  }
  /// Combines the values of the first `having` of every `width` lanes, in the first one. All lanes
  /// of the warp call it.
  SAM_DEVICE void join_lanes(int having, int width, one& sum) const {
    int const own = Device::lane() & (width - 1);
#pragma unroll 1
    for (int d = 1; d < width; d *= 2) {
      T const other = gpu::shuffle_from<Device>(sum.at[0], Device::lane() + d);
      if ((own & (2 * d - 1)) == 0 && own + d < having)
        sum.at[0] = op_(sum.at[0], other);
    }
  }

 private:
  Op const& op_;
};

}  // namespace sam::inline v0_1::gpu
