// SPDX-License-Identifier: MIT
// Runs two passes concurrently in one kernel: even blocks work on the first pass, odd blocks on the
// second. Each pass has its own descriptor ring, so the blocks of a pass wait for each other only.
#pragma once

#include <sam/gpu/grid/sub_grid.hpp>
#include <sam/gpu/scan_kernel/scan_kernel.hpp>

namespace sam::inline v0_1::gpu {

/// Defines the types of a pass that runs on half of the blocks.
template <class Device, class Job, class Policy, class Config>
struct half_of_two {
  using device = sub_grid<Device, 2>;
  using config = scan_config<device, Job, Policy, Config>;
  using arguments = scan_arguments<device, Job, Policy, Config>;
  using block = scan_block<device, Job, Policy, Config>;
};

/// Holds the arguments of both passes, and runs a block of one of them.
template <class Device, class First, class Second>
struct paired_scan {
  static constexpr int threads = First::config::threads;
  static constexpr int blocks = First::config::blocks;
  static constexpr int shared_bytes =
      int(engine::max_of(First::config::shared_bytes, Second::config::shared_bytes));
  static_assert(threads == Second::config::threads);
  static SAM_FUNCTION index_t tiles(index_t n) {
    return engine::max_of(engine::div_up(n, First::config::tile_items),
                          engine::div_up(n, Second::config::tile_items));
  }

  typename First::arguments first;
  typename Second::arguments second;

  SAM_DEVICE void run() const {
    if (Device::block() % 2 == 0)
      typename First::block(first).run();
    else
      typename Second::block(second).run();
  }
};

}  // namespace sam::inline v0_1::gpu
