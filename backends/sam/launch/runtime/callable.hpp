// SPDX-License-Identifier: MIT
// Makes nvcc reject function objects that cannot be called on a device, with a readable error.
//
// In a function for both host and device, nvcc only warns about a call of a host-only operator(),
// and leaves the call out. In a device-only function it is an error.
#pragma once

#include <sam/base/requirements.hpp>

namespace sam::inline v0_1::SAM_GPU_BACKEND {

/// Calls f(args...) from a device-only function. If f's operator() is not marked SAM_FUNCTION, nvcc
/// reports an error that contains the name of this function.
template <class F, class... Args>
__device__ void call_operator_must_be_marked_SAM_FUNCTION(F const& f, Args const&... args) {
  static_cast<void>(f(args...));
}
/// Wraps the call of F with Args as one type with a static function, for check_callable_kernel.
template <class F, class... Args>
struct call_of {
  static __device__ void make(void const* f, void const* arguments) {
    self::call_operator_must_be_marked_SAM_FUNCTION(*static_cast<F const*>(f),
                                                    *static_cast<Args const*>(arguments)...);
  }
};
/// Instantiates Call::make on the device. The kernel is compiled, but never launched.
///
/// Its template argument is a call_of, not F itself. nvcc cannot name a kernel's template argument
/// from an unnamed namespace inside another namespace, which is where tests have their types.
template <class Call>
__global__ void check_callable_kernel(void const* f, void const* arguments) {
  Call::make(f, arguments);
}

}  // namespace sam::inline v0_1::SAM_GPU_BACKEND
