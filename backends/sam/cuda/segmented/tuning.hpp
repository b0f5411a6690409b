// SPDX-License-Identifier: MIT
// Sizes of the kernels for segments and runs.
#pragma once

#include <sam/gpu/merge_path/segmented_reduce.hpp>
#include <sam/gpu/segmented/reduce_each_segment.hpp>
#include <sam/gpu/segmented/scan_segments.hpp>

#include <bit>

namespace sam::inline v0_1::cuda {

/// Sizes that are the same for all devices, since they determine how floats are grouped. Evidence:
/// perf/results.
struct path_tuning {
  /// The largest item, in bytes, that merge-path kernels take.
  static constexpr index_t largest_of_path = 32;
  /// A config whose threads take an odd number of path steps, so that lanes access different banks.
  template <class Job, int Bytes>
  using path_of =
      gpu::path_config<8, int(Bytes / (4 + max_of(4, index_t{sizeof(typename Job::item)}))) | 1>;
  template <class Job>
  using segmented_reduce_path = path_of<Job, 88>;
  using run_decode_path = gpu::path_config<8, 7>;
};

/// Chooses the kernels for segments by offsets, and the threads of a segment. Evidence:
/// perf/results.
struct segment_tuning {
  // --- Reductions -------------------------------------------------------------------------------

  template <class Job>
  using config = gpu::each_segment_config<
      16, int(max_of(1, 32 / max_of(4, index_t{sizeof(typename Job::total)}))), 4096>;

  // A thread has this many items of a segment of mean length.
  static constexpr index_t items_of_thread = 4;
  // A segment whose mean share is larger is reduced by a block.
  static constexpr index_t most_by_lanes = 128;
  static constexpr int warps_of_lanes = 8;
  // Segments that are longer on average than long_mean have blocks of most_warps.
  static constexpr int fewest_warps = 2, usual_warps = 8, most_warps = 16;
  static constexpr index_t long_mean = 4096;
  // The fewest items of a chunk. There are at most most_chunks, so that the last block has few
  // parts to combine.
  static constexpr index_t least_chunk = 1 << 18, most_chunks = 4096;

  /// True if segments have threads of their own. Otherwise they are divided along a merge path, or
  /// marked, which is faster for many items in short segments.
  static constexpr bool reduces_each(index_t n, index_t segments) {
    return n <= least_chunk || n / segments > most_by_lanes;
  }
  /// Returns the shares for `segments` segments of n items in all.
  static gpu::segment_shares shares(index_t n, index_t segments) {
    index_t const mean = n / segments;
    auto const log_threads = [&](index_t most) {
      index_t const wanted = engine::div_up(mean, items_of_thread);
      return int(std::bit_width(std::uint32_t(max_of(1, min_of(most, wanted))) - 1));
    };
    gpu::segment_shares by{};
    if (mean <= most_by_lanes) {
      by.warps = warps_of_lanes;
      by.log_lanes = log_threads(device::warp_size);
    } else {
      int const most = mean > long_mean ? most_warps : usual_warps;
      by.warps = int(max_of(fewest_warps, (index_t{1} << log_threads(most * device::warp_size)) /
                                              device::warp_size));
      by.log_lanes = -1;
    }
    by.chunk = max_of(least_chunk, engine::div_up(n, most_chunks));
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
  /// True if tiles scan their segments without marks. Many items in short segments are scanned
  /// faster from marks, and so are segments of which many are longer than a tile.
  static constexpr bool scans_tiles(index_t n, index_t segments, index_t tile_items) {
    index_t const mean = n / segments;
    return n <= most_without_records || n <= most_of_short_tiles ||
           (n <= most_of_tiles && mean >= least_mean && mean <= tile_items / 2);
  }
  static constexpr index_t most_of_tiles = 1 << 20, most_of_short_tiles = 1 << 17;
  static constexpr index_t least_mean = 32;
};

}  // namespace sam::inline v0_1::cuda
