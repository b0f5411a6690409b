// SPDX-License-Identifier: MIT
// Launches the kernels that reduce segments which offsets describe.
#ifndef SAM_LAUNCH_SEGMENTED_REDUCE_SEGMENTS_HPP
#define SAM_LAUNCH_SEGMENTED_REDUCE_SEGMENTS_HPP

#include <sam/gpu/merge_path/segmented_reduce.hpp>
#include <sam/launch/segmented/launch_path.hpp>
#include <sam/launch/segmented/tuning.hpp>

namespace sam::inline v0_1::SAM_GPU_WARPS {

template <class Job>
using each_segment = gpu::reduce_each_segment<device, Job, typename segment_tuning::config<Job>>;

/// Runs gpu::reduce_each_segment as a kernel.
template <class Job>
__global__ void SAM_LAUNCH_BOUNDS(each_segment<Job>::most_threads, 2)
    reduce_each_segment_kernel(SAM_GRID_CONSTANT gpu::each_segment_arguments<Job> const arguments) {
  SAM_IF_TARGET each_segment<Job>(arguments).run();
}

/// Queues the kernel in which each segment has threads of its own. If there are many items, blocks
/// share segments that are too long for one.
template <class Job>
void launch_each_segment(context& context, Job const& job) {
  using T = typename Job::total;
  using each = each_segment<Job>;
  // Lanes would take consecutive items if the operator did not commute.
  constexpr bool may_vary = is_exact<T> && is_commutative<decltype(Job::op)>;
  gpu::segment_shares const by = segment_tuning::shares(job.n, job.segments, may_vary);
  gpu::segment_chunks<T> chunks;
  if (job.n * index_t{sizeof(typename Job::item)} > segment_tuning::most_bytes)
    if (index_t const positions = each::positions(job.n, by); positions > 0) {
      chunks.values = static_cast<T*>(context.kernel_workspace(std::size_t(positions) * sizeof(T)));
      chunks.come = context.chunk_counters();
      chunks.left = &context.ring_for(0).shared->left;
    }
  index_t const searches =
      segment_tuning::searches_of_multiprocessor(by.warps) * context.multiprocessors();
  auto const arguments = each::arguments_for(job, by, chunks, searches);
  constexpr index_t most = index_t{1} << 30;
  self::launch_sharing_half(context, &reduce_each_segment_kernel<Job>,
                            self::limited(context, each::turns(arguments), most),
                            each::threads(arguments), each::shared_bytes, arguments);
}

/// Runs gpu::reduce_each_segment for few items as a kernel.
template <class Job>
__global__ void SAM_LAUNCH_BOUNDS(segment_tuning::few_warps* device::warp_size, 8)
    reduce_few_segments_kernel(SAM_GRID_CONSTANT gpu::each_segment_arguments<Job> const arguments) {
  SAM_IF_TARGET each_segment<Job>(arguments).run_few();
}

/// Queues it.
template <class Job>
void launch_few_segments(context& context, Job const& job) {
  using each = each_segment<Job>;
  gpu::segment_shares const by{segment_tuning::log_lanes_of_few(job.n, job.segments),
                               segment_tuning::few_warps};
  auto const arguments = each::arguments_for(job, by, {}, 1);
  self::launch_sharing_half(context, &reduce_few_segments_kernel<Job>, each::turns(arguments),
                            each::threads(arguments), each::shared_bytes, arguments);
}

/// Runs gpu::segmented_reduce_path as a kernel.
template <class Job, class Config>
__global__ void SAM_LAUNCH_BOUNDS(gpu::segmented_reduce_path<device, Job, Config>::threads)
    segmented_reduce_kernel(SAM_GRID_CONSTANT gpu::path_arguments<Job> const arguments) {
  SAM_IF_TARGET gpu::segmented_reduce_path<device, Job, Config>(arguments).run();
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
template <class Job>
bool queue_reduced_segments(context& context, Job const& job) {
  using T = typename Job::total;
  if constexpr (max_of(sizeof(typename Job::item), sizeof(T)) > limits::largest_of_segments) {
    return false;
  } else {
    range const named([&] {
      return "sam: reduction of " + std::to_string(job.segments) + " segments, " +
             std::to_string(job.n) + " items";
    });
    if constexpr (gpu::combines_few_segments<T, decltype(Job::op)> &&
                  is_commutative<decltype(Job::op)>)
      if (segment_tuning::are_few(job.n, job.segments))
        return self::launch_few_segments(context, job), true;
    index_t const bytes = job.n * index_t{sizeof(typename Job::item)};
    if (segment_tuning::has_threads(job.n, job.segments, bytes, segment_tuning::rate<Job>(context)))
      return self::launch_each_segment(context, job), true;
    return bytes + job.segments * index_t{sizeof(typename Job::offset)} < context.small_bytes() &&
           self::launch_segment_path<path_tuning::segmented_reduce_path<Job>>(context, job);
  }
}

}  // namespace sam::inline v0_1::SAM_GPU_WARPS

#endif
