// SPDX-License-Identifier: MIT
// This file defines the compile-time configuration of a scan kernel: the block's roles, the content
// of a stage and the layout of shared memory.
#pragma once

#include <sam/gpu/carry/lookback_for.hpp>
#include <sam/gpu/scan/stage_layout.hpp>

#include <bit>

namespace sam::gpu {

/// Holds the tuning parameters of a scan kernel: reduce warps (and as many scan warps), items of a
/// component per thread, stages, and blocks per multiprocessor. `Early` says whether a tile is
/// claimed when the previous tile in its stage is about to leave, which hides the latency of the
/// atomic.
template <int Warps, int Items, int Stages, int Blocks, bool Early = false>
struct block_config {
  static constexpr bool claims_early = Early;
  static constexpr int blocks = Blocks;
  static constexpr int warps = Warps;
  static constexpr int items = Items;
  static constexpr int stages = Stages;
  /// Load warps for rows that are not contiguous, besides the first load warp.
  static constexpr int row_load_warps = 4;
};

/// True if tiles can be copied from `source()` without conversion, forwards or backwards.
template <class Job>
inline constexpr bool loads_directly = has_source<Job>;
template <class Job>
inline constexpr bool loads_directly<reversed<Job>> = has_source<Job>;
/// True if tiles can also be stored to `target()` without conversion.
template <class Job>
inline constexpr bool stores_directly = loads_directly<Job>&& has_target<Job>;
template <class Job>
inline constexpr bool stores_directly<reversed<Job>> = stores_directly<Job>;

/// Number of head positions that a warp lists at a time.
inline constexpr int heads_together = 512;

/// Computes the content of a stage for a job. tile_io.hpp explains how items are loaded and stored.
template <class Job, class Policy>
struct stage_of {
  using T = typename Job::accumulator;
  static constexpr bool fixed = Policy::tuple_size != run_time_tuple;
  /// True if tiles are copied to the stage and back without conversion. Excludes jobs with an
  /// output conversion, which read their arrays.
  static constexpr bool direct =
      loads_directly<Job> && (stores_directly<Job> || !(fixed && reading<Job> && storing<Job>));
  static constexpr bool arrays = !direct && fixed && reading<Job>;
  using pointers_type = std::conditional_t<arrays, typename arrays_of<Job>::type, pointers<>>;
  using inputs = stage_layout<pointers_type>;
  /// True if the job partitions its items into several kinds.
  static constexpr bool splits = partitioning<Job>;
  /// True if items are only counted and moved, in a selection or a partition.
  static constexpr bool counts = arrays && (selecting<forward_job_of<Job>> || splits) &&
                                 Policy::tuple_size == 1 && Policy::order == 1;
  static constexpr int counted_kinds = [] {
    if constexpr (splits)
      return Job::kinds - 1;
    else
      return 1;
  }();
  static constexpr bool stores = direct ? stores_directly<Job> : arrays && storing<Job>;
  /// True if items are stored during the scan. A job that reads arrays and has no output per item
  /// stores few of them.
  static constexpr bool goes_at_once = arrays && !stores && !counts &&
                                       sums_tiles<typename Policy::carry> &&
                                       finishes_tiles<typename Policy::carry>;
  /// True for a segmented reduction: only segment heads and ends are processed.
  static constexpr bool totals =
      goes_at_once && reducing_segments_of_arrays<Job> && Policy::tuple_size == 1;
  /// True if partial totals of a thread's run of items are saved in the stage.
  static constexpr bool notes_totals = totals && !counting_lengths<Job>;
  /// Type of the values in the stage: scan values, the output of a job that stores or moves items,
  /// or segment totals.
  using value = typename decltype([] {
    if constexpr (!direct && arrays && storing<Job>)
      return std::type_identity<output_of<Job>>{};
    else if constexpr (totals)
      return std::type_identity<typename T::value_type>{};
    else if constexpr (splits)
      return std::type_identity<typename Job::item>{};
    else if constexpr (counts)
      return std::type_identity<
          std::remove_pointer_t<decltype(sam::forward_job(std::declval<Job const&>()).front())>>{};
    else
      return std::type_identity<T>{};
  }())::type;
  /// True if these values overwrite the first array's elements; otherwise they have a region of
  /// their own.
  static constexpr bool over_first = [] {
    if constexpr (arrays && (stores || counts || notes_totals))
      return (inputs::first::alone || counts) &&
             inputs::first::bits_of_item == 8 * int(sizeof(value)) &&
             alignof(typename inputs::first::element) == alignof(value);
    else
      return false;
  }();
  static constexpr bool has_values = !counts && !over_first && (!goes_at_once || notes_totals);
  static constexpr bool holds = scattering<Job> && !arrays;
  static constexpr int held = holds ? int(sizeof(typename Job::item)) : 0;
  /// Bits per item in scan_config::kept or ::heads.
  static constexpr int notes = counts ? 2 * counted_kinds : totals ? 1 : 0;
  static constexpr int bits_of_item =
      inputs::bits_of_item + 8 * (held + (has_values ? int(sizeof(value)) : 0)) + notes;

