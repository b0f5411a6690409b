// SPDX-License-Identifier: MIT
// Looks at the current HIP device when a context is made.
#pragma once

#include <sam/hip/runtime/platform.hpp>
#include <sam/launch/runtime/error.hpp>

namespace sam::inline v0_1::hip {

/// An empty kernel. Its attributes are known if the program has code for the current device.
template <class = void>
__global__ void no_kernel() {}

/// Returns the name of the device's architecture as compilers know it, such as gfx942.
inline std::string architecture_of([[maybe_unused]] hipDeviceProp_t const& properties) {
#ifdef __HIP_PLATFORM_NVIDIA__
  return "compute capability " + std::to_string(properties.major) + "." +
         std::to_string(properties.minor);
#else
  return properties.gcnArchName;
#endif
}

/// Gets the current device and its properties, and returns its resources. Throws sam::device_error
/// if there is no device, if its warps have another size than the program is compiled for, or some
/// of its files, or if the program has no code for it.
inline gpu::device_resources open_device(int& device, hipDeviceProp_t& properties) {
  if (linked_warp_sizes != compiled_warp_sizes)
    sam::detail::fail<device_error>(
        "sam::hip::context",
        "files of this program are compiled for other sizes of warps than others: see "
        "SAM_HIP_WARP_SIZES in docs/hip.md",
        std::source_location::current());
  check(hipGetDevice(&device), "find a HIP device");
  check(hipGetDeviceProperties(&properties, device), "query the properties of the device");
  int const lanes = properties.warpSize;
  if ((lanes != 32 && lanes != 64) || (compiled_warp_sizes & lanes) == 0)
    sam::detail::fail<device_error>(
        "sam::hip::context",
        std::string(properties.name) + " has warps of " + std::to_string(lanes) +
            " lanes, but the program is compiled for warps of " +
            (compiled_warp_sizes == 96 ? "32 and 64" : std::to_string(compiled_warp_sizes)) +
            ": see SAM_HIP_WARP_SIZES in docs/hip.md",
        std::source_location::current());
  hipFuncAttributes code;
  check(hipFuncGetAttributes(&code, reinterpret_cast<void const*>(&no_kernel<>)),
        "find code for " + architecture_of(properties) + " in this program");
  gpu::device_resources of{
      .shared_bytes_of_block = properties.sharedMemPerBlock,
      .shared_bytes = properties.maxSharedMemoryPerMultiProcessor,
      .threads = properties.maxThreadsPerMultiProcessor,
      .multiprocessors = properties.multiProcessorCount,
      .warp_size = lanes,
      .reaches_host_memory = properties.pageableMemoryAccess != 0,
  };
#ifdef __HIP_PLATFORM_NVIDIA__
  // As much as AMD's devices have. HIP 5.2 does not report what a kernel may ask for beyond 48 KiB.
  of.shared_bytes_of_block = 64 << 10;
  of.reserved_shared_bytes = 1 << 10;
#endif
  if (of.shared_bytes < of.shared_bytes_of_block)  // some versions of HIP do not report it
    of.shared_bytes = of.shared_bytes_of_block;
  return of;
}

}  // namespace sam::inline v0_1::hip
