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

/// Queues a segmented scan. Returns false for large items, for long segments of many items and in
/// place, for which segments are marked before.
template <class Job>
bool queue_scanned_segments(context& context, Job const& job) {
  using T = typename Job::value;
  if constexpr (max_of(sizeof(typename Job::item), sizeof(T)) > limits::largest_of_segments) {
    return false;
  } else {
    using tiles = segment_tiles<Job>;
    if (static_cast<void const*>(job.items) == job.out ||
        !segment_tuning::scans_tiles(job.n, job.segments, tiles::tile_items))
      return false;
    range const named([&] {
      return "sam: scan of " + std::to_string(job.segments) + " segments, " +
             std::to_string(job.n) + " items";
    });
    auto* const kernel = &scan_segments_kernel<Job>;
    auto* const second = &scan_long_segments_kernel<Job>;
    if (context.starts_early()) {
      self::share_half(context, reinterpret_cast<void const*>(kernel));
      self::share_half(context, reinterpret_cast<void const*>(second));
    }
    index_t const count = tiles::tiles(job.n);
    gpu::scan_segments_arguments<Job> arguments{job, tiles::tile_items, nullptr};
    if (segment_tuning::has_records(job.n, job.segments))
      arguments.tiles = static_cast<gpu::segment_tile_record<T>*>(
          context.kernel_workspace(std::size_t(count) * sizeof(gpu::segment_tile_record<T>)));
    constexpr index_t most = index_t{1} << 30;
    int const threads = tiles::threads(job.n);
    self::launch(context, kernel, self::limited(context, count, most), threads, tiles::shared_bytes,
                 arguments);
    if (arguments.tiles != nullptr)
      self::launch(context, second,
                   self::limited(context, engine::div_up(count, device::warp_size),
                                 index_t{2} * context.multiprocessors()),
                   threads, tiles::shared_bytes, arguments);
    return true;
  }
}

}  // namespace sam::inline v0_1::SAM_GPU_WARPS

#endif
