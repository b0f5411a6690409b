// SPDX-License-Identifier: MIT
// This file defines the global memory of a descriptor ring, through which blocks exchange tile
// aggregates and inclusive prefixes. descriptor_ring.hpp explains the protocol.
#pragma once

#include <sam/gpu/warp/column_panels.hpp>

namespace sam::gpu {

/// Holds 32 bits of a value and the sequence number of the tile they belong to. Both are read and
/// written by one 8-byte access.
struct alignas(8) descriptor_word {
  std::uint32_t value;
  std::uint32_t sequence;
};

/// Holds the counters of a ring. They keep their values between launches and are zero before the
/// first.
struct control {
  static constexpr int epochs = 16;
  std::uint32_t base;    // sequence number of the state before tile 0
  std::uint32_t claims;  // tiles claimed so far
  std::uint32_t left;    // blocks that have left the kernel
  // Tiles finished, by epoch; see descriptor_ring.hpp.
  std::uint32_t finished[epochs];
};

/// Points to the counters and descriptor words of a ring and holds its dimensions.
struct descriptor_ring {
  control* shared;
  descriptor_word* words;
  index_t capacity;          // number of words
  std::uint32_t slots;       // 2 D, a power of two
  std::uint32_t window;      // ring depth D, at least 512
  std::uint32_t epoch_bits;  // log2 of the tiles per epoch, E; 4 D <= epochs * E
};

/// Holds the descriptor rings of a kernel over column panels, `by.rings` of them. All rings share
/// one base, stored in the first ring's control. All other counters start from zero in every
/// launch.
struct panel_rings : descriptor_ring {
  panels by;
  index_t words_of_ring;

  SAM_FUNCTION descriptor_ring ring(std::uint32_t r) const {
    descriptor_ring e = *this;
    e.shared += r;
    e.words += r * words_of_ring;
    return e;
  }
};

}  // namespace sam::gpu
