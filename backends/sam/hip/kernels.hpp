// SPDX-License-Identifier: MIT
// This file includes what kernels and their host code need of HIP. In a program for both sizes of
// warps, it also includes all of these, once for each size: in the namespaces warps64 and warps32.
#pragma once

#include <sam/hip/device/device.hpp>
#include <sam/hip/platform.hpp>

#if SAM_HIP_WARP_SIZES == 96
#include <sam/launch/runtime/launch.hpp>

// Names are looked up here first, then in the namespace of the back end.
namespace sam::inline v0_1::hip::warps64 {
using namespace ::sam::v0_1::hip;
namespace self = ::sam::v0_1::hip::warps64;
}  // namespace sam::inline v0_1::hip::warps64
namespace sam::inline v0_1::hip::warps32 {
using namespace ::sam::v0_1::hip;
namespace self = ::sam::v0_1::hip::warps32;
}  // namespace sam::inline v0_1::hip::warps32

#include <sam/launch/all.hpp>
#undef SAM_GPU_WARPS
#define SAM_GPU_WARPS hip::warps32
#include <sam/launch/again.hpp>
#include <sam/launch/all.hpp>
#endif
