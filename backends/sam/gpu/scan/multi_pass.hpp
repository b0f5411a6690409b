// SPDX-License-Identifier: MIT
// This file runs the multi-pass schemes as sequences of kernels.
#pragma once

#include <sam/gpu/scan/scan_kernel.hpp>
#include <sam/gpu/scan/spine_kernel.hpp>

namespace sam::gpu {

// queue.tiles(job, policy)  launches the scan_block kernel; the policy's carry selects the step
// queue.states()            launches the spine_block kernel

/// Runs reduce-then-scan: reduces all tiles, scans the aggregates, then scans all tiles.
template <class Queue, job Job, class Policy>
void run_scheme(carry::reduce_then_scan, Queue const& queue, index_t tiles, Job const& job,
                Policy const& policy) {
  static_assert(!scattering<Job>, "sam: a multi-pass scheme loads items twice");
  if (tiles > 1) {
    queue.tiles(job, sam::carried_by<reduce_tiles>(policy));
    queue.states();
  }
  queue.tiles(job, sam::carried_by<scan_tiles>(policy));
}

/// Runs scan-then-propagate: scans all tiles independently, scans the aggregates, then adds the
/// prefixes.
template <class Queue, job Job, class Policy>
void run_scheme(carry::scan_then_propagate, Queue const& queue, index_t tiles, Job const& job,
                Policy const& policy) {
  static_assert(!scattering<Job>, "sam: a multi-pass scheme loads items twice");
  queue.tiles(job, sam::carried_by<scan_tiles_apart>(policy));
  if (tiles > 1) {
    queue.states();
    queue.tiles(job.again(), sam::carried_by<propagate_states>(policy));
  }
}

}  // namespace sam::gpu
