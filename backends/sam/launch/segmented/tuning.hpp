// SPDX-License-Identifier: MIT
// Sizes of the kernels for segments and runs.
#ifndef SAM_LAUNCH_SEGMENTED_TUNING_HPP
#define SAM_LAUNCH_SEGMENTED_TUNING_HPP

#include <sam/gpu/merge_path/segmented_reduce.hpp>
#include <sam/gpu/segmented/reduce_each_segment.hpp>
#include <sam/gpu/segmented/scan_chunks.hpp>
#include <sam/gpu/segmented/scan_each_segment.hpp>
#include <sam/gpu/segmented/scan_segments.hpp>
#include <sam/launch/device.hpp>

#include <bit>

namespace sam::inline v0_1::SAM_GPU_WARPS {

/// Sizes that are the same for all devices, since they determine how floats are grouped. Evidence:
/// perf/results.
struct path_tuning {
  /// The largest item, in bytes, that merge-path kernels take.
  static constexpr index_t largest_of_path = 32;
  /// A config whose threads take an odd number of path steps, so that lanes access different banks.
  template <class Job, int Bytes>
  using path_of =
      gpu::path_config<warps_of(8),
                       int(Bytes / (4 + max_of(4, index_t{sizeof(typename Job::item)}))) | 1>;
  template <class Job>
  using segmented_reduce_path = path_of<Job, 88>;
  using run_decode_path = gpu::path_config<warps_of(8), 7>;
};

/// Chooses the kernels for segments by offsets, and the threads of a segment. Evidence:
/// perf/results.
struct segment_tuning {
  // --- Few items --------------------------------------------------------------------------------

  /// True if lanes take the segments of few items by gpu::few_segments, for operators that it
  /// combines.
  static constexpr bool are_few(index_t n, index_t segments) {
    return n <= most_few_items && n / segments <= most_by_lanes && segments <= most_few_segments;
  }
  /// True if lanes scan them, too. Blocks scan very few segments in less time.
  static constexpr bool are_few_to_scan(index_t n, index_t segments) {
    return are_few(n, segments) &&
           (n / segments < least_mean_of_each || segments > most_by_blocks_of_few);
  }
  static constexpr index_t most_few_items = 1 << 16, most_few_segments = 1 << 20,
                           most_by_blocks_of_few = 64;
  /// Returns the logarithm of the lanes of a segment: one for 4 items of a segment a quarter longer
  /// than the mean, and up to 4 times as many, which longer ones need, unless that makes many
  /// threads.
  static int log_lanes_of_few(index_t n, index_t segments) {
    auto const items = std::uint32_t(engine::max_of(n / segments * 5 / 4, 1));
    index_t const wanted = std::bit_ceil(std::uint32_t(engine::div_up(items, items_of_thread)));
    index_t const more = min_of(4 * wanted, most_few_threads / segments);
    return segment_tuning::log_of(max_of(wanted, more), device::warp_size);
  }
  static constexpr index_t most_few_threads = 1 << 15;

  // --- Reductions -------------------------------------------------------------------------------

  template <class Job>
  using config =
      gpu::each_segment_config<warps_of(16),
                               int(max_of(1, 32 / max_of(4, index_t{sizeof(typename Job::total)}))),
                               4096, 64, context::most_chunks>;

  /// True if the operator chooses one of the items, which are computed with their indices.
  template <class Job>
  static constexpr bool chooses_items = requires(Job const job, typename Job::total const& x) {
    job.op.index_of_choice(x);
  };

