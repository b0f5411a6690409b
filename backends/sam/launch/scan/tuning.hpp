// SPDX-License-Identifier: MIT
// Tile sizes of scans and of other jobs over tiles.
#ifndef SAM_LAUNCH_SCAN_TUNING_HPP
#define SAM_LAUNCH_SCAN_TUNING_HPP

#include <sam/gpu/few_items/one_cluster_kernel.hpp>
#include <sam/gpu/few_items/two_kernels.hpp>
#include <sam/gpu/scan/reduce_kernel.hpp>
#include <sam/gpu/scan/scan_config.hpp>
#include <sam/launch/device.hpp>

namespace sam::inline v0_1::SAM_GPU_WARPS {

/// Sizes that are the same for all devices. They determine how floats are grouped, so a tuning
/// table changes them for integers only. Evidence: perf/results.
struct scan_tuning {
  /// Shared memory, in bytes, that a block may use on the devices that `large` is for.
  static constexpr int shared_bytes = scan_memory::large_bytes;
  static constexpr int small_parts = scan_memory::small_parts;
  /// Numbers of stages where the host chooses them: as many as fit, within these bounds.
  static constexpr int most_stages = 12;
  static constexpr int least_stages = 2;

  /// Returns how many shared-memory transactions a warp needs when each lane loads an item at the
  /// same position of its own run of `items` items. Bank conflicts make it larger.
  template <class T, int S>
  static constexpr int bank_accesses(int items) {
    constexpr int size = int(sizeof(T)), banks = device::banks, bank = 4;
    constexpr int width = engine::max_of(gpu::access_bytes<T>, bank);
    constexpr int together = banks * bank / width;  // lanes served per transaction
    constexpr int lanes = device::warp_size / S * S;
    int all = 0;
    for (int first = 0; first < lanes; first += together) {
      int most = 0, words[banks] = {}, seen[banks][banks] = {};
      for (int lane = first; lane < min_of(first + together, lanes); ++lane)
        for (int w = 0; w < width / bank; ++w) {
          int const word = (lane / S * items * S + lane % S) * size / bank + w;
          int const at = word % banks;
          bool is_new = true;
          for (int k = 0; k < words[at]; ++k)
            is_new = is_new && seen[at][k] != word;
          if (is_new)
            seen[at][words[at]++] = word;
          most = max_of(most, words[at]);
        }
      all += most;
    }
    return all;
  }

  /// Returns the number of items per thread: as many as fit, or up to a third fewer if that avoids
  /// bank conflicts.
  template <class Job, class Policy, int Warps, int Stages>
  static constexpr int items() {
    using T = typename Job::accumulator;
    using traits = gpu::policy_traits<device, T, Policy>;
    using stage = gpu::stage_of<Job, Policy>;
    constexpr int size = int(sizeof(T));
    constexpr int threads = stage::is_selection ? 0 : Warps * device::warp_size;
    constexpr int states =
        (threads + (2 * Warps + 1 + gpu::lookback_for<device, T, Policy>::warps) * traits::S) *
            traits::Q * size +
        (stage::is_segmented_reduction ? 4 * threads + Warps * gpu::heads_together * 2 / Stages
                                       : 0) +
        256 * (1 + stage::pointers_type::count) +
        gpu::tile_powers<traits>::values * int(sizeof(typename traits::power::ring)) / Stages;
    constexpr int row = Warps * traits::runs * traits::S * stage::bits_of_item;
    constexpr int most = int(max_of((shared_bytes / Stages - states) * 8 / row, 1));
    if (stage::is_selection)
      return int(max_of(most / 8 * 8, 1));  // whole batches
    using value = typename decltype([] {    // what all threads access
      if constexpr (stage::stages_places)
        return std::type_identity<typename stage::inputs::first::element>{};
      else
        return std::type_identity<typename stage::value>{};
    }())::type;
    int best = most, fewest = bank_accesses<value, traits::S>(most);
    for (int i = most - 1; i > most * 2 / 3; --i)
      if (int const accesses = bank_accesses<value, traits::S>(i); accesses < fewest)
        best = i, fewest = accesses;
    return best;
  }
  /// The most scan warps of a block, which has as many reduce warps, and some others.
  template <class T, class Policy>
  static constexpr int
      most_scan_warps = (device::most_warps - 3 - gpu::lookback_for<device, T, Policy>::warps) / 2;
  /// The number of scan warps. More warps help when an item costs more, or when only short runs
  /// avoid bank conflicts. Fewer are used when the states of threads take much shared memory.
  template <class T, class Policy>
  static constexpr int warps = [] {
    bool const more = std::is_same_v<T, double> ||
                      (Policy::tuple_size > 1 && (sizeof(T) < 4 || Policy::tuple_size % 2 != 0));
    constexpr int others = 3 + gpu::lookback_for<device, T, Policy>::warps;
    constexpr index_t usual = is_exact<T> ? tuning::exact_scan_warps : 8;
    return int(min_of(self::warps_of(more              ? 12
                                     : sizeof(T) >= 16 ? scan_memory::wide_warps
                                                       : int(usual)),
                      (device::most_warps - others) / 2));
  }();