  // Byte offsets of the regions of values and of held items, and the size of a stage.
  static SAM_FUNCTION constexpr int values_at(int items) {
    return over_first ? 0 : inputs::bytes(items);
  }
  static SAM_FUNCTION constexpr int held_at(int items) {
    return inputs::bytes(items) + (has_values ? aligned(items * int(sizeof(value)) + 16) : 0);
  }
  static SAM_FUNCTION constexpr int bytes(int items) {
    return held_at(items) + aligned(items * held);
  }
};

/// True if only the last row is stored, by the block that accumulates all aggregates; see
/// reduce_epilogue.hpp. Requires a scheme that accumulates aggregates, because others may combine
/// them in a different order.
template <class Job, class Policy>
inline constexpr bool is_followed =
    ending<Job>&& Policy::tuple_size != run_time_tuple&& Policy::order == 1 &&
    prefixes_asked_by<typename Policy::carry> != asked_prefixes::any;

/// Computes the constants of a scan kernel. If the tuple size is known only at run time, S and the
/// items of a warp and a tile are upper bounds.
template <class Device, class Job, class Policy, class Config>
struct scan_config {
  using T = typename Job::accumulator;
  using traits = policy_traits<Device, T, Policy>;
  static constexpr int warps = Config::warps;
  static constexpr int stages = Config::stages;
  static constexpr int items = Config::items;  // per thread
  static constexpr int S = traits::S;
  static constexpr int warp_items = Device::warp_size / S * S * items;
  static constexpr int tile_items = warps * warp_items;
  using lookback_type = lookback_for<Device, T, Policy>;
  static constexpr int lookback_warps = lookback_type::warps;
  static constexpr bool sums = sums_tiles<typename Policy::carry>;
  static constexpr bool follows = is_followed<Job, Policy>;
  static constexpr bool finishes = finishes_tiles<typename Policy::carry> && !follows;
  static constexpr int reduce_warps = sums ? warps : 0;
  static constexpr int scan_warps = finishes ? warps : 0;
  static constexpr int row_load_warps = traits::fixed ? 0 : Config::row_load_warps;
  static constexpr int load_warps = 1 + row_load_warps;
  static constexpr int publish_warps = sums ? 1 : 0;
  static constexpr int store_warps = finishes && stage_of<Job, Policy>::stores ? 1 : 0;
  static constexpr int threads = (reduce_warps + scan_warps + load_warps + publish_warps +
                                  (finishes || follows ? lookback_warps : 0) + store_warps) *
                                 Device::warp_size;
  static constexpr int blocks = Config::blocks;
  static constexpr bool claims_early = Config::claims_early;
  using tables = power_tables<traits>;
  using stage_type = stage_of<Job, Policy>;

