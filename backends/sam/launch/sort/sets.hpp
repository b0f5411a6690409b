// SPDX-License-Identifier: MIT
// Launches the kernels of set operations on many items.
#ifndef SAM_LAUNCH_SORT_SETS_HPP
#define SAM_LAUNCH_SORT_SETS_HPP

#include <sam/backend/resolved_policy.hpp>
#include <sam/gpu/sort/comparison/mark_sets.hpp>
#include <sam/gpu/sort/comparison/move_marked.hpp>
#include <sam/launch/sort/merge.hpp>

namespace sam::inline v0_1::SAM_GPU_WARPS {

/// The blocks of the second kernel that a multiprocessor should hold, which bounds registers.
inline constexpr int moving_blocks = 6;

/// The blocks of the first kernel that a multiprocessor should hold.
template <class Source>
inline constexpr int marking_blocks = sizeof(typename Source::item) <= 4 ? 6
                                                                         : comparing_blocks<Source>;

/// Runs gpu::mark_sets_block as a kernel.
template <class Rule, class Pass, class Config>
__global__ void SAM_LAUNCH_BOUNDS(gpu::mark_sets_block<device, Rule, Pass, Config>::threads,
                                  marking_blocks<decltype(Pass::a)>)
    mark_sets_kernel(SAM_GRID_CONSTANT gpu::mark_sets_arguments<Pass> const arguments) {
  SAM_IF_TARGET gpu::mark_sets_block<device, Rule, Pass, Config>{arguments}();
}
/// Runs gpu::move_marked_block as a kernel.
template <class T, class Count>
__global__ void SAM_LAUNCH_BOUNDS(gpu::move_marked_block<device, T, Count>::threads, moving_blocks)
    move_marked_kernel(SAM_GRID_CONSTANT gpu::move_marked_arguments<T, Count> const arguments) {
  SAM_IF_TARGET gpu::move_marked_block<device, T, Count>{arguments}();
}

/// The arguments of a set operation whose sizes lie in memory.
template <class Counted>
struct counted_sets {
  Counted pass;
  index_t* splits;
  gpu::marked_parts parts;
  SAM_DEVICE auto operator()() const {
    return gpu::mark_sets_arguments<decltype(Counted::job)>{pass(), splits, parts};
  }
};

/// The config of set operations on keys of this type.
template <class Key, class Merge = comparison_config_of<Key>>
using set_config =
    gpu::comparison_config<Merge::warps,
                           int(min_of(Merge::items, gpu::marked_parts::most_items - 1))>;

/// Queues the kernel that moves what is marked.
template <class T, class Count>
void queue_move_of_marked(context& context, gpu::move_marked_arguments<T, Count> const& arguments) {
  using block = gpu::move_marked_block<device, T, Count>;
  index_t const tiles = block::tiles(arguments);
  self::launch(context, &move_marked_kernel<T, Count>, self::limited(context, tiles, tiles),
               block::threads, block::shared_bytes, arguments);
}

/// Queues a set operation: kernels that mark what is kept, a scan of how many items, and kernels
/// that move them.
template <class Rule, class Pass, class Key, class Value, class Count>
void queue_sets(context& context, Pass const& given, set_output<Key, Value, Count> const& to) {
  auto const& pass = self::largest_merge(given);
  using pass_type = std::remove_cvref_t<decltype(pass)>;
  using config = set_config<Key>;
  using block = gpu::mark_sets_block<device, Rule, pass_type, config>;
  using splits_block = typename block::splits_block;
  range const named(
      [&] { return "sam: set operation on " + std::to_string(pass.size()) + " items"; });
  constexpr bool counted = is_counted_merge<Pass>;
  auto* const kernel = [] {
    if constexpr (counted)
      return &counted_merge_kernel<block, marking_blocks<decltype(pass_type::a)>,
                                   counted_sets<Pass>>;
    else
      return &mark_sets_kernel<Rule, pass_type, config>;
  }();
  auto* const splits_kernel = [] {
    if constexpr (counted)
      return &counted_merge_kernel<splits_block, 1, counted_tiled_pass<Pass>>;
    else
      return &merge_splits_kernel<pass_type, block::tile>;
  }();
  index_t const resident = self::resident_for_sort<block>(context, kernel);
  index_t const tiles = engine::div_up(pass.size(), block::tile);
  bool const splits_ahead =
      tiles > searching_turns * self::limited(context, tiles, resident * context.multiprocessors());

  std::conditional_t<counted, counted_sets<Pass>, gpu::mark_sets_arguments<pass_type>> marking{
      given, nullptr, {}};
  auto const lay_out = [&](std::byte* memory) {
    index_t bytes = 0;
    auto const take = [&]<class T>(T, index_t n) {
      index_t const at = bytes;
      bytes += engine::div_up(n * index_t{sizeof(T)}, 16) * 16;
      return memory == nullptr ? nullptr : reinterpret_cast<T*>(memory + at);
    };
    marking.parts = gpu::marked_parts::template in<device::warp_size>(
        engine::div_up(pass.size(), block::part), take);
    if (splits_ahead)
      marking.splits = take(index_t{}, tiles);
    return std::size_t(bytes);
  };
  lay_out(static_cast<std::byte*>(context.workspace(lay_out(nullptr))));
  gpu::marked_parts const& parts = marking.parts;

  if (splits_ahead) {
    index_t const blocks = engine::div_up(tiles, splits_block::threads);
    self::launch(context, splits_kernel, self::limited(context, blocks, blocks),
                 splits_block::threads, splits_block::shared_bytes, {given, marking.splits});
  }
  self::launch(context, kernel, self::limited(context, tiles, tiles), block::threads,
               block::shared_bytes, marking);
  context.run(parts.count, gpu::place_parts_job{parts},
              engine::resolve_policy<bound::exclusive>(scan_policy<>{}, from_value<index_t>{0}));
  if constexpr (!std::is_same_v<Value, no_values>)
    self::queue_move_of_marked(context, gpu::move_marked_arguments<Value, Count>{
                                            parts, to.values_a, to.values_b, pass.n_a, pass.n_b,
                                            to.values, to.values_size, to.count, config::items});
  self::queue_move_of_marked(context, gpu::move_marked_arguments<Key, Count>{
                                          parts, pass.a.keys, pass.b.keys, pass.n_a, pass.n_b,
                                          to.keys, to.keys_size, to.count, config::items});
}

}  // namespace sam::inline v0_1::SAM_GPU_WARPS

#endif
