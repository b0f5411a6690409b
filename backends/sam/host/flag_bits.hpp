// SPDX-License-Identifier: MIT
// Flags of a byte each to flags of a bit each.
#pragma once

#include <sam/host/streaming.hpp>
#include <sam/job.hpp>

#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

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
  hn::CappedTag<std::uint8_t, std::size_t{N}> const d;
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

/// Puts 64 flags where they are bits of bytes, the first in the lowest of the first. Up to as many
/// bytes behind these may be written, too.
inline void put_flags(std::uint64_t bits, std::uint8_t* to) {
  bits = lowest_first(bits);
  std::memcpy(to, &bits, sizeof bits);
}
inline void put_flags(std::uint8_t const* flags, std::uint8_t* to) { pack_flags<64>(flags, to); }
inline void put_flags(flag_window const& some, std::uint8_t* to) { put_flags(some.flags, to); }

/// Numbers are compared by vectors: if flags were bytes first, these would be loaded while several
/// stores to them wait to be done.
template <class T>
void put_flags(unequal_window<T> const& some, std::uint8_t* to) {
#ifdef SAM_HAVE_STREAMING_STORES
  if constexpr (std::is_arithmetic_v<T> && sizeof(T) <= 8) {
    namespace hn = hwy::HWY_NAMESPACE;
    using number =
        std::conditional_t<std::is_floating_point_v<T>, T, hwy::SignedFromSize<sizeof(T)>>;
    hn::CappedTag<number, 64> const d;
    int const width = static_cast<int>(hn::Lanes(d));
    if (width % 8 == 0 && some.last - some.first == 64) {
      auto const* const earlier = reinterpret_cast<number const*>(some.items + some.earlier);
      auto const* const later = reinterpret_cast<number const*>(some.items + some.later);
      for (int l = 0; l < 64; l += width) {
        auto const equal = hn::Eq(hn::LoadU(d, earlier + l), hn::LoadU(d, later + l));
        hn::StoreMaskBits(d, hn::Not(equal), to + l / 8);  // not Ne, which NaNs may be neither for
      }
      return;
    }
  }
#endif
  flag_window flags{};
  for (int l = some.first; l < some.last; ++l)
    flags.flags[l] = some.items[l + some.earlier] == some.items[l + some.later] ? 0 : 1;
  put_flags(flags, to);
}

/// The same flags as a word, the first in the lowest bit.
inline std::uint64_t flag_word(std::uint64_t bits) { return bits; }
template <class Flags>
std::uint64_t flag_word(Flags const& flags) {
  std::uint64_t word;
  std::uint8_t bytes[2 * sizeof word];
  host::put_flags(flags, bytes);
  std::memcpy(&word, bytes, sizeof word);
  return lowest_first(word);
}

/// 64 heads from item i on, a multiple of 64.
inline std::uint64_t word_of_heads(std::uint8_t const* heads, index_t i) {
  std::uint64_t word;
  std::memcpy(&word, heads + i / 8, sizeof word);
  return lowest_first(word);
}
inline bool any_head(std::uint8_t const* heads, index_t count) {
  std::uint64_t any = 0;
  for (index_t i = 0; i < count; i += 64)
    any |= word_of_heads(heads, i);
  return any != 0;
}

}  // namespace sam::host
