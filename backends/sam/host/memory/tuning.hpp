// SPDX-License-Identifier: MIT
// Defines the tuning constants of all host execution. They affect speed only, never results.
#pragma once

#include <sam/portable.hpp>

#ifdef __x86_64__
#include <cpuid.h>
#endif

namespace sam::inline v0_1::host {

/// Holds the tuning constants. Most sizes are in bytes, so that they hold for every item type.
/// Measurements: perf/results, bench_scan.
struct tuning {
  /// Sets the size of a tile, which fits in the second-level cache. It is read from memory once and
  /// then again from that cache.
  static constexpr index_t tile_bytes = 256 << 10;
  /// Sets the size of the piece that is scanned into the first-level cache before it is stored,
  /// while an equal part of the next tile is prefetched. It is small so that memory reads and
  /// writes overlap.
  static constexpr index_t piece_bytes = 1024;
  /// Sets the prefetch distance of partitions, selections and of reductions that read items once.
  /// The hardware prefetcher stops at the end of a 4 KiB page.
  static constexpr index_t ahead_bytes = 4096;
  /// Sets how many bytes of output a partition gathers in the first-level cache per step and part.
  static constexpr index_t gathered_bytes = 4096;
  /// Bounds the size of the bit array that keeps the results of a caller's predicate, one bit per
  /// item, for a second read of the items. It is bounded because a context keeps constant memory.
  static constexpr index_t kept_answers_bytes = 1 << 20;
  /// Sets the tile size of generating jobs, which need no scan. It is large enough that the cost of
  /// finding the start of a tile is small.
  static constexpr index_t made_bytes = 64 << 10;
  /// Sets the size from which outputs bypass the caches, because they would evict data that is
  /// still needed.
  static constexpr index_t streaming_bytes = 16 << 20;
  /// Sets the size below which a call runs on the caller's thread.
  static constexpr index_t parallel_bytes = 64 << 10;
  /// Sets the number of bits in the tile of a job that marks bits. Each tile begins with a search
  /// for the first offset in it.
  static constexpr index_t marked_bits = 1 << 20;
  /// Bounds the number of bins for which each worker of a histogram keeps several counters per bin.
  static constexpr index_t few_kinds = 513;
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
  static constexpr int fewest_split_bits = 8, usual_split_bits = 11, most_split_bits = 12;

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

}  // namespace sam::inline v0_1::host
