// SPDX-License-Identifier: MIT
// Scans and reduces few segments that offsets describe on a CUDA device, by one kernel.
#pragma once

#include <sam/gpu/few_items/reduce_segments_in_cluster.hpp>
#include <sam/launch/scan/run.hpp>

namespace sam::inline v0_1::SAM_GPU_BACKEND {

/// Marks bits and runs a job that reads them: in one kernel if all fit in one cluster. Every block
/// of a cluster reads all offsets, which pays unless there are far more offsets than items.
template <class Offset, job Job, class Policy>
void context::run_marked(mark_job<Offset> const& marks, index_t n, Job const& job,
                         Policy const& policy) {
  constexpr bool in_tiles = scan_algorithm_of<Job, Policy> == scan_algorithm::tiles;
  if constexpr (in_tiles && scan_tuning::has_cluster<Job, Policy>) {
    using marked = gpu::marked_job<Job, Offset>;
    if (marks.count <= limits::most_cluster_items &&
        !self::is_large<Job, Policy>(n, small_bytes()) &&
        self::launch_one_cluster<scan_tuning::cluster<marked, Policy>>(*this, n, marked{job, marks},
                                                                       policy))
      return;
  }
  mark_bits(marks);
  if constexpr (in_tiles)
    self::launch_tiles(*this, n, job, policy);
  else
    run(n, job, policy);
}

/// Queues a reduction of the segments of few items in one block or one cluster. Returns false if
/// there are too many items or segments.
template <class Job>
bool context::reduce_few_segments(Job const& job) {
  using in_cluster = gpu::reduce_segments_in_cluster<Job>;
  using offset = typename Job::offset;
  auto const policy = engine::resolve_policy<bound::inclusive>(
      scan_policy<engine::segmented<decltype(job.op)>>{{job.op}}, from_nothing{});
  using policy_type = std::remove_const_t<decltype(policy)>;
  if constexpr (scan_tuning::has_cluster<in_cluster, policy_type>) {
    using marked = gpu::marked_job<in_cluster, offset>;
    using cluster = scan_tuning::cluster<marked, policy_type>;
    using scan = gpu::one_cluster_scan<self::device, marked, policy_type, cluster>;
    if (job.segments > limits::most_cluster_items || job.n > scan::most_items)
      return false;
    auto* const words =
        static_cast<std::uint32_t*>(kernel_workspace(std::size_t(scan::most_items / 8)));
    return self::launch_one_cluster<cluster>(
        *this, job.n,
        marked{in_cluster{job, words}, {job.offsets, job.segments + 1, 0, job.n, words}}, policy);
  } else {
    return false;
  }
}

}  // namespace sam::inline v0_1::SAM_GPU_BACKEND
