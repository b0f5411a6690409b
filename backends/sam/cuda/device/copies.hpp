// SPDX-License-Identifier: MIT
// Has the part of the Device type that copies tiles between global and shared memory.
#pragma once

#include <sam/cuda/device/barrier.hpp>

namespace sam::inline v0_1::cuda {

/// Copies between global and shared memory, by the fastest means of each compute capability.
struct device_copies : device_barriers {
  /// True if a warp can have all loads of a tile in flight, by bulk copies or by cp.async. Else
  /// several warps share the loads of a tile. Valid in device code only.
#if __CUDA_ARCH__ >= 800
  static constexpr bool has_async_copies = true;
#else
  static constexpr bool has_async_copies = false;
#endif

  /// Copies `bytes` from global to shared memory; all lanes of a warp call it. `to` and `from` are
  /// equal modulo 16. The warp arrives `arrivals` times at `full`, whose phase completes only
  /// when the bytes are there.
  ///
  /// Aligned 16-byte pieces go by cp.async.bulk from compute capability 9.0 on, and by cp.async on
  /// 8.x. Before, `parts` warps share the copies, which are vector loads and stores, and this is
  /// warp `part` of them. Lanes copy the unaligned bytes at both ends one by one.
  static SAM_DEVICE void bulk_load(std::byte* to, std::byte const* from, int bytes, barrier& full,
                                   [[maybe_unused]] int part = 0, [[maybe_unused]] int parts = 1) {
    int head = int(-reinterpret_cast<std::uintptr_t>(from) % 16);
    head = head < bytes ? head : bytes;
    int const body = (bytes - head) / 16 * 16;
    int const tail = bytes - head - body;
#if __CUDA_ARCH__ >= 800 && __CUDA_ARCH__ < 900
    start_copies(to + head, from + head, body);  // before the loads below, which the lanes wait for
#elif __CUDA_ARCH__ < 800
    copy_part<8>(to + head, from + head, body, part, parts);
#endif
#if __CUDA_ARCH__ < 800
    if (part == 0)
#endif
    {
      if (lane() < head)
        to[lane()] = from[lane()];
      if (lane() < tail)
        to[head + body + lane()] = from[head + body + lane()];
    }
#if __CUDA_ARCH__ >= 900
    sync_warp();
    if (lane() != 0 || body == 0) {
      if (lane() == 0 || arrivals > 1)
        full.arrive();
      return;
    }
    full.arrive_expecting(body);
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
        :
        : "r"(std::uint32_t(__cvta_generic_to_shared(to + head))), "l"(from + head), "r"(body),
          "r"(full.address())
        : "memory");
#else
#if __CUDA_ARCH__ >= 800
    await_copies_at(full);
#endif
    sync_warp();
    if (lane() == 0 || arrivals > 1)
      full.arrive();
#endif
  }
  /// Requests that `bytes` from `from` on are brought to L2; all lanes of a warp call it
  /// (prefetch.global.L2, once for each line).
  static SAM_DEVICE void prefetch(std::byte const* from, int bytes) {
    constexpr int line = 128;
    for (int at = line * lane(); at < bytes; at += line * warp_size)
      asm volatile("prefetch.global.L2 [%0];" : : "l"(from + at) : "memory");
  }

  /// The number of arrivals that fill_rows() makes in addition to those of the warp.
  static constexpr int row_arrivals = warp_size;
  /// True if the device has asynchronous copies (cp.async), by which a warp requests many rows
  /// before the first one arrives. Valid in device code only.
#if __CUDA_ARCH__ >= 800
  static constexpr bool copies_rows = true;
#else
  static constexpr bool copies_rows = false;
#endif

  /// Copies rows of `bytes` bytes, `pitch` bytes apart, from global memory to consecutive shared
  /// memory (cp.async); all lanes of a warp call it. Addresses and sizes are multiples of
  /// `together` bytes: 4, 8 or 16. Only devices with copies_rows support it.
  ///
  /// The warp arrives at `full` as in bulk_load(). In addition each lane arrives when its own
  /// copies are complete (cp.async.mbarrier.arrive.noinc).
  static SAM_DEVICE void fill_rows(std::byte* to, std::byte const* from, int rows, int bytes,
                                   std::int64_t pitch, int together, barrier& full) {
    if (together == 16)
      copy_rows<16>(to, from, rows, bytes, pitch);
    else if (together == 8)
      copy_rows<8>(to, from, rows, bytes, pitch);
    else
      copy_rows<4>(to, from, rows, bytes, pitch);
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];"
                 :
                 : "r"(full.address())
                 : "memory");
