// SPDX-License-Identifier: MIT
// Checks that the back end has defined its Device type, which kernels are compiled for.
#ifndef SAM_LAUNCH_DEVICE_HPP
#define SAM_LAUNCH_DEVICE_HPP

#include <sam/gpu/device_concept.hpp>
#include <sam/launch/platform.hpp>

namespace sam::inline v0_1::SAM_GPU_WARPS {

static_assert(gpu::gpu_device<device>);

/// Returns how many warps have as many threads as `warps` warps of 32 lanes.
constexpr int warps_of(int warps) {
  constexpr int size = device::warp_size / 32;
  return warps < size ? 1 : warps / size;
}

}  // namespace sam::inline v0_1::SAM_GPU_WARPS

#endif
