// SPDX-License-Identifier: MIT
// This file chooses the tile sizes of kernels that use a merge path.
#pragma once

#include <sam/gpu/merge_path/segmented_reduce.hpp>

namespace sam::cuda {

/// Holds tuning parameters, which affect speed but not results. Measurements are in perf/results.
struct path_tuning {
  /// Largest item or total, in bytes, of segments that are reduced along a path.
  static constexpr index_t largest_of_path = 32;
  /// Has an odd number of steps, which avoids bank conflicts.
  template <class Job, int Bytes>
  using path_of =
      gpu::path_config<8, int(Bytes / (4 + max_of(4, index_t{sizeof(typename Job::item)}))) | 1>;
  /// Shorter paths use tiles of fewer steps, so that more multiprocessors have work.
  static constexpr index_t short_path = 1 << 17;
  template <class Job>
  using short_segment_path = path_of<Job, 40>;
  template <class Job>
  using segmented_reduce_path = path_of<Job, 88>;
  using run_decode_path = gpu::path_config<8, 7>;
  /// For more bits, the kernel starts only after its predecessor has finished. Blocks that start
  /// while the predecessor still holds much shared memory would run with a small L1 cache.
  static constexpr index_t early_bits = 1 << 22;
};

}  // namespace sam::cuda
