// SPDX-License-Identifier: MIT
// This file describes a pass at compile time: the warps of a block, the contents of a stage, and
// the layout of shared memory.
#pragma once

#include <sam/gpu/carry/lookback_for.hpp>
#include <sam/gpu/scan/stage_layout.hpp>

#include <bit>

namespace sam::inline v0_1::gpu {

/// Configures a block with `Warps` reduce warps and as many scan warps, `Items` items of a
/// component per thread, and `Stages` stages. `Blocks` such blocks should fit a multiprocessor.
/// With `Early`, the load warp claims a tile while the last one in its stage is still leaving,
/// because a claim takes as long as a read of remote memory.
template <int Warps, int Items, int Stages, int Blocks, bool Early = false>
struct block_config {
  static constexpr bool claims_early = Early;
  static constexpr int blocks = Blocks;
  static constexpr int warps = Warps;
  static constexpr int items = Items;
  static constexpr int stages = Stages;
  static constexpr int row_load_warps = 4;  // these copy strided rows
  static constexpr bool for_run_time_stages = false;
};

/// Configures a block that only devices use on which the host chooses the number of stages. Code
/// for other devices leaves its kernel empty.
template <int Warps, int Items>
struct run_time_stages_config : block_config<Warps, Items, 2, 1, true> {
  static constexpr bool for_run_time_stages = true;
};

/// True if tiles are bulk loaded as they lie in memory, forwards or backwards.
template <class Job>
inline constexpr bool loads_directly = has_source<Job>;
template <class Job>
inline constexpr bool loads_directly<reversed<Job>> = has_source<Job>;
/// True if tiles are also bulk stored as they lie in memory.
template <class Job>
inline constexpr bool stores_directly = loads_directly<Job> &&
                                        (has_target<Job> || has_first_target<Job>);
template <class Job>
inline constexpr bool stores_directly<reversed<Job>> = stores_directly<Job>;

/// The number of heads that a warp lists at a time.
inline constexpr int heads_together = 512;

/// Holds the positions of two items.
struct alignas(4) two_places {
  std::uint16_t first, second;
};

/// Describes what a stage holds for each item; tile_io.hpp explains how items are loaded and
/// stored.
template <class Job, class Policy>
struct stage_of {
  using T = typename Job::accumulator;
  static constexpr bool fixed = Policy::tuple_size != run_time_tuple;
  /// True if the stage holds the scanned array itself. A job that stores outputs other than scan
  /// values uses arrays instead.
  static constexpr bool direct =
      loads_directly<Job> &&
      (stores_directly<Job> || !(fixed && reading<Job> && storing_in_order<Job>));
  static constexpr bool arrays = !direct && fixed && reading<Job>;
  using pointers_type = std::conditional_t<arrays, typename arrays_of<Job>::type, pointers<>>;
  using inputs = stage_layout<pointers_type>;
  /// True if the job is a partition. A partition or a selection only counts items (`is_selection`)
  /// and places each behind the earlier items of its kind.
  static constexpr bool is_partition = arrays && partitioning<Job>;
  /// True if items are only counted and moved, in a selection or a partition.
  static constexpr bool is_selection = arrays && (selecting<forward_job_of<Job>> || is_partition) &&
                                       Policy::tuple_size == 1 && Policy::order == 1;
  static constexpr int counted_kinds = [] {
    if constexpr (is_partition)
      return Job::kinds - 1;
    else
      return 1;
  }();
  static constexpr bool stores = direct ? stores_directly<Job> : arrays && storing_in_order<Job>;
  /// True if each item is stored as soon as it is scanned. This holds for jobs of arrays that do
  /// not store one output per item, and so ignore most items. A thread scans neighbouring items, so
  /// that the lanes of a warp would store far from each other.
  static constexpr bool stores_while_scanning =
      arrays && !stores && !is_selection && !storing_each<Job> &&
      sums_tiles<typename Policy::carry> && finishes_tiles<typename Policy::carry>;
  /// True if the job is a segmented reduction, which only uses segment totals: then only heads are
  /// visited.
  static constexpr bool is_segmented_reduction =
      stores_while_scanning && reducing_segments_of_arrays<Job> && Policy::tuple_size == 1;
  /// True if the stage also holds the totals of segments that end inside a thread's run of items.
  static constexpr bool stages_totals = is_segmented_reduction && !counting_lengths<Job>;
  /// True if a total is staged as the positions of the item that it is, or of the two of which it
  /// has parts, in the part of a warp. Larger tiles fit then.
  static constexpr bool stages_two_places = stages_totals && choosing_two_items<Job>;
  static constexpr bool stages_places = stages_two_places || (stages_totals && choosing_items<Job>);
  /// True if the first half of a total replaces an element of the first array, so that only the
  /// second half has a region of its own. This is limited to totals that larger tiles do not
  /// change.
  static constexpr bool halves_totals = [] {
    if constexpr (stages_totals && !stages_places && is_exact<T>)
      return inputs::first::alone &&
             sizeof(typename T::value_type) == 2 * sizeof(typename inputs::first::element);
    else
      return false;
  }();
  /// The type of the stage's values. It is the job's output, a segment's total, half of one or its
  /// position, a placed item or value, or else an accumulator.
  using value = typename decltype([] {
    if constexpr (!direct && arrays && storing_in_order<Job>)
      return std::type_identity<output_of<Job>>{};
    else if constexpr (stages_two_places)
      return std::type_identity<two_places>{};
    else if constexpr (stages_places)
      return std::type_identity<std::uint16_t>{};
    else if constexpr (halves_totals)
      return std::type_identity<std::remove_const_t<typename inputs::first::element>>{};
    else if constexpr (is_segmented_reduction)
      return std::type_identity<typename T::value_type>{};
    else if constexpr (is_partition)
      return std::type_identity<typename Job::item>{};
    else if constexpr (is_selection)
      return std::type_identity<std::remove_pointer_t<
          decltype(engine::forward_job(std::declval<Job const&>()).front())>>{};
    else
      return std::type_identity<T>{};
  }())::type;
  /// True if values replace the elements of the first array; otherwise they have a region of their
  /// own.
  static constexpr bool over_first = [] {
    if constexpr (arrays && !stages_places && (stores || is_selection || stages_totals))
      return (inputs::first::alone || is_selection) &&
             inputs::first::bits_of_item == 8 * int(sizeof(value)) &&
             alignof(typename inputs::first::element) == alignof(value);
    else
      return false;
  }();
  static constexpr bool has_values = !is_selection && !over_first &&
                                     (!stores_while_scanning || stages_totals) &&
                                     (!arrays || finishes_tiles<typename Policy::carry>);
  static constexpr bool has_region = has_values || halves_totals;
  static constexpr bool holds = scattering<Job> && !arrays;
  static constexpr int held = holds ? int(sizeof(typename Job::item)) : 0;
  /// Bits per item of the structures `kept` and `heads` of scan_config.
  static constexpr int flag_bits = is_selection             ? 2 * counted_kinds
                                   : is_segmented_reduction ? 1
                                                            : 0;
  static constexpr int bits_of_item =
      inputs::bits_of_item + 8 * (held + (has_region ? int(sizeof(value)) : 0)) + flag_bits;

