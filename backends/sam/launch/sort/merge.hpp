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

/// The config of items of this type, in warps of the device.
template <class Item, class Usual = comparison_config_for<Item>>
using comparison_config_of = gpu::comparison_config<warps_of(Usual::warps), Usual::items>;

/// The config of a block that sorts the only run. More threads that merge fewer items each take
/// less time for it, but larger tiles would leave fewer blocks for several runs.
template <class Item, class Usual = comparison_config_of<Item>>
using one_run_config =
    std::conditional_t<(Usual::items > 9), gpu::comparison_config<2 * Usual::warps, 9>, Usual>;
/// The config of a block that sorts still fewer items. Searches along the merge path are as long as
/// with more items in a thread, but each round merges two items in a row, not nine.
template <class Item, class One = one_run_config<Item>>
using few_items_config =
    std::conditional_t<One::items == 9, gpu::comparison_config<One::warps, 2>, One>;
template <class Source, class Config>
inline constexpr int run_sorting_blocks =
    int(max_of(1, comparing_blocks<Source>* comparison_config_of<typename Source::item>::warps /
                      Config::warps));

/// Runs gpu::sort_runs_block as a kernel.
template <class Job, class Config>
__global__ void SAM_LAUNCH_BOUNDS(gpu::sort_runs_block<device, Job, Config>::threads,
                                  run_sorting_blocks<decltype(Job::from), Config>)
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

/// Returns the job or pass with the largest sizes that there may be.
template <class Job>
Job const& largest_merge(Job const& job) {
  return job;
}
template <class Job, class A, class B>
Job const& largest_merge(counted_merge<Job, A, B> const& counted) {
  return counted.job;
}
template <class Job>
inline constexpr bool is_counted_merge = false;
template <class Job, class A, class B>
inline constexpr bool is_counted_merge<counted_merge<Job, A, B>> = true;

/// A pass in tiles whose sizes lie in memory. `follows` tells that the kernel before belongs to the
/// call, too. It began once all earlier work was done, so the sizes are not its results.
template <class Counted>
struct counted_tiled_pass {
  Counted pass;
  index_t* splits;
  bool follows = false;
  SAM_DEVICE auto operator()() const {
    return gpu::tiled_merge_pass<decltype(Counted::job)>{pass(), splits};
  }
};
/// True if a kernel may read the sizes before it waits for the kernel before.
template <class Counted>
SAM_DEVICE bool has_sizes_early(Counted const& counted) {
  if constexpr (requires { counted.follows; })
    return counted.follows;
  return false;
}
/// Runs one of these blocks as a kernel, on a job or pass that it first reads the sizes of.
template <class Block, int Blocks, class Counted>
__global__ void SAM_LAUNCH_BOUNDS(Block::threads, Blocks)
    counted_merge_kernel(SAM_GRID_CONSTANT Counted const counted) {
  SAM_IF_TARGET {
    if (!self::has_sizes_early(counted))
      device::grid_dependency_wait();  // the sizes may be results of the kernel before
    auto const arguments = counted();
    Block{arguments}();
  }
}

/// Queues the kernel that sorts each run of a config's size.
template <class Config, class Job>
void queue_sort_of_runs_by(context& context, Job const& given) {
  auto const& job = self::largest_merge(given);
  using job_type = std::remove_cvref_t<decltype(job)>;
  using block = gpu::sort_runs_block<device, job_type, Config>;
  range const named([&] { return "sam: sort of runs of " + std::to_string(job.n) + " items"; });
  auto* const kernel = [] {
    if constexpr (is_counted_merge<Job>)
      return &counted_merge_kernel<block, run_sorting_blocks<decltype(job_type::from), Config>,
                                   Job>;
    else
      return &sort_runs_kernel<job_type, Config>;
  }();
  self::resident_for_sort<block>(context, kernel);
  index_t const tiles = block::tiles(job);
  self::launch(context, kernel, self::limited(context, tiles, tiles), block::threads,
               block::shared_bytes, given);
}
/// Queues the kernel that sorts each run of sorted_run_items.
template <class Job>
void queue_sort_of_runs(context& context, Job const& given) {
  auto const& job = self::largest_merge(given);
  using item = typename std::remove_cvref_t<decltype(job.from)>::item;
  using several = comparison_config_of<item>;
  using one = one_run_config<item>;
  using few = few_items_config<item>;
  static_assert(one::warps * one::items >= several::warps * several::items);
  if (job.n <= index_t{few::warps} * device::warp_size * few::items)
    self::queue_sort_of_runs_by<few>(context, given);
  else if (job.n <= index_t{several::warps} * device::warp_size * several::items)
    self::queue_sort_of_runs_by<one>(context, given);
  else
    self::queue_sort_of_runs_by<several>(context, given);
}
/// Queues the kernels that merge pairs of runs.
template <class Pass>
void queue_merge_of_runs(context& context, Pass const& given) {
  auto const& pass = self::largest_merge(given);
  using pass_type = std::remove_cvref_t<decltype(pass)>;
  using config = comparison_config_of<typename decltype(pass.a)::item>;
  using block = gpu::merge_runs_block<device, pass_type, config>;
  using splits_block = typename block::splits_block;
  range const named([&] { return "sam: merge of " + std::to_string(pass.size()) + " items"; });
  constexpr bool counted = is_counted_merge<Pass>;
  auto* const kernel = [] {
    if constexpr (counted)
      return &counted_merge_kernel<block, comparing_blocks<decltype(pass_type::a)>,
                                   counted_tiled_pass<Pass>>;
    else
      return &merge_runs_kernel<pass_type, config>;
  }();
  auto* const splits_kernel = [] {
    if constexpr (counted)
      return &counted_merge_kernel<splits_block, 1, counted_tiled_pass<Pass>>;
    else
      return &merge_splits_kernel<pass_type, block::tile>;
  }();
  index_t const resident = self::resident_for_sort<block>(context, kernel);
  std::conditional_t<counted, counted_tiled_pass<Pass>, gpu::tiled_merge_pass<Pass>> tiled{given,
                                                                                           nullptr};
  if constexpr (counted)
    tiled.follows = pass.length > 0;  // a round of a sort
  index_t const tiles = engine::div_up(pass.size(), block::tile);
  if (tiles >
      searching_turns * self::limited(context, tiles, resident * context.multiprocessors())) {
    tiled.splits =
        static_cast<index_t*>(context.kernel_workspace(std::size_t(tiles) * sizeof(index_t)));
    index_t const blocks = engine::div_up(tiles, splits_block::threads);
    self::launch(context, splits_kernel, self::limited(context, blocks, blocks),
                 splits_block::threads, splits_block::shared_bytes, tiled);
    if constexpr (counted)
      tiled.follows = true;
  }
  self::launch(context, kernel, self::limited(context, tiles, tiles), block::threads,
               block::shared_bytes, tiled);
}

}  // namespace sam::inline v0_1::SAM_GPU_WARPS

#endif
