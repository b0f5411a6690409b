// SPDX-License-Identifier: MIT
// Runs segmented scans: by a kernel that takes values and head flags apart, where there is one.
#pragma once

#include <sam/host/jobs/segment_flags.hpp>
#include <sam/host/scan/run.hpp>

namespace sam::inline v0_1::host {

template <segmenting Job, class Policy>
void any_context::run(index_t n, Job const& job, Policy const& policy) {
  work_on<Job>(n, [&](any_pool const& pool, int workers, host::workspace& memory) {
    if constexpr (in_segments<Job, Policy>)
      host::run_kernel<typename Policy::carry>(
          pool, workers, memory, n, values_and_heads<Job>{job},
          segmented_kernel<typename Job::accumulator, Policy>(policy));
    else
      host::run_scan(pool, workers, memory, n, job, policy);
  });
}

}  // namespace sam::inline v0_1::host
