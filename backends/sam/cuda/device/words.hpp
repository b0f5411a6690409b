// SPDX-License-Identifier: MIT
// Has the part of the Device type that accesses global memory. All memory-ordering code of the
// CUDA back end is here, but for that of barriers.
#pragma once

#include <sam/cuda/device/lanes.hpp>
#include <sam/gpu/carry/descriptor_memory.hpp>

namespace sam::inline v0_1::cuda {

/// Loads, stores and adds to words that other blocks access, and orders these accesses.
struct device_words : device_lanes {
  /// Loads a descriptor word from L2 (ld.relaxed.gpu.u64, with an L2 evict-last hint from compute
  /// capability 8.0 on). L1 is private to a multiprocessor and could return a stale word.
  ///
  /// LightScan uses ld.cg and st.cg (Liu, Aluru, 2016, section 4.3, algorithm 4). Relaxed accesses
  /// bypass L1 too; the PTX memory model covers them, and the compiler does not remove them.
  static SAM_DEVICE gpu::descriptor_word load(gpu::descriptor_word const* from) {
    std::uint64_t bits;
#if __CUDA_ARCH__ >= 800
    asm volatile("ld.relaxed.gpu.global.L2::cache_hint.u64 %0, [%1], %2;"
                 : "=l"(bits)
                 : "l"(from), "l"(l2_evict_last_policy())
                 : "memory");
#else
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(bits) : "l"(from) : "memory");
#endif
    return {std::uint32_t(bits), std::uint32_t(bits >> 32)};
  }
  /// Stores a descriptor word in L2 by one access, so that a reader sees all of it or none
  /// (st.relaxed.gpu.u64, with the same hint).
  static SAM_DEVICE void store(gpu::descriptor_word* to, gpu::descriptor_word word) {
    std::uint64_t const bits = std::uint64_t(word.sequence) << 32 | word.value;
#if __CUDA_ARCH__ >= 800
    asm volatile("st.relaxed.gpu.global.L2::cache_hint.u64 [%0], %1, %2;"
                 :
                 : "l"(to), "l"(bits), "l"(l2_evict_last_policy())
                 : "memory");
#else
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" : : "l"(to), "l"(bits) : "memory");
#endif
  }
  /// Loads a word that other blocks may be writing, without ordering other accesses
  /// (ld.relaxed.gpu.u32).
  static SAM_DEVICE std::uint32_t load(std::uint32_t const* from) {
    std::uint32_t x;
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(x) : "l"(from) : "memory");
    return x;
  }
  /// Loads a word with acquire semantics (ld.acquire.gpu.u32). Writes that another block made
  /// before a fence() and its store of the loaded value are visible to the accesses that follow.
  static SAM_DEVICE std::uint32_t load_acquire(std::uint32_t const* from) {
    std::uint32_t x;
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(x) : "l"(from) : "memory");
    return x;
  }
  /// Stores a word that other blocks may be reading (st.relaxed.gpu.u32).
  static SAM_DEVICE void store(std::uint32_t* to, std::uint32_t x) {
    asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" : : "l"(to), "r"(x) : "memory");
  }
  /// Adds x to a word of global memory and returns its previous value (atom.global.add.u32).
  static SAM_DEVICE std::uint32_t add(std::uint32_t* to, std::uint32_t x) {
    return atomicAdd(to, x);
  }
  /// Loads 64 bits that other blocks may be writing, without ordering other accesses
  /// (ld.relaxed.gpu.u64).
  static SAM_DEVICE std::uint64_t load(std::uint64_t const* from) {
    std::uint64_t x;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(x) : "l"(from) : "memory");
    return x;
  }
  /// Stores 64 bits that other blocks may be reading (st.relaxed.gpu.u64).
  static SAM_DEVICE void store(std::uint64_t* to, std::uint64_t x) {
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" : : "l"(to), "l"(x) : "memory");
  }
  /// Adds x to 64 bits of global memory and returns their previous value (atom.global.add.u64, or
  /// red if nothing uses it).
  static SAM_DEVICE std::uint64_t add(std::uint64_t* to, std::uint64_t x) {
    return atomicAdd(reinterpret_cast<unsigned long long*>(to), static_cast<unsigned long long>(x));
  }
  /// Raises 64 bits of global memory to x, and returns their previous value (atom.global.max.u64).
  static SAM_DEVICE std::uint64_t raise(std::uint64_t* to, std::uint64_t x) {
    return atomicMax(reinterpret_cast<unsigned long long*>(to), static_cast<unsigned long long>(x));
  }
  /// Adds x to a word of global memory without returning its previous value
  /// (red.relaxed.gpu.add.u32), so the thread does not wait for an answer.
  static SAM_DEVICE void add_no_return(std::uint32_t* to, std::uint32_t x) {
    asm volatile("red.relaxed.gpu.global.add.u32 [%0], %1;" : : "l"(to), "r"(x) : "memory");
  }
  /// Stores 16 bytes at an address aligned to 16, by one instruction (st.global.v4.u32). Compilers
  /// split most C++ formulations of it into four stores.
  static SAM_DEVICE void store_vector(void* to, std::uint32_t const (&words)[4]) {
    asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};"
                 :
                 : "l"(to), "r"(words[0]), "r"(words[1]), "r"(words[2]), "r"(words[3])
                 : "memory");
  }
  /// Orders this thread's memory accesses before it with those after it, for all threads of the
  /// device (fence.acq_rel.gpu). __threadfence() is fence.sc.gpu, which is slower, and puts fences
  /// of different threads in one order besides; nothing here needs that.
  static SAM_DEVICE void fence() { asm volatile("fence.acq_rel.gpu;" : : : "memory"); }
  /// Orders this thread's loads, and its accesses to words that all blocks load, store and add to,
  /// before later ones of these kinds (fence.acq_rel.gpu). Devices with several L2 caches have
  /// something cheaper for it than a fence.
  static SAM_DEVICE void order() { fence(); }
  /// Lets a fence by another warp of the block, behind a barrier, order this thread's accesses too.
  /// Does nothing: fences of the PTX memory model are cumulative.
  static SAM_DEVICE void order_before_barrier() {}

 private:
  /// Returns a cache policy that keeps lines in L2 (createpolicy.fractional.L2::evict_last).
  /// Items stream through L2 and would evict the descriptor words, which all blocks soon read.
  static SAM_DEVICE std::uint64_t l2_evict_last_policy() {
    std::uint64_t policy;
    asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
    return policy;
  }
};

}  // namespace sam::inline v0_1::cuda