  /// Items per thread for column panels. A run of whole rows of banks plus one bank avoids bank
  /// conflicts for every tuple size.
  template <class T>
  static constexpr int panel_items = int(1 + scan_memory::panel_rows * 128 / sizeof(T));
  /// Warps that scan column panels. A block has as many reduce warps, seven others, and look-back
  /// warps of up to 256 lanes.
  static constexpr int panel_warps =
      int(min_of(warps_of(6), (device::most_warps - 7 - 256 / device::warp_size) / 2));
  template <class T, class Policy>
  static constexpr int panel_stages = [] {
    using traits = gpu::policy_traits<device, T, Policy>;
    constexpr int warps = panel_warps, size = int(sizeof(T));
    constexpr int states =
        (warps * device::warp_size +
         (2 * warps + 1 + gpu::lookback_for<device, T, Policy>::warps) * traits::S) *
        traits::Q * size;
    constexpr int stage = warps * device::warp_size * panel_items<T> * size + states + 512;
    constexpr int powers =
        gpu::tile_powers<traits>::values * int(sizeof(typename traits::power::ring));
    return int(max_of(2, min_of(5, (shared_bytes - powers) / stage)));
  }();

  /// Warps of the single block that scans the tiles' aggregates. Large states need many registers,
  /// which limits the number of threads.
  template <class T, class Policy>
  static constexpr int spine_warps = gpu::policy_traits<device, T, Policy>::Q* gpu::words_of<T> <= 2
                                         ? warps_of(32)
                                         : warps_of(16);

  template <class T, class Policy>
  using panels = gpu::block_config<panel_warps, panel_items<T>, panel_stages<T, Policy>, 1, true>;

