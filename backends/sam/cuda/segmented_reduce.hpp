// SPDX-License-Identifier: MIT
// Reducing few segments by offsets on a CUDA device: one kernel, queued and checked.
#pragma once

#include <sam/cuda/run.hpp>
#include <sam/gpu/segment_path.hpp>

namespace sam::cuda {

template <class Job, class Shape>
__global__ void __launch_bounds__(gpu::segment_path<device, Job, Shape>::threads)
    segment_path_kernel(__grid_constant__ gpu::path_arguments<Job> const arguments) {
  gpu::segment_path<device, Job, Shape>(arguments).run();
}

template <class Shape, class Job>
bool launch_segment_path(context& context, Job const& job) {
  using path = gpu::segment_path<device, Job, Shape>;
  range const named([&] {
    return "sam: reduction of " + std::to_string(job.segments) + " segments, " +
           std::to_string(job.n) + " items";
  });
  auto* const kernel = &segment_path_kernel<Job, Shape>;
  static std::array<std::atomic<int>, 64> known{};
  int const resident = resident_blocks<path>(context, reinterpret_cast<void const*>(kernel), known);
  if (resident == 0)
    return false;
  index_t const tiles = path::tiles(job);
  using record = gpu::path_record<typename Job::total>;
  auto* const records =
      static_cast<record*>(context.workspace(std::size_t(tiles) * sizeof(record)));
  launch(context, kernel, limited(context, tiles, index_t{resident} * context.multiprocessors()),
         path::threads, path::shared_bytes, {job, records, context.exchange_for(0).shared});
  return true;
}

/// Queues the reduction of segments of few items; false if they had better be scanned.
template <class Item, class T, class Offset, class Op, class Start>
bool reduce_segments(context& context, reduce_segments_job<Item, T, Offset, Op, Start> const& job) {
  using job_type = reduce_segments_job<Item, T, Offset, Op, Start>;
  if constexpr (max_of(sizeof(Item), sizeof(T)) > tuning::largest_of_path)
    return false;
  else
    return job.n * index_t{sizeof(Item)} + job.segments * index_t{sizeof(Offset)} <
               context.small_bytes() &&
           launch_segment_path<tuning::segment_path<job_type>>(context, job);
}

}  // namespace sam::cuda