#endif
    sync_warp();
    if (lane() == 0 || arrivals > 1)
      full.arrive();
  }

  /// Copies `bytes` from shared to global memory; all lanes of a warp call it. `to` and `from` are
  /// equal modulo 16. The source must not change before await_sent() returns.
  ///
  /// Aligned 16-byte pieces go by cp.async.bulk from compute capability 9.0 on, and by vector loads
  /// and stores before. Lanes copy the unaligned bytes at both ends one by one.
  static SAM_DEVICE void bulk_store(std::byte* to, std::byte const* from, int bytes) {
    int head = int(-reinterpret_cast<std::uintptr_t>(to) % 16);
    head = head < bytes ? head : bytes;
    int const body = (bytes - head) / 16 * 16;
    int const tail = bytes - head - body;
#if __CUDA_ARCH__ >= 900
    if (lane() == 0 && body > 0) {
      asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;"
                   :
                   : "l"(to + head), "r"(std::uint32_t(__cvta_generic_to_shared(from + head))),
                     "r"(body)
                   : "memory");
      asm volatile("cp.async.bulk.commit_group;" : : : "memory");
    }
#else
    copy_part<4>(to + head, from + head, body, 0, 1);
#endif
    if (lane() < head)
      to[lane()] = from[lane()];
    if (lane() < tail)
      to[head + body + lane()] = from[head + body + lane()];
  }
  /// Waits until this thread's bulk stores have read their sources (cp.async.bulk.wait_group.read).
  static SAM_DEVICE void await_sent() {
#if __CUDA_ARCH__ >= 900
    asm volatile("cp.async.bulk.wait_group.read 0;" : : : "memory");
#endif
  }

 private:
#if __CUDA_ARCH__ >= 800
  /// Starts this lane's part of the copies of bulk_load() on 8.x (cp.async.cg of 16 bytes, which
  /// bypasses L1). No register waits for them, so a warp has a whole tile in flight.
  static SAM_DEVICE void start_copies(std::byte* to, std::byte const* from, int bytes) {
    auto target = std::uint32_t(__cvta_generic_to_shared(to)) + 16 * unsigned(lane());
    std::byte const* source = from + 16 * lane();
#pragma unroll 8
    for (int left = bytes - 16 * lane(); left > 0; left -= 16 * warp_size) {
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;"
                   :
                   : "r"(target), "l"(source)
                   : "memory");
      target += 16 * warp_size;
      source += 16 * warp_size;
    }
  }
  /// Makes the current phase of a barrier wait for this lane's copies (cp.async.mbarrier.arrive
  /// without .noinc). It adds an arrival to those that the phase waits for, and the arrival is made
  /// when the copies are complete, so the number given to init() does not change. The phase cannot
  /// complete before, because the warp's own arrival is yet to come: the caller makes it after
  /// sync_warp(). wait() for the phase makes the copied bytes visible.
  static SAM_DEVICE void await_copies_at(barrier& full) {
    asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" : : "r"(full.address()) : "memory");
  }
#endif
  /// Copies the 16-byte pieces of `bytes` bytes that belong to warp `part` of `parts` (vector loads
  /// and stores). Batches of loads are issued before their first use, incomplete ones too: the
  /// compiler unrolls a plain loop so that its last iterations wait for memory one by one.
  template <int Batch>
  static SAM_DEVICE void copy_part(std::byte* to, std::byte const* from, int bytes, int part,
                                   int parts) {
    auto const* const source = reinterpret_cast<uint4 const*>(from);
    auto* const target = reinterpret_cast<uint4*>(to);
    int const step = parts * warp_size;
    for (int k = part * warp_size + lane(); k < bytes / 16; k += Batch * step) {
      uint4 pieces[Batch];
#pragma unroll
      for (int b = 0; b < Batch; ++b)
        if (k + b * step < bytes / 16)
          pieces[b] = source[k + b * step];
#pragma unroll
      for (int b = 0; b < Batch; ++b)
        if (k + b * step < bytes / 16)
          target[k + b * step] = pieces[b];
    }
  }

  /// Issues the copies of fill_rows(), with several rows at a time where a row has fewer pieces
  /// than the warp has lanes (cp.async.cg for 16 bytes, else cp.async.ca).
  template <int Together>
  static SAM_DEVICE void copy_rows(std::byte* to, std::byte const* from, int rows, int bytes,
                                   std::int64_t pitch) {
#if __CUDA_ARCH__ >= 800
    int const pieces = bytes / Together;
    int const at_a_time = pieces < warp_size ? warp_size / pieces : 1;
    int const first = pieces < warp_size ? lane() / pieces : 0;
    int const piece = pieces < warp_size ? lane() % pieces : lane();
    if (first >= at_a_time)
      return;
    for (int p = piece; p < pieces; p += warp_size) {
      std::byte const* source = from + first * pitch + p * Together;
      auto target = std::uint32_t(__cvta_generic_to_shared(to + first * bytes + p * Together));
#pragma unroll 4
      for (int row = first; row < rows; row += at_a_time) {
        if constexpr (Together == 16)
          asm volatile("cp.async.cg.shared.global [%0], [%1], 16;"
                       :
                       : "r"(target), "l"(source)
                       : "memory");
        else
          asm volatile("cp.async.ca.shared.global [%0], [%1], %2;"
                       :
                       : "r"(target), "l"(source), "n"(Together)
                       : "memory");
        source += at_a_time * pitch;
        target += unsigned(at_a_time * bytes);
      }
    }
#endif
  }
};

}  // namespace sam::inline v0_1::cuda