  /// True for a segmented scan by keys, which reads as many bytes for its segments as for its
  /// items.
  template <class Job, class Policy>
  static constexpr bool reads_keys = [] {
    using stage = gpu::stage_of<Job, Policy>;
    return stage::arrays && stage::stores && stage::bits_of_item >= 64 &&
           sizeof(typename Job::accumulator) <= 8 && requires(typename Job::accumulator x) {
      x.heads;
    };
  }();
  /// True for a reduction of segments, which loads each item once and stores little.
  template <class Job, class Policy>
  static constexpr bool reduces_segments = gpu::stage_of<Job, Policy>::stores_while_scanning &&
                                           sizeof(typename Job::accumulator) <= 12;
  /// True if the accumulator counts kinds of items, as a partition does.
  template <class Job>
  static constexpr bool counts_kinds = requires(typename Job::accumulator x) {
    x.of;
  };
  /// Pipeline stages. Jobs that store little or that read keys use fewer stages and thus larger
  /// tiles: with small tiles the look-back would take longer than the loads.
  template <class Job, class Policy>
  static constexpr int stages = reads_keys<Job, Policy> || reduces_segments<Job, Policy>
                                    ? scan_memory::reading_stages
                                : is_exact<typename Job::accumulator>
                                    ? int(tuning::exact_scan_stages)
                                    : scan_memory::float_stages;
  template <class Job, class Policy, class T = typename Job::accumulator>
  static constexpr int
      large_warps = int(min_of(reads_keys<Job, Policy> || reduces_segments<Job, Policy>
                                   ? warps_of(sizeof(T) <= 8 ? scan_memory::reading_warps : 8)
                               : counts_kinds<Job> ? warps_of(scan_memory::kinds_warps)
                                                   : warps<T, Policy>,
                               most_scan_warps<T, Policy>));
  /// True if blocks claim tiles early, and read few groups of aggregates together. These jobs spend
  /// more time on a tile's claim and look-back than on its loads.
  template <class Job, class Policy>
  static constexpr bool claims_early = gpu::stage_of<Job, Policy>::is_selection ||
                                       reads_keys<Job, Policy> || reduces_segments<Job, Policy>;
  template <class Job, class Policy>
  using large_tile =
      gpu::block_config<large_warps<Job, Policy>,
                        items<Job, Policy, large_warps<Job, Policy>, stages<Job, Policy>>(),
                        stages<Job, Policy>, 1, claims_early<Job, Policy>>;
  /// Returns how many stages of tiles of this size fit. A job may need less shared memory per item
  /// than the job whose tile size it copies.
  template <class Job, class Policy, class Cut, int Stages>
  static constexpr int stages_that_fit() {
    using more = gpu::block_config<Cut::warps, Cut::items, Stages + 1, Cut::blocks>;
    if constexpr (Stages < 12 &&
                  gpu::scan_config<device, Job, Policy, more>::shared_bytes <= shared_bytes)
      return stages_that_fit<Job, Policy, Cut, Stages + 1>();
    else
      return Stages;
  }
  /// The job that determines the tile size. If regrouping changes results, it is the scan's, so
  /// that results agree. Otherwise narrow items use a tile size of their own: a tile of as few
  /// items as fit when wide would be done before the next one arrives.
  template <class Job>
  using tile_size_job =
      std::conditional_t<is_exact<typename Job::accumulator> &&
                             sizeof(typename Job::item) < sizeof(typename Job::accumulator),
                         Job, tiled_like_t<Job>>;
  template <class Job, class Policy>
  static constexpr auto large_for() {
    using cut = large_tile<tile_size_job<Job>, Policy>;
    if constexpr (gpu::uses_reduce_epilogue<Job, Policy>)
      return gpu::block_config<cut::warps, cut::items,
                               stages_that_fit<Job, Policy, cut, cut::stages>(), 1, true>{};
    else
      return cut{};
  }
  template <class Job, class Policy>
  using large = decltype(large_for<Job, Policy>());
  /// True if small tiles have half as many warps: states are so large that a tile of 4 warps holds
  /// more items than one of 8, or the threads of 8 warps would have too few registers.
  template <class Job, class Policy>
  static constexpr bool has_few_small_warps =
      sizeof(typename Job::accumulator) > 16
          ? scan_memory::few_small_wide_warps
                || items<Job, Policy, warps_of(4), small_parts>() >
                       2 * items<Job, Policy, warps_of(8), small_parts>()
          : sizeof(typename Job::accumulator) == 16 && scan_memory::few_small_wide_warps;
  template <class Job, class Policy>
  static constexpr int
      small_warps = int(min_of(has_few_small_warps<Job, Policy> ? warps_of(4) : warps_of(8),
                               most_scan_warps<typename Job::accumulator, Policy>));
  template <class Job, class Policy, class T = typename Job::accumulator>
  using small_tile =
      gpu::block_config<small_warps<Job, Policy>,
                        items<Job, Policy, small_warps<Job, Policy>, small_parts>(), 2,
                        Policy::order == 1 && Policy::tuple_size == 1 && sizeof(T) == 4 ? 2 : 1,
                        claims_early<Job, Policy>>;
  template <class Job, class Policy>
  using small = small_tile<tiled_like_t<Job>, Policy>;
  /// True if a job of many items may have medium tiles, on devices without space for large ones.
  /// This is limited to integers, whose results do not depend on the tile size, and leaves out
  /// narrow ones, of which a small tile has enough.
  template <class Job, class Policy>
  static constexpr bool
      has_medium = scan_memory::medium_bytes > 0 && sizeof(typename Job::accumulator) >= 4 &&
                   is_exact<typename Job::accumulator>&& single_pass_scheme<typename Policy::carry>;
  template <class Job, class Policy, class Tile>
  static constexpr bool fits_as_medium =
      gpu::scan_config<device, Job, Policy, Tile>::shared_bytes_of(2) <= scan_memory::medium_bytes;
  /// Returns the config with the most items per thread of which two stages fit.
  template <class Job, class Policy, int Warps, int Parts = scan_memory::medium_parts>
  static constexpr auto medium_of_warps() {
    using tile = gpu::run_time_stages_config<Warps, items<Job, Policy, Warps, Parts>()>;
    if constexpr (Parts >= small_parts || fits_as_medium<Job, Policy, tile>)
      return tile{};
    else
      return medium_of_warps<Job, Policy, Warps, Parts + 1>();
  }
  /// Returns the config with the largest tile of `Warps` to 12 warps. Whole batches of some numbers
  /// of warps leave much of the memory unused.
  template <class Job, class Policy, int Warps>
  static constexpr auto largest_medium() {
    constexpr auto tile = medium_of_warps<Job, Policy, Warps, scan_memory::medium_parts - 1>();
    if constexpr (Warps >= warps_of(12)) {
      return tile;
    } else {
      constexpr auto other = largest_medium<Job, Policy, Warps + 1>();
      if constexpr (other.warps * other.items > tile.warps * tile.items &&
                    fits_as_medium<Job, Policy, std::remove_const_t<decltype(other)>>)
        return other;
      else
        return tile;
    }
  }
  /// Returns the config of medium tiles. Totals of segments have few warps if threads then have no
  /// more than `most_medium_items`: lists and states of fewer threads leave room for more items.
  /// Selections of two arrays have the largest tiles.
  template <class Job, class Policy>
  static constexpr auto medium_for() {
    constexpr auto usual = medium_of_warps<Job, Policy, small_warps<Job, Policy>>();
    if constexpr (gpu::stage_of<Job, Policy>::stages_totals) {
      constexpr auto few =
          medium_of_warps<Job, Policy, int(min_of(warps_of(4), small_warps<Job, Policy>))>();
      if constexpr (few.items <= most_medium_items)
        return few;
      else
        return usual;
    } else if constexpr (engine::selecting_pairs<forward_job_of<Job>>) {
      return largest_medium<Job, Policy, warps_of(7)>();
    } else {
      return usual;
    }
  }
  static constexpr int most_medium_items = 44;
  template <class Job, class Policy>
  using medium = decltype(medium_for<Job, Policy>());