  /// Number of rows of a selection that a warp processes at a time, a power of two. A row has one
  /// item per lane.
  static constexpr int batch = [] {
    constexpr int words =
        int(sam::max_of(words_of<typename Job::item>, words_of<typename stage_type::value>));
    return int(sam::max_of(1, min_of(8, std::bit_floor(unsigned(16 / min_of(words, 16)))) /
                                  Config::blocks));
  }();
  template <class X>
  struct alignas(sizeof(X) * batch < 16 ? sizeof(X) * batch : 16) batch_of {
    X of_row[batch];
  };
  /// Holds, for each row of a warp and each counted kind, a mask of the kept lanes and the number
  /// of kept items in the warp's previous rows.
  struct kept {
    struct rows_of_batch {
      batch_of<typename Device::lane_set> lanes[stage_type::counted_kinds];
      batch_of<int> before[stage_type::counted_kinds];
    };
    rows_of_batch rows[warps][(items + batch - 1) / batch];
  };
  static constexpr int head_words = (items + 31) / 32;
  /// Holds a mask of the segment heads among each thread's items.
  struct heads {
    std::uint32_t words[head_words][warps * Device::warp_size];
  };
  /// Holds, for a warp, the number of segment heads in its part of a tile and some of their
  /// positions.
  struct list {
    static_assert(warp_items <= 1 << 16);
    int heads;
    std::uint16_t places[heads_together];
  };
  struct lists {
    list of_warp[warps];
    SAM_DEVICE list& operator[](int warp) { return of_warp[warp]; }
  };
  struct nothing {};

  /// Defines the layout of a block's shared memory before the stages. The barriers of a stage
  /// complete in the order of their declaration.
  struct board {
    // A tile has been claimed or, if only the last row is wanted, the block's first tile.
    typename Device::barrier claimed[load_warps > 1 ? stages : 1];
    typename Device::barrier full[stages];       // the items have been loaded
    typename Device::barrier summed[stages];     // the warps' sums have been written
    typename Device::barrier published[stages];  // the tile's aggregate has been published
    typename Device::barrier parted[stages];     // the look-back warps have written their parts
    typename Device::barrier carried[stages];    // the warps' starts have been written
    typename Device::barrier finished[stages];   // the items have been scanned
    typename Device::barrier empty[stages];      // the results have left the stage
    typename traits::power::ring powers[tile_powers<traits>::values];
    index_t tile[stages];                               // tile in each stage, or no_tile
    index_t panel[traits::fixed ? 1 : stages];          // its panel; or the block's first tile
    uninitialized_array<T, S * traits::Q> sum[stages];  // aggregate of the tile
    // Parts of its exclusive prefix, by look-back warp.
    uninitialized_array<T, lookback_warps * S * traits::Q> parts[stages];
    uninitialized_array<T, warps * S * traits::Q> sums[stages];  // sums of the warps
    // Starts of the warps: first within the tile, then of all items.
    uninitialized_array<T, warps * S * traits::Q> starts[stages];
    // Exclusive prefixes of the threads within their warp.
    uninitialized_array<T, stage_type::counts ? 1 : warps * Device::warp_size * traits::Q>
        before[stages];
    std::conditional_t<stage_type::counts, kept, nothing> kept_of[stages];
    std::conditional_t<stage_type::totals, heads, nothing> heads_of[stages];
    std::conditional_t<stage_type::totals, lists, nothing> lists_of;
  };
  static constexpr int board_bytes = aligned(int(sizeof(board)));
  static constexpr int stage_bytes = stage_type::bytes(tile_items);
  static constexpr int shared_bytes = board_bytes + stages * stage_bytes;
};

/// Tile number that signals the end of the tiles.
inline constexpr index_t no_tile = -1;

/// Holds the arguments of a scan kernel.
template <class Device, class Job, class Policy, class Config>
struct scan_arguments {
  using config = scan_config<Device, Job, Policy, Config>;
  Job job;
  Policy policy;
  index_t n;
  typename config::tables tables;
  typename config::lookback_type::memory descriptors;
};

}  // namespace sam::gpu
