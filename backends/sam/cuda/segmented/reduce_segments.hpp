// SPDX-License-Identifier: MIT
// Launches the kernel that reduces segments which offsets describe.
#pragma once

#include <sam/cuda/device/device.hpp>
#include <sam/cuda/runtime/launch.hpp>
#include <sam/cuda/segmented/tuning.hpp>

namespace sam::inline v0_1::cuda {

template <class Job>
using each_segment = gpu::reduce_each_segment<device, Job, typename segment_tuning::config<Job>>;

/// Runs gpu::reduce_each_segment as a kernel.
template <class Job>
__global__ void __launch_bounds__(each_segment<Job>::most_threads, 2)
    reduce_each_segment_kernel(__grid_constant__ gpu::each_segment_arguments<Job> const arguments) {
  each_segment<Job>(arguments).run();
}

/// Queues a reduction of segments by one kernel. Returns false for large items, for which a scan is
/// used.
template <class Item, class T, class Offset, class Op, class Start>
bool context::reduce_segments(reduce_segments_job<Item, T, Offset, Op, Start> const& job) {
  using job_type = reduce_segments_job<Item, T, Offset, Op, Start>;
  using kernel_type = each_segment<job_type>;
  if constexpr (!reduces_all_segments<job_type>) {
    return false;
  } else {
    range const named([&] {
      return "sam: reduction of " + std::to_string(job.segments) + " segments, " +
             std::to_string(job.n) + " items";
    });
    gpu::segment_shares const by = segment_tuning::shares(job.n, job.segments);
    gpu::each_segment_arguments<job_type> arguments{job, by, nullptr, nullptr, nullptr};
    if (index_t const parts = 2 * kernel_type::chunks(job, by); parts > 0) {
      index_t const of_segments = parts * index_t{sizeof(index_t)};
      auto* const memory = static_cast<std::byte*>(
          kernel_workspace(std::size_t(of_segments + parts * index_t{sizeof(T)})));
      arguments.long_segments = reinterpret_cast<index_t*>(memory);
      arguments.parts = reinterpret_cast<T*>(memory + of_segments);
      arguments.shared = ring_for(0).shared;
    }
    auto* const kernel = &reduce_each_segment_kernel<job_type>;
    if (starts_early())
      cuda::share_half(*this, reinterpret_cast<void const*>(kernel));
    constexpr index_t most = index_t{1} << 30;
    cuda::launch(*this, kernel, cuda::limited(*this, kernel_type::blocks(job, by), most),
                 kernel_type::threads(job, by), kernel_type::shared_bytes, arguments);
    return true;
  }
}

}  // namespace sam::inline v0_1::cuda
