// SPDX-License-Identifier: MIT
// Launches the kernel that converts segment offsets to a bit mask of head flags.
#ifndef SAM_LAUNCH_SEGMENTED_MARK_BITS_HPP
#define SAM_LAUNCH_SEGMENTED_MARK_BITS_HPP

#include <sam/gpu/merge_path/offsets_to_bits.hpp>
#include <sam/launch/device.hpp>
#include <sam/launch/runtime/launch.hpp>
#include <sam/launch/segmented/tuning.hpp>

namespace sam::inline v0_1::SAM_GPU_WARPS {

template <class Offset>
using mark_block = gpu::mark_block<device, Offset, warps_of(8)>;
/// Runs gpu::mark_block as a kernel.
template <class Offset>
__global__ void SAM_LAUNCH_BOUNDS(mark_block<Offset>::threads)
    mark_bits_kernel(SAM_GRID_CONSTANT gpu::mark_arguments<Offset> const arguments) {
  SAM_IF_TARGET mark_block<Offset>(arguments).run();
}

/// Queues the kernel of a mark_job. Each block gets few words at a time, so that all
/// multiprocessors are busy.
template <class Offset>
void queue_marks(context& context, mark_job<Offset> const& job) {
  using block = mark_block<Offset>;
  range const named("sam::mark_bits");
  if (job.bits == 0)
    return;
  auto* const kernel = &mark_bits_kernel<Offset>;
  index_t const most =
      self::resident_blocks<block>(context, kernel) * index_t{context.multiprocessors()};
  index_t const words = engine::div_up(engine::div_up(job.bits, 32), max_of(1, most));
  gpu::mark_arguments<Offset> const arguments{
      job, int(engine::min_of(engine::div_up(words, block::threads) * block::threads,
                              block::most_words))};
  self::launch(context, kernel, self::limited(context, block::tiles(arguments), most),
               block::threads, block::shared_bytes, arguments,
               job.bits < context.tuned().early_bits);
}

}  // namespace sam::inline v0_1::SAM_GPU_WARPS

#endif
