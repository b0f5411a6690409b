// SPDX-License-Identifier: MIT
// Instantiates jobs that only the fallback of the Kokkos back end runs on devices. Host compilers
// do not see that such a job calls a function of the host, and the CUDA back end has kernels of its
// own: so this is compiled with calls across execution spaces as errors.
#include <sam/detail/merge_chunks.hpp>

namespace {

struct by_value {
  SAM_FUNCTION bool operator()(float a, float b) const { return a < b; }
};

template <class Job>
__global__ void run(Job job) {
  job.store(0, job.load(0), job.to_accumulator(job.load(0)));
}

using sam::detail::merge_chunks_job;
using sam::detail::sort_chunks_job;
using sam::engine::merge_pass;
template __global__ void run(sort_chunks_job<float, sam::no_values, by_value>);
template __global__ void run(sort_chunks_job<float, short, by_value>);
template __global__ void run(merge_chunks_job<merge_pass<float, sam::no_values, by_value>>);
template __global__ void run(merge_chunks_job<merge_pass<float, short, by_value>>);

}  // namespace
