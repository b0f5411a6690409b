// SPDX-License-Identifier: MIT
// Runs the schemes that read the items more than once, each as its sequence of kernels.
#pragma once

#include <sam/gpu/scan_kernel/scan_kernel.hpp>
#include <sam/gpu/scan_kernel/spine_kernel.hpp>

namespace sam::inline v0_1::gpu {

// A queue starts kernels:
//
//   queue.tiles(job, pass)  starts scan_block; the carry type of `pass` selects what it computes
//   queue.states()          starts spine_block

/// Queues a kernel that reduces tiles, one that scans their aggregates, and one that scans the
/// items.
template <class Queue, job Job, class Policy>
void run_scheme(carry::reduce_then_scan, Queue const& queue, index_t tiles, Job const& job,
                Policy const& policy) {
  static_assert(!scattering<Job>, "sam: a multi-pass scheme loads items twice");
  if (tiles > 1) {
    queue.tiles(job, engine::with_carry_scheme<reduce_tiles>(policy));
    queue.states();
  }
  queue.tiles(job, engine::with_carry_scheme<scan_tiles>(policy));
}

/// Queues a kernel that scans each tile on its own, one that scans the tiles' aggregates, and one
/// that adds each tile's exclusive prefix to its items.
template <class Queue, job Job, class Policy>
void run_scheme(carry::scan_then_propagate, Queue const& queue, index_t tiles, Job const& job,
                Policy const& policy) {
  static_assert(!scattering<Job>, "sam: a multi-pass scheme loads items twice");
  queue.tiles(job, engine::with_carry_scheme<scan_tiles_apart>(policy));
  if (tiles > 1) {
    queue.states();
    queue.tiles(job.again(), engine::with_carry_scheme<propagate_states>(policy));
  }
}

}  // namespace sam::inline v0_1::gpu
