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
/// Selects the lane type that a compress instruction moves for values of V. A value of 16 bytes
/// consists of two lanes.
template <class V>
using packed_lane = hwy::UnsignedFromSize<sizeof(V) == 16 ? 8 : sizeof(V)>;

/// True if vectors of 64 bytes have a compress instruction for values of this size. Lanes of 1 or 2
/// bytes need AVX-512 VBMI2.
constexpr bool is_packed_by_vectors(std::size_t bytes) {
  return bytes == 4 || bytes == 8 || bytes == 16 ||
         (HWY_TARGET <= HWY_AVX3_DL && (bytes == 1 || bytes == 2));
}

/// Appends to `out` the lanes of the vector at `from` whose mask bits are set.
template <class Lane>
Lane* pack_lanes(Lane const* from, std::uint64_t mask, Lane* out) {
  namespace hn = hwy::HWY_NAMESPACE;
  hn::ScalableTag<Lane> const d;
  auto const v = hn::LoadU(d, from);
  if constexpr (sizeof(Lane) == 8) {
    // Highway looks up the moves of these lanes in a table of 2 KiB, which g++ copies to the stack.
    _mm512_storeu_si512(out, _mm512_maskz_compress_epi64(static_cast<__mmask8>(mask), v.raw));
  } else {
    std::uint8_t bytes[sizeof mask];
    std::memcpy(bytes, &mask, sizeof mask);
    hn::StoreU(hn::CompressBits(v, bytes), d, out);
  }
  return out + std::popcount(mask);
}

/// Repeats each of the lowest 32 bits once.
constexpr std::uint64_t double_bits(std::uint64_t bits) {
  bits = (bits | bits << 16) & 0x0000ffff0000ffff;
  bits = (bits | bits << 8) & 0x00ff00ff00ff00ff;
  bits = (bits | bits << 4) & 0x0f0f0f0f0f0f0f0f;
  bits = (bits | bits << 2) & 0x3333333333333333;
  bits = (bits | bits << 1) & 0x5555555555555555;
  return bits | bits << 1;
}

/// Appends to `out` the values of a block whose bits are set, by compress instructions. On other
/// targets Highway uses tables, which are slower than the loop above.
template <class V>
requires(is_packed_by_vectors(sizeof(V))) V* pack_values(V const* values, std::uint64_t kept,
                                                         V* out) {
  using lane = packed_lane<V>;
  constexpr int at_once = 64 / sizeof(V), lanes_of_value = sizeof(V) / sizeof(lane);
  auto const* const from = reinterpret_cast<lane const*>(values);
  auto* to = reinterpret_cast<lane*>(out);
  for (int k = 0; k < packed_block; k += at_once) {
    std::uint64_t const some = kept >> k & ~std::uint64_t{0} >> (packed_block - at_once);
    to = host::pack_lanes(from + k * lanes_of_value, lanes_of_value == 2 ? double_bits(some) : some,
                          to);
  }
  return reinterpret_cast<V*>(to);
}

/// Appends to `out` the values of a block whose bits are set in masks, each of which is for one
/// vector of values.
template <class V, class T>
requires(is_packed_by_vectors(sizeof(V)) &&
         sizeof(T) == sizeof(V)) V* pack_values(V const* values, vector_masks<T> const& kept,
                                                V* out) {
  using lane = packed_lane<V>;
  auto* to = reinterpret_cast<lane*>(out);
#pragma GCC unroll 8
  for (int k = 0; k < kept.vectors; ++k)
    to = host::pack_lanes(reinterpret_cast<lane const*>(values + k * kept.width),
                          kept.of_vectors[k], to);
  return reinterpret_cast<V*>(to);
}

/// True if pack_values takes vector_masks of lanes as wide as T for values of V.
template <class T, class V>
inline constexpr bool is_packed_by_masks = is_packed_by_vectors(sizeof(V)) &&
                                           sizeof(T) == sizeof(V);
#else
template <class T, class V>
inline constexpr bool is_packed_by_masks = false;
#endif

}  // namespace sam::inline v0_1::host
