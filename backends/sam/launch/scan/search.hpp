// SPDX-License-Identifier: MIT
// Launches the kernel of searches for many values.
#ifndef SAM_LAUNCH_SCAN_SEARCH_HPP
#define SAM_LAUNCH_SCAN_SEARCH_HPP

#include <sam/gpu/value_search.hpp>
#include <sam/launch/device.hpp>
#include <sam/launch/runtime/launch.hpp>

namespace sam::inline v0_1::SAM_GPU_WARPS {

/// Runs gpu::value_search_block as a kernel.
template <class Job, class Config>
__global__ void SAM_LAUNCH_BOUNDS(gpu::value_search_block<device, Job, Config>::threads,
                                  gpu::value_search_block<device, Job, Config>::is_light ? 8 : 4)
    value_search_kernel(SAM_GRID_CONSTANT gpu::value_search_arguments<Job> const arguments) {
  SAM_IF_TARGET gpu::value_search_block<device, Job, Config>{arguments}();
}

/// Queues a kernel of a config in up to `most` blocks.
template <class Config, class Job>
void launch_search(context& context, index_t most,
                   gpu::value_search_arguments<Job> const& arguments) {
  using block = gpu::value_search_block<device, Job, Config>;
  self::launch(context, &value_search_kernel<Job, Config>, self::limited(context, most, most),
               block::threads, block::shared_bytes, arguments);
}

/// Queues a search for n values, of which there are many if a thread has several.
template <class Job>
void queue_search_for_values(context& context, index_t n, Job const& job) {
  using search = std::remove_cvref_t<decltype(job.sized())>;
  using gpu::searched_tiles;
  range const named([&] { return "sam: search for " + std::to_string(n) + " values"; });
  constexpr int warps = warps_of(8), values = limits::values_together;
  if constexpr (sizeof(*search::sorted) <= limits::largest_together) {
    if (n > limits::few_values) {
      using in_order = gpu::value_search_config<warps, values, searched_tiles::in_order>;
      using left = gpu::value_search_config<warps, 1, searched_tiles::left>;
      constexpr int tile = gpu::value_search_block<device, Job, in_order>::tile;
      index_t const tiles = engine::div_up(n, tile);
      auto* const words = static_cast<std::uint32_t*>(
          context.kernel_workspace(std::size_t(tiles + 1) * sizeof(std::uint32_t)));
      gpu::value_search_arguments<Job> const arguments{job, words, words + 1, tile};
      self::clear(context, words, sizeof(std::uint32_t), "clear a number of tiles");
      self::launch_search<in_order>(context, tiles, arguments);
      // One value a thread leaves the most threads, whose loads miss L1. A block has one turn after
      // another, so that few start in vain.
      self::launch_search<left>(context, min_of(values * tiles, 8 * context.multiprocessors()),
                                arguments);
      return;
    }
  }
  using all = gpu::value_search_config<warps, 1>;
  constexpr int tile = gpu::value_search_block<device, Job, all>::tile;
  self::launch_search<all>(context, engine::div_up(n, tile), gpu::value_search_arguments<Job>{job});
}

}  // namespace sam::inline v0_1::SAM_GPU_WARPS

#endif
