// SPDX-License-Identifier: MIT
// Runs two scans in one kernel: even blocks run one scan, odd blocks the other.
#ifndef SAM_LAUNCH_SCAN_RUN_TWO_HPP
#define SAM_LAUNCH_SCAN_RUN_TWO_HPP

#include <sam/gpu/scan_kernel/paired_kernel.hpp>
#include <sam/launch/scan/run.hpp>

namespace sam::inline v0_1::SAM_GPU_WARPS {

template <class Job, class Policy, class Config>
using half_of_two = gpu::half_of_two<device, Job, Policy, Config>;
template <class First, class Second>
using paired_scan = gpu::paired_scan<device, First, Second>;

/// Runs gpu::paired_scan as a kernel.
template <class First, class Second>
__global__ void SAM_LAUNCH_BOUNDS(paired_scan<First, Second>::threads,
                                  paired_scan<First, Second>::blocks)
    paired_scan_kernel(SAM_GRID_CONSTANT paired_scan<First, Second> const arguments) {
  SAM_IF_TARGET arguments.run();
}

/// Queues one kernel that runs First and Second, each on half of the blocks. Returns false if the
/// device cannot run it.
template <class First, class Second, job FirstJob, job SecondJob, class Policy>
bool launch_two(context& context, index_t n, FirstJob const& first, SecondJob const& second,
                Policy const& policy) {
  using both = paired_scan<First, Second>;
  range const named([&] { return "sam: two passes, " + std::to_string(n) + " items"; });
  auto* const kernel = &paired_scan_kernel<First, Second>;
  occupancy const use = self::occupancy_of<typename First::config, typename Second::config>(
      context, kernel, both::threads);
  if (use.blocks == 0)
    return false;
  index_t most = index_t{use.blocks} * context.multiprocessors();
  if (context.most_blocks() > 0)
    most = min_of(most, context.most_blocks());
  auto const arguments_of = [&]<class Half, class Job>(Half, Job const& job, std::size_t which) {
    using config = typename Half::config;
    static auto const tables = config::tables::make(config::items, config::warps);
    constexpr int words = gpu::words_of_slot<typename config::traits, typename Job::accumulator>;
    return typename Half::arguments{job,       policy, n, tables, {context.ring_for(words, which)},
                                    use.stages};
  };
  self::launch(context, kernel, 2 * engine::min_of(both::tiles(n), max_of(1, most / 2)),
               both::threads, use.bytes,
               {arguments_of(First{}, first, 0), arguments_of(Second{}, second, 1)});
  return true;
}

/// Queues two independent jobs. On small inputs they run in one kernel, so that neither waits for
/// the other's last tiles or launch. On large inputs they run one after the other, which is faster
/// for memory.
template <job First, job Second, class Policy>
void queue_two(context& context, index_t n, First const& first, Second const& second,
               Policy const& policy) {
  if constexpr (fits_tiles<First, Policy> && fits_tiles<Second, Policy>) {
    using large = scan_tuning::large<First, Policy>;
    using other_large = scan_tuning::large<Second, Policy>;
    using small = half_of_two<First, Policy, scan_tuning::small<First, Policy>>;
    using other_small = half_of_two<Second, Policy, scan_tuning::small<Second, Policy>>;
    if (self::is_large<First, Policy>(n, context.small_bytes())) {
      bool const together = n * gpu::stage_of<First, Policy>::bits_of_item <
                            context.tuned().paired_below_bytes * index_t{8};
      if (together ? self::launch_two<half_of_two<First, Policy, large>,
                                      half_of_two<Second, Policy, other_large>>(context, n, first,
                                                                                second, policy)
                   : self::launch_scan<large>(context, n, first, policy) &&
                         self::launch_scan<other_large>(context, n, second, policy))
        return;
    }
    if (!self::launch_two<small, other_small>(context, n, first, second, policy))
      sam::detail::fail<device_error>(platform::name,
                                      "the device has too little shared memory for the scan",
                                      std::source_location::current());
  } else {
    context.run(n, first, policy);
    context.run(n, second, policy);
  }
}

}  // namespace sam::inline v0_1::SAM_GPU_WARPS

#endif