  // Byte offsets of the regions of values and of held items, and the size of a stage.
  static SAM_FUNCTION constexpr int values_at(int items) {
    return over_first ? 0 : inputs::bytes(items);
  }
  static SAM_FUNCTION constexpr int second_halves_at(int items) { return inputs::bytes(items); }
  static SAM_FUNCTION constexpr int held_at(int items) {
    return inputs::bytes(items) + (has_region ? aligned(items * int(sizeof(value)) + 16) : 0);
  }
  static SAM_FUNCTION constexpr int bytes(int items) {
    return held_at(items) + aligned(items * held);
  }
};

/// True if one block stores only the last row, after it has read the aggregates of all tiles: see
/// reduce_epilogue.hpp. This is limited to schemes that append aggregates in order, since other
/// schemes may combine them in another order.
template <class Job, class Policy>
inline constexpr bool uses_reduce_epilogue =
    reducing<Job>&& Policy::tuple_size != run_time_tuple&& Policy::order == 1 &&
    prefixes_asked_by<typename Policy::carry> != asked_prefixes::any;

/// Collects the compile-time constants of a pass. If the tuple size is not fixed, S and the items
/// of a warp and a tile are upper bounds.
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
  static constexpr bool has_reduce_warps = sums_tiles<typename Policy::carry>;
  static constexpr bool uses_epilogue = uses_reduce_epilogue<Job, Policy>;
  static constexpr bool has_scan_warps = finishes_tiles<typename Policy::carry> && !uses_epilogue;
  static constexpr int reduce_warps = has_reduce_warps ? warps : 0;
  static constexpr int scan_warps = has_scan_warps ? warps : 0;
  static constexpr int row_load_warps = traits::fixed ? 0 : Config::row_load_warps;
  static constexpr int load_warps = 1 + row_load_warps;
  static constexpr int publish_warps = has_reduce_warps ? 1 : 0;
  static constexpr int store_warps = has_scan_warps && stage_of<Job, Policy>::stores ? 1 : 0;
  static constexpr int threads =
      (reduce_warps + scan_warps + load_warps + publish_warps +
       (has_scan_warps || uses_epilogue ? lookback_warps : 0) + store_warps) *
      Device::warp_size;
  static constexpr int blocks = Config::blocks;
  static constexpr bool claims_early = Config::claims_early;
  using tables = power_tables<traits>;
  /// The distance, in values, between the states of neighbouring warps or components. Without
  /// tuples it is an odd multiple of the accesses by which a state is copied, so that lanes use
  /// different banks. This takes at most 32 bytes of a stage for each warp, for which the sizes of
  /// tiles have room.
  static constexpr int state_pitch = [] {
    constexpr int bytes = access_bytes<typename traits::state>;
    constexpr bool is_even = sizeof(typename traits::state) / bytes % 2 == 0;
    return traits::Q + (S == 1 && is_even ? bytes / int(sizeof(T)) : 0);
  }();
  using stage_type = stage_of<Job, Policy>;

