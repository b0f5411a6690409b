// SPDX-License-Identifier: MIT
// Launches the kernels of comparison sorts and merges.
#ifndef SAM_LAUNCH_SORT_MERGE_HPP
#define SAM_LAUNCH_SORT_MERGE_HPP

#include <sam/gpu/sort/comparison/merge_runs.hpp>
#include <sam/gpu/sort/comparison/sort_runs.hpp>
#include <sam/launch/device.hpp>
#include <sam/launch/sort/launch_sort.hpp>

namespace sam::inline v0_1::SAM_GPU_WARPS {

/// The blocks of a kernel that a multiprocessor should hold, which bounds registers. With other
/// numbers for sorts of runs than for merges, sorts of 2^20 items took longer.
template <class Source>
inline constexpr int comparing_blocks = sizeof(typename Source::item) <= 4 ? 5 : 4;

/// Blocks search for their own tiles if each multiprocessor fills with blocks at most so often.
inline constexpr int searching_turns = 4;

/// Runs gpu::sort_runs_block as a kernel.
template <class Job, class Config>
__global__ void SAM_LAUNCH_BOUNDS(gpu::sort_runs_block<device, Job, Config>::threads,
                                  comparing_blocks<decltype(Job::from)>)
    sort_runs_kernel(SAM_GRID_CONSTANT Job const job) {
  SAM_IF_TARGET gpu::sort_runs_block<device, Job, Config>{job}();
}
/// Runs gpu::merge_runs_block as a kernel.
template <class Pass, class Config>
__global__ void SAM_LAUNCH_BOUNDS(gpu::merge_runs_block<device, Pass, Config>::threads,
                                  comparing_blocks<decltype(Pass::a)>)
    merge_runs_kernel(SAM_GRID_CONSTANT gpu::tiled_merge_pass<Pass> const tiled) {
  SAM_IF_TARGET gpu::merge_runs_block<device, Pass, Config>{tiled}();
}
/// Runs gpu::merge_splits_block as a kernel.
template <class Pass, int Tile>
__global__ void SAM_LAUNCH_BOUNDS(gpu::merge_splits_block<device, Pass, Tile>::threads)
    merge_splits_kernel(SAM_GRID_CONSTANT gpu::tiled_merge_pass<Pass> const tiled) {
  SAM_IF_TARGET gpu::merge_splits_block<device, Pass, Tile>{tiled}();
}

/// The config of items of this type, in warps of the device.
template <class Item, class Usual = comparison_config_for<Item>>
using comparison_config_of = gpu::comparison_config<warps_of(Usual::warps), Usual::items>;

/// Queues a kernel of a block for each tile.
template <class Block, class Arguments>
void launch_tiles_of(context& context, void (*kernel)(Arguments), Arguments const& arguments) {
  index_t const tiles = Block::tiles(arguments);
  self::launch(context, kernel, self::limited(context, tiles, tiles), Block::threads,
               Block::shared_bytes, arguments);
}

/// Queues the kernel that sorts each run of sorted_run_items.
template <class Key, class Value, class Less>
void queue_sort_of_runs(context& context, merge_sort_job<Key, Value, Less> const& job) {
  using config = comparison_config_of<merged_item_t<Key, Value>>;
  using job_type = merge_sort_job<Key, Value, Less>;
  using block = gpu::sort_runs_block<device, job_type, config>;
  range const named([&] { return "sam: sort of runs of " + std::to_string(job.n) + " items"; });
  auto* const kernel = &sort_runs_kernel<job_type, config>;
  self::resident_for_sort<block>(context, kernel);
  self::launch_tiles_of<block>(context, kernel, job);
}
/// Queues the kernels that merge pairs of runs.
template <class Key, class Value, class Less>
void queue_merge_of_runs(context& context, merge_pass<Key, Value, Less> const& pass) {
  using config = comparison_config_of<merged_item_t<Key, Value>>;
  using pass_type = merge_pass<Key, Value, Less>;
  using block = gpu::merge_runs_block<device, pass_type, config>;
  range const named([&] { return "sam: merge of " + std::to_string(pass.size()) + " items"; });
  auto* const kernel = &merge_runs_kernel<pass_type, config>;
  index_t const resident = self::resident_for_sort<block>(context, kernel);
  gpu::tiled_merge_pass<pass_type> tiled{pass, nullptr};
  index_t const tiles = block::tiles(tiled);
  if (tiles >
      searching_turns * self::limited(context, tiles, resident * context.multiprocessors())) {
    tiled.splits =
        static_cast<index_t*>(context.kernel_workspace(std::size_t(tiles) * sizeof(index_t)));
    self::launch_tiles_of<typename block::splits_block>(
        context, &merge_splits_kernel<pass_type, block::tile>, tiled);
  }
  self::launch_tiles_of<block>(context, kernel, tiled);
}

}  // namespace sam::inline v0_1::SAM_GPU_WARPS

#endif
