// SPDX-License-Identifier: MIT
// Defines the threads of a block as kernels for teams see them: kernels that also run on one thread
// of a CPU, or by Kokkos.
#pragma once

#include <sam/portable.hpp>

#include <cstddef>

// Compilers for GPUs also compile kernels for teams for the host, where blocks have no
// instructions.
#if (defined(__CUDACC__) || defined(__HIPCC__)) && !defined(__CUDA_ARCH__) &&                      \
    !defined(__HIP_DEVICE_COMPILE__)
#define SAM_ON_DEVICE(...)
#else
#define SAM_ON_DEVICE(...) __VA_ARGS__
#endif

namespace sam::inline v0_1::gpu {

/// A block as the team of a number, whose memory is its shared memory.
template <class Device>
class block_team {
 public:
  SAM_FUNCTION block_team(index_t index, int threads) : index_(index), threads_(threads) {}
  SAM_FUNCTION index_t index() const { return index_; }
  SAM_FUNCTION std::byte* memory() const {
    std::byte* memory = nullptr;
    SAM_ON_DEVICE(memory = Device::shared_memory();)
    return memory;
  }
  SAM_FUNCTION void barrier() const { SAM_ON_DEVICE(Device::sync_block();) }
  /// Calls f(0) to f(count - 1).
  template <class F>
  SAM_FUNCTION void for_each([[maybe_unused]] int count, [[maybe_unused]] F const& f) const {
    SAM_ON_DEVICE(for (int i = Device::warp() * Device::warp_size + Device::lane(); i < count;
                       i += threads_) f(i);)
  }

 private:
  index_t index_;
  int threads_;
};

/// Calls f(team) for the teams of block `block` of `blocks`: if there are more teams than blocks, a
/// block is several of them in turn.
template <class Device, class F>
SAM_DEVICE void run_teams_of_block(index_t block, index_t blocks, int threads, index_t teams,
                                   F const& f) {
  for (index_t i = block; i < teams; i += blocks) {
    f(block_team<Device>(i, threads));
    Device::sync_block();  // the next team has the same memory
  }
}

}  // namespace sam::inline v0_1::gpu

#undef SAM_ON_DEVICE
