// SPDX-License-Identifier: MIT
// Flags of a byte each to flags of a bit each.
#pragma once

#include <sam/host/streaming.hpp>

#include <cstdint>
#include <cstring>

namespace sam::host {

#ifdef SAM_HAVE_STREAMING_STORES
/// Bit i % 8 of to[i / 8] is whether flag i of N is not 0. N is a power of two and at least 8.
template <int N>
void pack_flags(std::uint8_t const* flags, std::uint8_t* to) {
  namespace hn = hwy::HWY_NAMESPACE;
  hn::CappedTag<std::uint8_t, N> const d;
  int const width = static_cast<int>(hn::Lanes(d));
  for (int i = 0; i < N; i += width)
    hn::StoreMaskBits(d, hn::Ne(hn::LoadU(d, flags + i), hn::Zero(d)), to + i / 8);
}
#else
template <int N>
void pack_flags(std::uint8_t const* flags, std::uint8_t* to) {
  for (int i = 0; i < N; i += 8) {
    unsigned byte = 0;
    for (int k = 0; k < 8; ++k)
      byte |= static_cast<unsigned>(flags[i + k] != 0) << k;
    to[i / 8] = static_cast<std::uint8_t>(byte);
  }
}
#endif

}  // namespace sam::host
