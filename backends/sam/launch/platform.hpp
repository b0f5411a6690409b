// SPDX-License-Identifier: MIT
// Says what the headers of this folder need of a GPU vendor: they are the host side that all GPU
// back ends share. Each translation unit compiles them for one vendor, in the namespace of that
// vendor's back end, SAM_GPU_BACKEND: sam::cuda or sam::hip. So one program may link objects of
// several back ends, and each keeps its names.
//
// Sizes of kernels depend on the size of a warp, and are constants of host code. Where a vendor's
// devices have warps of several sizes, the headers that know `device` are included for each, in a
// namespace of its own, SAM_GPU_WARPS. They have include guards that <sam/launch/again.hpp> lifts.
// Those of calls/ come last: they choose, in each call of a context, the size of its device.
//
// A back end defines, before it includes these headers,
// - the macros SAM_GPU_BACKEND, SAM_LAUNCH_BOUNDS(threads[, blocks]) and SAM_GRID_CONSTANT,
// - SAM_GPU_WARPS, and SAM_GPU_ANY_WARPS, in which the code for one of the sizes is found,
// - SAM_IF_TARGET, before the statement of a kernel: it leaves the statement out where the kernel
// is
//   compiled for devices with warps of another size,
// - SAM_FOR_WARPS(f(...)), which returns f(...) of the code for the warps of the context's device,
// - `platform`, the vendor's run-time library, in <sam/<back end>/runtime/platform.hpp>,
// - open_device(), which looks at the current device,
// - tuning, tunables, all_tunables and load_tuning(),
// - range, which names host code for profilers,
// - `device`, a gpu::gpu_device, where kernels are included.
#pragma once

#include <sam/base/requirements.hpp>

#ifndef SAM_GPU_BACKEND
#error "sam: include <sam/cuda/...> or <sam/hip/...>, which include <sam/launch/...>"
#endif

#include <sam/base/namespaces.hpp>
#include <sam/launch/resources.hpp>
#include <sam/portable.hpp>

namespace sam::inline v0_1::SAM_GPU_BACKEND {

using namespace engine;

/// The namespace of the back end that these headers are compiled for. Calls that argument-dependent
/// lookup must not extend name it.
namespace self = ::sam::v0_1::SAM_GPU_BACKEND;

}  // namespace sam::inline v0_1::SAM_GPU_BACKEND
