// SPDX-License-Identifier: MIT
// Defines the global memory in which the blocks of a single-pass scan exchange tile descriptors.
// descriptor_ring.hpp has the protocol.
#pragma once

#include <sam/gpu/warp/column_panels.hpp>

namespace sam::inline v0_1::gpu {

/// Holds four bytes of a value and the sequence number of their tile. Both are written and read by
/// one 8-byte access.
struct alignas(8) descriptor_word {
  std::uint32_t value;
  std::uint32_t sequence;
};

/// Holds the counters that all blocks share. They keep their values from launch to launch, and are
/// zero before the first one.
struct control {
  static constexpr int epochs = 16;
  std::uint32_t base;              // the sequence number of tile 0 is base + 1
  std::uint32_t claims;            // claimed tiles of this launch
  std::uint32_t left;              // blocks of this launch that have left
  std::uint32_t finished[epochs];  // finished tiles: epoch e is counted in finished[e % epochs]
  std::uint32_t must_ballot;       // of the context's sorts: see rank_choice
};

/// Describes a ring of tile descriptors. Kernels get it as an argument.
struct descriptor_ring {
  control* shared;
  descriptor_word* words;
  index_t capacity;          // size of `words`
  std::uint32_t slots;       // 2 D, a power of two
  std::uint32_t depth;       // the ring depth D, at least 512
  std::uint32_t epoch_bits;  // an epoch has E = 2^epoch_bits tiles; 4 D <= epochs x E
};

/// Describes the `by.rings` descriptor rings of a pass over column panels. All rings use the base
/// in the first ring's control. Their other counters start from zero in every launch.
struct panel_rings : descriptor_ring {
  panels by;
  index_t words_of_ring;

  /// Returns ring r.
  SAM_FUNCTION descriptor_ring ring(std::uint32_t r) const {
    descriptor_ring e = *this;
    e.shared += r;
    e.words += r * words_of_ring;
    return e;
  }
};

}  // namespace sam::inline v0_1::gpu
