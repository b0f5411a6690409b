// SPDX-License-Identifier: MIT
#pragma once

#include <sam/error.hpp>

#include <cuda_runtime.h>

namespace sam::cuda {

/// Throws what a CUDA call said, unless it was success. `doing` ends "could not ...".
inline void check(cudaError_t status, std::string_view doing,
                  std::source_location at = std::source_location::current()) {
  if (status == cudaSuccess)
    return;
  cudaGetLastError();  // so that a later, innocent call does not report it again
  std::string const what = "could not " + std::string(doing) + ": " + cudaGetErrorString(status);
  if (status == cudaErrorMemoryAllocation)
    sam::detail::fail<out_of_memory>("sam::cuda", what, at);
  sam::detail::fail<device_error>("sam::cuda", what, at);
}

}  // namespace sam::cuda
