// SPDX-License-Identifier: MIT
// Has the part of the Device type that copies tiles between global and shared memory.
#pragma once

#include <sam/hip/device/shared_memory.hpp>

namespace sam::inline v0_1::hip {

/// Copies between global and shared memory through registers, by vector loads and stores.
template <int Warp>
struct device_copies : device_shared_memory<Warp> {
 private:
  using base = device_shared_memory<Warp>;
  using vector = typename instructions<Warp>::vector;

 public:
  using barrier = typename base::barrier;
  static constexpr bool has_async_copies = false;
  static constexpr bool copies_rows = false;
  static constexpr int row_arrivals = 0;

  /// Copies `bytes` from global to shared memory by warp `part` of `parts`; all lanes call it. `to`
  /// and `from` are equal modulo 16. The warp arrives at `full` when its part is there.
  static SAM_DEVICE void bulk_load(std::byte* to, std::byte const* from, int bytes, barrier& full,
                                   int part = 0, int parts = 1) {
    copy<8>(to, from, bytes, int(-reinterpret_cast<std::uintptr_t>(from) % 16), part, parts);
    base::sync_warp();
    if (base::lane() == 0)
      full.arrive();
  }
  /// Brings `bytes` from `from` on to L2; all lanes of a warp call it, and wait. Most AMD GPUs have
  /// no instruction for it, so each lane loads a byte of some lines.
  static SAM_DEVICE void prefetch(std::byte const* from, int bytes) {
#ifndef SAM_HIP_NO_PREFETCH
    constexpr int line = 128;
    int any = 0;
#pragma unroll 4
    for (int at = line * base::lane(); at < bytes; at += line * Warp)
      any |= int(from[at]);
    static_cast<void>(base::opaque(any));  // so that the loads are not left out
#endif
  }
  static SAM_DEVICE void fill_rows(std::byte*, std::byte const*, int, int, std::int64_t, int,
                                   barrier&) {}
  /// Copies `bytes` from shared to global memory; all lanes of a warp call it. `to` and `from` are
  /// equal modulo 16.
  static SAM_DEVICE void bulk_store(std::byte* to, std::byte const* from, int bytes) {
    copy<4>(to, from, bytes, int(-reinterpret_cast<std::uintptr_t>(to) % 16), 0, 1);
  }
  static SAM_DEVICE void await_sent() {}

 private:
  /// Copies the 16-byte pieces behind the first `head` bytes that belong to warp `part` of `parts`.
  /// Lanes of warp 0 copy the unaligned bytes at both ends one by one. Batches of loads are issued
  /// before their first use.
  template <int Batch>
  static SAM_DEVICE void copy(std::byte* to, std::byte const* from, int bytes, int head, int part,
                              int parts) {
    head = head < bytes ? head : bytes;
    int const body = (bytes - head) / 16 * 16;
    int const tail = bytes - head - body;
    auto const* const source = reinterpret_cast<vector const*>(from + head);
    auto* const target = reinterpret_cast<vector*>(to + head);
    int const step = parts * Warp;
    for (int k = part * Warp + base::lane(); k < body / 16; k += Batch * step) {
      vector pieces[Batch];
#pragma unroll
      for (int b = 0; b < Batch; ++b)
        if (k + b * step < body / 16)
          pieces[b] = source[k + b * step];
#pragma unroll
      for (int b = 0; b < Batch; ++b)
        if (k + b * step < body / 16)
          target[k + b * step] = pieces[b];
    }
    if (part != 0)
      return;
    if (base::lane() < head)
      to[base::lane()] = from[base::lane()];
    if (base::lane() < tail)
      to[head + body + base::lane()] = from[head + body + base::lane()];
  }
};

}  // namespace sam::inline v0_1::hip
