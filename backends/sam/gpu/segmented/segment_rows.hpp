// SPDX-License-Identifier: MIT
// Has what kernels that scan tiles of several segments share: a thread's row of neighbouring items,
// how it is loaded and stored, and its scan from head to head.
#pragma once

#include <sam/backend/scan_segments_job.hpp>
#include <sam/gpu/segmented/value_combiner.hpp>

namespace sam::inline v0_1::gpu {

/// Has functions of threads that have `I` neighbouring items each. Bit k of `heads` tells if item k
/// of a thread begins a segment, and the first `left` items are in the tile.
template <class Device, class Job, int I>
class segment_rows {
 protected:
  using item = typename Job::item;
  using T = typename Job::value;
  using lane_set = typename Device::lane_set;
  static constexpr int lanes = Device::warp_size;
  static_assert(32 % I == 0);
  using combiner = value_combiner<Device, T, decltype(Job::op), I>;
  using one = typename combiner::one;
  using row = uninitialized_array<T, I>;

  SAM_DEVICE explicit segment_rows(Job const& job)
      : job_(job), combine_(job.op), thread_(Device::warp() * lanes + Device::lane()) {}

  SAM_DEVICE index_t offset(index_t k) const { return static_cast<index_t>(job_.offsets[k]); }
  /// Returns the thread's heads among those of a tile.
  SAM_DEVICE std::uint32_t heads_in(std::uint32_t const* bits) const {
    return bits[thread_ * I / 32] >> (thread_ * I % 32) & (~std::uint32_t{0} >> (32 - I));
  }

  // --- Loads and stores -------------------------------------------------------------------------

  SAM_DEVICE void load(index_t begin, int left, row& to) const {
    item const* const from = job_.items + begin + thread_ * I;
    if constexpr (vectors<item>::exist)
      if (left == I && is_aligned(from)) {
        using vector = typename vectors<item>::type;
        constexpr int of = vectors<item>::of;
        vector x[I / of];
#pragma unroll
        for (int v = 0; v < I / of; ++v)
          x[v] = reinterpret_cast<vector const*>(from)[v];
#pragma unroll
        for (int k = 0; k < I; ++k)
          to.at[k] = static_cast<T>(x[k / of].x.at[k % of]);
        return;
      }
#pragma unroll
    for (int k = 0; k < I; ++k)
      if (k < left)
        to.at[k] = static_cast<T>(from[k]);
  }
  /// Stores the thread's results from item `first` on.
  SAM_DEVICE void store(index_t begin, int first, int left, row const& x) const {
    T* const to = job_.out + begin + thread_ * I;
    if constexpr (vectors<T>::exist)
      if (first == 0 && left == I && is_aligned(to)) {
        constexpr int of = vectors<T>::of;
#pragma unroll
        for (int v = 0; v < I / of; ++v) {
          std::uint32_t word[4];
          memcpy(word, x.at + v * of, 16);
          Device::store_vector(to + v * of, word);
        }
        return;
      }
#pragma unroll
    for (int k = 0; k < I; ++k)
      if (k >= first && k < left)
        to[k] = x.at[k];
  }

  // --- Scan -------------------------------------------------------------------------------------

  /// Scans x over the lanes that have one, which are the first ones, from each head on.
  template <int Width>
  SAM_DEVICE void scan_lanes(bool has, lane_set heads, T& x) const {
    int const first = last_upto_lane(heads);
#pragma unroll
    for (int d = 1; d < Width; d *= 2) {
      T const other = gpu::shuffle_up<Device>(x, d);
      if (has && Device::lane() - d >= first)
        x = job_.op(other, x);
    }
  }
  /// Combines the thread's items, from its last head on.
  SAM_DEVICE void reduce(row const& x, int left, std::uint32_t heads, one& sum) const {
#pragma unroll
    for (int k = 0; k < I; ++k)
      if (k < left) {
        if ((heads >> k & 1) != 0)
          sum.at[0] = job_.from_start(x.at[k]);
        else
          sum.at[0] = k == 0 ? x.at[0] : static_cast<T>(job_.op(sum.at[0], x.at[k]));
      }
  }
  /// Replaces the thread's items by their results, given what precedes them.
  SAM_DEVICE void put(row& run, int left, std::uint32_t heads, bool has_prefix, one& sum) const {
#pragma unroll
    for (int k = 0; k < I; ++k)
      if (k < left) {
        bool const head = (heads >> k & 1) != 0;
        T const x = run.at[k];
        if constexpr (Job::is_exclusive)
          run.at[k] = head || (k == 0 && !has_prefix) ? job_.start.value : sum.at[0];
        if (head)
          sum.at[0] = job_.from_start(x);
        else
          sum.at[0] = k == 0 && !has_prefix ? x : static_cast<T>(job_.op(sum.at[0], x));
        if constexpr (!Job::is_exclusive)
          run.at[k] = sum.at[0];
      }
  }

  Job const& job_;
  combiner combine_;
  int thread_;

 private:
  template <class X>
  struct vectors {
    static constexpr int of = int(max_of(1, 16 / int(sizeof(X))));
    static constexpr bool exist = sizeof(X) <= 8 && 16 % sizeof(X) == 0 && I % of == 0;
    struct alignas(16) type {
      uninitialized_array<X, of> x;
    };
  };
  template <class X>
  static SAM_DEVICE bool is_aligned(X const* x) {
    return reinterpret_cast<std::uintptr_t>(x) % 16 == 0;
  }
  /// Returns the last lane up to this one that is in a set, or 0.
  static SAM_DEVICE int last_upto_lane(lane_set set) {
    lane_set const upto = set & (Device::lower_lanes() | lane_set{1} << Device::lane());
    return upto == 0 ? 0 : Device::last(upto);
  }
};

}  // namespace sam::inline v0_1::gpu
