// SPDX-License-Identifier: MIT
// Launches the merge-path kernel that decodes runs of small inputs.
#pragma once

#include <sam/cuda/segmented/launch_path.hpp>
#include <sam/cuda/segmented/tuning.hpp>
#include <sam/gpu/merge_path/run_length_decode.hpp>

namespace sam::inline v0_1::cuda {

/// Runs gpu::run_decode_path as a kernel.
template <class T, class Offset, class Config>
__global__ void __launch_bounds__(gpu::run_decode_path<device, T, Offset, Config>::threads)
    run_decode_kernel(__grid_constant__ decode_runs_job<T, Offset> const job) {
  gpu::run_decode_path<device, T, Offset, Config>(job).run();
}

/// Queues a run-length decode whose run offsets are known. Returns false for large inputs and large
/// items, for which marking the run starts is faster.
template <class T, class Offset>
bool context::decode_runs(decode_runs_job<T, Offset> const& job) {
  using path = gpu::run_decode_path<cuda::device, T, Offset, path_tuning::run_decode_path>;
  if constexpr (sizeof(T) > path_tuning::largest_of_path)
    return false;
  else
    return job.size * index_t{sizeof(T)} + job.runs * index_t{sizeof(Offset)} < small_bytes() &&
           cuda::launch_path<path>(*this,
                                   &run_decode_kernel<T, Offset, path_tuning::run_decode_path>,
                                   path::tiles(job), job);
}

}  // namespace sam::inline v0_1::cuda
