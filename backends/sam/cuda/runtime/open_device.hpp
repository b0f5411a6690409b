// SPDX-License-Identifier: MIT
// Looks at the current CUDA device when a context is made.
#pragma once

#include <sam/cuda/runtime/platform.hpp>
#include <sam/launch/runtime/error.hpp>

namespace sam::inline v0_1::cuda {

/// An empty kernel. Its attributes tell which PTX version this program was compiled for.
template <class = void>
__global__ void no_kernel() {}

/// Gets the current device and its properties, and returns its resources. Throws sam::device_error
/// if there is no device, if it is older than compute capability 7.5, or if the program has no code
/// for it.
inline gpu::device_resources open_device(int& device, cudaDeviceProp& properties) {
  cudaError_t const found = cudaGetDevice(&device);
  int driver = 0;
  if (found == cudaErrorInsufficientDriver && cudaDriverGetVersion(&driver) == cudaSuccess &&
      driver == 0)
    sam::detail::fail<device_error>("sam::cuda", "no NVIDIA driver is installed",
                                    std::source_location::current());
  check(found, "find a CUDA device");
  check(cudaGetDeviceProperties(&properties, device), "query the properties of the device");
  if (properties.major * 10 + properties.minor < 75)
    sam::detail::fail<device_error>("sam::cuda::context",
                                    std::string(properties.name) + " has compute capability " +
                                        std::to_string(properties.major) + "." +
                                        std::to_string(properties.minor) +
                                        ", but sam needs at least 7.5",
                                    std::source_location::current());
  cudaFuncAttributes code;
  check(cudaFuncGetAttributes(&code, reinterpret_cast<void const*>(&no_kernel<>)),
        "find code that runs on this device");
  int const compiled_for = code.ptxVersion;  // may be older than the device
  return {.shared_bytes_of_block = properties.sharedMemPerBlockOptin,
          .shared_bytes = properties.sharedMemPerMultiprocessor,
          .reserved_shared_bytes = properties.reservedSharedMemPerBlock,
          .threads = properties.maxThreadsPerMultiProcessor,
          .multiprocessors = properties.multiProcessorCount,
          // Half of L2: the other half gets what is streamed or, where L2 has two parts, copies.
          .cached_bytes = std::size_t(properties.l2CacheSize) / 2,
          .starts_early = compiled_for >= 90,
          .has_clusters = compiled_for >= 90,
          .has_fixed_stages = compiled_for >= 90 && compiled_for < 120,
          .runs_together = properties.cooperativeLaunch != 0,
          .reaches_host_memory = properties.pageableMemoryAccess != 0};
}

}  // namespace sam::inline v0_1::cuda
