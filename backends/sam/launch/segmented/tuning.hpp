// SPDX-License-Identifier: MIT
// Tile sizes of the merge-path kernels for segments and runs.
#pragma once

#include <sam/gpu/merge_path/segmented_reduce.hpp>
#include <sam/launch/device.hpp>

namespace sam::inline v0_1::SAM_GPU_BACKEND {

/// Sizes that are the same for all devices, since they determine how floats are grouped. Evidence:
/// perf/results.
struct path_tuning {
  /// The largest item, in bytes, that merge-path kernels take.
  static constexpr index_t largest_of_path = 32;
  /// A config whose threads take an odd number of path steps, so that lanes access different banks.
  template <class Job, int Bytes>
  using path_of =
      gpu::path_config<warps_of(8),
                       int(Bytes / (4 + max_of(4, index_t{sizeof(typename Job::item)}))) | 1>;
  /// Paths with fewer steps than this use smaller tiles, so that more multiprocessors get work.
  static constexpr index_t short_path = 1 << 17;
  template <class Job>
  using short_segment_path = path_of<Job, 40>;
  template <class Job>
  using segmented_reduce_path = path_of<Job, 88>;
  using run_decode_path = gpu::path_config<warps_of(8), 7>;
};

}  // namespace sam::inline v0_1::SAM_GPU_BACKEND
