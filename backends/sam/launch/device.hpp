// SPDX-License-Identifier: MIT
// Checks that the back end has defined its Device type, which kernels are compiled for.
#pragma once

#include <sam/gpu/device_concept.hpp>
#include <sam/launch/platform.hpp>

namespace sam::inline v0_1::SAM_GPU_BACKEND {

static_assert(gpu::gpu_device<device>);

}  // namespace sam::inline v0_1::SAM_GPU_BACKEND
