// SPDX-License-Identifier: MIT
// Defines the global memory in which blocks that all run at the same time exchange values.
#pragma once

#include <sam/gpu/carry/descriptor_memory.hpp>

namespace sam::inline v0_1::gpu {

/// Holds the words by which the blocks of a launch exchange values. They keep their values from
/// launch to launch, and are zero before the first one.
///
/// A word is valid if its sequence number is one more than the number of earlier launches. Each
/// launch writes the words of all blocks that there could be, so that any other word is of the
/// launch before.
struct exchange_memory {
  static constexpr int most_blocks = 1024, most_words = 8;
  std::uint32_t launches;
  descriptor_word words[most_words][most_blocks];
};

}  // namespace sam::inline v0_1::gpu
