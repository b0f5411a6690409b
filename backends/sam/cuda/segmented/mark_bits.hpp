// SPDX-License-Identifier: MIT
// Launches the kernel that converts segment offsets to a bit mask of head flags.
#pragma once

#include <sam/cuda/device/device.hpp>
#include <sam/cuda/runtime/launch.hpp>
#include <sam/cuda/segmented/tuning.hpp>
#include <sam/gpu/merge_path/offsets_to_bits.hpp>

namespace sam::inline v0_1::cuda {

template <class Offset>
using mark_block = gpu::mark_block<device, Offset, 8>;
/// Runs gpu::mark_block as a kernel.
template <class Offset>
__global__ void __launch_bounds__(mark_block<Offset>::threads)
    mark_bits_kernel(__grid_constant__ gpu::mark_arguments<Offset> const arguments) {
  mark_block<Offset>(arguments).run();
}

/// Queues the kernel of a mark_job. Each block gets few words at a time, so that all
/// multiprocessors are busy.
template <class Offset>
void context::mark_bits(mark_job<Offset> const& job) {
  using block = mark_block<Offset>;
  range const named("sam::mark_bits");
  if (job.bits == 0)
    return;
  auto* const kernel = &mark_bits_kernel<Offset>;
  index_t const most = cuda::resident_blocks<block>(*this, kernel) * index_t{multiprocessors()};
  index_t const words = engine::div_up(engine::div_up(job.bits, 32), max_of(1, most));
  gpu::mark_arguments<Offset> const arguments{
      job, int(engine::min_of(engine::div_up(words, block::threads) * block::threads,
                              block::most_words))};
  cuda::launch(*this, kernel, cuda::limited(*this, block::tiles(arguments), most), block::threads,
               block::shared_bytes, arguments, job.bits < path_tuning::early_bits);
}

}  // namespace sam::inline v0_1::cuda
