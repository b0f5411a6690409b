// SPDX-License-Identifier: MIT
// Launches the kernel that finds the first keys of each segment.
#ifndef SAM_LAUNCH_SEGMENTED_SELECT_IN_SEGMENTS_HPP
#define SAM_LAUNCH_SEGMENTED_SELECT_IN_SEGMENTS_HPP

#include <sam/gpu/segmented/select_by_block.hpp>
#include <sam/gpu/segmented/select_by_warp.hpp>
#include <sam/gpu/segmented/select_in_segments.hpp>
#include <sam/launch/runtime/launch.hpp>
#include <sam/launch/segmented/tuning.hpp>

#include <string>

namespace sam::inline v0_1::SAM_GPU_WARPS {

template <class Job>
using select_of = gpu::select_in_segments<device, Job>;

/// Runs gpu::select_in_segments as a kernel.
template <class Job>
__global__ void SAM_LAUNCH_BOUNDS(select_of<Job>::most_threads, 1)
    select_in_segments_kernel(SAM_GRID_CONSTANT gpu::select_arguments<Job> const arguments) {
  SAM_IF_TARGET select_of<Job>(arguments).run();
}

/// Runs gpu::select_by_warp as a kernel.
template <class Job>
__global__ void SAM_LAUNCH_BOUNDS(segment_tuning::select_warps* device::warp_size,
                                  segment_tuning::select_blocks<typename Job::key>)
    select_by_warp_kernel(SAM_GRID_CONSTANT Job const job) {
  SAM_IF_TARGET gpu::select_by_warp<device, Job>::run(job, segment_tuning::select_warps);
}

/// Runs gpu::select_by_block as a kernel.
template <class Job>
__global__ void SAM_LAUNCH_BOUNDS(1024, 1)
    select_by_block_kernel(SAM_GRID_CONSTANT gpu::block_selection<Job> const arguments) {
  SAM_IF_TARGET gpu::select_by_block<device, Job>::run(arguments);
}

constexpr index_t most_select_blocks = index_t{1} << 30;

/// Queues a search for the first keys of each segment by a warp.
template <class Job>
void queue_selection_by_warps(context& context, Job const& job) {
  constexpr int warps = segment_tuning::select_warps;
  auto* const kernel = &select_by_warp_kernel<Job>;
  context.known(reinterpret_cast<void const*>(kernel),
                [&] { return self::share_half(reinterpret_cast<void const*>(kernel)), 0; });
  self::launch(context, kernel,
               self::limited(context, div_up(job.segments, warps), most_select_blocks),
               warps * device::warp_size,
               warps * int(sizeof(typename gpu::select_by_warp<device, Job>::shared_memory)), job);
}

/// Queues a search for the first keys of each segment by a block that holds all of its keys.
template <class Job>
void queue_selection_in_registers(context& context, Job const& job) {
  using select = gpu::select_by_block<device, Job>;
  auto const warps = int(div_up(min_of(job.rows.longest(), job.n), select::most_keys(1)));
  auto* const kernel = &select_by_block_kernel<Job>;
  context.known(reinterpret_cast<void const*>(kernel),
                [&] { return self::share_half(reinterpret_cast<void const*>(kernel)), 0; });
  self::launch(context, kernel, self::limited(context, job.segments, most_select_blocks),
               warps * device::warp_size, int(sizeof(typename select::shared_memory)),
               {job, warps});
}

/// Queues a search by a block for each segment or, if warps take short ones, for each longer one.
/// Returns false, with nothing queued, if the device has too little shared memory.
template <class Job>
bool queue_selection_by_blocks(context& context, Job const& job, bool by_warp) {
  using select = select_of<Job>;
  auto const shape = segment_tuning::select_shape(job.n, job.segments, job.k);
  int const bytes = select::shared_bytes(shape.capacity, int(job.k));
  if (bytes > int(context.shared_bytes()))
    return false;
  if (by_warp)
    self::queue_selection_by_warps(context, job);
  auto* const kernel = &select_in_segments_kernel<Job>;
  context.known(reinterpret_cast<void const*>(kernel), [&] {
    constexpr int most = segment_tuning::largest_select_capacity;
    self::allow_shared_bytes(
        reinterpret_cast<void const*>(kernel),
        int(min_of(select::shared_bytes(most, most / 4), index_t(context.shared_bytes()))));
    return self::share_half(reinterpret_cast<void const*>(kernel)), 0;
  });
  index_t const blocks = by_warp ? div_up(job.segments, device::warp_size) : job.segments;
  self::launch(
      context, kernel, self::limited(context, blocks, most_select_blocks),
      shape.warps * device::warp_size, bytes,
      {job, shape.warps, shape.capacity, by_warp ? segment_tuning::longest_of_warp + 1 : 0});
  return true;
}

/// Queues a search for the first keys of each segment. Returns false, and queues nothing, if
/// segments are sorted faster, or if the device has too little shared memory.
template <class Job>
bool queue_selection_in_segments(context& context, Job const& job) {
  if constexpr (sizeof(typename Job::key) > 8) {
    return false;
  } else {
    if (job.n >= segment_tuning::most_selected_from)
      return false;
    bool const by_block = segment_tuning::selects_in_registers(job.n, job.segments, job.k,
                                                               min_of(job.rows.longest(), job.n));
    bool const by_warp =
        segment_tuning::selects_by_warp(job.n, job.segments, job.k, job.rows.longest());
    if (!by_block && !by_warp && !segment_tuning::selects(job.n, job.segments, job.k))
      return false;
    range const named([&] {
      return "sam: selection in " + std::to_string(job.segments) + " segments, " +
             std::to_string(job.n) + " keys";
    });
    if (by_block)
      return self::queue_selection_in_registers(context, job), true;
    if (by_warp && job.rows.longest() <= segment_tuning::longest_of_warp)
      return self::queue_selection_by_warps(context, job), true;
    if constexpr (requires { Job::rows_type::are_short; })
      return false;
    else
      return self::queue_selection_by_blocks(context, job, by_warp);
  }
}

}  // namespace sam::inline v0_1::SAM_GPU_WARPS

#endif
