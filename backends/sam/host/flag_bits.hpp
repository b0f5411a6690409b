// SPDX-License-Identifier: MIT
// Flags of a byte each to flags of a bit each.
#pragma once

#include <sam/host/streaming.hpp>
#include <sam/job.hpp>

#include <bit>
#include <cstdint>
#include <cstring>

namespace sam::host {

/// A word whose lowest byte comes first in memory, or the word of such bytes.
inline std::uint64_t lowest_first(std::uint64_t word) {
  return std::endian::native == std::endian::little ? word : __builtin_bswap64(word);
}

/// Bit i % 8 of to[i / 8] becomes whether flag i of N is not 0. N is a power of two, at least 8.
template <int N>
void pack_flags(std::uint8_t const* flags, std::uint8_t* to) {
#ifdef SAM_HAVE_STREAMING_STORES
  namespace hn = hwy::HWY_NAMESPACE;
  hn::CappedTag<std::uint8_t, N> const d;
  int const width = static_cast<int>(hn::Lanes(d));
  for (int i = 0; i < N; i += width)
    hn::StoreMaskBits(d, hn::Ne(hn::LoadU(d, flags + i), hn::Zero(d)), to + i / 8);
#else
  constexpr std::uint64_t low_bits = 0x7f7f7f7f7f7f7f7f, ones = 0x0101010101010101;
  constexpr std::uint64_t gather = 0x0102040810204080;  // bit 8 k to bit 56 + k
  for (int i = 0; i < N; i += 8) {
    std::uint64_t word;
    std::memcpy(&word, flags + i, sizeof word);
    word = lowest_first(word);
    word |= (word & low_bits) + low_bits;  // now the highest bit of a byte that was not 0 is set
    to[i / 8] = static_cast<std::uint8_t>((word >> 7 & ones) * gather >> 56);
  }
#endif
}

/// 64 flags as bits, the first of them in the lowest.
inline std::uint64_t flag_word(std::uint64_t bits) { return bits; }
inline std::uint64_t flag_word(std::uint8_t const* flags) {
  std::uint64_t word;
  std::uint8_t bytes[64];  // Highway may write more than the bits
  pack_flags<64>(flags, bytes);
  std::memcpy(&word, bytes, sizeof word);
  return lowest_first(word);
}
inline std::uint64_t flag_word(flag_window const& some) { return flag_word(some.flags); }

}  // namespace sam::host
