// SPDX-License-Identifier: MIT
// Kernels with planted faults: tools/ci/check_hip must find each in the machine code. The last
// template argument names the fault. Nothing here is run. No header is included, so that this
// compiles in no time.
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))

namespace sam::inline v0_1::hip {

using word = __UINT32_TYPE__;

struct decoupled {};  // the carry scheme whose kernels have polling loops

// Kernels without a fault, and with one that check_hip tells from the others.
struct sound {};
struct array_of_the_thread {};
struct vector_spills {};
struct scalar_spills {};
struct a_call {};
struct loads_by_the_cache {};
struct a_loop_less {};
struct a_fence {};
struct no_fence {};
struct no_wait {};
struct array_in_a_loop {};
struct in_full {};

template <class A, class B>
inline constexpr bool is = __is_same(A, B);

/// Loads as polling loops do, or without the bits that pass the caches.
template <class Fault>
__device__ word load(word const* from) {
  auto const* const global = (__attribute__((address_space(1))) word const*)from;
  if constexpr (is<Fault, loads_by_the_cache>)
    return __hip_atomic_load(global, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WAVEFRONT);
  else
    return __hip_atomic_load(global, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
template <class Fault>
__device__ void await(word const* at, word least) {
  while (load<Fault>(at) < least)
    __builtin_amdgcn_s_sleep(1);
}

__device__ __attribute__((noinline)) word called(word x) { return x * x + 1; }

/// A kernel of a pass: it waits for other blocks in four loops.
template <class Carry, class Fault>
__global__ __attribute__((amdgpu_flat_work_group_size(1, 1024))) void
scan_kernel(word const* words, word* out, word n) {
  word const i = __builtin_amdgcn_workitem_id_x();
  await<Fault>(words, n);
  await<Fault>(words + 64, n + 1);
  await<Fault>(words + 128, n + 2);
  if constexpr (!is<Fault, a_loop_less>)
    await<Fault>(words + 192, n + 3);
  if constexpr (is<Fault, array_of_the_thread>) {
    word own[32];
    for (int k = 0; k < 32; ++k)
      own[k] = out[i + k];
    own[n % 32] = 7;
    out[i] = own[out[i] % 32];
  }
  if constexpr (is<Fault, a_call>)
    out[i] = called(out[i]);
  if constexpr (is<Fault, a_fence>)
    __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "agent");
  out[i] += n;
}

/// A kernel that holds more values than it may have vector registers.
template <class Fault>
__global__ __attribute__((amdgpu_flat_work_group_size(1, 1024), amdgpu_num_vgpr(24))) void
vector_kernel(word const* words, word* out, word) {
  word const i = __builtin_amdgcn_workitem_id_x();
  word held[140];
#pragma unroll
  for (int k = 0; k < 140; ++k)
    held[k] = words[i + 64 * k];
#pragma unroll
  for (int k = 0; k < 140; ++k)
    asm volatile("" : "+v"(held[k]));
#pragma unroll
  for (int k = 0; k < 140; ++k)
    out[i + 64 * k] = held[139 - k];
}
/// A kernel that holds many more values than there are scalar registers.
template <class Fault>
__global__ void scalar_kernel(word const*, word*, word) {
  word held[320];
#pragma unroll
  for (int k = 0; k < 320; ++k)
    asm volatile("s_mov_b32 %0, 1" : "=s"(held[k]));
#pragma unroll
  for (int k = 0; k < 320; ++k)
    asm volatile("" ::"s"(held[k]));
}

/// A kernel whose last block reads what all blocks have stored.
template <class Fault>
__global__ void reduce_tiles_kernel(word* words, word* out, word n) {
  out[__builtin_amdgcn_workitem_id_x() + n] = n;
  if constexpr (!is<Fault, no_wait>)
    __builtin_amdgcn_s_waitcnt(0x0f70);  // vmcnt(0) on gfx942
  __builtin_amdgcn_s_barrier();
  if constexpr (!is<Fault, no_fence>)
    __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "agent");
  if (__builtin_amdgcn_workitem_id_x() == 0)
    words[0] = out[n];
}

/// A kernel that may have an array of the thread, but not in its polling loops.
template <class Fault>
__global__ void counted_onesweep_kernel(word const* words, word* out, word n) {
  await<sound>(words, n);
  word own[32];
  for (int k = 0; k < 32; ++k)
    own[k] = out[__builtin_amdgcn_workitem_id_x() + k];
  own[n % 32] = 7;
  if constexpr (is<Fault, array_in_a_loop>) {
    word at = n;
    while (load<Fault>(words + own[at % 32]) < n)
      own[at++ % 32] = n;
  } else {
    await<Fault>(words + 64, n);
  }
  out[__builtin_amdgcn_workitem_id_x()] = own[out[n] % 32];
}

// Kernels for warps of another size than the GPU's.
#ifdef __GFX9__
namespace warps32 {
#else
namespace warps64 {
#endif
template <class Fault>
__global__ void other_kernel(word const* words, word* out, word n) {
  if constexpr (is<Fault, in_full>)
    out[__builtin_amdgcn_workitem_id_x()] = words[n] + words[n + 1];
  __builtin_trap();
}
template __global__ void other_kernel<sound>(word const*, word*, word);
template __global__ void other_kernel<in_full>(word const*, word*, word);
}  // namespace warps32 or warps64

#define SAM_INSTANCE(name, ...)                                                                    \
  template __global__ void name<__VA_ARGS__>(name##_first, word*, word);
using scan_kernel_first = word const*;
using vector_kernel_first = word const*;
using scalar_kernel_first = word const*;
using reduce_tiles_kernel_first = word*;
using counted_onesweep_kernel_first = word const*;
SAM_INSTANCE(scan_kernel, decoupled, sound)
SAM_INSTANCE(scan_kernel, decoupled, array_of_the_thread)
SAM_INSTANCE(vector_kernel, vector_spills)
SAM_INSTANCE(scalar_kernel, scalar_spills)
SAM_INSTANCE(scan_kernel, decoupled, a_call)
SAM_INSTANCE(scan_kernel, decoupled, loads_by_the_cache)
SAM_INSTANCE(scan_kernel, decoupled, a_loop_less)
SAM_INSTANCE(scan_kernel, decoupled, a_fence)
SAM_INSTANCE(reduce_tiles_kernel, sound)
SAM_INSTANCE(reduce_tiles_kernel, no_fence)
SAM_INSTANCE(reduce_tiles_kernel, no_wait)
SAM_INSTANCE(counted_onesweep_kernel, sound)
SAM_INSTANCE(counted_onesweep_kernel, array_in_a_loop)

}  // namespace sam::inline v0_1::hip
