// SPDX-License-Identifier: MIT
// Has nvcc say where a caller's function object cannot be called on a device.
#pragma once

namespace sam::cuda {

/// Calls f on the device and there alone, so that nvcc refuses an operator() that is not marked for
/// it, in an error that has this name. From functions for both sides it would only warn, and call
/// nothing.
template <class F, class... Args>
__device__ void call_operator_must_be_marked_SAM_FUNCTION(F const& f, Args const&... args) {
  static_cast<void>(f(args...));
}
/// Is compiled, and never launched.
template <class F, class... Args>
__global__ void check_callable_kernel(F const* f, Args const*... args) {
  call_operator_must_be_marked_SAM_FUNCTION(*f, *args...);
}

}  // namespace sam::cuda
