// SPDX-License-Identifier: MIT
// Launches the kernels of set operations on many items.
#ifndef SAM_LAUNCH_SORT_SETS_HPP
#define SAM_LAUNCH_SORT_SETS_HPP

#include <sam/gpu/sort/comparison/keep_sets.hpp>
#include <sam/launch/sort/merge.hpp>

namespace sam::inline v0_1::SAM_GPU_WARPS {

/// The blocks of the kernel that a multiprocessor should hold, which bounds registers. These hold
/// kept keys, and with one tile in shared memory kept keys and values.
template <class Value, class Config>
inline constexpr int keeping_blocks = std::is_same_v<Value, no_values> ? 3
                                      : Config::stages == 1            ? 2
                                                                       : 4;

/// Runs gpu::keep_sets_block as a kernel.
template <class Rule, class Pass, class Output, class Config, int Blocks>
__global__ void SAM_LAUNCH_BOUNDS(gpu::keep_sets_block<device, Rule, Pass, Output, Config>::threads,
                                  Blocks)
    keep_sets_kernel(SAM_GRID_CONSTANT gpu::keep_sets_arguments<Pass, Output> const arguments) {
  SAM_IF_TARGET gpu::keep_sets_block<device, Rule, Pass, Output, Config>{arguments}();
}

/// The arguments of a set operation whose sizes lie in memory.
template <class Counted, class Output>
struct counted_sets {
  Counted pass;
  index_t* splits;
  gpu::descriptor_ring ring;
  Output to;
  bool follows;  // as in counted_tiled_pass
  SAM_DEVICE auto operator()() const {
    return gpu::keep_sets_arguments<decltype(Counted::job), Output>{pass(), splits, ring, to};
  }
};

/// The config of set operations on keys of this type. Two tiles and their lists take up to 48 KiB.
template <class Key, int Stages, class Merge = comparison_config_of<Key>>
using set_config =
    gpu::sets_config<Merge::warps,
                     int(min_of(min_of(Merge::items, 15), 96 / (int(sizeof(Key)) + 2))), Stages>;

/// Queues a set operation in tiles of a config.
template <class Rule, class Config, class Pass, class Key, class Value, class Count>
void queue_sets_by(context& context, Pass const& given, set_output<Key, Value, Count> const& to) {
  using output = set_output<Key, Value, Count>;
  auto const& pass = self::largest_merge(given);
  using pass_type = std::remove_cvref_t<decltype(pass)>;
  using block = gpu::keep_sets_block<device, Rule, pass_type, output, Config>;
  using splits_block = typename block::splits_block;
  range const named(
      [&] { return "sam: set operation on " + std::to_string(pass.size()) + " items"; });
  constexpr bool counted = is_counted_merge<Pass>;
  constexpr int blocks_at_once = keeping_blocks<Value, Config>;
  auto* const kernel = [] {
    if constexpr (counted)
      return &counted_merge_kernel<block, blocks_at_once, counted_sets<Pass, output>>;
    else
      return &keep_sets_kernel<Rule, pass_type, output, Config, blocks_at_once>;
  }();
  auto* const splits_kernel = [] {
    if constexpr (counted)
      return &counted_merge_kernel<splits_block, 1, counted_tiled_pass<Pass>>;
    else
      return &merge_splits_kernel<pass_type, block::tile>;
  }();
  static_assert(self::context::smallest_ring_depth > 2 * block::lookback_type::classes);
  index_t const resident =
      self::resident_for_sort<block>(context, kernel) * context.multiprocessors();
  index_t const tiles = engine::div_up(pass.size(), block::tile);
  index_t* splits = nullptr;
  if (tiles > searching_turns * self::limited(context, tiles, resident)) {
    splits = static_cast<index_t*>(context.kernel_workspace(std::size_t(tiles) * sizeof(index_t)));
    index_t const blocks = engine::div_up(tiles, splits_block::threads);
    self::launch(context, splits_kernel, self::limited(context, blocks, blocks),
                 splits_block::threads, splits_block::shared_bytes, {given, splits});
  }
  gpu::descriptor_ring const ring =
      context.ring_for(gpu::words_of_slot<typename block::traits, index_t>);
  auto const arguments = [&] {
    if constexpr (counted)
      return counted_sets<Pass, output>{given, splits, ring, to, splits != nullptr};
    else
      return gpu::keep_sets_arguments<pass_type, output>{given, splits, ring, to};
  }();
  self::launch(context, kernel, self::limited(context, tiles, resident), block::threads,
               block::shared_bytes, arguments);
}

/// Queues a set operation. By key, devices that would hold less than three blocks with two tiles
/// have blocks with one.
template <class Rule, class Pass, class Key, class Value, class Count>
void queue_sets(context& context, Pass const& pass, set_output<Key, Value, Count> const& to) {
  using usual = set_config<Key, 2>;
  if constexpr (!std::is_same_v<Value, no_values> && sort_memory::is_for_lesser_devices) {
    using pass_type = std::remove_cvref_t<decltype(self::largest_merge(pass))>;
    using block =
        gpu::keep_sets_block<device, Rule, pass_type, set_output<Key, Value, Count>, usual>;
    if (3 * block::shared_bytes > int(context.shared_bytes()))
      return self::queue_sets_by<Rule, set_config<Key, 1>>(context, pass, to);
  }
  self::queue_sets_by<Rule, usual>(context, pass, to);
}

}  // namespace sam::inline v0_1::SAM_GPU_WARPS

#endif
