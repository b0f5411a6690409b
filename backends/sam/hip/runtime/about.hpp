// SPDX-License-Identifier: MIT
// Describes the device and the HIP versions that a context uses, for `sam info` and for benchmarks.
#pragma once

#include <sam/hip/platform.hpp>
#include <sam/launch/runtime/context.hpp>

#include <cstdio>
#include <utility>

namespace sam::inline v0_1::hip {

/// Returns pairs of a name and a text that describe the device and the HIP versions.
inline std::vector<std::pair<std::string, std::string>> about(context const& context) {
  hipDeviceProp_t const& device = context.properties();
  int version = 0, count = 0;
  check(hipRuntimeGetVersion(&version), "query a HIP version");
  check(hipGetDeviceCount(&count), "count the devices");
  char memory[32];
  std::snprintf(memory, sizeof memory, "%.1f GiB",
                static_cast<double>(device.totalGlobalMem) / (1 << 30));
  return {{"device", std::to_string(context.device()) + ", " + device.name},
#ifndef __HIP_PLATFORM_NVIDIA__
          {"architecture", device.gcnArchName},
#endif
          {"devices", std::to_string(count)},
          {"warp size", std::to_string(device.warpSize)},
          {"processors", std::to_string(context.multiprocessors())},
          {"memory", memory},
          {"HIP", "runtime " + std::to_string(version) + ", compiled with " +
                      std::to_string(HIP_VERSION_MAJOR) + "." + std::to_string(HIP_VERSION_MINOR)},
          {"tuning", engine::text_of(context.tuning_source())}};
}

}  // namespace sam::inline v0_1::hip
