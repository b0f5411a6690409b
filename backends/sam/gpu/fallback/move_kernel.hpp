// SPDX-License-Identifier: MIT
// Gathers and scatters items: each thread moves one.
//
// A thread loads an index, loads an item and stores it, and there is little else between the end of
// the kernel before and that of this one. So each thread finds its place, and whether there is one,
// before it waits for earlier kernels. Nothing is loaded from memory before that.
#pragma once

#include <sam/backend/job.hpp>

#include <cstdint>

namespace sam::inline v0_1::gpu {

/// Holds the arguments of a launch.
template <class Job>
struct move_arguments {
  Job job;
  std::uint32_t n;
};

/// Moves the items of one block.
template <class Device, class Job>
class move_block {
 public:
  static constexpr int threads = 256;

  SAM_DEVICE explicit move_block(move_arguments<Job> const& a) : a_(a) {}
  SAM_DEVICE void run() const {
    Device::grid_dependency_trigger();
    std::uint32_t const i = std::uint32_t(Device::block()) * threads +
                            std::uint32_t(Device::warp() * Device::warp_size + Device::lane());
    // This branch is ahead of the wait on purpose. Compilers move to behind the wait what is needed
    // only there, and a branch alone keeps the place of the thread, and the load of n from the
    // arguments, where they are.
    if (i >= a_.n)
      return;
    Device::grid_dependency_wait();
    a_.job.store(i, a_.job.load(i), {});
  }

 private:
  move_arguments<Job> const& a_;
};

}  // namespace sam::inline v0_1::gpu
