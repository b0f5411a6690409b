// SPDX-License-Identifier: MIT
// Launches the kernel of searches for many values.
#ifndef SAM_LAUNCH_SCAN_SEARCH_HPP
#define SAM_LAUNCH_SCAN_SEARCH_HPP

#include <sam/gpu/value_search.hpp>
#include <sam/launch/device.hpp>
#include <sam/launch/runtime/launch.hpp>

namespace sam::inline v0_1::SAM_GPU_WARPS {

/// Runs gpu::value_search_block as a kernel.
template <class Job, class Config>
__global__ void SAM_LAUNCH_BOUNDS(gpu::value_search_block<device, Job, Config>::threads,
                                  gpu::value_search_block<device, Job, Config>::is_light ? 8 : 4)
    value_search_kernel(SAM_GRID_CONSTANT Job const job) {
  SAM_IF_TARGET gpu::value_search_block<device, Job, Config>{job}();
}

/// Queues a search for n values, with tiles of a config.
template <class Config, class Job>
void queue_search_by(context& context, index_t n, Job const& job) {
  using block = gpu::value_search_block<device, Job, Config>;
  range const named([&] { return "sam: search for " + std::to_string(n) + " values"; });
  index_t const tiles = engine::div_up(n, block::tile);
  self::launch(context, &value_search_kernel<Job, Config>, self::limited(context, tiles, tiles),
               block::threads, block::shared_bytes, job);
}

/// Queues a search for n values.
template <class Job>
void queue_search_for_values(context& context, index_t n, Job const& job) {
  using search = std::remove_cvref_t<decltype(job.sized())>;
  constexpr int values =
      sizeof(*search::sorted) <= limits::largest_together ? limits::values_together : 1;
  if (values == 1 || n <= limits::few_values)
    self::queue_search_by<gpu::value_search_config<warps_of(8), 1>>(context, n, job);
  else
    self::queue_search_by<gpu::value_search_config<warps_of(8), values>>(context, n, job);
}

}  // namespace sam::inline v0_1::SAM_GPU_WARPS

#endif
