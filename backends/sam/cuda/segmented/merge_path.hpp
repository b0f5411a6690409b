// SPDX-License-Identifier: MIT
// Reducing few segments by offsets, and decoding few runs, on a CUDA device: one kernel, queued and
// checked.
#pragma once

#include <sam/cuda/scan/run.hpp>
#include <sam/gpu/merge_path/run_path.hpp>
#include <sam/gpu/merge_path/segment_path.hpp>

namespace sam::cuda {

template <class Job, class Shape>
__global__ void __launch_bounds__(gpu::segment_path<device, Job, Shape>::threads)
    segment_path_kernel(__grid_constant__ gpu::path_arguments<Job> const arguments) {
  gpu::segment_path<device, Job, Shape>(arguments).run();
}

template <class T, class Offset, class Shape>
__global__ void __launch_bounds__(gpu::run_path<device, T, Offset, Shape>::threads)
    run_path_kernel(__grid_constant__ decode_runs_job<T, Offset> const job) {
  gpu::run_path<device, T, Offset, Shape>(job).run();
}

/// Queues a kernel over the tiles of a path; false if the device cannot run it.
template <class Path, class Arguments>
bool launch_path(context& context, void (*kernel)(Arguments), index_t tiles,
                 std::type_identity_t<Arguments> const& arguments) {
  int const resident = cuda::resident_blocks<Path>(context, kernel);
  if (resident == 0)
    return false;
  cuda::launch(context, kernel,
               limited(context, tiles, index_t{resident} * context.multiprocessors()),
               Path::threads, Path::shared_bytes, arguments);
  return true;
}

template <class Shape, class Job>
bool launch_segment_path(context& context, Job const& job) {
  using path = gpu::segment_path<device, Job, Shape>;
  using record = gpu::path_record<typename Job::total>;
  range const named([&] {
    return "sam: reduction of " + std::to_string(job.segments) + " segments, " +
           std::to_string(job.n) + " items";
  });
  index_t const tiles = path::tiles(job);
  auto* const records =
      static_cast<record*>(context.workspace(std::size_t(tiles) * sizeof(record)));
  return cuda::launch_path<path>(context, &segment_path_kernel<Job, Shape>, tiles,
                                 {job, records, context.exchange_for(0).shared});
}

/// Queues the reduction of segments of few items; false if they had better be scanned.
template <class Item, class T, class Offset, class Op, class Start>
bool context::reduce_segments(reduce_segments_job<Item, T, Offset, Op, Start> const& job) {
  using job_type = reduce_segments_job<Item, T, Offset, Op, Start>;
  if constexpr (max_of(sizeof(Item), sizeof(T)) > tuning::largest_of_path)
    return false;
  else if (job.n * index_t{sizeof(Item)} + job.segments * index_t{sizeof(Offset)} >= small_bytes())
    return false;
  else if (job.n + job.segments < tuning::short_path)
    return cuda::launch_segment_path<tuning::short_segment_path<job_type>>(*this, job);
  else
    return cuda::launch_segment_path<tuning::segment_path<job_type>>(*this, job);
}

/// Queues the decoding of few runs, of which it is known where they begin; false if they had better
/// be marked.
template <class T, class Offset>
bool context::decode_runs(decode_runs_job<T, Offset> const& job) {
  using path = gpu::run_path<cuda::device, T, Offset, tuning::run_path>;
  if constexpr (sizeof(T) > tuning::largest_of_path)
    return false;
  else
    return job.size * index_t{sizeof(T)} + job.runs * index_t{sizeof(Offset)} < small_bytes() &&
           cuda::launch_path<path>(*this, &run_path_kernel<T, Offset, tuning::run_path>,
                                   path::tiles(job), job);
}

}  // namespace sam::cuda
