// SPDX-License-Identifier: MIT
// Holds the tuning constants of CPU execution, and the one processor check that depends on a CPU
// model.
#pragma once

#include <sam/portable.hpp>

#ifdef __x86_64__
#include <cpuid.h>
#endif

namespace sam::host {

/// Holds the constants that affect speed but not results. Sizes are in bytes, so that they suit
/// every item type. Evidence: perf/results, bench_scan.
struct tuning {
  /// Size of a tile, which is read once from memory and again from the second-level cache.
  static constexpr index_t tile_bytes = 256 << 10;
  /// Size of a piece, which is scanned into the first-level cache and then streamed out while the
  /// same amount of the next tile is prefetched. It is small so that memory reads and writes
  /// overlap.
  static constexpr index_t piece_bytes = 1024;
  /// Distance of prefetches ahead of items that are packed or finally reduced. The hardware
  /// prefetcher stops at the end of a 4 KiB page.
  static constexpr index_t ahead_bytes = 4096;
  /// Bytes gathered in the first-level cache for each of a few output places before they are
  /// written.
  static constexpr index_t gathered_bytes = 4096;
  /// Size of the bits, one per item, that save results of the caller's predicate for the second
  /// read of the items. It is bounded because a context keeps a constant amount of memory.
  static constexpr index_t kept_answers_bytes = 1 << 20;
  /// Bytes of output generated at a time when no scan is needed. Large enough that finding where
  /// they begin costs little.
  static constexpr index_t made_bytes = 64 << 10;
  /// Outputs of at least this size bypass the caches, where they would only evict data still in
  /// use.
  static constexpr index_t streaming_bytes = 16 << 20;
  /// Calls on fewer bytes stay on the caller's thread.
  static constexpr index_t parallel_bytes = 64 << 10;
  /// Number of bits that a worker sets at a time, after it has searched for the first of them.
  static constexpr index_t marked_bits = 1 << 20;
  /// Largest number of kinds of items for which a worker keeps several counters per kind.
  static constexpr index_t few_kinds = 513;
  /// Bytes of items that are sorted in the second-level cache, which holds three times as many.
  static constexpr index_t sorted_bytes = 256 << 10;
  /// Largest number of bytes that one worker sorts without another pass over memory. They fit in
  /// the third-level cache, which takes less time than another split.
  static constexpr index_t most_sorted_bytes = 2 << 20;
  /// Sorts of at least this size bypass the caches when they write to many places. Otherwise each
  /// written line would be read first.
  static constexpr index_t sorted_streaming_bytes = 1 << 20;
  /// Smallest number of bytes per place for which bypassing the caches pays.
  static constexpr index_t fewest_streamed_bytes = 4 << 10;
  /// Digit bits of a split of larger arrays. The most are used only where smaller buckets are worth
  /// more than the cost of stores to so many places.
  static constexpr int fewest_split_bits = 8, usual_split_bits = 11, most_split_bits = 12;

  /// True if head flags computed from keys are packed between the loads of a scan. Computing them
  /// takes as many loads as the scan. It is slower on AMD's family 26 (Zen 5), and faster on all
  /// other processors that were measured.
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

}  // namespace sam::host