  /// The number of rows, of one item per lane, that select_tile processes at a time: a power of
  /// two.
  static constexpr int batch = [] {
    constexpr int words =
        int(engine::max_of(words_of<typename Job::item>, words_of<typename stage_type::value>));
    return int(engine::max_of(1, min_of(8, std::bit_floor(unsigned(16 / min_of(words, 16)))) /
                                     Config::blocks));
  }();
  template <class X>
  struct alignas(sizeof(X) * batch < 16 ? sizeof(X) * batch : 16) batch_of {
    X of_row[batch];
  };
  /// Records which lanes of each row have a kept item (or one of each counted kind), and how many
  /// such items the warp's earlier rows have.
  struct kept {
    struct rows_of_batch {
      batch_of<typename Device::lane_set> lanes[stage_type::counted_kinds];
      batch_of<int> before[stage_type::counted_kinds];
    };
    rows_of_batch rows[warps][(items + batch - 1) / batch];
  };
  /// The number of words that hold a thread's head flags.
  static constexpr int head_words = (items + 31) / 32;
  /// Holds the head flags of each thread's items, one bit per item.
  struct heads {
    std::uint32_t words[head_words][warps * Device::warp_size];
  };
  /// Lists the heads in a warp's part of a tile: their number, and the positions of up to
  /// `heads_together` of them.
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

  // The shared memory of a block holds the parts below, and the stages. With a number of stages
  // that is fixed at compile time, all elements of an array lie together, and the stages follow.
  // With a number known at run time, what belongs to a stage lies before it, so that every address
  // is a constant plus a multiple of the stage's number.

  /// Holds one element of each stage at a distance of `run_time_pitch` bytes.
  template <class X>
  struct of_each_stage {
    X of_first;
    SAM_DEVICE X& operator[](int s) {
      return *reinterpret_cast<X*>(reinterpret_cast<std::byte*>(this) + s * run_time_pitch);
    }
  };
  template <class X, bool Fixed, int Stages = stages>
  using per_stage = std::conditional_t<Fixed, X[Stages], of_each_stage<X>>;

