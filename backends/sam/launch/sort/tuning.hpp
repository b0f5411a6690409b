// SPDX-License-Identifier: MIT
// Configurations of the sort kernels. plan.hpp says which of them sorts how many keys.
#ifndef SAM_LAUNCH_SORT_TUNING_HPP
#define SAM_LAUNCH_SORT_TUNING_HPP

#include <sam/gpu/sort/block_radix_rank.hpp>
#include <sam/gpu/sort/counting/cluster_counting_sort.hpp>
#include <sam/gpu/sort/counting/device_counting_sort.hpp>
#include <sam/gpu/sort/digit_histogram.hpp>
#include <sam/gpu/sort/merge/global_merge.hpp>
#include <sam/gpu/sort/segmented/block_tile_sort.hpp>
#include <sam/gpu/sort/segmented/sort_by_counts.hpp>
#include <sam/launch/device.hpp>

#include <tuple>

namespace sam::inline v0_1::SAM_GPU_WARPS {

/// Configurations of the kernels for one type of job. Large tiles run two blocks a multiprocessor,
/// of few warps with many items each. More warps would hide more latency. But larger tiles need
/// fewer steps per key, and have longer runs of a digit, without which writing pairs is slow.
template <class Job>
struct sort_tuning {
  using traits = gpu::radix_traits<Job>;
  static constexpr bool has_values_apart = traits::has_values && !traits::packs;
  static constexpr int key_bytes = sizeof(typename traits::key);
  static constexpr int value_bytes = traits::has_values && sizeof(typename traits::value) <= 16
                                         ? sizeof(typename traits::value)
                                         : 0;
  /// The bytes of an item that registers hold at a time: its key, its value, or both.
  static constexpr int apart = int(max_of(4, max_of(key_bytes, value_bytes)));
  static constexpr int held = traits::packs ? int(max_of(4, key_bytes + value_bytes)) : apart;
  /// Returns how many items fit in a number of registers, with half a register for the rank of
  /// each.
  static constexpr int items(int bytes, int registers) {
    return int(max_of(1, registers * 2 / (div_up(bytes, 4) * 2 + 1)));
  }
  /// True for pairs of keys or values of 8 or 16 bytes that registers of 12 warps hold. Two of
  /// their tiles fit a multiprocessor with 100 KiB of shared memory, since values take the keys'
  /// place.
  static constexpr bool are_wide_pairs = has_values_apart && (held == 8 || held == 16) &&
                                         key_bytes + value_bytes <= 20 && key_bytes <= 8;
  /// The most pairs that a thread holds. Of 8-byte keys with values of up to 4 bytes, 13 are faster
  /// where two such tiles fit.
  static constexpr int most_wide_pairs =
      held == 16                                                       ? 10
      : key_bytes == 8 && value_bytes <= 4 && !some_have_little_memory ? 13
                                                                       : 11;
  static constexpr int items_of_pairs = int(min_of(items(held, int(tuning::sort_pair_registers)),
                                                   are_wide_pairs ? most_wide_pairs : 1 << 10));
  using large = std::conditional_t<
      held <= 4 && !has_values_apart,
      gpu::sort_config<warps_of(int(tuning::sort_narrow_warps)),
                       items(held, int(tuning::sort_narrow_registers)), 8, int(tuning::sort_blocks),
                       8>,
      gpu::sort_config<are_wide_pairs ? warps_of(12) : warps_of(int(tuning::sort_wide_warps)),
                       has_values_apart
                           ? items_of_pairs
                           : items(held, int(traits::packs ? tuning::sort_packed_registers
                                                           : tuning::sort_wide_registers)),
                       8, int(tuning::sort_blocks), 8>>;
  /// True for keys of 8 bytes, and for packed pairs of that size.
  static constexpr bool has_items_of_8 = held == 8 && !has_values_apart;
  /// Two medium tiles of such items fit a multiprocessor with 100 KiB of shared memory.
  using medium = std::conditional_t<
      has_items_of_8, gpu::sort_config<warps_of(8), 16, 8, 2, 8>,
      gpu::sort_config<warps_of(16), items(held, has_values_apart ? 12 : 24), 8, 2, 8>>;
  /// Tiles for inputs so small that all tiles are sorted at the same time, if other tiles are
  /// larger. Two small blocks on a multiprocessor are faster than one with as many keys.
  using small =
      std::conditional_t<(medium::items > 8), gpu::sort_config<warps_of(16), 8, 8, 2, 8>, medium>;
  /// Tiles of which one fits in 64 KiB of shared memory, in code for devices without room for two
  /// medium ones. Two blocks with half as many items each take longer: runs of a digit are half as
  /// long.
  static constexpr int compact_items = [] {
    constexpr int threads = 8 * 32;
    constexpr int bytes = 63 << 10;  // some devices reserve 1 KiB for each block
    constexpr int others = 8 * 256 * 4 + 256 * 8 + 512;  // counters, offsets, and few more
    constexpr int of_item = int(max_of(4, key_bytes + (traits::packs ? value_bytes : 0)));
    constexpr int fit = (bytes - others) / (threads * of_item);
    return int(max_of(1, min_of(24, fit < 4 ? fit : fit / 4 * 4)));
  }();
  using compact = std::conditional_t<
      are_wide_pairs, gpu::sort_config<warps_of(16), large::items, 8, 1, 8>,
      std::conditional_t<(held > 4), gpu::sort_config<warps_of(8), compact_items, 8, 1, 8>, small>>;
  /// Blocks that sort few keys without other blocks. They have few warps, since each warp's
  /// counters must be added up. A thread holds `Most` keys, or as many as fit in registers.
  template <int Warps, int Most>
  using block = gpu::sort_config<
      warps_of(Warps),
      int(min_of(Most, items(int(max_of(4, key_bytes)),
                             Warps <= 8 ? sort_memory::block_registers<device::warp_size> : 48))),
      8, 1>;
  using blocks_by_digits =
      std::conditional_t<traits::keys_only && (key_bytes == 2 || key_bytes == 4),
                         std::tuple<block<4, 8>, block<8, 16>, block<16, 16>, block<8, 64>>,
                         std::tuple<block<4, 8>, block<8, 16>, block<16, 16>>>;
  /// Clusters that merge sort, and the largest number of sorted runs that are merged.
  using by_clusters =
      gpu::cluster_merge_config<warps_of(4),
                                sizeof(typename gpu::merge_keys<Job>::item) <= 4 ? 16 : 8, 16>;
  static constexpr int most_runs = !traits::keys_only ? 12 : key_bytes <= 4 ? 16 : 64;
  using runs = gpu::global_merge_config<by_clusters, most_runs, warps_of(4), 8>;
  /// Blocks that sort runs of 4,096 keys where no cluster does, and the runs that are merged: of up
  /// to 2^18 keys. Runs of 8,192 take longer: fewer blocks sort them, and each takes more rounds.
  using runs_of_blocks =
      gpu::global_merge_config<gpu::cluster_merge_config<warps_of(8), 16, 1>, 64, warps_of(4), 8>;
  using counts = gpu::digit_histogram_config<warps_of(32), 4, 8>;
  /// Windows for short segments. Threads hold several keys, with the original index of each. Large
  /// keys use few keys and few threads, so that a block fits every device.
  using window = std::conditional_t<
      key_bytes <= 4,
      std::conditional_t<traits::has_values, gpu::sort_config<warps_of(8), 12, 8, 4>,
                         gpu::sort_config<warps_of(6), 16, 8, 6>>,
      std::conditional_t<key_bytes <= 8, gpu::sort_config<warps_of(6), 16, 8, 4>,
                         std::conditional_t<key_bytes <= 16, gpu::sort_config<warps_of(8), 8, 8, 3>,
                                            gpu::sort_config<warps_of(key_bytes <= 64 ? 4 : 2),
                                                             key_bytes <= 64 ? 4 : 2, 8, 2>>>>;
  /// Windows for inputs with so few keys that each block has a multiprocessor of its own. They fit
  /// long segments, so that further kernels sort as few segments as possible.
  using roomy_window = std::conditional_t<
      key_bytes <= 8,
      gpu::sort_config<warps_of(16), key_bytes <= 4 ? sort_memory::roomy_items : 16, 8, 1>, window>;
  /// Windows for groups of segments before blocks that sort long ones together. They fit every
  /// device.
  using group_window = gpu::sort_config<warps_of(16), key_bytes <= 4 ? 8 : 4, 8, 1>;
  /// Returns the items per thread of blocks that sort one segment each: `most`, or as many as fit
  /// in registers beside their ranks and original indices. Multiples of eight are used, since their
  /// rows are fast to compute.
  static constexpr int listed_items(int most, int registers) {
    int const fit = registers * 2 / (div_up(key_bytes, 4) * 2 + (traits::keys_only ? 1 : 2));
    return int(max_of(1, min_of(most, fit < 8 ? fit : fit / 8 * 8)));
  }
  template <int Warps, int Most, int Registers, int Blocks>
  using listed_by = gpu::sort_config<warps_of(Warps), listed_items(Most, Registers), 8, Blocks>;
  /// Blocks that sort segments in tiles, for devices with little shared memory and for segments
  /// that exceed any.
  using listed_in_tiles =
      gpu::tile_sort_config<warps_of(8), 16, 8, key_bytes <= 4 ? 3 : 2, 1 << 16>;
  /// Blocks that sort listed segments. Those with no more capacity than the blocks before them, as
  /// where keys are large, are not used. Only keys alone of up to 4 bytes leave enough registers
  /// for 64 of them.
  using listed = std::conditional_t<
      traits::keys_only && key_bytes <= 4,
      std::tuple<listed_by<8, 16, 48, 4>, listed_by<8, 32, sort_memory::listed_registers, 2>,
                 listed_by<8, 64, sort_memory::long_listed_registers, 2>,
                 listed_by<16, 64, sort_memory::long_listed_registers, 1>, listed_in_tiles>,
      std::conditional_t<
          traits::keys_only && key_bytes <= 8,
          std::tuple<listed_by<8, 16, 48, 2>, listed_by<8, 32, sort_memory::listed_registers, 2>,
                     listed_by<16, 32, sort_memory::listed_registers, 1>, listed_in_tiles>,
          std::tuple<listed_by<8, 16, 48, key_bytes <= 4 ? 4 : 2>,
                     listed_by<8, 32, sort_memory::listed_registers, 2>,
                     listed_by<16, 32, sort_memory::listed_registers, 1>>>>;
  /// True if blocks of a capacity sort listed segments of n keys in all, where other blocks sort
  /// those of up to `before` keys. The largest take so long for a segment that few keys would leave
  /// multiprocessors idle.
  static constexpr bool lists(int capacity, index_t n, index_t before) {
    return capacity <= 1 << 14 || n >= (capacity <= 1 << 15 ? least_of_largest
                                        : before < 1 << 15  ? least_in_tiles
                                                            : least_of_longest);
  }
  static constexpr index_t least_of_largest = 1 << 22, least_in_tiles = 1 << 24,
                           least_of_longest = 1 << 26;
  /// Blocks of a cluster, or of a grid, of which several sort one segment.
  using by_blocks = listed_by<16, 32, sort_memory::listed_registers, 1>;
  /// Blocks of a grid that does so on a device without clusters: for pairs, on one with 99 KiB of
  /// shared memory, and in either case on one with 64 KiB.
  using by_team_blocks =
      std::conditional_t<traits::keys_only, by_blocks,
                         gpu::sort_config<warps_of(16), key_bytes <= 4 ? 16 : 10, 8, 1>>;
  using by_small_blocks =
      gpu::sort_config<warps_of(16),
                       key_bytes <= 4 ? (traits::keys_only ? 20 : 10) : (traits::keys_only ? 8 : 6),
                       8, 1>;
  /// Blocks that sort few keys in segments by offsets. Their time grows as the product of the
  /// number of keys and the length of a segment, from where the threads that count are as many as
  /// may run. Shared memory holds the ordered keys.
  static constexpr int most_by_counts =
      sizeof(typename traits::ordered_key) <= 4 ? 1 << 12 : 1 << 11;
  static constexpr bool sorts_by_counts(index_t n) { return n <= most_by_counts; }
  using by_counts = gpu::count_config<warps_of(8), most_by_counts, 2>;
  static constexpr index_t most_counting_threads = 1 << 15;
  /// True if segments by offsets are sorted in groups. A block takes at least least_of_group keys.
  static constexpr bool sorts_groups(index_t n, index_t segments, index_t most = most_in_groups) {
    return n <= most && (n <= most_in_long || n / segments <= long_mean);
  }
  static constexpr index_t most_in_groups = 1 << 18, most_in_long = 1 << 16, long_mean = 4096;
  /// The most items of groups on devices without clusters.
  static constexpr index_t most_without_clusters = traits::keys_only ? most_in_groups : 1 << 20;
  static constexpr index_t least_of_group = 512;
  /// True if blocks of a grid sort keys alone, and pairs where some devices have no clusters.
  static constexpr bool has_teams =
      key_bytes <= 8 && (traits::keys_only || sort_memory::is_for_lesser_devices);
  static constexpr bool has_small_teams = has_teams && sort_memory::has_small_teams;
  /// True if blocks of a grid sort long segments, and small blocks the groups: keys alone in
  /// segments that are long on average, or of which few may be long. Windows and blocks for each
  /// segment sort those of middle length faster, and many short ones.
  static constexpr bool sorts_by_teams(index_t n, index_t segments, index_t longest_by_lanes) {
    if (!traits::keys_only)
      return false;
    return is_long(n, segments)
               ? n >= least_in_teams && n <= most_in_teams
               : is_short(n, segments, longest_by_lanes) && n > most_in_groups && n <= most_short;
  }
  static constexpr index_t least_in_teams = 1 << 14, most_in_teams = 1 << 22, most_short = 1 << 20;
  /// True if few segments are likely to be longer than networks sort.
  static constexpr bool is_short(index_t n, index_t segments, index_t longest_by_lanes) {
    return key_bytes <= 4 && n / segments <= longest_by_lanes / 4;
  }
  /// Returns the items of a part of a segment, which is one block's of `blocks`. Few long segments
  /// have no more parts than there are blocks.
  static constexpr index_t of_part(index_t n, index_t segments, int blocks) {
    if (!is_long(n, segments))
      return part_of_few;
    index_t const parts = max_of(blocks - segments, index_t{blocks} * 2 / 3);
    return max_of(least_of_part, min_of(div_up(n, parts), most_of_part));
  }
  static constexpr index_t part_of_few = 4096, least_of_part = 2048, most_of_part = 1 << 14;
  static constexpr bool is_long(index_t n, index_t segments) {
    return n / segments > 2 * long_mean;
  }
  static constexpr index_t counts_bytes = (128 << 10) + 16;
  /// Sizes of the counting sort of 16-bit keys, for inputs too large for one block or cluster. A
  /// pair of blocks counts at least tunables::counting_pair_keys keys, and writes fewer than
  /// tunables::counting_small_keys in smaller tiles.
  using counting = gpu::device_counting_config<warps_of(32), 4, 4, warps_of(16), 4, 2, 3072>;
  using counting_few = gpu::device_counting_config<warps_of(32), 4, 4, warps_of(16), 1, 2, 2048>;
  /// Inputs with fewer keys per multiprocessor than this do not use such large tiles. On an H100
  /// they are faster from 2^23 narrow keys on, from 2^22 packed pairs on, and where each
  /// multiprocessor has one of other pairs.
  template <class Config>
  static constexpr index_t least_per_sm() {
    bool const are_small = traits::packs || (traits::keys_only && held <= 4);
    return tuning::sort_tiles_per_sm * Config::warps * device::warp_size * Config::items /
           (has_values_apart ? 16
            : are_small      ? 4
                             : 1);
  }
};

}  // namespace sam::inline v0_1::SAM_GPU_WARPS

#endif
