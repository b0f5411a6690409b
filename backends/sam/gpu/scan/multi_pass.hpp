// SPDX-License-Identifier: MIT
// The schemes that pass over the items more than once, as the kernels that they take.
#pragma once

#include <sam/gpu/scan/scan_kernel.hpp>
#include <sam/gpu/scan/spine_kernel.hpp>

namespace sam::gpu {

// queue.tiles(job, pass)  the kernel of scan_block; the pass's carry says what it does
// queue.states()          that of spine_block

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
