// SPDX-License-Identifier: MIT
// What is known of a pass when it is compiled: how a block works, and what it keeps.
#pragma once

#include <sam/gpu/carry/lookback_for.hpp>
#include <sam/gpu/scan/stage_layout.hpp>

#include <bit>

namespace sam::gpu {

/// How a block works: so many summing and as many finishing warps, items of a component a thread,
/// and stages; how many such blocks should fit a multiprocessor; and whether a tile is claimed,
/// which takes as long as a read of far memory, already when the last one in its stage is about to
/// leave.
template <int Warps, int Items, int Stages, int Blocks, bool Early = false>
struct block_config {
  static constexpr bool claims_early = Early;
  static constexpr int blocks = Blocks;
  static constexpr int warps = Warps;
  static constexpr int items = Items;
  static constexpr int stages = Stages;
  static constexpr int row_load_warps = 4;  // of rows that lie apart, besides the first
};

/// Whether tiles are brought and sent as they are in memory, forwards or backwards.
template <class Job>
inline constexpr bool loads_directly = has_source<Job>;
template <class Job>
inline constexpr bool loads_directly<reversed<Job>> = has_source<Job>;
template <class Job>
inline constexpr bool stores_directly = loads_directly<Job>&& has_target<Job>;
template <class Job>
inline constexpr bool stores_directly<reversed<Job>> = stores_directly<Job>;

/// How many heads a warp lists at a time.
inline constexpr int heads_together = 512;

/// What a stage holds of each item; tile_io.hpp says how a job's items come and go.
template <class Job, class Policy>
struct stage_of {
  using T = typename Job::accumulator;
  static constexpr bool fixed = Policy::tuple_size != run_time_tuple;
  /// What is sent in place of items is put there by way of arrays.
  static constexpr bool direct =
      loads_directly<Job> && (stores_directly<Job> || !(fixed && reading<Job> && storing<Job>));
  static constexpr bool arrays = !direct && fixed && reading<Job>;
  using pointers_type = std::conditional_t<arrays, typename arrays_of<Job>::type, pointers<>>;
  using inputs = stage_layout<pointers_type>;
  /// Items are only counted, and placed one behind the other: all that are kept or, of several
  /// kinds, each kind by itself.
  static constexpr bool splits = partitioning<Job>;
  static constexpr bool counts = arrays && (selecting<forward_job_of<Job>> || splits) &&
                                 Policy::tuple_size == 1 && Policy::order == 1;
  static constexpr int counted_kinds = [] {
    if constexpr (splits)
      return Job::kinds - 1;
    else
      return 1;
  }();
  static constexpr bool stores = direct ? stores_directly<Job> : arrays && storing<Job>;
  /// Items are finished as they are scanned: a job of arrays that does not store something for each
  /// wants most of them no more.
  static constexpr bool goes_at_once = arrays && !stores && !counts &&
                                       sums_tiles<typename Policy::carry> &&
                                       finishes_tiles<typename Policy::carry>;
  /// And only what segments come to: then nothing but their heads.
  static constexpr bool totals =
      goes_at_once && reducing_segments_of_arrays<Job> && Policy::tuple_size == 1;
  /// What they come to in a thread's run of items is noted there.
  static constexpr bool notes_totals = totals && !counting_lengths<Job>;
  /// Scan values or, of a job that stores or places something, what it does; or totals.
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
  /// They take the place of the first array's elements, or have a region of their own.
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
  /// Bits of an item: see scan_config::kept and ::heads.
  static constexpr int notes = counts ? 2 * counted_kinds : totals ? 1 : 0;
  static constexpr int bits_of_item =
      inputs::bits_of_item + 8 * (held + (has_values ? int(sizeof(value)) : 0)) + notes;

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

/// Whether nothing is finished but the last row, by a block that follows all others: see
/// reduce_epilogue.hpp. Under schemes that append aggregates: others may combine them in another
/// order.
template <class Job, class Policy>
inline constexpr bool is_followed =
    ending<Job>&& Policy::tuple_size != run_time_tuple&& Policy::order == 1 &&
    prefixes_asked_by<typename Policy::carry> != asked_prefixes::any;

/// Everything about a pass that is known when it is compiled. Where the tuple size is not known, S
/// and items of a warp and a tile are the most there can be.
template <class Device, class Job, class Policy, class Config>
struct scan_config {
  using T = typename Job::accumulator;
  using traits = policy_traits<Device, T, Policy>;
  static constexpr int warps = Config::warps;
  static constexpr int stages = Config::stages;
  static constexpr int items = Config::items;  // of a thread
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

  /// Items that are placed are looked at by so many rows at a time, of as many as a warp has lanes:
  /// a power of two.
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
  /// Of each row which are kept, or of each counted kind; and how many of them are in the warp's
  /// rows before it.
  struct kept {
    struct rows_of_batch {
      batch_of<typename Device::lane_set> lanes[stage_type::counted_kinds];
      batch_of<int> before[stage_type::counted_kinds];
    };
    rows_of_batch rows[warps][(items + batch - 1) / batch];
  };
  /// Of each thread which of its items are heads.
  static constexpr int head_words = (items + 31) / 32;
  struct heads {
    std::uint32_t words[head_words][warps * Device::warp_size];
  };
  /// Of each warp how many there are in its part of a tile, and where some of them lie.
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

  /// What a block keeps in shared memory besides the stages.
  struct board {
    // It is known which tile is next or, where one block follows the others, which was the first.
    typename Device::barrier claimed[load_warps > 1 ? stages : 1];
    typename Device::barrier full[stages];       // the items are there
    typename Device::barrier summed[stages];     // and the sums of the warps
    typename Device::barrier published[stages];  // and that of the tile
    typename Device::barrier parted[stages];     // and what lies before it, by lookback_warps
    typename Device::barrier carried[stages];    // and where each warp starts
    typename Device::barrier finished[stages];   // and its items are scanned
    typename Device::barrier empty[stages];      // and sent: nobody needs the stage any more
    typename traits::power::ring powers[tile_powers<traits>::values];
    index_t tile[stages];                               // which is in it, or none
    index_t panel[traits::fixed ? 1 : stages];          // and of which panel; or the first tile
    uninitialized_array<T, S * traits::Q> sum[stages];  // of the tile
    uninitialized_array<T, lookback_warps * S * traits::Q> parts[stages];  // of what lies before it
    uninitialized_array<T, warps * S * traits::Q> sums[stages];            // of the warps
    uninitialized_array<T, warps * S * traits::Q>
        starts[stages];  // of the warps: first in the tile, then in all
    uninitialized_array<T, stage_type::counts ? 1 : warps * Device::warp_size * traits::Q>
        before[stages];  // of the threads, in their warp
    std::conditional_t<stage_type::counts, kept, nothing> kept_of[stages];
    std::conditional_t<stage_type::totals, heads, nothing> heads_of[stages];
    std::conditional_t<stage_type::totals, lists, nothing> lists_of;
  };
  static constexpr int board_bytes = aligned(int(sizeof(board)));
  static constexpr int stage_bytes = stage_type::bytes(tile_items);
  static constexpr int shared_bytes = board_bytes + stages * stage_bytes;
};

/// In place of a tile's number: there are no more.
inline constexpr index_t no_tile = -1;

/// What a launch is given.
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
