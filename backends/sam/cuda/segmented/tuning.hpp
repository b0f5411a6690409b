// SPDX-License-Identifier: MIT
// Sizes of the kernels for segments and runs.
#pragma once

#include <sam/gpu/merge_path/merge_path.hpp>
#include <sam/gpu/segmented/reduce_each_segment.hpp>
#include <sam/gpu/segmented/scan_segments.hpp>

#include <bit>

namespace sam::inline v0_1::cuda {

/// Sizes that are the same for all devices, since they determine how floats are grouped. Evidence:
/// perf/results.
struct path_tuning {
  /// The largest item, in bytes, that merge-path kernels take.
  static constexpr index_t largest_of_path = 32;
  using run_decode_path = gpu::path_config<8, 7>;
};

/// Chooses the threads of a segment in reductions by offsets. Evidence: perf/results.
struct segment_tuning {
  template <class Job>
  using config =
      gpu::each_segment_config<16, int(max_of(
                                       1, 32 / max_of(4, index_t{sizeof(typename Job::total)})))>;

  // A thread has this many items of a segment of mean length.
  static constexpr index_t items_of_thread = 4;
  // A segment whose mean share is larger is reduced by a block.
  static constexpr index_t most_by_lanes = 128;
  static constexpr int warps_of_lanes = 8;
  static constexpr int fewest_warps = 2, most_warps = 16;
  // The items of a chunk for each thread of its block. There are at most most_chunks, so that the
  // last block has few parts to combine.
  static constexpr index_t chunk_of_thread = 32;
  static constexpr index_t most_chunks = 4096;

  /// Returns the shares for `segments` segments of n items in all.
  static gpu::segment_shares shares(index_t n, index_t segments) {
    index_t const mean = n / segments;
    auto const threads = [](index_t items, index_t most) {
      return index_t(
          std::bit_ceil(std::uint32_t(min_of(most, engine::div_up(items, items_of_thread)))));
    };
    gpu::segment_shares by{};
    if (mean <= most_by_lanes) {
      by.warps = warps_of_lanes;
      by.lanes = int(max_of(1, threads(mean, device::warp_size)));
    } else {
      by.lanes = int(
          max_of(fewest_warps * device::warp_size, threads(mean, most_warps * device::warp_size)));
      by.warps = by.lanes / device::warp_size;
    }
    index_t const of_block = index_t{by.warps} * device::warp_size * chunk_of_thread;
    by.chunk = max_of(of_block, engine::div_up(n, most_chunks));
    return by;
  }

  // --- Scans ------------------------------------------------------------------------------------

  template <class Job,
            index_t Bytes = max_of(sizeof(typename Job::item), sizeof(typename Job::value))>
  using scan_tile = gpu::segment_tile_config<16, Bytes == 1    ? 16
                                                 : Bytes <= 4  ? 8
                                                 : Bytes <= 8  ? 4
                                                 : Bytes <= 16 ? 2
                                                               : 1>;
  /// Up to this number of items, each tile combines all items of its first segment before it. With
  /// more items, up to one tile.
  static constexpr index_t most_without_records = 1 << 16;
  /// True if so few segments are longer than a tile that not many of them take two kernels.
  static constexpr bool scans_tiles(index_t n, index_t segments, index_t tile_items) {
    return n <= most_without_records || n / segments <= tile_items / 2;
  }
};

}  // namespace sam::inline v0_1::cuda
