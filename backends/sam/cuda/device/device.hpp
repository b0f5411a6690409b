// SPDX-License-Identifier: MIT
// Implements the Device type of the GPU kernels in CUDA, in parts: each header beside this one has
// a group of functions. Each function wraps one or a few PTX instructions, which its comment names.
//
// Terms are those of the PTX ISA manual: "relaxed", "acquire" and "release" belong to its memory
// consistency model, and "gpu" is the scope of all threads of the device. Kernels are templates
// over Device, so that tests can run them on the CPU with another one.
#pragma once

#include <sam/cuda/device/copies.hpp>
#include <sam/digits.hpp>
#include <sam/gpu/device_concept.hpp>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace sam::inline v0_1 {
template <>
inline constexpr bool is_floating<__half> = true;
template <>
inline constexpr bool is_floating<__nv_bfloat16> = true;
template <>
inline constexpr int detail::precision_of<__nv_bfloat16> = 8;

#ifdef SAM_HAS_DEVICE_EXTREMES
namespace detail {
/// Computes minimum and maximum of 16-bit floats. Each is one instruction from compute capability
/// 8.0 on: min or max of f16 or bf16, with .NaN in the versions that propagate NaN.
template <class T>
struct device_extremes_of_half {
  static SAM_DEVICE T minimum(T a, T b) { return __hmin_nan(a, b); }
  static SAM_DEVICE T maximum(T a, T b) { return __hmax_nan(a, b); }
  static SAM_DEVICE T minimum_number(T a, T b) { return __hmin(a, b); }
  static SAM_DEVICE T maximum_number(T a, T b) { return __hmax(a, b); }
};
template <>
struct device_extremes<__half> : device_extremes_of_half<__half> {};
template <>
struct device_extremes<__nv_bfloat16> : device_extremes_of_half<__nv_bfloat16> {};
}  // namespace detail
#endif
}  // namespace sam::inline v0_1

namespace sam::inline v0_1::cuda {

/// Gives kernels access to thread indices, synchronization, memory and warp instructions of a CUDA
/// device. All members are static. The parts derive from one another, so that each may use those
/// before it: lanes, words, arithmetic, shared memory, clusters, barriers, copies.
struct device : device_copies {};

static_assert(gpu::gpu_device<device>);

}  // namespace sam::inline v0_1::cuda
