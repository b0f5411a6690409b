// SPDX-License-Identifier: MIT
// This header compacts blocks of 64 values. One bit per value says whether the value is kept.
#pragma once

#include <sam/host/memory/streaming.hpp>
#include <sam/host/simd/flag_bits.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace sam::inline v0_1::host {

/// A block has this many values, on which a predicate is evaluated at once.
inline constexpr int packed_block = 64;

/// If a block keeps at most this many values, they are located one by one. If it keeps more, a loop
/// over all 64 values is faster.
inline constexpr int few_packed = 40;

/// Moves to `out` the `count` values whose bits are set. `out` has space for a whole block.
///
/// Moves eight values at a time. Later stores overwrite the surplus values. Only the number of
/// groups of eight is thus unpredictable, and values that are not kept cost nothing.
template <class V>
void pack_few(V const* values, std::uint64_t kept, int count, V* out) {
  constexpr std::uint64_t last = std::uint64_t{1} << 63;
  for (int k = 0; k < count; k += 8)
#pragma GCC unroll 8
    for (int l = 0; l < 8; ++l) {
      std::uint64_t bits = kept | last;  // never 0, which has no lowest set bit
#if defined(__GNUC__)
      // Forces the compiler to clear the bit in place. clang writes the result to another register,
      // and on Zen 5 the instruction waits for the old value of that register, which triples the
      // time.
      asm("" : "+r"(bits), "+r"(kept));
#endif
      out[k + l] = values[std::countr_zero(bits)];
      kept &= kept - 1;
    }
}

/// Appends to `out` the values of a block whose bits are set, and returns the end of the output.
/// `out` has space for a whole block. The loop has no branch on single values, since these are
/// unpredictable. Blocks in which all or no values are kept are frequent, and take a branch each.
template <class V>
V* pack_values(V const* values, std::uint64_t kept, V* out) {
  if (kept == 0)
    return out;
  if (kept == ~std::uint64_t{0}) {
    std::memcpy(static_cast<void*>(out), values, packed_block * sizeof(V));
    return out + packed_block;
  }
  if (int const count = std::popcount(kept); count <= few_packed) {
    host::pack_few(values, kept, count, out);
    return out + count;
  }
  for (int k = 0; k < packed_block; ++k) {
    *out = values[k];
    out += kept >> k & 1;
  }
  return out;
}

#if defined(SAM_HAVE_STREAMING_STORES) && HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
/// Repeats each of the lowest 64 / N bits N times.
template <int N>
constexpr std::uint64_t repeat_bits(std::uint64_t bits) {
  static_assert(N == 1 || N == 2 || N == 4);
  if constexpr (N == 1) {
    return bits;
  } else {
    bits = (bits | bits << 16) & 0x0000ffff0000ffff;
    bits = (bits | bits << 8) & 0x00ff00ff00ff00ff;
    bits = (bits | bits << 4) & 0x0f0f0f0f0f0f0f0f;
    bits = (bits | bits << 2) & 0x3333333333333333;
    bits = (bits | bits << 1) & 0x5555555555555555;
    return repeat_bits<N / 2>(bits | bits << 1);
  }
}

/// True if vectors of 64 bytes have a compress instruction for values of this size. Larger values
/// consist of several lanes of 4 bytes. Lanes of 1 or 2 bytes need AVX-512 VBMI2.
constexpr bool is_packed_by_vectors(std::size_t bytes) {
  return bytes == 4 || bytes == 8 || bytes == 16 ||
         (HWY_TARGET <= HWY_AVX3_DL && (bytes == 1 || bytes == 2));
}

/// Appends to `out` the values of a block whose bits are set, by compress instructions. On other
/// targets Highway uses tables, which are slower than the loop above.
template <class V>
requires(is_packed_by_vectors(sizeof(V))) V* pack_values(V const* values, std::uint64_t kept,
                                                         V* out) {
  namespace hn = hwy::HWY_NAMESPACE;
  using lane = std::conditional_t<sizeof(V) == 1, std::uint8_t,
                                  std::conditional_t<sizeof(V) == 2, std::uint16_t, std::uint32_t>>;
  constexpr int lanes_of_value = sizeof(V) / sizeof(lane);
  constexpr int at_once = 64 / sizeof(V);
  hn::ScalableTag<lane> const d;
  static_assert(hn::MaxLanes(d) == at_once * lanes_of_value);
  for (int k = 0; k < packed_block; k += at_once) {
    std::uint64_t const some = kept >> k & ~std::uint64_t{0} >> (packed_block - at_once);
    std::uint64_t const of_lanes = repeat_bits<lanes_of_value>(some);
    std::uint8_t mask[sizeof of_lanes];
    std::memcpy(mask, &of_lanes, sizeof of_lanes);
    auto const v = hn::LoadU(d, reinterpret_cast<lane const*>(values + k));
    hn::StoreU(hn::CompressBits(v, mask), d, reinterpret_cast<lane*>(out));
    out += std::popcount(some);
  }
  return out;
}
#endif

}  // namespace sam::inline v0_1::host
