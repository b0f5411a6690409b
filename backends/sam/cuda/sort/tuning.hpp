// SPDX-License-Identifier: MIT
// The configurations of the kernels that sort. plan.hpp says which of them sorts how many keys.
#pragma once

#include <sam/cuda/device/device.hpp>
#include <sam/gpu/sort/block_radix_rank.hpp>
#include <sam/gpu/sort/counting/cluster_counting_sort.hpp>
#include <sam/gpu/sort/counting/device_counting_sort.hpp>
#include <sam/gpu/sort/digit_histogram.hpp>
#include <sam/gpu/sort/merge/global_merge.hpp>

#include <tuple>

namespace sam::cuda {

/// Of a sort: two blocks a multiprocessor, of few warps that hold many items each. More warps
/// would hide more of what a tile's steps wait for, but large tiles have fewer steps, and longer
/// runs of a digit, which is what writing pairs is slow for want of.
template <class Job>
struct sort_tuning {
  using traits = gpu::radix_traits<Job>;
  static constexpr bool has_values_apart = traits::has_values && !traits::packs;
  static constexpr int key_bytes = sizeof(typename traits::key);
  static constexpr int value_bytes = traits::has_values && sizeof(typename traits::value) <= 16
                                         ? sizeof(typename traits::value)
                                         : 0;
  /// What registers hold of an item at a time: its key or its value, or both.
  static constexpr int apart = int(max_of(4, max_of(key_bytes, value_bytes)));
  static constexpr int held = traits::packs ? int(max_of(4, key_bytes + value_bytes)) : apart;
  /// So many items as have that, and two places to a register, in so many registers.
  static constexpr int items(int bytes, int registers) {
    return int(max_of(1, registers * 2 / (div_up(bytes, 4) * 2 + 1)));
  }
  using large =
      std::conditional_t<held <= 4 && !has_values_apart,
                         gpu::sort_config<12, items(held, 48), 8, 2, 8>,
                         gpu::sort_config<8, items(held, has_values_apart ? 48 : 70), 8, 2, 8>>;
  /// Of packed pairs of 8 bytes fewer, or a word of each tile would be spilled.
  static constexpr int small_registers = has_values_apart            ? 12
                                         : traits::packs && held > 4 ? 22
                                                                     : 24;
  using small = gpu::sort_config<16, items(held, small_registers), 8, 2, 8>;
  /// Of so few keys that all such tiles are sorted at the same time, where others are larger: two
  /// blocks of a multiprocessor get on better than one with as many keys.
  using smaller = std::conditional_t<(small::items > 8), gpu::sort_config<16, 8, 8, 2, 8>, small>;
  /// Blocks that sort few keys alone: of few warps, since each has counters to add up. A thread
  /// holds so many keys, or as many as have registers.
  template <int Warps, int Most>
  using block = gpu::sort_config<
      Warps, int(min_of(Most, items(int(max_of(4, key_bytes)), Warps <= 8 ? 96 : 48))), 8, 1>;
  using blocks_by_digits =
      std::conditional_t<traits::keys_only && (key_bytes == 2 || key_bytes == 4),
                         std::tuple<block<4, 8>, block<8, 16>, block<16, 16>, block<8, 64>>,
                         std::tuple<block<4, 8>, block<8, 16>, block<16, 16>>>;
  /// Clusters that sort by comparisons, and how many of their runs are merged at most.
  using by_clusters =
      gpu::cluster_merge_config<4, sizeof(typename gpu::merge_keys<Job>::item) <= 4 ? 16 : 8, 16>;
  static constexpr int most_runs = !traits::keys_only ? 12 : key_bytes <= 4 ? 16 : 64;
  using runs = gpu::global_merge_config<by_clusters, most_runs, 4, 8>;
  using counts = gpu::digit_histogram_config<32, 2, 8>;
  /// Blocks that sort short segments: threads hold so many keys, with a note of each. Of large
  /// keys few, in few threads, so that every device has room for a block.
  using window = std::conditional_t<
      key_bytes <= 4,
      std::conditional_t<traits::has_values, gpu::sort_config<8, 12, 8, 4>,
                         gpu::sort_config<6, 16, 8, 6>>,
      std::conditional_t<key_bytes <= 8, gpu::sort_config<6, 16, 8, 4>,
                         std::conditional_t<key_bytes <= 16, gpu::sort_config<8, 8, 8, 3>,
                                            gpu::sort_config<key_bytes <= 64 ? 4 : 2,
                                                             key_bytes <= 64 ? 4 : 2, 8, 2>>>>;
  /// Where there are so few keys that each block has a multiprocessor of its own: room for long
  /// segments, so that as few as can be are left to further kernels.
  using roomy_window =
      std::conditional_t<key_bytes <= 8, gpu::sort_config<16, key_bytes <= 4 ? 32 : 16, 8, 1>,
                         window>;
  /// Blocks that sort a segment each. A thread has so many items, or as many as have registers
  /// beside their places, and original_indices: eights of them, whose rows are fast to find.
  static constexpr int listed_items(int most, int registers) {
    int const fit = registers * 2 / (div_up(key_bytes, 4) * 2 + (traits::keys_only ? 1 : 2));
    return int(max_of(1, min_of(most, fit < 8 ? fit : fit / 8 * 8)));
  }
  template <int Warps, int Most, int Registers, int Blocks>
  using listed_by = gpu::sort_config<Warps, listed_items(Most, Registers), 8, Blocks>;
  using listed = std::tuple<listed_by<8, 16, 48, key_bytes <= 4 ? 4 : 2>, listed_by<8, 32, 80, 2>,
                            listed_by<16, 32, 80, 1>>;
  static constexpr index_t counts_bytes = (128 << 10) + 16;
  /// Keys of 16 bits are counted where they are too many for one block or cluster, at least so
  /// many by a pair of blocks: each has a table to write. Below so many they are written in
  /// smaller tiles.
  using counting = gpu::device_counting_config<32, 4, 4, 16, 4, 2, 3072>;
  using counting_few = gpu::device_counting_config<32, 4, 4, 16, 1, 2, 2048>;
  static constexpr index_t written_small = 1 << 20;
  static constexpr index_t counted_by_pair = 1 << 15;
  /// Below so many a multiprocessor, small tiles: few large ones would leave some of them idle.
  static constexpr index_t small_items =
      index_t{16} * large::warps * device::warp_size * large::items;
};

}  // namespace sam::cuda
