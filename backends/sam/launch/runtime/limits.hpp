// SPDX-License-Identifier: MIT
// Input and item sizes at which the choice of a kernel changes, for all primitives.
#pragma once

#include <sam/portable.hpp>

namespace sam::inline v0_1::SAM_GPU_BACKEND {

/// Thresholds that affect speed and never results. Evidence: perf/results.
struct limits {
  /// Inputs below this many bytes are small, so that all multiprocessors get work: for scans, below
  /// a part of it, least_of_large_tiles. The choice depends on n alone, so that the
  /// bits of a floating-point result do too.
  static constexpr index_t small_bytes = 8 << 20;
  /// Scans of more items than this do not run in one cluster. The clusters of most items end
  /// earlier: scan_tuning::cluster.
  static constexpr index_t most_cluster_items = 1 << 17;
  /// Segments of items of up to this size are reduced without a scan.
  static constexpr index_t largest_of_segments = 32;
  /// A thread searches for one of up to so many values, and of more for several of this size or
  /// less together, or for one if they are not in order.
  static constexpr index_t few_values = index_t{1} << 18;
  static constexpr int values_together = 8, largest_together = 8;
  /// Up to so many items are moved by indices by a thread each, which finds its place before
  /// earlier kernels end.
  static constexpr index_t most_moved_early = index_t{1} << 20;
  /// Scatter jobs keep items of up to this size in shared memory. A tile of such items fits in 64
  /// KiB, the least that a device has. Larger items are loaded twice.
  static constexpr int largest_held = 96;
};

}  // namespace sam::inline v0_1::SAM_GPU_BACKEND
