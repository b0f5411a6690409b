// SPDX-License-Identifier: MIT
// This file converts CUDA status codes and failed host allocations to exceptions.
#pragma once

#include <sam/error.hpp>

#include <cuda_runtime.h>

namespace sam::cuda {

/// Throws an exception with the text of a CUDA error, unless `status` is success. `doing` completes
/// the sentence "could not ...".
inline void check(cudaError_t status, std::string_view doing,
                  std::source_location at = std::source_location::current()) {
  if (status == cudaSuccess)
    return;
  cudaGetLastError();  // clears the error, so that a later call does not report it again
  auto const what = [&] {
    return "could not " + std::string(doing) + ": " + cudaGetErrorString(status);
  };
  if (status == cudaErrorMemoryAllocation)
    sam::throw_out_of_memory("sam::cuda", what, at);
  sam::detail::fail<device_error>("sam::cuda", what(), at);
}

/// Calls f() and converts std::bad_alloc to sam::out_of_memory.
template <class F>
decltype(auto) with_host_memory(F const& f) {
  return sam::detail::catch_error<std::bad_alloc>(f, [](std::bad_alloc const& failure) {
    sam::throw_out_of_memory(
        "sam::cuda", [&] { return failure.what(); }, std::source_location::current());
  });
}

}  // namespace sam::cuda
