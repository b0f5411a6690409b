// SPDX-License-Identifier: MIT
// Provides stores that bypass the caches. A scan's output is not read again soon, and a plain store
// first reads the line it writes: 3n traffic instead of 2n.
#pragma once

#include <sam/portable.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

#if __has_include(<hwy/highway.h>) && !defined(SAM_WITHOUT_HIGHWAY) && \
    !defined(__CUDACC__) && !defined(__HIPCC__)
#ifndef HWY_WANT_AVX3_DL
#define HWY_WANT_AVX3_DL  // Highway 1.0 refuses such CPUs without it
#endif
#if !(defined(__PCLMUL__) && defined(__AES__)) && !defined(HWY_DISABLE_PCLMUL_AES)
#define HWY_DISABLE_PCLMUL_AES  // else x86-64-vN, which lacks both, becomes SSSE3
#endif
#include <hwy/cache_control.h>
#include <hwy/highway.h>
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128  // these have no streaming stores
#define SAM_HAVE_STREAMING_STORES 1
#endif
#endif

namespace sam::host {

#ifdef SAM_HAVE_STREAMING_STORES
inline constexpr bool has_streaming_stores = true;

/// Copies bytes as memcpy does, with streaming stores. Call `streaming_fence` before another thread
/// reads the result.
inline void streaming_copy(void* to, void const* from, std::size_t bytes) {
  namespace hn = hwy::HWY_NAMESPACE;
  hn::ScalableTag<std::uint8_t> const d;
  std::size_t const width = hn::Lanes(d);
  auto* out = static_cast<std::uint8_t*>(to);
  auto const* in = static_cast<std::uint8_t const*>(from);
  std::size_t const past = reinterpret_cast<std::uintptr_t>(out) % width;
  if (past != 0) {
    std::size_t const head = width - past < bytes ? width - past : bytes;
    std::memcpy(out, in, head);
    out += head, in += head, bytes -= head;
  }
  for (; bytes >= width; out += width, in += width, bytes -= width)
    hn::Stream(hn::LoadU(d, in), d, out);
  std::memcpy(out, in, bytes);
}
/// Stores a vector with streaming stores to an address that is a multiple of its size. Highway's
/// vectors may be narrower.
template <class Vector>
void streaming_store(void* to, Vector const& v) {
  namespace hn = hwy::HWY_NAMESPACE;
  hn::CappedTag<std::uint8_t, sizeof v> const d;
  auto* const out = static_cast<std::uint8_t*>(to);
  auto const* const in = reinterpret_cast<std::uint8_t const*>(&v);
  for (std::size_t k = 0; k < sizeof v; k += hn::Lanes(d))
    hn::Stream(hn::LoadU(d, in + k), d, out + k);
}
inline void streaming_fence() { hwy::FlushStream(); }

#else
inline constexpr bool has_streaming_stores = false;
inline void streaming_copy(void* to, void const* from, std::size_t bytes) {
  std::memcpy(to, from, bytes);
}
template <class Vector>
void streaming_store(void* to, Vector const& v) {
  std::memcpy(to, &v, sizeof v);
}
inline void streaming_fence() {}
#endif

/// Wraps a pointer for kernels that store by vectors. Such stores bypass the caches; each goes to
/// one cache line.
template <class T>
struct streamed {
  T* items;

  streamed operator+(index_t i) const { return {items + i}; }
  T& operator[](index_t i) const { return items[i]; }
};

}  // namespace sam::host