  // --- Few items: one block or one cluster ------------------------------------------------------

  /// The most blocks of a cluster: the portable limit, which all devices with clusters support.
  static constexpr int most_cluster_blocks = 8;
  /// The blocks by which a job of few items runs. Larger accumulators of scans, and partitions into
  /// two, are as fast by tiles (perf/results), unless offsets would be marked by another kernel.
  /// Other orders have not been compared.
  template <class Job, class Policy>
  static constexpr int cluster_blocks = [] {
    constexpr bool marks = requires(Job const j) { j.marks.words; };
    constexpr bool in_one_block = requires { requires Job::in_one_block; };
    using T = typename Job::accumulator;
    constexpr index_t most_bytes = engine::reducing_segments<Job> && is_exact<T> ? 20 : 8;
    constexpr bool is_plain = Policy::order == 1 && sizeof(T) <= most_bytes;
    return marks || (is_plain && !in_one_block) ? most_cluster_blocks : 1;
  }();
  /// Items per thread, in one or two 16-byte vectors where items are that small.
  template <class T>
  static constexpr int cluster_items = sizeof(T) == 1    ? 16
                                       : sizeof(T) <= 4  ? 8
                                       : sizeof(T) <= 16 ? 4
                                                         : 2;
  /// An estimate of the registers of a thread that hold items, aggregates and states.
  template <class Job, class Policy, class T = typename Job::accumulator>
  static constexpr int cluster_registers =
      cluster_items<T>*(gpu::words_of<T> + gpu::words_of<typename Job::item>)+4 *
      gpu::policy_traits<device, T, Policy>::Q* gpu::words_of<T>;
  static constexpr int fewest_cluster_warps = warps_of(16);
  /// An upper bound, in bytes, of the shared memory of a block of some warps: items, aggregates of
  /// warps and blocks, and a head flag for each item.
  template <class Job, class Policy>
  static constexpr int cluster_bytes(int warps) {
    using T = typename Job::accumulator;
    constexpr int of_warp = device::warp_size * cluster_items<T>, size = int(sizeof(T));
    constexpr int state =
        Policy::tuple_size * gpu::policy_traits<device, T, Policy>::Q * (size + 3);
    return warps * (gpu::staged_items<device, T>::places(of_warp) * size + state + of_warp / 8) +
           most_cluster_blocks * state + 64;
  }
  static constexpr int most_cluster_bytes = 48 << 10;
  /// True if a job only ever has more items than a cluster takes: one that counts items in 64 bits,
  /// or one of the two jobs of a partition, which few items do not need.
  template <class Job, class T = typename Job::accumulator>
  static constexpr bool has_many_items = [] {
    if constexpr (requires { requires Job::has_many_items; })
      return true;
    else if constexpr (requires(T x) { x.heads; })
      return sizeof(decltype(T::heads)) > 4;
    else if constexpr (predicated<forward_job_of<Job>>)
      return sizeof(T) > 4;
    else
      return counts_kinds<Job>;
  }();
  /// True if a job over few items runs in one cluster. Larger states or items would not fit in
  /// registers, nor larger accumulators in shared memory. A carry scheme other than the default one
  /// asks for the kernels that have it.
  template <class Job, class Policy>
  static constexpr bool has_cluster = [] {
    if constexpr (Policy::tuple_size == run_time_tuple || Policy::tuple_size > device::warp_size ||
                  !std::is_same_v<typename Policy::carry, carry::decoupled> || has_many_items<Job>)
      return false;
    else
      return cluster_registers<tiled_like_t<Job>, Policy> <= 80 &&
             cluster_bytes<Job, Policy>(fewest_cluster_warps) <= most_cluster_bytes;
  }();
  /// The config depends on the items of a scan, so that a reduction combines items in the same way.
  template <class Job, class Policy>
  static constexpr int cluster_warps = [] {
    constexpr int most = int(max_of(
        fewest_cluster_warps, min_of(device::most_warps, device::warp_size / Policy::tuple_size)));
    constexpr int registers = cluster_registers<tiled_like_t<Job>, Policy>;
    return registers > 40 || cluster_bytes<Job, Policy>(most) > most_cluster_bytes
               ? fewest_cluster_warps
               : most;
  }();
  template <class Job, class Policy>
  using cluster =
      gpu::few_items_config<cluster_warps<Job, Policy>, cluster_items<typename Job::accumulator>,
                            cluster_blocks<Job, Policy>>;

