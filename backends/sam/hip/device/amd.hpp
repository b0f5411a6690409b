// SPDX-License-Identifier: MIT
// Has the instructions of AMD GPUs that the Device type of HIP is made of, as clang's builtins.
#pragma once

#include <sam/portable.hpp>

#include <hip/hip_runtime.h>

namespace sam::inline v0_1::hip {

/// Wraps the instructions of AMD GPUs with warps of `Warp` lanes. AMD calls a warp a wavefront.
///
/// Pointers to global and shared memory are cast to their address spaces. Accesses through generic
/// pointers would be flat instructions, which count as accesses of both kinds.
template <int Warp>
struct amd_instructions {
  using lane_set = std::conditional_t<Warp == 64, std::uint64_t, std::uint32_t>;
  using vector = std::uint32_t __attribute__((ext_vector_type(4)));  // 16 bytes

  static constexpr int banks = 32;  // of the memory of a block (LDS), of 4 bytes each
  /// The smallest request of L2 to memory.
  static constexpr int sector_bytes = 32;
  /// Vector registers of the lanes of a compute unit, of 4 bytes each: 512 KiB on CDNA 2 and 3. On
  /// RDNA, which has 256 to 384 KiB, the least.
  static constexpr int registers = Warp == 64 ? 128 << 10 : 64 << 10;

  /// Returns x, which is the same in all lanes of the warp, in a scalar register (v_readfirstlane).
  /// Branches that depend on it are uniform.
  static SAM_DEVICE int uniform(int x) { return __builtin_amdgcn_readfirstlane(x); }

  /// Orders accesses to shared memory before and behind it, of all lanes of a warp. Lanes run in
  /// lockstep, so it only keeps the compiler from moving accesses.
  static SAM_DEVICE void sync_warp() {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
    __builtin_amdgcn_wave_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
  }
  /// Returns the x of a lane (ds_bpermute_b32).
  static SAM_DEVICE std::uint32_t shuffle_from(std::uint32_t x, int lane) {
    return std::uint32_t(__builtin_amdgcn_ds_bpermute(lane << 2, int(x)));
  }
  /// Returns the mask of the lanes in which x holds (v_cmp).
  static SAM_DEVICE lane_set lanes_where(bool x) {
    if constexpr (Warp == 64)
      return __builtin_amdgcn_ballot_w64(x);
    else
      return __builtin_amdgcn_ballot_w32(x);
  }
  static SAM_DEVICE int count(std::uint64_t bits) { return __builtin_popcountll(bits); }
  static SAM_DEVICE int count(std::uint32_t bits) { return __builtin_popcount(bits); }
  /// Returns the lowest set bit of a word that is not 0.
  static SAM_DEVICE int first(std::uint64_t bits) { return __builtin_ctzll(bits); }
  static SAM_DEVICE int first(std::uint32_t bits) { return __builtin_ctz(bits); }
  /// Returns the highest set bit, or -1 if there is none.
  static SAM_DEVICE int last(std::uint64_t bits) {
    return bits == 0 ? -1 : 63 - __builtin_clzll(bits);
  }
  static SAM_DEVICE int last(std::uint32_t bits) {
    return bits == 0 ? -1 : 31 - __builtin_clz(bits);
  }
  /// Suspends the warp for 64 cycles or more (s_sleep).
  static SAM_DEVICE void pause() { __builtin_amdgcn_s_sleep(1); }

