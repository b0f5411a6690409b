// SPDX-License-Identifier: MIT
// How paths through items and the ends of segments are cut.
#pragma once

#include <sam/gpu/merge_path/segmented_reduce.hpp>

namespace sam::cuda {

/// How fast, never what. Evidence: perf/results.
struct path_tuning {
  /// Of segments that are reduced along a path, and items of up to so many bytes.
  static constexpr index_t largest_of_path = 32;
  /// An odd number of steps, which lanes take from different banks.
  template <class Job, int Bytes>
  using path_of =
      gpu::path_config<8, int(Bytes / (4 + max_of(4, index_t{sizeof(typename Job::item)}))) | 1>;
  /// Fewer of them on a path of fewer steps, so that more multiprocessors have a part.
  static constexpr index_t short_path = 1 << 17;
  template <class Job>
  using short_segment_path = path_of<Job, 40>;
  template <class Job>
  using segmented_reduce_path = path_of<Job, 88>;
  using run_decode_path = gpu::path_config<8, 7>;
  /// More bits are marked only once the kernel before is done: blocks that started while its own
  /// still have much of shared memory are left with a small first-level cache.
  static constexpr index_t early_bits = 1 << 22;
};

}  // namespace sam::cuda
