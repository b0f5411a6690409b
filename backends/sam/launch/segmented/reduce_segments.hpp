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

template <class Job>
using chunks_of_segments =
    gpu::reduce_segment_chunks<device, Job, typename segment_tuning::config<Job>>;

/// Runs gpu::reduce_segment_chunks as a kernel.
template <class Job>
__global__ void SAM_LAUNCH_BOUNDS(chunks_of_segments<Job>::threads, 2)
    reduce_chunks_kernel(SAM_GRID_CONSTANT gpu::segment_chunk_arguments<Job> const arguments) {
  SAM_IF_TARGET chunks_of_segments<Job>(arguments).run();
}

/// Returns the arrays for the chunks of n items, in the context's memory.
template <class Job>
gpu::segment_chunks<typename Job::total> chunks_in(context& context, index_t n) {
  using T = typename Job::total;
  index_t const most = gpu::segment_chunks<T>::most(n, segment_tuning::config<Job>::chunk);
  index_t const records = engine::div_up(most * index_t{sizeof(gpu::segment_chunk)}, 256) * 256;
  auto* const memory = static_cast<std::byte*>(
      context.kernel_workspace(std::size_t(records + most * index_t{sizeof(T)})));
  gpu::control* const shared = context.ring_for(0).shared;
  return {reinterpret_cast<gpu::segment_chunk*>(memory), reinterpret_cast<T*>(memory + records),
          most, &shared->claims, &shared->left};
}

/// Queues the kernel in which each segment has threads of its own. For many items, queues another
/// one for segments that are too long for a block.
template <class Job>
void launch_each_segment(context& context, Job const& job) {
  using each = each_segment<Job>;
  using chunks = chunks_of_segments<Job>;
  constexpr int chunk = segment_tuning::config<Job>::chunk;
  bool const has_chunks =
      job.n * index_t{sizeof(typename Job::item)} > segment_tuning::most_bytes && job.n > 2 * chunk;
  auto const arguments =
      each::arguments_for(job, segment_tuning::shares(job.n, job.segments),
                          has_chunks ? self::chunks_in<Job>(context, job.n)
                                     : gpu::segment_chunks<typename Job::total>{});
  auto* const kernel = &reduce_each_segment_kernel<Job>;
  auto* const second = &reduce_chunks_kernel<Job>;
  if (context.starts_early()) {
    self::share_half(context, reinterpret_cast<void const*>(kernel));
    self::share_half(context, reinterpret_cast<void const*>(second));
  }
  constexpr index_t most = index_t{1} << 30;
  self::launch(context, kernel, self::limited(context, arguments.sets, most),
               each::threads(arguments), each::shared_bytes, arguments);
  if (has_chunks)
    self::launch(
        context, second,
        self::limited(context, arguments.chunks.capacity, index_t{2} * context.multiprocessors()),
        chunks::threads, chunks::shared_bytes, {job, arguments.chunks});
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
    index_t const bytes = job.n * index_t{sizeof(typename Job::item)};
    // Code with early starts has bulk copies as well. Floats are grouped alike on all devices.
    // Scans that choose items compute each of them twice, and are slower.
    bool const may_vary =
        is_exact<T> && context.starts_early() && !segment_tuning::chooses_items<Job>;
    if (segment_tuning::has_threads(job.n, job.segments, bytes, may_vary))
      return self::launch_each_segment(context, job), true;
    return bytes + job.segments * index_t{sizeof(typename Job::offset)} < context.small_bytes() &&
           self::launch_segment_path<path_tuning::segmented_reduce_path<Job>>(context, job);
  }
}

}  // namespace sam::inline v0_1::SAM_GPU_WARPS

#endif