  /// Loads from global memory past the caches of a compute unit, without ordering other accesses
  /// (global_load with sc1 on gfx942, with glc on older GPUs).
  template <class T>
  static SAM_DEVICE T load(T const* from) {
    return __hip_atomic_load(global(from), __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  }
  /// Stores to global memory likewise.
  template <class T>
  static SAM_DEVICE void store(T* to, T x) {
    __hip_atomic_store(global(to), x, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  }
  /// Adds to global memory in L2 and returns the previous value (global_atomic_add).
  template <class T>
  static SAM_DEVICE T add(T* to, T x) {
    return __hip_atomic_fetch_add(global(to), x, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  }
  static SAM_DEVICE std::uint64_t raise(std::uint64_t* to, std::uint64_t x) {
    return __hip_atomic_fetch_max(global(to), x, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  }
  static SAM_DEVICE void store_vector(void* to, vector x) { *global(static_cast<vector*>(to)) = x; }

  /// Waits until this thread's loads have returned, and its stores and additions are in L2
  /// (s_waitcnt vmcnt(0)). All words that blocks share are accessed in L2, or past it where there
  /// are several. So this orders them; no cache need be written back or invalidated for it. GPUs
  /// that count stores apart have one L2, and get a fence.
  static SAM_DEVICE void order() {
#if defined(__GFX9__)
    __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "wavefront");  // for the compiler alone
    __builtin_amdgcn_s_waitcnt(0x0f70);                     // vmcnt(0), and no other counter
    __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "wavefront");
#else
    fence();
#endif
  }
  /// Orders this thread's accesses before it with those behind it, for all threads of the device.
  /// On gfx942, whose parts have an L2 each, this writes back and invalidates L2.
  static SAM_DEVICE void fence() { __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "agent"); }
  /// Orders accesses of this thread for the threads of the block.
  static SAM_DEVICE void block_fence() { __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "workgroup"); }

  /// Accesses words of shared memory (ds_add_u32 and the like).
  static SAM_DEVICE std::uint32_t add_in_block(std::uint32_t* to, std::uint32_t x) {
    return __hip_atomic_fetch_add(shared(to), x, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
  }
  static SAM_DEVICE void or_in_block(std::uint32_t* to, std::uint32_t x) {
    __hip_atomic_fetch_or(shared(to), x, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
  }
  static SAM_DEVICE std::uint32_t load_in_block(std::uint32_t const* from) {
    return __hip_atomic_load(shared(from), __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
  }
  static SAM_DEVICE void store_in_block(std::uint32_t* to, std::uint32_t x) {
    __hip_atomic_store(shared(to), x, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
  }
  static SAM_DEVICE std::uint32_t shared_address_of(void const* what) {
    return std::uint32_t(
        reinterpret_cast<std::uintptr_t>((__attribute__((address_space(3))) char const*)(what)));
  }
  static SAM_DEVICE std::uint32_t* word_at(std::uint32_t where) {
    return (std::uint32_t*)(__attribute__((address_space(3))) std::uint32_t*)(std::uintptr_t)where;
  }

  static SAM_DEVICE std::uint32_t rotated_right(std::uint32_t x, int bits) {
    return __builtin_rotateright32(x, std::uint32_t(bits));
  }
  static SAM_DEVICE int opaque(int x) {
    asm volatile("" : "+v"(x));
    return x;
  }
  /// Returns the lower halves of x and y in one word (v_perm_b32).
  static SAM_DEVICE std::uint32_t lower_halves(std::uint32_t x, std::uint32_t y) {
    return __builtin_amdgcn_perm(y, x, 0x05040100);
  }
  /// Returns the maximum in each 16-bit half (v_pk_max_u16).
  static SAM_DEVICE std::uint32_t greater_halves(std::uint32_t x, std::uint32_t y) {
    using halves = std::uint16_t __attribute__((ext_vector_type(2)));
    return __builtin_bit_cast(
        std::uint32_t,
        __builtin_elementwise_max(__builtin_bit_cast(halves, x), __builtin_bit_cast(halves, y)));
  }

 private:
  template <class T>
  static SAM_DEVICE auto global(T const* p) {
    return (__attribute__((address_space(1))) T*)(const_cast<T*>(p));
  }
  template <class T>
  static SAM_DEVICE auto shared(T const* p) {
    return (__attribute__((address_space(3))) T*)(const_cast<T*>(p));
  }
};

}  // namespace sam::inline v0_1::hip