  /// Holds the parts that a block has once, whatever the number of stages.
  struct parts_of_block {
    typename traits::power::ring powers[tile_powers<traits>::values];
    std::conditional_t<stage_type::is_segmented_reduction, lists, nothing> lists_of;
  };
  /// Holds the parts that each stage has. Each barrier completes when the stated condition holds.
  /// With a fixed number of stages, the parts that a block has once are here, too.
  template <bool Fixed>
  struct parts_of_stages {
    template <class X, int Stages = stages>
    using of_stages = per_stage<X, Fixed, Stages>;
    using barriers = of_stages<typename Device::barrier>;
    template <int Values>
    using values = of_stages<uninitialized_array<T, Values>>;
    using power = typename traits::power::ring;
    // The tile is claimed. If only the last row is wanted, [0] is for the block's first tile.
    of_stages<typename Device::barrier, (load_warps > 1 ? stages : 1)> claimed;
    barriers full;         // the items are loaded
    barriers reduced;      // the warps' aggregates are written
    barriers published;    // the tile's aggregate is written
    barriers looked_back;  // the partial prefixes are written
    barriers prefixed;     // the exclusive prefixes of the warps are written
    barriers finished;     // the items are scanned
    barriers empty;        // the stage is free
    std::conditional_t<Fixed, power[tile_powers<traits>::values], nothing> powers;
    of_stages<index_t> tile;                               // its number, or no_tile
    of_stages<index_t, traits::fixed ? 1 : stages> panel;  // its panel, or [0] the first tile
    values<S * traits::Q> sum;                             // aggregate of the tile
    values<lookback_warps * S * traits::Q> parts;          // partial prefixes
    values<warps * S * state_pitch> sums;                  // aggregates of the warps
    values<warps * S * state_pitch> starts;  // of the warps: prefixes within the tile, then in all
    values<stage_type::is_selection ? 1 : warps * Device::warp_size * traits::Q>
        before;  // prefixes of the threads within their warp
    of_stages<std::conditional_t<stage_type::is_selection, kept, nothing>> kept_of;
    of_stages<std::conditional_t<stage_type::is_segmented_reduction, heads, nothing>> heads_of;
    std::conditional_t<Fixed && stage_type::is_segmented_reduction, lists, nothing> lists_of;
  };
  using fixed_layout = parts_of_stages<true>;
  struct alignas(128) record_of_stage : parts_of_stages<false> {
    // The tile is claimed, and the reduce warps may load it: see shares_loads.
    of_each_stage<typename Device::barrier> offered;
  };
  /// Precedes the stages; the records of stages but the first lie between them.
  struct run_time_layout : parts_of_block, record_of_stage {
    using parts_of_block::lists_of;
    using parts_of_block::powers;
  };

  static constexpr int stage_bytes = stage_type::bytes(tile_items);
  static constexpr int layout_bytes = aligned(int(sizeof(fixed_layout)));
  static constexpr int run_time_layout_bytes = int(sizeof(run_time_layout));
  static constexpr int run_time_pitch = int(sizeof(record_of_stage)) + stage_bytes;

  /// The shared memory of a block with the config's number of stages.
  static constexpr int shared_bytes = layout_bytes + stages * stage_bytes;
  /// Returns the shared memory of a block with a number of stages that is known at run time.
  static constexpr int shared_bytes_of(int stages) {
    return run_time_layout_bytes + stage_bytes + (stages - 1) * run_time_pitch;
  }

  // Valid in device code only, where they depend on the architecture that it is compiled for:
  static constexpr bool has_fixed_stages = Device::has_fixed_stages;
  using shared_layout = std::conditional_t<has_fixed_stages, fixed_layout, run_time_layout>;
  /// True if the reduce warps load the tiles that the load warp claims.
  static constexpr bool shares_loads =
      !Device::has_async_copies && has_reduce_warps && traits::fixed;
  /// True if load warps request tiles that blocks have yet to claim. Devices on which stages are
  /// fixed have room for enough tiles.
  static constexpr bool prefetches = !has_fixed_stages && traits::fixed;
  static constexpr int first_stage = has_fixed_stages ? layout_bytes : run_time_layout_bytes;
  static constexpr int stage_pitch = has_fixed_stages ? stage_bytes : run_time_pitch;
};

/// Marks, in place of a tile's number, that no tiles are left.
inline constexpr index_t no_tile = -1;

/// Holds the arguments of a launch.
template <class Device, class Job, class Policy, class Config>
struct scan_arguments {
  using config = scan_config<Device, Job, Policy, Config>;
  Job job;
  Policy policy;
  index_t n;
  typename config::tables tables;
  typename config::lookback_type::memory descriptors;
  int stages = 0;  // unless the device has a fixed number
};

}  // namespace sam::inline v0_1::gpu