  // --- Few items: two kernels -------------------------------------------------------------------

  /// True if two kernels may run a job in a CUDA graph, by gpu::two_kernel_scan. Results must not
  /// depend on whether a stream is captured, so that accumulators are exact, or are combined as a
  /// cluster does. Offsets would be marked by another kernel.
  template <class Job, class Policy>
  static constexpr bool has_two_kernels = [] {
    constexpr bool marks = requires(Job const j) { j.marks.words; };
    if constexpr (scan_memory::has_two_kernels && !marks && has_cluster<Job, Policy>)
      return gpu::runs_by_two_kernels<device, Job, Policy> &&
             (is_exact<typename Job::accumulator> ||
              (Policy::tuple_size == 1 && cluster_blocks<Job, Policy> > 1));
    else
      return false;
  }();
  /// Tiles are small, so that few items have many blocks. They are larger where more aggregates
  /// would have to be combined: for up to 2^20 items, and for tuples.
  /// Evidence: perf/results/two_kernels_h200.txt, also for the limits below.
  template <class Job, class Policy>
  static constexpr auto two_kernels_for() {
    using T = typename Job::accumulator;
    constexpr int warps = warps_of(8), most = gpu::exchange_memory::most_blocks;
    constexpr int items = sizeof(T) <= 4 || Policy::tuple_size > 1 ? 4 : 2;
    using like = cluster<Job, Policy>;
    if constexpr (is_exact<T>)
      return gpu::few_items_config<warps, items, most>{};
    else
      return gpu::grouped_config<warps, like::items, like::blocks * like::warps / warps,
                                 like::warps>{};
  }
  template <class Job, class Policy>
  using two_kernels = decltype(two_kernels_for<Job, Policy>());
  /// The blocks of which a multiprocessor has room.
  static constexpr int two_kernel_blocks = 4;
  /// The fewest items of such a job, and the most. It has more than one block takes, or than one
  /// block takes as fast: 2^11 with exact accumulators above 4 bytes. Selections of counted items
  /// end earlier, because all their tiles run.
  template <class Job, class Policy, class T = typename Job::accumulator>
  static constexpr index_t least_for_two_kernels = [] {
    constexpr index_t of_block =
        gpu::one_cluster_scan<device, Job, Policy, cluster<Job, Policy>>::block_items;
    return 1 + (is_exact<T> && sizeof(T) > 4 ? min_of(of_block, 1 << 11) : of_block);
  }();
  template <class Job, class Policy, class T = typename Job::accumulator>
  static constexpr index_t most_for_two_kernels =
      min_of(sizeof(T) > 4 || engine::selecting_first<Job> ? 1 << 18
             : sizeof(T) == 4                              ? 1 << 20
                                                           : 1 << 19,
             gpu::two_kernel_scan<device, Job, Policy, two_kernels<Job, Policy>>::most_items);

