// SPDX-License-Identifier: MIT
// Has the instructions that the Device type of HIP is made of, for NVIDIA GPUs: nvcc compiles HIP's
// headers for them. It tests the HIP back end where there is no AMD GPU; sam::cuda is the back end
// to use there.
#pragma once

#include <sam/portable.hpp>

#include <hip/hip_runtime.h>

namespace sam::inline v0_1::hip {

/// Provides the functions of amd_instructions on an NVIDIA GPU.
template <int Warp>
struct nvidia_instructions {
  static_assert(Warp == 32);
  using lane_set = std::uint32_t;
  using vector = uint4;
  static constexpr int banks = 32, sector_bytes = 32, registers = 64 << 10;

  static SAM_DEVICE int uniform(int x) { return x; }
  static SAM_DEVICE void sync_warp() { __syncwarp(); }
  static SAM_DEVICE std::uint32_t shuffle_from(std::uint32_t x, int lane) {
    return __shfl_sync(~0u, x, lane);
  }
  static SAM_DEVICE lane_set lanes_where(bool x) { return __ballot_sync(~0u, x); }
  static SAM_DEVICE int count(std::uint64_t bits) { return __popcll(bits); }
  static SAM_DEVICE int count(std::uint32_t bits) { return __popc(bits); }
  static SAM_DEVICE int first(std::uint64_t bits) { return __ffsll((long long)(bits)) - 1; }
  static SAM_DEVICE int first(std::uint32_t bits) { return __ffs(int(bits)) - 1; }
  static SAM_DEVICE int last(std::uint64_t bits) { return 63 - __clzll((long long)(bits)); }
  static SAM_DEVICE int last(std::uint32_t bits) { return 31 - __clz(int(bits)); }
  static SAM_DEVICE void pause() { __nanosleep(20); }

  static SAM_DEVICE std::uint32_t load(std::uint32_t const* from) {
    std::uint32_t x;
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(x) : "l"(from) : "memory");
    return x;
  }
  static SAM_DEVICE std::uint64_t load(std::uint64_t const* from) {
    std::uint64_t x;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(x) : "l"(from) : "memory");
    return x;
  }
  static SAM_DEVICE void store(std::uint32_t* to, std::uint32_t x) {
    asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" : : "l"(to), "r"(x) : "memory");
  }
  static SAM_DEVICE void store(std::uint64_t* to, std::uint64_t x) {
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" : : "l"(to), "l"(x) : "memory");
  }
  static SAM_DEVICE std::uint32_t add(std::uint32_t* to, std::uint32_t x) {
    return atomicAdd(to, x);
  }
  static SAM_DEVICE std::uint64_t add(std::uint64_t* to, std::uint64_t x) {
    return atomicAdd(reinterpret_cast<unsigned long long*>(to), static_cast<unsigned long long>(x));
  }
  static SAM_DEVICE std::uint64_t raise(std::uint64_t* to, std::uint64_t x) {
    return atomicMax(reinterpret_cast<unsigned long long*>(to), static_cast<unsigned long long>(x));
  }
  static SAM_DEVICE void store_vector(void* to, vector x) { *static_cast<vector*>(to) = x; }

  // As sam::cuda does: __threadfence() would be fence.sc, which is slower.
  static SAM_DEVICE void order() { fence(); }
  static SAM_DEVICE void fence() { asm volatile("fence.acq_rel.gpu;" : : : "memory"); }
  static SAM_DEVICE void block_fence() { asm volatile("fence.acq_rel.cta;" : : : "memory"); }

  static SAM_DEVICE std::uint32_t add_in_block(std::uint32_t* to, std::uint32_t x) {
    return atomicAdd(to, x);
  }
  static SAM_DEVICE void or_in_block(std::uint32_t* to, std::uint32_t x) { atomicOr(to, x); }
  static SAM_DEVICE std::uint32_t load_in_block(std::uint32_t const* from) {
    return *static_cast<std::uint32_t const volatile*>(from);
  }
  static SAM_DEVICE void store_in_block(std::uint32_t* to, std::uint32_t x) {
    *static_cast<std::uint32_t volatile*>(to) = x;
  }
  static SAM_DEVICE std::uint32_t shared_address_of(void const* what) {
    return std::uint32_t(__cvta_generic_to_shared(what));
  }
  static SAM_DEVICE std::uint32_t* word_at(std::uint32_t where) {
    return static_cast<std::uint32_t*>(__cvta_shared_to_generic(where));
  }

  static SAM_DEVICE std::uint32_t rotated_right(std::uint32_t x, int bits) {
    return __funnelshift_r(x, x, unsigned(bits));
  }
  static SAM_DEVICE int opaque(int x) {
    asm volatile("" : "+r"(x));
    return x;
  }
  static SAM_DEVICE std::uint32_t lower_halves(std::uint32_t x, std::uint32_t y) {
    return __byte_perm(x, y, 0x5410);
  }
  static SAM_DEVICE std::uint32_t greater_halves(std::uint32_t x, std::uint32_t y) {
    return __vmaxu2(x, y);
  }
};

}  // namespace sam::inline v0_1::hip
