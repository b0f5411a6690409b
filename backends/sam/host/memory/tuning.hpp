// SPDX-License-Identifier: MIT
// Defines the sizes that decide how fast the host engine is. None of them changes an integer
// result, and none but tile_bytes a floating-point result.
#pragma once

#include <sam/base/tuning_table.hpp>
#include <sam/portable.hpp>

#ifdef __x86_64__
#include <cpuid.h>
#endif
#if __has_include(<sam/tuning_table/host.hpp>)  // CMake writes it for SAM_TUNING
#include <sam/tuning_table/host.hpp>
#endif

namespace sam::inline v0_1::host {

/// Holds the released sizes. Most are in bytes, so that they hold for every item type.
/// Measurements: perf/results, bench_scan.
struct released_tuning {
  /// Describes a tuning table that was compiled in, if one was.
  static constexpr char const* table = "";

  // Sizes that no table changes.

  /// Sets the size of a tile, which fits in the second-level cache. It is read from memory once and
  /// then again from that cache. It determines how floats are grouped, so it is one constant for
  /// all machines: a result has the same bits on each of them.
  static constexpr index_t tile_bytes = 256 << 10;
  /// Bounds the size of the bit array that keeps the results of a caller's predicate, one bit per
  /// item, for a second read of the items. It is bounded because a context keeps constant memory.
  static constexpr index_t kept_answers_bytes = 1 << 20;
  /// Sets the tile size of generating jobs, which need no scan. It is large enough that the cost of
  /// finding the start of a tile is small.
  static constexpr index_t made_bytes = 64 << 10;
  /// Sets the size of such a tile below which another worker takes longer to start than it saves.
  static constexpr index_t least_made_bytes = 8 << 10;
  /// Sets the number of bits in the tile of a job that marks bits. Each tile begins with a search
  /// for the first offset in it.
  static constexpr index_t marked_bits = 1 << 20;

  // Sizes that a table may change when the program is built.

  /// Sets the prefetch distance of partitions, selections, splits of sorts and of reductions that
  /// read items once. The hardware prefetcher stops at the end of a 4 KiB page.
  static constexpr index_t ahead_bytes = 4096;
  /// Sets how many bytes of output a partition gathers in the first-level cache per step and part.
  static constexpr index_t gathered_bytes = 4096;
  /// Bounds the number of bins for which each worker of a histogram keeps several counters per bin.
  /// The tuner does not search it: the time of the loop depends more on how it is compiled.
  static constexpr index_t few_kinds = 513;

  // Sizes that a table may change when a program is built or starts. Engine code reads them from
  // `tuned`, declared below.

  /// Sets the size of a tile where its size does not change the result: in exact scans, selections
  /// and partitions.
  static constexpr index_t exact_tile_bytes = tile_bytes;
  /// Sets the size of the piece that is scanned into the first-level cache before it is stored,
  /// while an equal part of the next tile is prefetched. It is small so that memory reads and
  /// writes overlap.
  static constexpr index_t piece_bytes = 1024;
  /// Sets the size from which outputs bypass the caches, because they would evict data that is
  /// still needed.
  static constexpr index_t streaming_bytes = 16 << 20;
  /// Sets the size below which a call runs on the caller's thread.
  static constexpr index_t parallel_bytes = 64 << 10;
  /// Sets the size of a range that is sorted in the second-level cache, which holds three times as
  /// much.
  static constexpr index_t sorted_bytes = 256 << 10;
  /// Bounds the range that one worker sorts without a further split. It passes through the
  /// third-level cache, which takes less time than another split.
  static constexpr index_t most_sorted_bytes = 2 << 20;
  /// Sets the size from which a sort uses streaming stores for scattered output, because plain
  /// stores first read each line.
  static constexpr index_t sorted_streaming_bytes = 1 << 20;
  /// Sets the size of a contiguous output below which streaming stores do not pay off.
  static constexpr index_t fewest_streamed_bytes = 4 << 10;
  /// Set the digit widths of the split that precedes the sort of larger ranges. The widest is used
  /// only if buckets would else be too large: the gain then exceeds the cost of stores to so many
  /// buckets.
  static constexpr index_t fewest_split_bits = 8, usual_split_bits = 11, most_split_bits = 12;
};

/// Holds the sizes that this program is compiled with: the released ones, or those of a table.
#ifdef SAM_HAS_HOST_TUNING_TABLE
using tuning_constants = compiled_table<released_tuning>;
#else
using tuning_constants = released_tuning;
#endif

struct tuning : tuning_constants {
  /// True if a segmented scan by key computes its head flags interleaved with the scan of the tile
  /// before. That is slower on AMD family 26 (Zen 5) and faster on all other CPUs measured.
  static bool packs_keys_ahead() {
#ifdef __x86_64__
    static bool const is_family_26 = [] {
      unsigned id = 0, others[3];
      __get_cpuid(1, &id, others, others + 1, others + 2);
      return (id >> 8 & 0xf) + (id >> 20 & 0xff) == 26;
    }();
    return !is_family_26;
#else
    return true;
#endif
  }
};

/// Holds the sizes that a tuning table may change. See `tuning` for each.
struct tunables {
  index_t ahead_bytes = tuning::ahead_bytes;
  index_t gathered_bytes = tuning::gathered_bytes;
  index_t few_kinds = tuning::few_kinds;
  index_t exact_tile_bytes = tuning::exact_tile_bytes;
  index_t piece_bytes = tuning::piece_bytes;
  index_t streaming_bytes = tuning::streaming_bytes;
  index_t parallel_bytes = tuning::parallel_bytes;
  index_t sorted_bytes = tuning::sorted_bytes;
  index_t most_sorted_bytes = tuning::most_sorted_bytes;
  index_t sorted_streaming_bytes = tuning::sorted_streaming_bytes;
  index_t fewest_streamed_bytes = tuning::fewest_streamed_bytes;
  index_t fewest_split_bits = tuning::fewest_split_bits;
  index_t usual_split_bits = tuning::usual_split_bits;
  index_t most_split_bits = tuning::most_split_bits;
};

/// Lists the names and ranges of these sizes.
inline constexpr engine::tunable<tunables> all_tunables[] = {
    {"ahead_bytes", &tunables::ahead_bytes, 64, 65536, true},
    {"gathered_bytes", &tunables::gathered_bytes, 1024, 65536, true},
    {"few_kinds", &tunables::few_kinds, 1, 4096, true},
    {"exact_tile_bytes", &tunables::exact_tile_bytes, 16384, 8388608},
    {"piece_bytes", &tunables::piece_bytes, 256, 65536},
    {"streaming_bytes", &tunables::streaming_bytes, 1048576, 1073741824},
    {"parallel_bytes", &tunables::parallel_bytes, 4096, 67108864},
    {"sorted_bytes", &tunables::sorted_bytes, 16384, 8388608},
    {"most_sorted_bytes", &tunables::most_sorted_bytes, 65536, 33554432},
    {"sorted_streaming_bytes", &tunables::sorted_streaming_bytes, 65536, 1073741824},
    {"fewest_streamed_bytes", &tunables::fewest_streamed_bytes, 64, 1048576},
    {"fewest_split_bits", &tunables::fewest_split_bits, 1, 12},
    {"usual_split_bits", &tunables::usual_split_bits, 8, 14},
    {"most_split_bits", &tunables::most_split_bits, 8, 14},
};

/// Holds the values in use. The first context of a process sets them from a table, if there is one,
/// and nothing changes them while calls run.
inline tunables tuned;

}  // namespace sam::inline v0_1::host
