// SPDX-License-Identifier: MIT
// Runs recurrence jobs: by a kernel whose states are those of the filter, where there is one.
#pragma once

#include <sam/host/scan/run.hpp>
#if defined(__GNUC__) && !defined(__CUDACC__) && !defined(__HIPCC__)
#include <sam/host/kernels/recurrence_kernel.hpp>
#else
namespace sam::inline v0_1::host {
// Device compilers do not support the vector types of their host compiler.
template <class Job>
concept fits_filter = false;
template <class Job, class Policy>
class recurrence_kernel;
template <class Job>
struct filter_terms_of;
}  // namespace sam::inline v0_1::host
#endif

namespace sam::inline v0_1::host {

template <recurrence Job, class Policy>
void any_context::run(index_t n, Job const& job, Policy const& policy) {
  work_on<Job>(n, [&](any_pool const& pool, int workers, host::workspace& memory) {
    if constexpr (fits_filter<Job>)
      if (n < recurrence_kernel<Job, Policy>::least_items) {
        if (!measures())
          recurrence_kernel<Job, Policy>::filter_few(job, policy, n);
        return;
      }
    if constexpr (fits_filter<Job>)
      host::run_kernel<typename Policy::carry>(pool, workers, memory, n, filter_terms_of<Job>{job},
                                               recurrence_kernel<Job, Policy>(job, policy));
    else
      host::run_scan(pool, workers, memory, n, job, policy);
  });
}

}  // namespace sam::inline v0_1::host
