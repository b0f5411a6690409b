// SPDX-License-Identifier: MIT
// Launches the kernels that scan segments which offsets describe.
#ifndef SAM_LAUNCH_SEGMENTED_SCAN_SEGMENTS_HPP
#define SAM_LAUNCH_SEGMENTED_SCAN_SEGMENTS_HPP

#include <sam/launch/device.hpp>
#include <sam/launch/runtime/launch.hpp>
#include <sam/launch/segmented/tuning.hpp>

namespace sam::inline v0_1::SAM_GPU_WARPS {

template <class Job>
using segment_tiles = gpu::scan_segments<device, Job, segment_tuning::scan_tile<Job>>;

/// Runs gpu::scan_segments as a kernel.
template <class Job>
__global__ void SAM_LAUNCH_BOUNDS(segment_tiles<Job>::most_threads, 2)
    scan_segments_kernel(SAM_GRID_CONSTANT gpu::scan_segments_arguments<Job> const arguments) {
  SAM_IF_TARGET segment_tiles<Job>(arguments).run();
}
/// Runs the second part of gpu::scan_segments as a kernel.
template <class Job>
__global__ void SAM_LAUNCH_BOUNDS(segment_tiles<Job>::most_threads, 2)
    scan_long_segments_kernel(SAM_GRID_CONSTANT gpu::scan_segments_arguments<Job> const arguments) {
  SAM_IF_TARGET segment_tiles<Job>(arguments).run_second();
}

template <class Job>
using scanned_segment = gpu::scan_each_segment<device, Job, segment_tuning::scan_each<Job>>;

/// Runs gpu::scan_each_segment as a kernel.
template <class Job>
__global__ void SAM_LAUNCH_BOUNDS(scanned_segment<Job>::most_threads, 3)
    scan_each_segment_kernel(SAM_GRID_CONSTANT gpu::scan_each_arguments<Job> const arguments) {
  SAM_IF_TARGET scanned_segment<Job>(arguments).run();
}

/// Queues the kernel in which each segment has threads of its own.
template <class Job>
void launch_scan_each(context& context, Job const& job) {
  using each = scanned_segment<Job>;
  auto const arguments =
      each::arguments_for(job, segment_tuning::log_lanes_of_scan(job.n, job.segments),
                          segment_tuning::scans_by_few_warps(job.n, job.segments));
  self::launch_sharing_half(context, &scan_each_segment_kernel<Job>,
                            self::limited(context, arguments.tiles + arguments.sets, 1 << 30),
                            each::threads(arguments), each::shared_bytes, arguments);
}

/// Runs gpu::scan_each_segment for few items as a kernel.
template <class Job>
__global__ void SAM_LAUNCH_BOUNDS(scanned_segment<Job>::most_threads, 3)
    scan_few_segments_kernel(SAM_GRID_CONSTANT gpu::scan_each_arguments<Job> const arguments) {
  SAM_IF_TARGET scanned_segment<Job>(arguments).run_few();
}

/// Queues it.
template <class Job>
void launch_scan_few(context& context, Job const& job) {
  using each = scanned_segment<Job>;
  auto const arguments =
      each::arguments_for_few(job, segment_tuning::log_lanes_of_few(job.n, job.segments));
  self::launch_sharing_half(context, &scan_few_segments_kernel<Job>,
                            arguments.tiles + arguments.sets, each::threads(arguments),
                            each::shared_bytes, arguments);
}

/// Queues the kernels in which tiles mark their segments. The second one scans what belongs to
/// long segments.
template <class Job>
void launch_scan_tiles(context& context, Job const& job) {
  using tiles = segment_tiles<Job>;
  using record = gpu::segment_tile_record<typename Job::value>;
  index_t const count = tiles::tiles(job.n);
  gpu::scan_segments_arguments<Job> const arguments{
      job, tiles::tile_items,
      static_cast<record*>(context.kernel_workspace(std::size_t(count) * sizeof(record)))};
  int const threads = tiles::threads(job.n);
  self::launch_sharing_half(context, &scan_segments_kernel<Job>,
                            self::limited(context, count, 1 << 30), threads, tiles::shared_bytes,
                            arguments);
  self::launch_sharing_half(context, &scan_long_segments_kernel<Job>,
                            self::limited(context, engine::div_up(count, device::warp_size),
                                          index_t{2} * context.multiprocessors()),
                            threads, tiles::shared_bytes, arguments);
}

template <class Job>
using segment_chunks_of = gpu::chunks_of_tiles<device, Job, segment_tuning::scan_chunk<Job>>;

/// Runs gpu::chunks_of_tiles as a kernel.
template <class Job>
__global__ void SAM_LAUNCH_BOUNDS(segment_chunks_of<Job>::threads,
                                  segment_tuning::threads_of_chunks /
                                      segment_chunks_of<Job>::threads)
    scan_chunks_kernel(SAM_GRID_CONSTANT gpu::scan_chunks_arguments<Job> const arguments) {
  SAM_IF_TARGET segment_chunks_of<Job>(arguments).run();
}
/// Runs the second part of gpu::chunks_of_tiles as a kernel.
template <class Job>
__global__ void SAM_LAUNCH_BOUNDS(segment_chunks_of<Job>::threads,
                                  segment_tuning::threads_of_chunks /
                                      segment_chunks_of<Job>::threads)
    scan_left_chunks_kernel(SAM_GRID_CONSTANT gpu::scan_chunks_arguments<Job> const arguments) {
  SAM_IF_TARGET segment_chunks_of<Job>(arguments).run_second();
}

/// Queues the kernels whose blocks walk along a chunk of tiles each. The second one scans what
/// belongs to long segments.
template <class Job>
void launch_scan_chunks(context& context, Job const& job) {
  using chunks = segment_chunks_of<Job>;
  using record = gpu::segment_chunk_record<typename Job::value>;
  auto* const kernel = &scan_chunks_kernel<Job>;
  auto* const second = &scan_left_chunks_kernel<Job>;
  index_t const most =
      context.multiprocessors() *
      index_t{self::resident_blocks(context, kernel, chunks::threads, chunks::shared_bytes)};
  index_t const tiles = chunks::tiles(job.n);
  index_t const of_block = engine::div_up(tiles, self::limited(context, tiles, most));
  index_t const blocks = engine::div_up(tiles, of_block);
  gpu::scan_chunks_arguments<Job> const arguments{
      job, of_block, segment_tuning::longest_lead_of_chunks,
      static_cast<record*>(context.kernel_workspace(std::size_t(blocks) * sizeof(record)))};
  self::launch(context, kernel, blocks, chunks::threads, chunks::shared_bytes, arguments);
  self::launch(context, second, blocks, chunks::threads, chunks::shared_bytes, arguments);
}

/// Queues a segmented scan. Returns false for large items, for many of them, for long segments and
/// in place, for which segments are marked before.
template <class Job>
bool queue_scanned_segments(context& context, Job const& job) {
  using T = typename Job::value;
  if constexpr (max_of(sizeof(typename Job::item), sizeof(T)) > limits::largest_of_segments) {
    return false;
  } else {
    using each = scanned_segment<Job>;
    bool const is_in_place = static_cast<void const*>(job.items) == job.out;
    bool const scans_each = segment_tuning::scans_each(job.n, job.segments, each::most_items) &&
                            (!is_in_place || job.n <= each::most_items);
    bool const scans_chunks = segment_tuning::may_scan_chunks<Job> && !is_in_place &&
                              segment_tuning::scans_chunks(context, job.n, job.segments);
    if (!scans_each && !scans_chunks &&
        (is_in_place ||
         !segment_tuning::scans_tiles(job.n, job.segments, segment_tiles<Job>::tile_items)))
      return false;
    range const named([&] {
      return "sam: scan of " + std::to_string(job.segments) + " segments, " +
             std::to_string(job.n) + " items";
    });
    // Lanes of few integers do not read a number.
    if constexpr (!Job::is_counted && gpu::combines_few_segments<T, decltype(Job::op)>)
      if (scans_each && segment_tuning::are_few_to_scan(job.n, job.segments))
        return self::launch_scan_few(context, job), true;
    if (scans_each) {
      self::launch_scan_each(context, job);
    } else if (scans_chunks) {
      if constexpr (segment_tuning::may_scan_chunks<Job>)  // else its kernels are not compiled
        self::launch_scan_chunks(context, job);
    } else {
      self::launch_scan_tiles(context, job);
    }
    return true;
  }
}

}  // namespace sam::inline v0_1::SAM_GPU_WARPS

#endif
