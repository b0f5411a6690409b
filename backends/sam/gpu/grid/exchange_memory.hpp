// SPDX-License-Identifier: MIT
// Defines the global memory in which blocks exchange values.
#pragma once

#include <sam/gpu/carry/descriptor_memory.hpp>

namespace sam::inline v0_1::gpu {

/// Holds the words by which blocks of a launch exchange values. They keep their values from launch
/// to launch, and are zero before the first one.
///
/// A word is valid if its sequence number is that of the launch, one more than the number of
/// earlier launches. Every 2^16th launch writes all words that there are, so that a word is never
/// so old that its number comes again.
struct exchange_memory {
  static constexpr int most_blocks = 1024, most_words = 8, most_bins = 2048;
  static constexpr std::uint32_t refreshing = 1 << 16;
  static constexpr int together = 4;  // words of consecutive blocks that are loaded at once
  struct alignas(16) vector {
    std::uint32_t of[together];
  };
  std::uint32_t launches;
  std::uint32_t claims;  // blocks of this launch that have claimed a number
  std::uint64_t sum;     // blocks that are done, and their sum or the greatest of their values
  descriptor_word words[most_words][most_blocks];
  std::uint32_t counts[2][most_blocks];  // which one kernel leaves for the next
  // The aggregates of tiles, which one kernel leaves for the next.
  vector aggregates[most_words][most_blocks / together];
  std::uint64_t bins[most_bins];  // which all blocks count in; zero after each launch
};

}  // namespace sam::inline v0_1::gpu
