// SPDX-License-Identifier: MIT
#pragma once

#include <sam/cuda/device/device.hpp>
#include <sam/gpu/histogram.hpp>
#include <sam/gpu/merge_path/segment_path.hpp>
#include <sam/gpu/scan/pass_shape.hpp>
#include <sam/gpu/sort/counting/count_block.hpp>
#include <sam/gpu/sort/counting/counting_sort.hpp>
#include <sam/gpu/sort/merge/merge_runs.hpp>
#include <sam/gpu/sort/sort_counts.hpp>
#include <sam/gpu/sort/sort_ranks.hpp>

#include <tuple>

namespace sam::cuda {

/// How fast, never what. Evidence: perf/results.
struct tuning {
  /// Below this many bytes a scan is cut small, so that all multiprocessors have a part. The cut is
  /// of n alone, and so are the bits of a float.
  static constexpr index_t small_bytes = 8 << 20;
  /// Below this many two passes over the same bytes go at the same time.
  static constexpr index_t together_bytes = 192 << 20;
  /// More bits are marked only once the kernel before is done: blocks that started while its own
  /// still have much of shared memory are left with a small first-level cache.
  static constexpr index_t early_bits = 1 << 22;
  /// What a block may have of shared memory on the devices that `large` is for.
  static constexpr int shared_bytes = 224 << 10;

