// SPDX-License-Identifier: MIT
// The memory through which the blocks of a pass descriptor_ring what they know: descriptor_ring.hpp
// has the protocol.
#pragma once

#include <sam/gpu/warp/column_panels.hpp>

namespace sam::gpu {

struct alignas(8) descriptor_word {
  std::uint32_t value;
  std::uint32_t sequence;
};

/// What stays from launch to launch; all zero at first.
struct control {
  static constexpr int epochs = 16;
  std::uint32_t base;    // the sequence number of what lies before tile 0
  std::uint32_t claims;  // tiles that have been claimed
  std::uint32_t left;    // blocks that are done
  std::uint32_t finished[epochs];
};

/// The memory of a pass's descriptor_ring.
struct descriptor_ring {
  control* shared;
  descriptor_word* words;
  index_t capacity;          // words there are
  std::uint32_t slots;       // 2 D, a power of two
  std::uint32_t window;      // D, at least 512
  std::uint32_t epoch_bits;  // E is 2 to the power of it; 4 D <= epochs x E
};

/// The descriptor_ring of a pass over panels: as many rings as `by` says. The base is one for all
/// of them, with the first ring's control; all else that is counted starts from zero in every
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
