// SPDX-License-Identifier: MIT
// Defines streaming (non-temporal) stores, which bypass the caches. A plain store first reads the
// cache line that it writes, so that a scan moves 3n items instead of 2n. A scan's output is not
// read again soon.
#pragma once

#include <sam/portable.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

#if __has_include(<hwy/highway.h>) && !defined(SAM_WITHOUT_HIGHWAY) && \
    !defined(__CUDACC__) && !defined(__HIPCC__)
#ifndef HWY_WANT_AVX3_DL
#define HWY_WANT_AVX3_DL  // else Highway 1.0 does not compile for a CPU that has it
#endif
#if !(defined(__PCLMUL__) && defined(__AES__)) && !defined(HWY_DISABLE_PCLMUL_AES)
#define HWY_DISABLE_PCLMUL_AES  // x86-64 levels lack these; else Highway falls back to SSSE3
#endif
#include <hwy/cache_control.h>
#include <hwy/highway.h>
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128  // those two have plain stores only
#define SAM_HAVE_STREAMING_STORES 1
#endif
#endif

namespace sam::inline v0_1::host {

#ifdef SAM_HAVE_STREAMING_STORES
inline constexpr bool has_streaming_stores = true;

/// Copies like memcpy, with streaming stores. The caller must call `streaming_fence` before another
/// thread may read the result.
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
/// Stores one vector with streaming stores. The address is a multiple of the vector's size. The
/// loop covers vectors wider than Highway's.
template <class Vector>
void streaming_store(void* to, Vector const& v) {
  namespace hn = hwy::HWY_NAMESPACE;
  hn::CappedTag<std::uint8_t, sizeof v> const d;
  auto* const out = static_cast<std::uint8_t*>(to);
  auto const* const in = reinterpret_cast<std::uint8_t const*>(&v);
  for (std::size_t k = 0; k < sizeof v; k += hn::Lanes(d))
    hn::Stream(hn::LoadU(d, in + k), d, out + k);
}
/// Orders the streaming stores of this thread before its later stores.
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

/// Wraps an output array so that the vector stores of a kernel bypass the caches. Each vector lies
/// in one cache line.
template <class T>
struct streamed {
  T* items;

  streamed operator+(index_t i) const { return {items + i}; }
  T& operator[](index_t i) const { return items[i]; }
};

}  // namespace sam::inline v0_1::host
