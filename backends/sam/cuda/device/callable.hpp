// SPDX-License-Identifier: MIT
// Has nvcc say where a caller's function object cannot be called on a device.
#pragma once

#include <sam/base/requirements.hpp>

namespace sam::cuda {

/// Calls f on the device and there alone, so that nvcc refuses an operator() that is not marked for
/// it, in an error that has this name. From functions for both sides it would only warn, and call
/// nothing.
template <class F, class... Args>
__device__ void call_operator_must_be_marked_SAM_FUNCTION(F const& f, Args const&... args) {
  static_cast<void>(f(args...));
}
template <class F, class... Args>
struct call_of {
  static __device__ void make(void const* f, void const* arguments) {
    cuda::call_operator_must_be_marked_SAM_FUNCTION(*static_cast<F const*>(f),
                                                    *static_cast<Args const*>(arguments)...);
  }
};
/// Is compiled, and never launched. nvcc cannot name a kernel's template argument that itself lies
/// in an unnamed namespace inside another one, as a test's types do, so that F is not one.
template <class Call>
__global__ void check_callable_kernel(void const* f, void const* arguments) {
  Call::make(f, arguments);
}

}  // namespace sam::cuda
