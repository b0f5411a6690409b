// SPDX-License-Identifier: MIT
#pragma once

#include <sam/portable.hpp>

#ifdef __x86_64__
#include <cpuid.h>
#endif

namespace sam::host {

/// How fast, never what. One table for all host execution; rows are in bytes, so that they hold
/// for every item type. Evidence: perf/results, bench_scan.
struct tuning {
  /// A tile is read from memory once and again from the second-level cache.
  static constexpr index_t tile_bytes = 256 << 10;
  /// What is scanned into the first-level cache before it is streamed out, while as much of the
  /// next tile is fetched: small, so that reads and writes of memory overlap.
  static constexpr index_t piece_bytes = 1024;
  /// So far ahead of where they are packed, or reduced for good, are items fetched: the processor
  /// itself looks no further than to the end of a small page.
  static constexpr index_t ahead_bytes = 4096;
  /// As much of what goes to one of a few places is gathered in the first-level cache.
  static constexpr index_t gathered_bytes = 4096;
  /// Bits, one for each item, that keep what a caller's function said of the items when these are
  /// read again. A bound, because a context keeps a constant amount of memory.
  static constexpr index_t kept_answers_bytes = 1 << 20;
  /// What is made at a time of what needs no scan: enough that to find where it begins is little.
  static constexpr index_t made_bytes = 64 << 10;
  /// Outputs this large bypass the caches: they would only evict what is still needed.
  static constexpr index_t streaming_bytes = 16 << 20;
  /// Below this many bytes a call stays on the caller's thread.
  static constexpr index_t parallel_bytes = 64 << 10;
  /// Bits that a worker sets at a time, having searched for the first of them.
  static constexpr index_t marked_bits = 1 << 20;
  /// Of so many kinds of items a worker has several counters each.
  static constexpr index_t few_kinds = 513;
  /// Items that are sorted in the second-level cache, which holds three times as many.
  static constexpr index_t sorted_bytes = 256 << 10;
  /// The most items that one worker sorts without another pass over memory. They come from and go
  /// to the third-level cache, which takes less time than to split them once more.
  static constexpr index_t most_sorted_bytes = 2 << 20;
  /// From here on what a sort writes to many places bypasses the caches, or each line is read
  /// first.
  static constexpr index_t sorted_streaming_bytes = 1 << 20;
  /// Less than that in one place is not worth it.
  static constexpr index_t fewest_streamed_bytes = 4 << 10;
  /// More are first split by a digit of so many bits; of the last number only where smaller buckets
  /// are worth more than what stores to so many places take.
  static constexpr int fewest_split_bits = 8, usual_split_bits = 11, most_split_bits = 12;

  /// Whether heads by keys, which take as many loads as a scan, are packed between those of one:
  /// slower on AMD's family 26 (Zen 5), faster on all others that were measured.
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
