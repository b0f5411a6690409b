// SPDX-License-Identifier: MIT
// Converts CUDA error codes and failed host allocations to the exceptions of this library.
#pragma once

#include <sam/base/namespaces.hpp>
#include <sam/error.hpp>

#include <cuda_runtime.h>

namespace sam::inline v0_1::cuda {

using namespace engine;

/// Throws out_of_memory or device_error if `status` is an error. `doing` completes the message
/// "could not ...", which ends with the text of the CUDA error.
inline void check(cudaError_t status, std::string_view doing,
                  std::source_location at = std::source_location::current()) {
  if (status == cudaSuccess)
    return;
  cudaGetLastError();  // clears the error, which a later call would report again
  auto const what = [&] {
    return "could not " + std::string(doing) + ": " + cudaGetErrorString(status);
  };
  if (status == cudaErrorMemoryAllocation)
    sam::throw_out_of_memory("sam::cuda", what, at);
  sam::detail::fail<device_error>("sam::cuda", what(), at);
}

/// Calls f() and returns its result. Converts a std::bad_alloc from it to sam::out_of_memory.
template <class F>
decltype(auto) with_host_memory(F const& f) {
  return sam::detail::catch_error<std::bad_alloc>(f, [](std::bad_alloc const& failure) {
    sam::throw_out_of_memory(
        "sam::cuda", [&] { return failure.what(); }, std::source_location::current());
  });
}

}  // namespace sam::inline v0_1::cuda
