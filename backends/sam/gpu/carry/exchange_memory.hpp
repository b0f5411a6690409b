// SPDX-License-Identifier: MIT
// The memory through which the blocks of a pass exchange what they know: exchange.hpp has the
// protocol.
#pragma once

#include <sam/gpu/warp/strips.hpp>

namespace sam::gpu {

struct alignas(8) carry_word {
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

/// The memory of a pass's exchange.
struct exchange {
  control* shared;
  carry_word* words;
  index_t capacity;          // words there are
  std::uint32_t slots;       // 2 D, a power of two
  std::uint32_t window;      // D, at least 512
  std::uint32_t epoch_bits;  // E is 2 to the power of it; 4 D <= epochs x E
};

/// The exchange of a pass over strips: as many rings as `by` says. The base is one for all of them,
/// with the first ring's control; all else that is counted starts from zero in every launch.
struct strip_exchange : exchange {
  strips by;
  index_t words_of_ring;

  SAM_FUNCTION exchange ring(std::uint32_t r) const {
    exchange e = *this;
    e.shared += r;
    e.words += r * words_of_ring;
    return e;
  }
};

}  // namespace sam::gpu