  /// Up to this number of bytes, one kernel reduces all segments, however long they are.
  static constexpr index_t most_bytes = 1 << 20;
  /// The blocks of some warps that look for long segments, on each multiprocessor.
  static constexpr index_t searches_of_multiprocessor(int warps) {
    return max_of(1, 2 * warps_of(16) / warps);
  }
  /// Compares scans of marked segments with threads for each segment.
  enum class rate_of_scans { low, usual, high };
  /// True if segments have threads of their own. Many items in shorter segments are divided along a
  /// merge path, or marked and scanned. Scans of marked segments run at the rate of memory on
  /// devices with bulk copies, which segments of middle length do not reach with threads of their
  /// own. Without large tiles they are slower than these. `scans` tells which of both holds, if the
  /// choice decides no result.
  static constexpr bool has_threads(index_t n, index_t segments, index_t bytes,
                                    rate_of_scans scans) {
    if (bytes <= most_bytes)
      return true;
    index_t const mean = n / segments;
    return mean >= (scans == rate_of_scans::high && bytes >= least_scanned_with_bulk_copies
                        ? long_mean
                    : bytes >= least_scanned && scans != rate_of_scans::low ? least_mean_of_most
                                                                            : least_mean_of_many);
  }
  /// Returns the rate of scans of marked segments.
  template <class Job, class Context>
  static rate_of_scans rate(Context const& context) {
    using T = typename Job::total;
    if (!is_exact<T>)
      return rate_of_scans::usual;  // floats are grouped alike on all devices
    // Code with early starts has bulk copies as well. Scans that choose items compute each of them
    // twice, and wider totals than items make tiles smaller.
    if (context.starts_early())
      return chooses_items<Job> || sizeof(T) > sizeof(typename Job::item) ? rate_of_scans::usual
                                                                          : rate_of_scans::high;
    return index_t(context.shared_bytes()) * 12 < scan_memory::large_bytes * staged_bytes<Job>
               ? rate_of_scans::low
               : rate_of_scans::usual;
  }
  template <class... P>
  static constexpr index_t bytes_of_elements(std::type_identity<engine::pointers<P...>>) {
    return (index_t{0} + ... + index_t{sizeof(*std::declval<P const&>())});
  }
  /// The bytes of a tile for each item: those of its elements, or of a total if that has more.
  template <class Job>
  static constexpr index_t staged_bytes = max_of(
      bytes_of_elements(std::type_identity<decltype(std::declval<Job const&>().items.reads())>{}),
      index_t{sizeof(typename Job::total)});
  static constexpr index_t least_mean_of_many = 64, least_mean_of_most = 256;
  static constexpr index_t least_scanned = 64 << 20, least_scanned_with_bulk_copies = 256 << 20;
  // A thread has this many items of a segment of mean length. It has fewer as long as there are no
  // more than few_threads threads, or no more than most_threads and few_lanes of a segment.
  static constexpr index_t items_of_thread = 4, few_threads = 1 << 14, most_threads = 1 << 17,
                           few_lanes = 4;
  // A segment whose mean share is larger is reduced by a block. Warps take longer ones of many
  // segments, since they need not wait for each other, if the grouping decides no result.
  static constexpr index_t most_by_lanes = 128, most_by_warps = 2048, many_segments = 4096;
  // Lanes of segments are in blocks of few_warps up to most_by_few_warps threads.
  static constexpr int few_warps = warps_of(4), warps_of_lanes = warps_of(8);
  static constexpr index_t most_by_few_warps = 1 << 15;
  // Segments that are longer on average than long_mean have blocks of most_warps, unless they are
  // many_blocks or more: more blocks then run at the same time, and fewer warps wait at their ends.
  static constexpr int fewest_warps = warps_of(2), usual_warps = warps_of(8),
                       most_warps = warps_of(16);
  static constexpr index_t long_mean = 4096, many_blocks = 4096;

  /// Returns the shares for `segments` segments of n items in all. `may_vary` says that they decide
  /// no result, and that lanes may take neighbouring items.
  static gpu::segment_shares shares(index_t n, index_t segments, bool may_vary) {
    index_t const mean = n / segments;
    index_t const wanted = engine::div_up(mean, items_of_thread);
    if (mean <= (may_vary && segments >= many_segments ? most_by_warps : most_by_lanes)) {
      index_t const more =
          min_of(most_threads / segments, max_of(few_lanes, few_threads / segments));
      int const log_lanes = segment_tuning::log_of(max_of(wanted, more), device::warp_size);
      return {log_lanes, segments << log_lanes <= most_by_few_warps ? few_warps : warps_of_lanes};
    }
    int const most = mean > long_mean && segments < many_blocks ? most_warps : usual_warps;
    int const threads = 1 << segment_tuning::log_of(wanted, most * device::warp_size);
    return {-1, int(max_of(fewest_warps, threads / device::warp_size))};
  }

