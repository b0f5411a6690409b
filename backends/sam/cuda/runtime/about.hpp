// SPDX-License-Identifier: MIT
// Describes the device and the CUDA versions that a context uses, for `sam info` and for
// benchmarks.
#pragma once

#include <sam/cuda/platform.hpp>
#include <sam/launch/runtime/context.hpp>

#include <cstdio>
#include <utility>

namespace sam::inline v0_1::cuda {

/// Returns pairs of a name and a text that describe the device and the CUDA versions.
inline std::vector<std::pair<std::string, std::string>> about(context const& context) {
  cudaDeviceProp const& device = context.properties();
  auto const version = [](cudaError_t (*ask)(int*)) {
    int number = 0;
    check(ask(&number), "query a CUDA version");
    return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
  };
  // The highest rates. cudaDeviceProp has no clocks from CUDA 13 on.
  auto const megahertz = [&](cudaDeviceAttr which) {
    int kilohertz = 0;
    check(cudaDeviceGetAttribute(&kilohertz, which, context.device()), "query a clock");
    return std::to_string(kilohertz / 1000) + " MHz";
  };
  char memory[32];
  std::snprintf(memory, sizeof memory, "%.1f GiB",
                static_cast<double>(device.totalGlobalMem) / (1 << 30));
  return {{"device", std::to_string(context.device()) + ", " + device.name},
          {"capability", std::to_string(device.major) + "." + std::to_string(device.minor)},
          {"processors", std::to_string(context.multiprocessors())},
          {"memory", memory},
          {"shared memory", std::to_string(context.shared_bytes() / 1024) + " KiB a block"},
          {"clocks", "up to " + megahertz(cudaDevAttrClockRate) + ", memory " +
                         megahertz(cudaDevAttrMemoryClockRate)},
          {"CUDA", "runtime " + version(cudaRuntimeGetVersion) + ", driver for up to " +
                       version(cudaDriverGetVersion)},
          {"tuning", engine::text_of(context.tuning_source())}};
}

}  // namespace sam::inline v0_1::cuda
