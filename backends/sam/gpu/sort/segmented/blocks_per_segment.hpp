// SPDX-License-Identifier: MIT
// Sorts each segment of a list by several blocks: by those of one cluster, or by a team of blocks
// of a grid that all run at the same time. segment_groups has listed the segments.
#pragma once

#include <sam/gpu/carry/descriptor_memory.hpp>
#include <sam/gpu/grid/last_block.hpp>
#include <sam/gpu/sort/segmented/block_tile_sort.hpp>
#include <sam/gpu/sort/segmented/part_sort.hpp>

namespace sam::inline v0_1::gpu {

/// Holds the arguments of a launch.
template <class Job>
struct listed_parts_arguments : part_arguments<Job> {
  listed_part* entries = nullptr;
  int most = 0;                     // the size of the list
  control* shared = nullptr;        // `claims` counts the entries, and `left` the blocks
  std::uint32_t* counts = nullptr;  // of digits, by block; for teams
};

/// Runs one block of a cluster or, if AreTeams, of a grid whose blocks all run at the same time.
template <class Device, class Job, class Config, bool AreTeams>
class sort_by_blocks {
  using blocks = std::conditional_t<AreTeams, team_blocks<Device, 1 << Config::digit_bits>,
                                    cluster_blocks<Device>>;
  template <int Items>
  using sort =
      part_sort<Device, Job, sort_config<Config::warps, Items, Config::digit_bits, 1>, blocks>;
  using largest = sort<Config::items>;

 public:
  /// True if a block sorts parts in tiles that exceed its memory.
  static constexpr bool has_tiles = AreTeams && radix_traits<Job>::keys_only && !checks_places<Job>;

 private:
  static constexpr auto in_tiles_of() {
    if constexpr (has_tiles)
      return std::type_identity<
          block_tile_sort<Device, Job,
                          tile_sort_config<Config::warps, int(min_of(Config::items, 16)),
                                           Config::digit_bits, 1, (1 << 30)>,
                          blocks>>{};
    else
      return std::type_identity<largest>{};
  }
  using in_tiles = typename decltype(in_tiles_of())::type;

 public:
  /// The most items of a block, unless it sorts in tiles.
  static constexpr int size = largest::size;
  static constexpr int threads = largest::threads, buckets = largest::buckets;
  static constexpr int shared_bytes = int(max_of(largest::shared_bytes, in_tiles::shared_bytes));

  SAM_DEVICE explicit sort_by_blocks(listed_parts_arguments<Job> const& arguments)
      : a_(arguments), thread_(Device::warp() * Device::warp_size + Device::lane()) {}

  SAM_DEVICE void run() {
    Device::grid_dependency_wait();
    Device::grid_dependency_trigger();
    int const count = int(min_of(Device::load(&a_.shared->claims), a_.most));
    if (count == 0)
      return;
    if constexpr (AreTeams) {
      for (int k = Device::block(); k < count; k += Device::blocks())
        if (a_.entries[k].parts > 0)
          sort_segment(a_.entries[k], blocks(a_.entries, k, a_.counts));
    } else {
      int const of_cluster = Device::blocks_of_cluster();
      for (int k = Device::block() / of_cluster; k < count; k += Device::blocks() / of_cluster)
        sort_segment(a_.entries[k], blocks{});
    }
    // All blocks have read the number of entries.
    auto& flag = *reinterpret_cast<std::uint32_t*>(Device::shared_memory());
    if (gpu::is_last_block<Device>(&a_.shared->left, thread_, flag) && thread_ == 0)
      Device::store(&a_.shared->claims, 0);
  }

 private:
  SAM_DEVICE void sort_segment(listed_part const& entry, blocks together) const {
    index_t const first = entry.first, length = entry.length;
    int const each = int(div_up(length, together.count()));
    if (each <= size)
      with_items_for<threads, Config::items>(each, [&](auto items) {
        sort<decltype(items)::value>(a_, together, first, length).run();
      });
    else if constexpr (has_tiles)
      in_tiles(a_, first, entry.length, Device::opaque(in_tiles::own_thread()), together)
          .template sort_items<false>();
    // Otherwise the host has compared the number of all items.
    Device::sync_block();  // orders the reads of shared memory before the next segment's writes
  }

  listed_parts_arguments<Job> const& a_;
  int thread_;
};

}  // namespace sam::inline v0_1::gpu