  // --- Scans ------------------------------------------------------------------------------------

  template <class Job,
            index_t Bytes = max_of(sizeof(typename Job::item), sizeof(typename Job::value))>
  using scan_tile = gpu::segment_tile_config<warps_of(16), Bytes == 1    ? 16
                                                           : Bytes <= 4  ? 8
                                                           : Bytes <= 8  ? 4
                                                           : Bytes <= 16 ? 2
                                                                         : 1>;
  template <class Job,
            index_t Bytes = max_of(sizeof(typename Job::item), sizeof(typename Job::value))>
  using scan_each =
      gpu::scan_each_config<warps_of(8), warps_of(4), int(max_of(1, 16 / max_of(4, Bytes))), 512>;
  /// True if segments have threads of their own. A block that scans a part of a long segment
  /// combines all that precedes it, so more items are scanned so only if long segments are few.
  static constexpr bool scans_each(index_t n, index_t segments, index_t tile_items) {
    index_t const mean = n / segments;
    return n <=
           (mean >= least_mean_of_each && mean <= tile_items ? most_of_each : most_of_any_each);
  }
  static constexpr index_t most_of_any_each = 1 << 16, most_of_each = 1 << 18,
                           least_mean_of_each = 64;
  /// Returns the logarithm of the lanes of a segment, or -1 for a block. Most segments take one
  /// turn. If they are few, they get more threads, so that each has fewer items.
  static int log_lanes_of_scan(index_t n, index_t segments) {
    index_t const mean = n / segments;
    if (mean > most_by_lanes || (mean >= least_mean_of_each && segments <= most_by_few_blocks))
      return -1;
    auto const wanted = std::bit_ceil(std::uint32_t(max_of(fewest_lanes, mean / 2)));
    return segment_tuning::log_of(max_of(wanted, few_threads / segments), device::warp_size);
  }
  static constexpr index_t most_by_few_blocks = 1 << 8, fewest_lanes = 2;
  /// True if blocks of few warps scan the segments: all but long ones, which fill more warps.
  static constexpr bool scans_by_few_warps(index_t n, index_t segments) {
    return n / segments <= most_by_scan_of_few;
  }
  static constexpr index_t most_by_scan_of_few = 512;

  /// True if tiles scan their segments without marks. Many items in short segments are scanned
  /// faster from marks, and so are segments of which many are longer than a tile.
  static constexpr bool scans_tiles(index_t n, index_t segments, index_t tile_items) {
    index_t const mean = n / segments;
    return mean <= tile_items / 2 && n <= (mean < least_mean ? most_of_short : most_of_tiles);
  }
  static constexpr index_t most_of_short = 1 << 18, most_of_tiles = 1 << 20, least_mean = 32;

  /// Blocks of a few warps walk along a chunk of tiles each. A thread has as many items as in
  /// tiles.
  template <class Job>
  using scan_chunk = gpu::segment_chunk_config<warps_of(8), scan_tile<Job>::items>;
  /// The threads of a multiprocessor that registers leave room for.
  static constexpr int threads_of_chunks = 1024;
  /// True if chunks may scan segments of these types: in code without bulk copies, whose scans of
  /// marked segments are slower. The grouping of values must change no bit, since other devices
  /// group them in another way. Chunks of other than four bytes an item are slower than marks.
  /// Counted items have not been timed in chunks.
  template <class Job>
  static constexpr bool may_scan_chunks =
      some_lack_bulk_copies && !Job::is_counted && is_exact<typename Job::value> &&
      sizeof(typename Job::item) == 4 && sizeof(typename Job::value) == 4;
  /// True if chunks scan segments. Code with early starts has bulk copies as well. What belongs to
  /// segments that are longer than a block combines is loaded twice.
  static bool scans_chunks(context const& context, index_t n, index_t segments) {
    index_t const mean = n / segments;
    return !context.starts_early() && n > most_of_tiles && mean >= least_mean_of_chunks &&
           mean <= most_mean_of_chunks;
  }
  static constexpr index_t least_mean_of_chunks = 256, most_mean_of_chunks = 1 << 15;
  /// A block combines up to so many items before its chunk; a second kernel scans after more.
  static constexpr index_t longest_lead_of_chunks = 1 << 16;

