// SPDX-License-Identifier: MIT
// Runs calls as another device would. Tests and benchmarks use it to reach, on one device, the
// numbers of stages, blocks and tiles that calls have on others. The instructions are those that
// the program was compiled for: -gencode arch=compute_80,code=compute_80 makes the driver compile
// the code of compute capability 8.0 for any later device.
#pragma once

#include <sam/cuda/runtime/context.hpp>

#include <climits>

namespace sam::inline v0_1::cuda::testing {

/// Describes the resources of a device that decide how kernels are launched.
struct device_limits {
  std::size_t shared_bytes_of_block;
  std::size_t shared_bytes_of_multiprocessor;
  int threads_of_multiprocessor;
  int multiprocessors = INT_MAX;
};

// Resources by compute capability, from the table of technical specifications in the CUDA C++
// programming guide.
inline constexpr device_limits t4{64 << 10, 64 << 10, 1024, 40};          // 7.5
inline constexpr device_limits a100{163 << 10, 164 << 10, 2048, 108};     // 8.0
inline constexpr device_limits rtx_3090{99 << 10, 100 << 10, 1536, 82};   // 8.6
inline constexpr device_limits rtx_4090{99 << 10, 100 << 10, 1536, 128};  // 8.9

/// Returns the limits with as many multiprocessors as the device has. Comparisons with its memory
/// bandwidth need that.
constexpr device_limits on_all_multiprocessors(device_limits limits) {
  limits.multiprocessors = INT_MAX;
  return limits;
}

/// Makes later calls of a context run as on a device with these limits, or with its own ones where
/// they are lower. Does not change which code runs, and cannot be undone.
inline void run_like(context& context, device_limits const& limits) {
  context.limit_device(limits.shared_bytes_of_block, limits.shared_bytes_of_multiprocessor,
                       limits.threads_of_multiprocessor, limits.multiprocessors);
}

}  // namespace sam::inline v0_1::cuda::testing
