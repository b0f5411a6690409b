// SPDX-License-Identifier: MIT
// Has the resources of a GPU that decide how kernels are launched, for all vendors.
#pragma once

#include <sam/portable.hpp>

#include <cstddef>

namespace sam::inline v0_1::gpu {

/// Holds the resources of a device, and what the code that was compiled for it can do.
struct device_resources {
  std::size_t shared_bytes_of_block = 0;
  std::size_t shared_bytes = 0;           // of a multiprocessor
  std::size_t reserved_shared_bytes = 0;  // by the system, for each block
  int threads = 0;                        // of a multiprocessor, at a time
  int multiprocessors = 0;
  int warp_size = 32;
  std::size_t cached_bytes = 0;      // that L2 holds while they are read at random; 0: unknown
  bool starts_early = false;         // a kernel may start before the previous one ends
  bool has_clusters = false;         // blocks may form clusters
  bool has_fixed_stages = false;     // device::has_fixed_stages
  bool runs_together = false;        // all blocks of a launch may be made to run at the same time
  bool reaches_host_memory = false;  // kernels access memory that the host allocated by itself
};

/// Tells which memory a pointer points to.
enum class memory_kind { unregistered, device, other };

}  // namespace sam::inline v0_1::gpu