  /// Ways to partition items that one block does not take: by two kernels, one that counts and one
  /// that places, by them in a graph only, or otherwise.
  enum class split_way { twice, twice_in_graph, other };
  /// Returns the way for `bytes` bytes in items of `kinds` kinds, where inputs of fewer than
  /// `small_bytes` bytes are small. For few bytes, the launch of a second kernel costs the host
  /// more than it saves, but not in a graph. Without clusters that holds for the most bytes of two
  /// kinds, too; three kinds always take two kernels there, which end before one whose blocks run
  /// together.
  static constexpr split_way way_to_split(int kinds, index_t bytes, index_t small_bytes,
                                          bool has_clusters) {
    bool const always = kinds == 3 && !has_clusters;
    index_t const most = always ? most_to_split_in_three : most_to_split_twice;
    if ((bytes - 1) / most >= small_bytes)
      return split_way::other;
    bool const is_most = bytes / most >= small_bytes;
    return always || (bytes >= least_to_split_twice && (has_clusters || !is_most))
               ? split_way::twice
               : split_way::twice_in_graph;
  }
  static constexpr index_t least_to_split_twice = 2 << 20;  // bytes, where the host launches them
  /// The most bytes, as a multiple of small_bytes: 16 MiB, and 2^28 bytes of three kinds without
  /// clusters.
  static constexpr index_t most_to_split_twice = 2, most_to_split_in_three = 32;
  /// The fewest bytes of a partition into two that counts items first. Fewer bytes do not make up
  /// for the launch of a second kernel.
  static constexpr index_t least_to_count_first = 8 << 20;

  /// True if more items than a cluster takes may be partitioned by blocks that all run at the same
  /// time, where the device can do that and items have at most 16 bytes.
  static constexpr bool splits_together = true;
  /// The shared memory of a block, in bytes, from which on other ways are faster for two kinds on
  /// devices with clusters, and for more items of three kinds than shared memory holds. Large tiles
  /// of selections fit there.
  static constexpr index_t least_to_split_apart = 112 << 10;
  /// True if blocks that all run at the same time are the fastest way for what two kernels do not
  /// take.
  static constexpr bool splits_together_in(int kinds, index_t shared_bytes, bool has_clusters,
                                           bool holds_all) {
    return shared_bytes < least_to_split_apart || (kinds == 2 ? !has_clusters : holds_all);
  }
  /// The warps of such a block, and the blocks on a multiprocessor.
  static constexpr int split_warps = warps_of(16), split_blocks = 2;

  /// Warps of a block that reduces items in any order.
  static constexpr int reduce_warps = warps_of(16);

  /// The fewest stages of large tiles where the host chooses them. Two blocks with small tiles are
  /// faster than one with two large tiles, unless threads have large states.
  template <class Job, class Policy>
  static constexpr int least_large_stages = small<Job, Policy>::blocks > 1 ? 3 : least_stages;
};

}  // namespace sam::inline v0_1::SAM_GPU_WARPS

#endif
