// SPDX-License-Identifier: MIT
// This header converts flags of one byte or one lane each to flags of one bit each.
#pragma once

#include <sam/backend/job.hpp>
#include <sam/host/memory/streaming.hpp>

#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace sam::inline v0_1::host {

/// Converts a word to one whose lowest byte comes first in memory, and back.
inline std::uint64_t lowest_first(std::uint64_t word) {
  return std::endian::native == std::endian::little ? word : __builtin_bswap64(word);
}

/// Sets bit i % 8 of to[i / 8] if flag i of N is not 0, and clears it otherwise. N is a power of
/// two and at least 8.
template <int N>
void pack_flags(std::uint8_t const* flags, std::uint8_t* to) {
#ifdef SAM_HAVE_STREAMING_STORES
  namespace hn = hwy::HWY_NAMESPACE;
  hn::CappedTag<std::uint8_t, std::size_t{N}> const d;
  int const width = static_cast<int>(hn::Lanes(d));
  for (int i = 0; i < N; i += width)
    hn::StoreMaskBits(d, hn::Ne(hn::LoadU(d, flags + i), hn::Zero(d)), to + i / 8);
#else
  constexpr std::uint64_t low_bits = 0x7f7f7f7f7f7f7f7f, ones = 0x0101010101010101;
  constexpr std::uint64_t gather = 0x0102040810204080;  // moves bit 8 k to bit 56 + k
  for (int i = 0; i < N; i += 8) {
    std::uint64_t word;
    std::memcpy(&word, flags + i, sizeof word);
    word = lowest_first(word);
    word |= (word & low_bits) + low_bits;  // sets the highest bit of each nonzero byte
    to[i / 8] = static_cast<std::uint8_t>((word >> 7 & ones) * gather >> 56);
  }
#endif
}

/// Holds 64 flags, each all ones or all zeros in a lane as wide as T.
template <class T>
struct lane_window {
  alignas(64) T flags[64];
};

/// Stores 64 flags as the bits of 8 bytes, the first flag in the lowest bit of the first byte. The
/// function may also overwrite the 8 bytes behind them.
inline void put_flags(std::uint64_t bits, std::uint8_t* to) {
  bits = lowest_first(bits);
  std::memcpy(to, &bits, sizeof bits);
}
inline void put_flags(std::uint8_t const* flags, std::uint8_t* to) { pack_flags<64>(flags, to); }
inline void put_flags(flag_window const& some, std::uint8_t* to) { put_flags(some.flags, to); }

/// Returns 64 flags as a word, the first in the lowest bit.
inline std::uint64_t flag_word(std::uint64_t bits) { return bits; }
template <class Flags>
std::uint64_t flag_word(Flags const& flags) {
  std::uint64_t word;
  std::uint8_t bytes[2 * sizeof word];
  host::put_flags(flags, bytes);
  std::memcpy(&word, bytes, sizeof word);
  return lowest_first(word);
}

#ifdef SAM_HAVE_STREAMING_STORES
/// Returns a word with bit l set if lane l of a mask is true. A vector has at most 64 lanes.
template <class D, class Mask>
std::uint64_t word_of_mask(D d, Mask mask) {
  if constexpr (requires { requires std::is_integral_v<decltype(mask.raw)>; }) {
    return mask.raw;  // AVX-512
  } else {
    std::uint64_t word = 0;
    std::uint8_t bytes[sizeof word] = {};
    hwy::HWY_NAMESPACE::StoreMaskBits(d, mask, bytes);
    std::memcpy(&word, bytes, sizeof word);
    return host::lowest_first(word);
  }
}

/// Holds 64 flags as one mask per vector of lanes as wide as T. Bit l of mask k is flag
/// k * width + l.
template <class T>
struct vector_masks {
  static constexpr int width =
      static_cast<int>(hwy::HWY_NAMESPACE::MaxLanes(hwy::HWY_NAMESPACE::CappedTag<T, 64>()));
  static constexpr int vectors = 64 / width;
  std::uint64_t of_vectors[std::size_t{vectors}];
};

/// Returns the flags of masks as a word, the first in the lowest bit.
template <class T>
std::uint64_t flag_word(vector_masks<T> const& masks) {
  std::uint64_t word = 0;
#pragma GCC unroll 32
  for (int k = 0; k < masks.vectors; ++k)
    word |= masks.of_vectors[k] << k * masks.width;
  return word;
}
#endif

/// Returns the lowest bits of 64 bytes, each 0, 1 or all ones, as a word with the first in the
/// lowest bit.
inline std::uint64_t low_bits(flag_window const& some) {
#ifdef SAM_HAVE_STREAMING_STORES
  return host::flag_word(some);
#else
  constexpr std::uint64_t ones = 0x0101010101010101, gather = 0x0102040810204080;
  std::uint64_t bits = 0;
#pragma GCC unroll 8
  for (int k = 0; k < 8; ++k) {
    std::uint64_t word;
    std::memcpy(&word, some.flags + 8 * k, sizeof word);
    bits |= ((host::lowest_first(word) & ones) * gather >> 56) << 8 * k;
  }
  return bits;
#endif
}

/// Returns the 64 head flags from item i on as a word. i is a multiple of 64.
inline std::uint64_t word_of_heads(std::uint8_t const* heads, index_t i) {
  std::uint64_t word;
  std::memcpy(&word, heads + i / 8, sizeof word);
  return lowest_first(word);
}
/// True if any of `count` items is a head. `count` is a multiple of 64.
inline bool any_head(std::uint8_t const* heads, index_t count) {
  std::uint64_t any = 0;
  for (index_t i = 0; i < count; i += 64)
    any |= word_of_heads(heads, i);
  return any != 0;
}

}  // namespace sam::inline v0_1::host
