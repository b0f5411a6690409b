// SPDX-License-Identifier: MIT
// Partitions items by kind on a GPU: few items in one block or cluster, more by a kernel that
// counts and one that places, or by blocks that all run at the same time.
#ifndef SAM_LAUNCH_SCAN_SPLIT_HPP
#define SAM_LAUNCH_SCAN_SPLIT_HPP

#include <sam/gpu/few_items/split_in_cluster.hpp>
#include <sam/gpu/scan/split_block.hpp>
#include <sam/launch/scan/run.hpp>

namespace sam::inline v0_1::SAM_GPU_WARPS {

template <class Split>
using split_block = gpu::split_block<device, Split, scan_tuning::split_warps>;

/// Runs gpu::split_block as a kernel.
template <class Split>
__global__ void SAM_LAUNCH_BOUNDS(split_block<Split>::threads, scan_tuning::split_blocks)
    split_kernel(SAM_GRID_CONSTANT gpu::split_arguments<Split> const arguments) {
  SAM_IF_TARGET split_block<Split>(arguments).run();
}

/// Runs the first and the second half of gpu::split_block as two kernels.
template <class Split>
__global__ void SAM_LAUNCH_BOUNDS(split_block<Split>::threads, scan_tuning::split_blocks)
    split_count_kernel(SAM_GRID_CONSTANT gpu::split_arguments<Split> const arguments) {
  SAM_IF_TARGET split_block<Split>(arguments).count();
}
template <class Split>
__global__ void SAM_LAUNCH_BOUNDS(split_block<Split>::threads, scan_tuning::split_blocks)
    split_place_kernel(SAM_GRID_CONSTANT gpu::split_arguments<Split> const arguments) {
  SAM_IF_TARGET split_block<Split>(arguments).place();
}

/// True if two kernels are the fastest way to partition `bytes` bytes, which one block does not
/// take.
inline bool prefers_two_kernels(context const& context, int kinds, index_t bytes,
                                bool has_clusters) {
  using way = scan_tuning::split_way;
  way const best = scan_tuning::way_to_split(kinds, bytes, context.small_bytes(), has_clusters);
  return best == way::twice || (best == way::twice_in_graph && self::is_captured(context.stream()));
}
/// Queues a partition by a kernel that counts and one that places.
template <class Split>
void split_twice(context& context, Split const& job) {
  using block = split_block<Split>;
  static_assert(block::shared_bytes_of(0) <= 48 << 10);
  range const named([&] { return "sam: partition of " + std::to_string(job.n) + " items"; });
  index_t const tiles = engine::div_up(job.n, block::tile_items);
  index_t const most =
      self::limited(context, index_t{scan_tuning::split_blocks} * context.multiprocessors(),
                    gpu::exchange_memory::most_blocks);
  index_t const of_block = engine::div_up(tiles, most);
  for (auto* const kernel : {&split_count_kernel<Split>, &split_place_kernel<Split>})
    self::launch_sharing_half(context, kernel, engine::div_up(tiles, of_block), block::threads,
                              block::shared_bytes_of(0),
                              {job, context.exchange(), int(of_block), 0});
}

/// Queues a partition by blocks that all run at the same time. Returns false, and queues nothing,
/// if another way is faster, if the device cannot do that, or if a limit of the context leaves too
/// few blocks for so many items.
template <class Split>
bool split_together(context& context, Split const& job, bool has_clusters) {
  using block = split_block<Split>;
  auto const prefers = [&](bool holds_all) {
    return scan_tuning::splits_together_in(Split::kinds, index_t(context.shared_bytes()),
                                           has_clusters, holds_all);
  };
  if (!context.runs_together() || !prefers(true))
    return false;
  auto* const kernel = &split_kernel<Split>;
  int const resident = context.known(reinterpret_cast<void const*>(kernel), [&] {
    self::allow_shared_bytes(reinterpret_cast<void const*>(kernel), int(context.shared_bytes()));
    return int(
        min_of(self::count_resident(context, kernel, block::threads, block::shared_bytes_of(0)),
               scan_tuning::split_blocks));
  });
  index_t const bytes = context.shared_bytes_of_each(int(max_of(resident, 1)));
  if (resident == 0 || bytes < block::shared_bytes_of(0))
    return false;
  index_t const most = self::limited(context, index_t{resident} * context.multiprocessors(),
                                     gpu::exchange_memory::most_blocks);
  index_t const tiles = engine::div_up(job.n, block::tile_items);
  index_t const of_block = engine::div_up(tiles, most);
  if (of_block >= (index_t{1} << 31) / block::tile_items)
    return false;
  index_t const held = min_of(of_block, (bytes - block::shared_bytes_of(0)) / block::held_bytes);
  if (!prefers(held == of_block))
    return false;
  range const named([&] { return "sam: partition of " + std::to_string(job.n) + " items"; });
  return self::launch_together(context, kernel, engine::div_up(tiles, of_block), block::threads,
                               block::shared_bytes_of(int(held)),
                               {job, context.exchange(), int(of_block), int(held)});
}

/// True if there are kernels of split_block for items of a type.
template <class Item>
inline constexpr bool splits_by_blocks = platform::runs_together&& scan_tuning::splits_together &&
                                         sizeof(Item) <= 16;

/// Queues a partition of items by one kernel or two: a split_job or a first_split_job. Returns
/// false, and queues nothing, if there is none for so many items of their size.
template <class Split>
bool queue_split(context& context, Split const& job) {
  using Item = typename Split::item;
  using in_cluster = gpu::split_in_cluster<Split>;
  auto const policy =
      engine::resolve_policy<bound::exclusive>(scan_policy<plus>{}, from_value<std::uint32_t>{0});
  using policy_type = std::remove_const_t<decltype(policy)>;
  constexpr bool has_cluster = scan_tuning::has_cluster<in_cluster, policy_type>;
  constexpr bool by_blocks = splits_by_blocks<Item>;
  // A number of items in memory may be far below the limit n, by which other devices choose.
  constexpr bool is_counted = requires { job.size(); };
  bool const has_clusters = is_counted || context.has_clusters();
  if constexpr (by_blocks) {
    index_t of_one_block = 0;
    if constexpr (has_cluster)
      of_one_block =
          gpu::one_cluster_scan<device, in_cluster, policy_type,
                                scan_tuning::cluster<in_cluster, policy_type>>::block_items;
    if (job.n > of_one_block &&
        self::prefers_two_kernels(context, Split::kinds, job.n * index_t{sizeof(Item)},
                                  has_clusters)) {
      self::split_twice(context, job);
      return true;
    }
  }
  if constexpr (has_cluster)
    if (job.n <= in_cluster::most_items && job.n * index_t{sizeof(Item)} < context.small_bytes() &&
        self::launch_one_cluster<scan_tuning::cluster<in_cluster, policy_type>>(
            context, job.n, in_cluster{job}, policy))
      return true;
  if constexpr (by_blocks)
    return self::split_together(context, job, has_clusters);
  else
    return false;
}

/// Returns true if the device has too little shared memory for compactions of many items to be
/// fast. Both compactions wait for look-back at every tile. A count waits for none, so that one
/// pass over tiles is left.
template <class Item, class Count, class Kind>
requires(scan_memory::least_to_compact_twice >
         0) bool counts_kinds_first(context const& context,
                                    split_job<Item, Count, Kind> const& job) {
  return index_t(context.shared_bytes()) < scan_memory::least_to_compact_twice &&
         job.n * index_t{sizeof(Item)} >= scan_tuning::least_to_count_first;
}

}  // namespace sam::inline v0_1::SAM_GPU_WARPS

#endif
