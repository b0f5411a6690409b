// SPDX-License-Identifier: MIT
// Implements the Device type of the GPU kernels in HIP, in parts: each header beside this one has a
// group of functions. The functions have the semantics of <sam/gpu/device_concept.hpp>; those that
// a vendor spells in its own way are in amd.hpp and nvidia.hpp.
#pragma once

#include <sam/digits.hpp>
#include <sam/gpu/device_concept.hpp>
#include <sam/hip/device/copies.hpp>
#include <sam/hip/runtime/platform.hpp>

#include <hip/hip_bfloat16.h>
#include <hip/hip_fp16.h>

namespace sam::inline v0_1 {
template <>
inline constexpr bool is_floating<__half> = true;
template <>
inline constexpr bool is_floating<hip_bfloat16> = true;
template <>
inline constexpr int detail::precision_of<hip_bfloat16> = 8;
}  // namespace sam::inline v0_1

namespace sam::inline v0_1::hip {

/// Gives kernels access to thread indices, synchronization, memory and warp instructions of a HIP
/// device whose warps have `Warp` lanes. All members are static.
template <int Warp>
struct device_of : device_copies<Warp> {};

}  // namespace sam::inline v0_1::hip

// The Device type of kernels for each size of warps.
#if SAM_HIP_WARP_SIZES == 96
namespace sam::inline v0_1::hip::warps64 {
using device = device_of<64>;
}
namespace sam::inline v0_1::hip::warps32 {
using device = device_of<32>;
}
#else
namespace sam::inline v0_1::SAM_GPU_WARPS {
using device = device_of<SAM_HIP_WARP_SIZES>;
}
#endif
