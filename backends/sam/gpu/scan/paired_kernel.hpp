// SPDX-License-Identifier: MIT
// Two passes in one kernel, at the same time: every second block works on one, the others on the
// other. Each has a descriptor_ring of its own, and its blocks wait for one another alone.
#pragma once

#include <sam/gpu/grid/sub_grid.hpp>
#include <sam/gpu/scan/scan_kernel.hpp>

namespace sam::gpu {

/// A pass by half of the blocks.
template <class Device, class Job, class Policy, class Config>
struct half_of_two {
  using device = sub_grid<Device, 2>;
  using config = scan_config<device, Job, Policy, Config>;
  using arguments = scan_arguments<device, Job, Policy, Config>;
  using block = scan_block<device, Job, Policy, Config>;
};

/// What a launch of both is given, and what its blocks do.
template <class Device, class First, class Second>
struct paired_scan {
  static constexpr int threads = First::config::threads;
  static constexpr int blocks = First::config::blocks;
  static constexpr int shared_bytes =
      int(sam::max_of(First::config::shared_bytes, Second::config::shared_bytes));
  static_assert(threads == Second::config::threads);
  static SAM_FUNCTION index_t tiles(index_t n) {
    return sam::max_of(sam::div_up(n, First::config::tile_items),
                       sam::div_up(n, Second::config::tile_items));
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

}  // namespace sam::gpu
