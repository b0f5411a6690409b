// SPDX-License-Identifier: MIT
// Scans few segments that offsets describe on a CUDA device, by one kernel.
#ifndef SAM_LAUNCH_SCAN_FEW_SEGMENTS_HPP
#define SAM_LAUNCH_SCAN_FEW_SEGMENTS_HPP

#include <sam/launch/scan/run.hpp>

namespace sam::inline v0_1::SAM_GPU_WARPS {

/// Marks bits and runs a job that reads them: in one kernel if all fit in one cluster. Every block
/// of a cluster reads all offsets, which pays unless there are far more offsets than items.
template <class Offset, job Job, class Policy>
void queue_marked(context& context, mark_job<Offset> const& marks, index_t n, Job const& job,
                  Policy const& policy) {
  constexpr bool in_tiles = scan_algorithm_of<Job, Policy> == scan_algorithm::tiles;
  if constexpr (in_tiles && scan_tuning::has_cluster<Job, Policy>) {
    using marked = gpu::marked_job<Job, Offset>;
    if (marks.count <= limits::most_cluster_items &&
        !self::is_large<Job, Policy>(n, context.small_bytes()) &&
        self::launch_one_cluster<scan_tuning::cluster<marked, Policy>>(context, n,
                                                                       marked{job, marks}, policy))
      return;
  }
  context.mark_bits(marks);
  if constexpr (in_tiles)
    self::launch_tiles(context, n, job, policy);
  else
    context.run(n, job, policy);
}

}  // namespace sam::inline v0_1::SAM_GPU_WARPS

#endif