  /// How often the banks of shared memory are asked while a warp's lanes, each at the same item of
  /// its own run of `items` items, get it.
  template <class T, int S>
  static constexpr int bank_accesses(int items) {
    constexpr int size = int(sizeof(T)), banks = 32, bank = 4;
    constexpr int width = sam::max_of(gpu::access_bytes<T>, bank);
    constexpr int together = banks * bank / width;  // lanes that are served at a time
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

  /// Items of a scattering job are held in shared memory up to this size: so few bytes that a tile
  /// fits the smallest there is, 64 KiB. Larger ones are loaded twice.
  static constexpr int largest_held = 96;

  /// As many items a thread as fit, but for some that would have lanes wait for one another.
  template <class Job, class Pass, int Warps, int Stages>
  static constexpr int items() {
    using T = typename Job::summary;
    using traits = gpu::pass_traits<device, T, Pass>;
    using stage = gpu::stage_of<Job, Pass>;
    constexpr int size = int(sizeof(T));
    constexpr int threads = stage::counts ? 0 : Warps * device::warp_size;
    constexpr int states =
        (threads + (2 * Warps + 1 + gpu::mailbox_for<device, T, Pass>::warps) * traits::S) *
            traits::Q * size +
        (stage::totals ? 4 * threads + Warps * gpu::heads_together * 2 / Stages : 0) +
        256 * (1 + stage::pointers_type::count) +
        gpu::tile_powers<traits>::values * int(sizeof(typename traits::power::ring)) / Stages;
    constexpr int row = Warps * traits::runs * traits::S * stage::bits_of_item;
    constexpr int most = int(max_of((shared_bytes / Stages - states) * 8 / row, 1));
    if (stage::counts)
      return int(max_of(most / 8 * 8, 1));  // whole batches
    using value = typename stage::value;
    int best = most, fewest = bank_accesses<value, traits::S>(most);
    for (int i = most - 1; i > most * 2 / 3; --i)
      if (int const accesses = bank_accesses<value, traits::S>(i); accesses < fewest)
        best = i, fewest = accesses;
    return best;
  }
  /// More warps where each item costs more, or where only short runs meet all banks; fewer where
  /// what each thread keeps of its states takes up much of shared memory.
  template <class T, class Pass>
  static constexpr int warps = [] {
    bool const more = std::is_same_v<T, double> ||
                      (Pass::tuple_size > 1 && (sizeof(T) < 4 || Pass::tuple_size % 2 != 0));
    constexpr int others = 3 + gpu::mailbox_for<device, T, Pass>::warps;
    return int(min_of(more ? 12 : sizeof(T) >= 16 ? 6 : 8, (device::most_warps - others) / 2));
  }();

  /// Of tuples of any size: where a run's items take up two rows of banks and one more bank, lanes
  /// of one warp meet different banks whatever the size.
  template <class T>
  static constexpr int strip_items = int(1 + 2 * 128 / sizeof(T));
  static constexpr int strip_warps = 6;
  template <class T, class Pass>
  static constexpr int strip_stages = [] {
    using traits = gpu::pass_traits<device, T, Pass>;
    constexpr int warps = strip_warps, size = int(sizeof(T));
    constexpr int states =
        (warps * device::warp_size +
         (2 * warps + 1 + gpu::mailbox_for<device, T, Pass>::warps) * traits::S) *
        traits::Q * size;
    constexpr int stage = warps * device::warp_size * strip_items<T> * size + states + 512;
    constexpr int powers =
        gpu::tile_powers<traits>::values * int(sizeof(typename traits::power::ring));
    return int(max_of(2, min_of(5, (shared_bytes - powers) / stage)));
  }();

  /// Of the one block that works on the tiles' summaries: large states need the registers of many
  /// threads.
  template <class T, class Pass>
  static constexpr int states_warps =
      gpu::pass_traits<device, T, Pass>::Q* gpu::words_of<T> <= 2 ? 32 : 16;

  template <class T, class Pass>
  using strips = gpu::block_shape<strip_warps, strip_items<T>, strip_stages<T, Pass>, 1, true>;

  /// Whether a segmented scan reads as much for its segments as for its items: keys.
  template <class Job, class Pass>
  static constexpr bool reads_keys = [] {
    using stage = gpu::stage_of<Job, Pass>;
    return stage::arrays && stage::stores && stage::bits_of_item >= 64 &&
           sizeof(typename Job::summary) <= 8 && requires(typename Job::summary x) {
      x.heads;
    };
  }();
  /// Whether segments are reduced: items are looked at once, and little is sent.
  template <class Job, class Pass>
  static constexpr bool reduces_segments = gpu::stage_of<Job, Pass>::goes_at_once &&
                                           sizeof(typename Job::summary) <= 8;
  /// Whether kinds of items are told apart.
  template <class Job>
  static constexpr bool counts_kinds = requires(typename Job::summary x) {
    x.of;
  };
  /// Fewer tiles, and so larger ones, where to learn what lies before a tile would take longer than
  /// for its items to come: where little is sent, or keys are read.
  template <class Job, class Pass>
  static constexpr int stages = reads_keys<Job, Pass> || reduces_segments<Job, Pass> ? 3 : 4;
  template <class Job, class Pass, class T = typename Job::summary>
  static constexpr int large_warps = reads_keys<Job, Pass> || reduces_segments<Job, Pass> ? 12
                                     : counts_kinds<Job>                                  ? 10
                                                         : warps<T, Pass>;
  template <class Job, class Pass>
  using large_cut = gpu::block_shape<
      large_warps<Job, Pass>, items<Job, Pass, large_warps<Job, Pass>, stages<Job, Pass>>(),
      stages<Job, Pass>, 1,
      gpu::stage_of<Job, Pass>::counts || reads_keys<Job, Pass> || reduces_segments<Job, Pass>>;
  /// So many stages of tiles cut like that, or as many more as fit: a job may need less of each
  /// item than the one that it is cut as.
  template <class Job, class Pass, class Cut, int Stages>
  static constexpr int stages_that_fit() {
    using more = gpu::block_shape<Cut::warps, Cut::items, Stages + 1, Cut::blocks>;
    if constexpr (Stages < 12 &&
                  gpu::pass_shape<device, Job, Pass, more>::shared_bytes <= shared_bytes)
      return stages_that_fit<Job, Pass, Cut, Stages + 1>();
    else
      return Stages;
  }
  /// Where regrouping shows tiles are cut as a scan's are. Else narrow items are cut by themselves:
  /// a tile of as few as fit when wide would be done before the next one is there.
  template <class Job>
  using cut_for = std::conditional_t<is_exact<typename Job::summary> &&
                                         sizeof(typename Job::item) < sizeof(typename Job::summary),
                                     Job, cut_as_t<Job>>;
  template <class Job, class Pass>
  static constexpr auto large_for() {
    using cut = large_cut<cut_for<Job>, Pass>;
    if constexpr (gpu::is_followed<Job, Pass>)
      return gpu::block_shape<cut::warps, cut::items,
                              stages_that_fit<Job, Pass, cut, cut::stages>(), 1, true>{};
    else
      return cut{};
  }
  template <class Job, class Pass>
  using large = decltype(large_for<Job, Pass>());
  /// Half the warps where states are so large that a tile of these holds more.
  template <class Job, class Pass>
  static constexpr int small_warps = sizeof(typename Job::summary) > 16 &&
                                             4 * items<Job, Pass, 4, 11>() >
                                                 8 * items<Job, Pass, 8, 11>()
                                         ? 4
                                         : 8;
  template <class Job, class Pass, class T = typename Job::summary>
  using small_cut =
      gpu::block_shape<small_warps<Job, Pass>, items<Job, Pass, small_warps<Job, Pass>, 11>(), 2,
                       Pass::order == 1 && Pass::tuple_size == 1 && sizeof(T) == 4 ? 2 : 1>;
  template <class Job, class Pass>
  using small = small_cut<cut_as_t<Job>, Pass>;

  /// Of segments that are reduced along a path, and items of up to so many bytes.
  static constexpr index_t largest_of_path = 32;
  /// An odd number of steps, which lanes take from different banks.
  template <class Job, int Bytes>
  using path_of =
      gpu::path_shape<8, int(Bytes / (4 + max_of(4, index_t{sizeof(typename Job::item)}))) | 1>;
  /// Fewer of them on a path of fewer steps, so that more multiprocessors have a part.
  static constexpr index_t short_path = 1 << 17;
  template <class Job>
  using short_segment_path = path_of<Job, 40>;
  template <class Job>
  using segment_path = path_of<Job, 88>;
  using run_path = gpu::path_shape<8, 7>;

  /// Of a sort: two blocks a multiprocessor, of few warps that hold many items each. More warps
  /// would hide more of what a tile's steps wait for, but large tiles have fewer steps, and longer
  /// runs of a digit, which is what writing pairs is slow for want of.
  template <class Job>
  struct sort {
    using traits = gpu::sort_traits<Job>;
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
                           gpu::sort_shape<12, items(held, 48), 8, 2, 8>,
                           gpu::sort_shape<8, items(held, has_values_apart ? 48 : 70), 8, 2, 8>>;
    /// Of packed pairs of 8 bytes fewer, or a word of each tile would be spilled.
    static constexpr int small_registers = has_values_apart            ? 12
                                           : traits::packs && held > 4 ? 22
                                                                       : 24;
    using small = gpu::sort_shape<16, items(held, small_registers), 8, 2, 8>;
    /// Of so few keys that all such tiles are sorted at the same time, where others are larger: two
    /// blocks of a multiprocessor get on better than one with as many keys.
    using smaller = std::conditional_t<(small::items > 8), gpu::sort_shape<16, 8, 8, 2, 8>, small>;
    /// Blocks that sort few keys alone: of few warps, since each has counters to add up. A thread
    /// holds so many keys, or as many as have registers.
    template <int Warps, int Most>
    using block = gpu::sort_shape<
        Warps, int(min_of(Most, items(int(max_of(4, key_bytes)), Warps <= 8 ? 96 : 48))), 8, 1>;
    using blocks_by_digits =
        std::conditional_t<traits::keys_tell && (key_bytes == 2 || key_bytes == 4),
                           std::tuple<block<4, 8>, block<8, 16>, block<16, 16>, block<8, 64>>,
                           std::tuple<block<4, 8>, block<8, 16>, block<16, 16>>>;
    /// Others sort by comparisons, where what is compared fits a register or two, and all of it is
    /// sorted by: they have as many of these warps as there are keys for, or are as many of a
    /// cluster, if the device has such, or of several clusters. Who comes first and has room sorts;
    /// keys alone of 32 bits that two blocks have room for are sorted by a kernel that knows of
    /// two. Keys alone of 8 and 16 bits are counted and written; these by a cluster, whose blocks
    /// share the writing of more than 2^13, and without one by comparisons of up to 2^11, or by
    /// digits.
    using by_clusters =
        gpu::cluster_shape<4, sizeof(typename gpu::merge_items<Job>::item) <= 4 ? 16 : 8, 16>;
    template <int Most>
    using runs = gpu::runs_shape<by_clusters, Most, 4, 8>;
    static constexpr auto choose_blocks() {
      if constexpr (!gpu::merge_items<Job>::is_possible)
        return blocks_by_digits{};
      else if constexpr (!traits::keys_tell)
        return std::tuple_cat(std::tuple<by_clusters, runs<12>, gpu::merge_shape<8, 8>>{},
                              blocks_by_digits{});
      else if constexpr (key_bytes == 1)
        return std::tuple_cat(
            std::tuple<gpu::count_shape<8, 1>, gpu::count_shape<32, 1>, gpu::count_shape<32, 2>>{},
            blocks_by_digits{});
      else if constexpr (key_bytes == 2)
        return std::tuple<gpu::count_shape<16, 1, 16>, gpu::count_shape<16, 2, 16>,
                          gpu::count_shape<16, 4, 16, 1 << 15>,
                          gpu::count_shape<32, 4, 16, 1 << 17>, gpu::merge_shape<4, 16>,
                          block<16, 8>, block<16, 16>, block<8, 64>>{};
      else if constexpr (key_bytes <= 4)
        return std::tuple_cat(std::tuple<gpu::cluster_shape<4, 16, 2>, by_clusters, runs<16>,
                                         gpu::merge_shape<8, 16>, gpu::merge_shape<16, 32>>{},
                              blocks_by_digits{});
      else
        return std::tuple_cat(
            std::tuple<by_clusters, runs<64>, gpu::merge_shape<8, 8>, gpu::merge_shape<32, 16>>{},
            blocks_by_digits{});
    }
    using blocks = decltype(choose_blocks());
    using counts = gpu::counts_shape<32, 2, 8>;
    /// Blocks that sort short segments: threads hold so many keys, with a note of each. Of large
    /// keys few, in few threads, so that every device has room for a block.
    using window = std::conditional_t<
        key_bytes <= 4,
        std::conditional_t<traits::has_values, gpu::sort_shape<8, 12, 8, 4>,
                           gpu::sort_shape<6, 16, 8, 6>>,
        std::conditional_t<key_bytes <= 8, gpu::sort_shape<6, 16, 8, 4>,
                           std::conditional_t<key_bytes <= 16, gpu::sort_shape<8, 8, 8, 3>,
                                              gpu::sort_shape<key_bytes <= 64 ? 4 : 2,
                                                              key_bytes <= 64 ? 4 : 2, 8, 2>>>>;
    /// Where there are so few keys that each block has a multiprocessor of its own: room for long
    /// segments, so that as few as can be are left to further kernels.
    using roomy_window =
        std::conditional_t<key_bytes <= 8, gpu::sort_shape<16, key_bytes <= 4 ? 32 : 16, 8, 1>,
                           window>;
    /// Blocks that sort a segment each. A thread has so many items, or as many as have registers
    /// beside their places, and notes: eights of them, whose rows are fast to find.
    static constexpr int listed_items(int most, int registers) {
      int const fit = registers * 2 / (div_up(key_bytes, 4) * 2 + (traits::keys_tell ? 1 : 2));
      return int(max_of(1, min_of(most, fit < 8 ? fit : fit / 8 * 8)));
    }
    template <int Warps, int Most, int Registers, int Blocks>
    using listed_by = gpu::sort_shape<Warps, listed_items(Most, Registers), 8, Blocks>;
    using listed = std::tuple<listed_by<8, 16, 48, key_bytes <= 4 ? 4 : 2>, listed_by<8, 32, 80, 2>,
                              listed_by<16, 32, 80, 1>>;
    static constexpr index_t counts_bytes = (128 << 10) + 16;
    /// Keys of 16 bits are counted where they are too many for one block or cluster, at least so
    /// many by a pair of blocks: each has a table to write. Below so many they are written in
    /// smaller tiles.
    using counting = gpu::counting_shape<32, 4, 4, 16, 4, 2, 3072>;
    using counting_few = gpu::counting_shape<32, 4, 4, 16, 1, 2, 2048>;
    static constexpr index_t written_small = 1 << 20;
    static constexpr index_t counted_by_pair = 1 << 15;
    /// Below so many a multiprocessor, small tiles: few large ones would leave some of them idle.
    static constexpr index_t small_items =
        index_t{16} * large::warps * device::warp_size * large::items;
  };

  /// Of a histogram: registers for 64 bytes of items a thread; 256 bins have a counter a lane.
  using histogram = gpu::histogram_shape<16, 4, 2>;
  static constexpr index_t histogram_bytes = 96 << 10;
};

}  // namespace sam::cuda
