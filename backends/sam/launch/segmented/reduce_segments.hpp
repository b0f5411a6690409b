// SPDX-License-Identifier: MIT
// Launches the merge-path kernel that reduces segments of small inputs.
#pragma once

#include <sam/gpu/merge_path/segmented_reduce.hpp>
#include <sam/launch/segmented/launch_path.hpp>
#include <sam/launch/segmented/tuning.hpp>

namespace sam::inline v0_1::SAM_GPU_BACKEND {

/// Runs gpu::segmented_reduce_path as a kernel.
template <class Job, class Config>
__global__ void SAM_LAUNCH_BOUNDS(gpu::segmented_reduce_path<device, Job, Config>::threads)
    segmented_reduce_kernel(SAM_GRID_CONSTANT gpu::path_arguments<Job> const arguments) {
  gpu::segmented_reduce_path<device, Job, Config>(arguments).run();
}

/// Queues the kernel with one record per tile. Returns false if the device cannot run it.
template <class Config, class Job>
bool launch_segment_path(context& context, Job const& job) {
  using path = gpu::segmented_reduce_path<device, Job, Config>;
  using record = gpu::path_record<typename Job::total>;
  range const named([&] {
    return "sam: reduction of " + std::to_string(job.segments) + " segments, " +
           std::to_string(job.n) + " items";
  });
  index_t const tiles = path::tiles(job);
  auto* const records =
      static_cast<record*>(context.kernel_workspace(std::size_t(tiles) * sizeof(record)));
  return self::launch_path<path>(context, &segmented_reduce_kernel<Job, Config>, tiles,
                                 {job, records, context.ring_for(0).shared});
}

/// Queues a reduction of segments. Returns false for large inputs and large items, for which a scan
/// is faster.
template <class Item, class T, class Offset, class Op, class Start>
bool context::reduce_segments(reduce_segments_job<Item, T, Offset, Op, Start> const& job) {
  using job_type = reduce_segments_job<Item, T, Offset, Op, Start>;
  if constexpr (max_of(sizeof(Item), sizeof(T)) > path_tuning::largest_of_path)
    return false;
  else if (job.n * index_t{sizeof(Item)} + job.segments * index_t{sizeof(Offset)} >= small_bytes())
    return false;
  else if (reduce_few_segments(job))
    return true;
  else if (path_tuning::short_path > job.n + job.segments)  // clang takes segments < for a template
    return self::launch_segment_path<path_tuning::short_segment_path<job_type>>(*this, job);
  else
    return self::launch_segment_path<path_tuning::segmented_reduce_path<job_type>>(*this, job);
}

}  // namespace sam::inline v0_1::SAM_GPU_BACKEND
