// SPDX-License-Identifier: MIT
// Launches the kernels of reductions that need no pipeline.
#ifndef SAM_LAUNCH_SCAN_REDUCE_HPP
#define SAM_LAUNCH_SCAN_REDUCE_HPP

#include <sam/gpu/scan/reduce_kernel.hpp>
#include <sam/gpu/scan/reduce_tiles_kernel.hpp>
#include <sam/launch/runtime/launch.hpp>
#include <sam/launch/scan/plan.hpp>

namespace sam::inline v0_1::SAM_GPU_WARPS {

template <class Job, class Policy>
using reduce_block = gpu::reduce_block<device, Job, Policy, scan_tuning::reduce_warps>;

/// Runs gpu::reduce_block as a kernel.
template <class Job, class Policy>
__global__ void SAM_LAUNCH_BOUNDS(reduce_block<Job, Policy>::threads)
    reduce_kernel(SAM_GRID_CONSTANT gpu::reduce_arguments<Job, Policy> const arguments) {
  SAM_IF_TARGET reduce_block<Job, Policy>(arguments).run();
}

template <class Job, class Policy, class Config>
using reduce_tiles_block = gpu::reduce_tiles_block<device, Job, Policy, Config>;

/// Runs gpu::reduce_tiles_block as a kernel.
template <class Job, class Policy, class Config>
__global__ void SAM_LAUNCH_BOUNDS(reduce_tiles_block<Job, Policy, Config>::threads,
                                  reduce_tiles_block<Job, Policy, Config>::least_blocks)
    reduce_tiles_kernel(
        SAM_GRID_CONSTANT gpu::reduce_tiles_arguments<Job, Policy> const arguments) {
  SAM_IF_TARGET reduce_tiles_block<Job, Policy, Config>(arguments).run();
}

/// Queues a reduction of n items, at least 1, by the tiles of a config.
template <class Config, job Job, class Policy>
void launch_tile_reduction(context& context, index_t n, Job const& job, Policy const& policy) {
  using block = reduce_tiles_block<Job, Policy, Config>;
  using T = typename Job::accumulator;
  range const named([&] { return "sam: reduction of " + std::to_string(n) + " items, by tiles"; });
  auto* const kernel = &reduce_tiles_kernel<Job, Policy, Config>;
  index_t const most =
      index_t{self::resident_blocks<block>(context, kernel)} * context.multiprocessors();
  index_t const tiles = block::tiles(n);
  gpu::reduce_tiles_arguments<Job, Policy> arguments{job, policy, n, nullptr, nullptr, nullptr};
  if (tiles <= block::most_exchanged) {
    arguments.memory = context.exchange();
  } else {
    arguments.of_tiles =
        static_cast<T*>(context.kernel_workspace(std::size_t(tiles + 1) * sizeof(T)));
    arguments.done = &context.ring_for(0).shared->left;
  }
  self::launch(context, kernel, self::limited(context, tiles, most), block::threads,
               block::shared_bytes, arguments);
}

/// Queues a reduction of n items, at least 1.
template <job Job, class Policy>
void launch_reduction(context& context, index_t n, Job const& job, Policy const& policy) {
  using block = reduce_block<Job, Policy>;
  range const named([&] { return "sam: reduction of " + std::to_string(n) + " items"; });
  auto* const kernel = &reduce_kernel<Job, Policy>;
  index_t const resident =
      index_t{self::resident_blocks<block>(context, kernel)} * context.multiprocessors();
  // Blocks that combine their values in one word end without waiting for others.
  index_t const most = block::combines_in_one_word(n)
                           ? min_of(10 * resident, block::most_in_one_word)
                           : min_of(resident, gpu::exchange_memory::most_blocks);
  index_t const blocks =
      block::blocks(n, context.multiprocessors(), self::limited(context, most, most));
  int const warps = block::warps(n, job, blocks);
  // One block on each multiprocessor loads ahead if there are more blocks than begin together.
  index_t const ahead = blocks > resident ? context.multiprocessors() : blocks;
  self::launch(context, kernel, blocks, warps * device::warp_size, block::shared_bytes,
               {job, policy, n, context.exchange(), warps, int(ahead)});
}

}  // namespace sam::inline v0_1::SAM_GPU_WARPS

#endif
