// SPDX-License-Identifier: MIT
// Launches a kernel that calls a function once for each index.
#ifndef SAM_LAUNCH_RUNTIME_FOR_EACH_HPP
#define SAM_LAUNCH_RUNTIME_FOR_EACH_HPP

#include <sam/launch/device.hpp>
#include <sam/launch/runtime/launch.hpp>

namespace sam::inline v0_1::SAM_GPU_WARPS {

/// Holds the arguments of for_each_kernel.
template <class F>
struct each_arguments {
  index_t count;
  F f;
};
/// Calls f(i) in thread i.
template <class F>
__global__ void for_each_kernel(SAM_GRID_CONSTANT each_arguments<F> const each) {
  SAM_IF_TARGET {
    device::grid_dependency_trigger();
    device::grid_dependency_wait();
    index_t const i = index_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < each.count)
      each.f(i);
  }
}

/// Queues a kernel that calls f(0) to f(count - 1). With `shares_half`, its carve-out is that of
/// share_half(), as that of the kernels before and after it is then.
template <class F>
void for_each(context& context, char const* label, index_t count, F const& f,
              bool shares_half = false) {
  range const named(label);
  constexpr int threads = 256;
  auto* const kernel = &for_each_kernel<F>;
  if (shares_half)
    share_half(context, reinterpret_cast<void const*>(kernel));
  if (count > 0)
    self::launch(context, kernel, div_up(count, threads), threads, 0, {count, f});
}

}  // namespace sam::inline v0_1::SAM_GPU_WARPS

#endif
