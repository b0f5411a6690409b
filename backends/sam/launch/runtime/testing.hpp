// SPDX-License-Identifier: MIT
// Changes how the calls of a context run, for tests and benchmarks: as on another device, or so
// that few items reach all code. run_like() reaches, on one device, the numbers of stages, blocks
// and tiles that calls have on others. The instructions are those that
// the program was compiled for: -gencode arch=compute_80,code=compute_80 makes the driver compile
// the code of compute capability 8.0 for any later device.
#pragma once

#include <sam/launch/runtime/context.hpp>

#include <climits>
#include <cstdlib>
#include <stdexcept>
#include <string_view>

namespace sam::inline v0_1::SAM_GPU_BACKEND::testing {

/// Gives the functions below access to a context.
struct hooks {
  static void limit_device(context& context, std::size_t shared_bytes_of_block,
                           std::size_t shared_bytes, int threads, int multiprocessors) {
    context.limit_device(shared_bytes_of_block, shared_bytes, threads, multiprocessors);
  }
  static void limit_ring_depth(context& context, int tiles, std::source_location at) {
    context.limit_ring_depth(tiles, at);
  }
  static void limit_small_bytes(context& context, index_t bytes) {
    context.limit_small_bytes(bytes);
  }
  static void limit_cluster_items(context& context, index_t items) {
    context.limit_cluster_items(items);
  }
  static void rank_digits(context& context, gpu::ranking how) { context.rank_digits(how); }
};

/// Sets how many tiles blocks may run ahead of one another: a power of two of at least 512. The
/// descriptor ring, which has twice as many slots, then wraps at small n.
inline void limit_ring_depth(context& context, int tiles,
                             std::source_location at = std::source_location::current()) {
  hooks::limit_ring_depth(context, tiles, at);
}
/// Sets the input size in bytes from which a scan uses large tiles, which are then reached at small
/// n. If it is 0, sorts use large tiles as well.
inline void limit_small_bytes(context& context, index_t bytes) {
  hooks::limit_small_bytes(context, bytes);
}
/// Sets the number of items up to which a scan may run in one block or one cluster. With 0, scans
/// of few items run by tiles.
inline void limit_cluster_items(context& context, index_t items) {
  hooks::limit_cluster_items(context, items);
}
/// Sets how sorts rank items of equal digit, to test the fallback from atomic ranking.
inline void rank_digits(context& context, gpu::ranking how) { hooks::rank_digits(context, how); }

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

/// Returns the limits of one of these devices by name ("t4", "a100", "rtx_3090", "rtx_4090"), or
/// null for another name.
inline device_limits const* limits_named(std::string_view name) {
  return name == "t4"         ? &t4
         : name == "a100"     ? &a100
         : name == "rtx_3090" ? &rtx_3090
         : name == "rtx_4090" ? &rtx_4090
                              : nullptr;
}

/// Returns the limits with as many multiprocessors as the device has. Comparisons with its memory
/// bandwidth need that.
constexpr device_limits on_all_multiprocessors(device_limits limits) {
  limits.multiprocessors = INT_MAX;
  return limits;
}

/// Makes later calls of a context run as on a device with these limits, or with its own ones where
/// they are lower. Does not change which code runs, and cannot be undone.
inline void run_like(context& context, device_limits const& limits) {
  hooks::limit_device(context, limits.shared_bytes_of_block, limits.shared_bytes_of_multiprocessor,
                      limits.threads_of_multiprocessor, limits.multiprocessors);
}

/// Makes a context run as on the device that the environment variable SAM_PERF_LIKE names (t4,
/// a100, rtx_3090 or rtx_4090), but on all multiprocessors. Does nothing if the variable is
/// empty or not set. Throws std::invalid_argument for another name. The code must be compiled for
/// that device, as in CMAKE_CUDA_ARCHITECTURES=75-virtual, 80-virtual, 86-virtual or 89-virtual.
inline void run_as_requested(context& context) {
  char const* const name = std::getenv("SAM_PERF_LIKE");
  if (name == nullptr || *name == '\0')
    return;
  device_limits const* const limits = limits_named(name);
  if (limits == nullptr)
    throw std::invalid_argument("SAM_PERF_LIKE must be t4, a100, rtx_3090 or rtx_4090");
  run_like(context, on_all_multiprocessors(*limits));
}

}  // namespace sam::inline v0_1::SAM_GPU_BACKEND::testing