  /// Returns the logarithm of x, or of `most` if that is less, rounded down.
  static int log_of(index_t x, index_t most) {
    return int(std::bit_width(std::uint32_t(max_of(1, min_of(most, x)))) - 1);
  }

  // --- Selections -------------------------------------------------------------------------------

  /// True if a block for each segment finds its first k keys, without a sort of all keys. Segments
  /// are long, then, and few of their keys are found. The blocks of very few segments would leave
  /// most multiprocessors idle.
  static constexpr bool selects(index_t n, index_t segments, index_t k) {
    return segments >= fewest_selected_from && k <= most_selected &&
           n / segments >= max_of(least_selected_from, least_per_selected * k);
  }
  /// True if a warp finds the first k keys of each segment, in registers. Most segments fit there,
  /// then, and they are not so short that a sort of all is faster, which takes more kernels.
  static constexpr bool selects_by_warp(index_t n, index_t segments, index_t k, index_t longest) {
    return k <= most_of_warp && n <= segments * longest_of_warp &&
           (n / segments >= max_of(least_of_warp, k) ||
            (segments <= most_short_of_warp && longest <= longest_of_warp));
  }
  static constexpr index_t most_of_warp = 128, longest_of_warp = 1024, least_of_warp = 128,
                           most_short_of_warp = 1024;
  /// True if a block finds the first k keys of each segment, in registers: where single warps would
  /// not fill a device, or could not hold the keys. Most segments are about as long as the longest
  /// one, then. Blocks rank keys, in a time that grows as the square of k.
  static constexpr bool selects_in_registers(index_t n, index_t segments, index_t k,
                                             index_t longest) {
    index_t const few = index_t{1} << (k <= 64 ? 20 : 17), mean = n / segments;
    bool const fit =
        n <= few ? longest <= 8192 : longest_of_warp < longest && longest <= longest_in_registers;
    return fit && k <= most_of_warp && mean >= max_of(longest / 2, k) &&
           (mean >= least_of_warp || segments <= most_short_of_warp);
  }
  static constexpr index_t longest_in_registers = 4096;  // of many segments
  /// The warps of a block that takes a segment by each, and its blocks on a multiprocessor, as far
  /// as registers for all keys allow.
  static constexpr int select_warps = warps_of(4);
  template <class Key>
  static constexpr int select_blocks = sizeof(Key) <= 4 ? 8 : 4;
  static constexpr index_t most_selected_from = (index_t{1} << 32) - 1, fewest_selected_from = 4,
                           most_selected = 1024, least_selected_from = 512, least_per_selected = 8;
  /// The warps of a block, and the keys that its shared memory holds.
  struct select_block {
    int warps, capacity;
  };
  static constexpr select_block select_shape(index_t n, index_t segments, index_t k) {
    constexpr select_block small{warps_of(4), 1024};
    index_t const mean = n / segments;
    bool const leaves_idle = segments < many_selected_from && mean >= least_shared_by_more;
    if (4 * k <= small.capacity && mean < least_selected_by_large && !leaves_idle)
      return small;
    return {warps_of(segments <= few_selected_from ? 32 : 16), largest_select_capacity};
  }
  static constexpr int largest_select_capacity = int(4 * most_selected);
  // Small blocks take less time for all but the loads, and more of them run at the same time. With
  // fewer segments than these would be, larger blocks take long ones.
  static constexpr index_t least_selected_by_large = 1 << 16, least_shared_by_more = 1 << 13,
                           many_selected_from = 1024, few_selected_from = 128;
};

}  // namespace sam::inline v0_1::SAM_GPU_WARPS

#endif
