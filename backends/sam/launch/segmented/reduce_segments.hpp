// SPDX-License-Identifier: MIT
// Launches the kernels that reduce segments which offsets describe.
#pragma once

#include <sam/gpu/merge_path/segmented_reduce.hpp>
#include <sam/launch/segmented/launch_path.hpp>
#include <sam/launch/segmented/tuning.hpp>

namespace sam::inline v0_1::SAM_GPU_BACKEND {

template <class Job>
using each_segment = gpu::reduce_each_segment<device, Job, typename segment_tuning::config<Job>>;

/// Runs gpu::reduce_each_segment as a kernel.
template <class Job>
__global__ void SAM_LAUNCH_BOUNDS(each_segment<Job>::most_threads, 2)
    reduce_each_segment_kernel(SAM_GRID_CONSTANT gpu::each_segment_arguments<Job> const arguments) {
  each_segment<Job>(arguments).run();
}

/// Queues the kernel in which each segment has threads of its own.
template <class Job>
void launch_each_segment(context& context, Job const& job) {
  using each = each_segment<Job>;
  auto const arguments = each::arguments_for(job, segment_tuning::shares(job.n, job.segments));
  auto* const kernel = &reduce_each_segment_kernel<Job>;
  if (context.starts_early())
    self::share_half(context, reinterpret_cast<void const*>(kernel));
  constexpr index_t most = index_t{1} << 30;
  self::launch(context, kernel, self::limited(context, arguments.sets, most),
               each::threads(arguments), each::shared_bytes, arguments);
}

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
  index_t const tiles = path::tiles(job);
  auto* const records =
      static_cast<record*>(context.kernel_workspace(std::size_t(tiles) * sizeof(record)));
  return self::launch_path<path>(context, &segmented_reduce_kernel<Job, Config>, tiles,
                                 {job, records, context.ring_for(0).shared});
}

/// Queues a reduction of segments. Returns false for large items, and for large inputs in short
/// segments, for which a scan is faster.
template <class Item, class T, class Offset, class Op, class Start>
bool context::reduce_segments(reduce_segments_job<Item, T, Offset, Op, Start> const& job) {
  using job_type = reduce_segments_job<Item, T, Offset, Op, Start>;
  if constexpr (max_of(sizeof(Item), sizeof(T)) > limits::largest_of_segments) {
    return false;
  } else {
    range const named([&] {
      return "sam: reduction of " + std::to_string(job.segments) + " segments, " +
             std::to_string(job.n) + " items";
    });
    index_t const bytes = job.n * index_t{sizeof(Item)};
    if (bytes <= segment_tuning::most_bytes)
      return self::launch_each_segment(*this, job), true;
    return bytes + job.segments * index_t{sizeof(Offset)} < small_bytes() &&
           self::launch_segment_path<path_tuning::segmented_reduce_path<job_type>>(*this, job);
  }
}

}  // namespace sam::inline v0_1::SAM_GPU_BACKEND
