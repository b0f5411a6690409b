// SPDX-License-Identifier: MIT
// Two passes in one kernel, at the same time: every second block works on one, the others on the
// other. Each has an exchange of its own, and its blocks wait for one another alone.
#pragma once

#include <sam/gpu/grid/part_of_launch.hpp>
#include <sam/gpu/scan/pass_kernel.hpp>

namespace sam::gpu {

/// A pass by half of the blocks.
template <class Device, class Job, class Pass, class Shape>
struct half_of_two {
  using device = part_of_launch<Device, 2>;
  using shape = pass_shape<device, Job, Pass, Shape>;
  using arguments = pass_arguments<device, Job, Pass, Shape>;
  using block = pass_block<device, Job, Pass, Shape>;
};

/// What a launch of both is given, and what its blocks do.
template <class Device, class First, class Second>
struct two_passes {
  static constexpr int threads = First::shape::threads;
  static constexpr int blocks = First::shape::blocks;
  static constexpr int shared_bytes =
      int(sam::max_of(First::shape::shared_bytes, Second::shape::shared_bytes));
  static_assert(threads == Second::shape::threads);
  static SAM_FUNCTION index_t tiles(index_t n) {
    return sam::max_of(sam::div_up(n, First::shape::tile_items),
                       sam::div_up(n, Second::shape::tile_items));
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
