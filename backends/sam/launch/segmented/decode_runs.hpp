// SPDX-License-Identifier: MIT
// Launches the merge-path kernel that decodes runs of small inputs.
#ifndef SAM_LAUNCH_SEGMENTED_DECODE_RUNS_HPP
#define SAM_LAUNCH_SEGMENTED_DECODE_RUNS_HPP

#include <sam/gpu/merge_path/run_length_decode.hpp>
#include <sam/launch/segmented/launch_path.hpp>
#include <sam/launch/segmented/tuning.hpp>

namespace sam::inline v0_1::SAM_GPU_WARPS {

/// Runs gpu::run_decode_path as a kernel.
template <class T, class Offset, class Config>
__global__ void SAM_LAUNCH_BOUNDS(gpu::run_decode_path<device, T, Offset, Config>::threads)
    run_decode_kernel(SAM_GRID_CONSTANT decode_runs_job<T, Offset> const job) {
  SAM_IF_TARGET gpu::run_decode_path<device, T, Offset, Config>(job).run();
}

/// Queues a run-length decode whose run offsets are known. Returns false for large inputs and large
/// items, for which marking the run starts is faster.
template <class T, class Offset>
bool queue_decoded_runs(context& context, decode_runs_job<T, Offset> const& job) {
  using path = gpu::run_decode_path<device, T, Offset, path_tuning::run_decode_path>;
  if constexpr (sizeof(T) > path_tuning::largest_of_path)
    return false;
  else
    return job.size * index_t{sizeof(T)} + job.runs * index_t{sizeof(Offset)} <
               context.small_bytes() &&
           self::launch_path<path>(context,
                                   &run_decode_kernel<T, Offset, path_tuning::run_decode_path>,
                                   path::tiles(job), job);
}

}  // namespace sam::inline v0_1::SAM_GPU_WARPS

#endif
