// SPDX-License-Identifier: MIT
// This file makes nvcc report an error if a caller's function object cannot be called on a device.
#pragma once

#include <sam/base/requirements.hpp>

namespace sam::cuda {

/// Calls f from device code only, so that nvcc rejects an operator() that is not marked for the
/// device. The error message contains this function's name. In a host-device function, nvcc would
/// only warn and generate no call.
template <class F, class... Args>
__device__ void call_operator_must_be_marked_SAM_FUNCTION(F const& f, Args const&... args) {
  static_cast<void>(f(args...));
}
/// Instantiates a call of F with Args.
template <class F, class... Args>
struct call_of {
  static __device__ void make(void const* f, void const* arguments) {
    cuda::call_operator_must_be_marked_SAM_FUNCTION(*static_cast<F const*>(f),
                                                    *static_cast<Args const*>(arguments)...);
  }
};
/// Instantiates Call::make in device code. This kernel is never launched. Its template parameter is
/// call_of and not F, because nvcc cannot name a kernel's template argument that is in a nested
/// unnamed namespace, as types of tests are.
template <class Call>
__global__ void check_callable_kernel(void const* f, void const* arguments) {
  Call::make(f, arguments);
}

}  // namespace sam::cuda
