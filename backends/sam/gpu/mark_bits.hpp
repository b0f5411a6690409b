// SPDX-License-Identifier: MIT
// Bits that offsets set, in words that were cleared.
#pragma once

#include <sam/mark_job.hpp>

namespace sam::gpu {

/// What one thread does of a mark_job: some offsets that follow one another, of which most set bits
/// of one word or two. Each of these words is asked for once.
template <class Device, class Offset>
struct mark_some {
  static constexpr index_t offsets = 8;
  mark_job<Offset> job;

  SAM_FUNCTION void operator()(index_t thread) const {
    index_t const first = thread * offsets;
    index_t word = -1;
    std::uint32_t bits = 0;
    for (index_t k = 0; k < offsets; ++k) {
      index_t const bit = first + k < job.count ? job.bit(first + k) : -1;
      if (bit < 0 || bit >= job.bits)
        continue;
      if (bit >> 5 != word) {
        set(word, bits);
        word = bit >> 5, bits = 0;
      }
      bits |= 1u << (static_cast<unsigned>(bit) % 32);
    }
    set(word, bits);
  }

 private:
  SAM_FUNCTION void set(index_t word, std::uint32_t bits) const {
    if (bits != 0)
      Device::set_bits(job.words + word, bits);
  }
};

}  // namespace sam::gpu
