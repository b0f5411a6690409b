// SPDX-License-Identifier: MIT
// Defines the threads of a block as kernels for teams see them: kernels that also run on one thread
// of a CPU, or by Kokkos.
#pragma once

#include <sam/portable.hpp>

#include <cstddef>

namespace sam::inline v0_1::gpu {

/// A block as a team. The functions are for devices; code for the host only compiles them.
template <class Device>
class block_team {
 public:
  SAM_FUNCTION explicit block_team(index_t index) : index_(index) {}
  SAM_FUNCTION index_t index() const { return index_; }
  SAM_FUNCTION std::byte* memory() const {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
    return Device::shared_memory();
#else
    return nullptr;
#endif
  }
  SAM_FUNCTION void barrier() const {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
    Device::sync_block();
#endif
  }
  /// Calls f(0) to f(count - 1).
  template <class F>
  SAM_FUNCTION void for_each([[maybe_unused]] int count, [[maybe_unused]] F const& f) const {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
    for (int i = int(threadIdx.x); i < count; i += int(blockDim.x))
      f(i);
#endif
  }

 private:
  index_t index_;
};

}  // namespace sam::inline v0_1::gpu
