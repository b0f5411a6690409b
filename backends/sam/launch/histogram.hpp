// SPDX-License-Identifier: MIT
// Launches the histogram kernel.
#ifndef SAM_LAUNCH_HISTOGRAM_HPP
#define SAM_LAUNCH_HISTOGRAM_HPP

#include <sam/gpu/counting_search.hpp>
#include <sam/gpu/histogram.hpp>
#include <sam/launch/device.hpp>
#include <sam/launch/runtime/launch.hpp>

namespace sam::inline v0_1::SAM_GPU_WARPS {

/// Sizes that affect speed and never results. Evidence: perf/results.
struct histogram_tuning {
  /// Threads load 64 bytes of items into registers at a time. Up to 256 bins have one counter a
  /// lane.
  using config = gpu::histogram_config<warps_of(16), 4, 2>;
  static constexpr index_t shared_bytes = 96 << 10;

  /// The most items that a search runs through in one block, in all passes of one kernel. Then
  /// fewer copies of each counter take less time to clear and to add up.
  static constexpr index_t most_in_one_block = 1 << 13;
  static constexpr int copies_in_one_block = 4;
};

/// Runs gpu::histogram_block as a kernel.
template <class Job, class Config>
__global__ void SAM_LAUNCH_BOUNDS(gpu::histogram_block<device, Job, Config>::threads,
                                  Config::blocks)
    histogram_kernel(SAM_GRID_CONSTANT gpu::histogram_arguments<Job> const arguments) {
  SAM_IF_TARGET gpu::histogram_block<device, Job, Config>(arguments).run();
}

/// Queues a histogram.
template <class Job>
void queue_histogram(context& context, Job const& job) {
  using config = histogram_tuning::config;
  using block = gpu::histogram_block<device, Job, config>;
  range const named([&] { return "sam: histogram of " + std::to_string(job.n) + " items"; });
  if (job.size > 0)
    self::clear(context, job.counts, std::size_t(job.size) * sizeof(typename Job::count),
                "clear counts");
  if (job.n == 0 || job.size == 0)
    return;
  auto* const kernel = &histogram_kernel<Job, config>;
  index_t const most_bytes = min_of(histogram_tuning::shared_bytes,
                                    index_t(context.shared_bytes()) / config::blocks - 1024);
  self::resident_blocks(context, kernel, block::threads, int(most_bytes));
  int const copies = block::copies_in(job, most_bytes);
  index_t blocks = self::limited(context, engine::div_up(job.n, block::items_at_once),
                                 index_t{config::blocks} * context.multiprocessors());
  blocks =
      engine::max_of(blocks, engine::div_up(job.n, index_t{1} << 31));  // counters have 32 bits
  self::launch(context, kernel, blocks, block::threads, int(block::shared_bytes(job, copies)),
               {job, copies});
}

/// Runs gpu::counting_search_block as a kernel.
template <class Job, class Config>
__global__ void SAM_LAUNCH_BOUNDS(gpu::counting_search_block<device, Job, Config>::threads,
                                  Config::blocks)
    counting_search_kernel(SAM_GRID_CONSTANT gpu::counting_search_arguments<Job> const arguments) {
  SAM_IF_TARGET gpu::counting_search_block<device, Job, Config>(arguments).run();
}

/// Queues a search by counts: all passes in one kernel of one block, or a kernel for each pass.
template <class Job>
void queue_search(context& context, Job const& job) {
  using config = histogram_tuning::config;
  using block = gpu::counting_search_block<device, Job, config>;
  range const named([&] { return "sam: search among " + std::to_string(job.n) + " items"; });
  auto* const kernel = &counting_search_kernel<Job, config>;
  index_t const most_bytes = min_of(histogram_tuning::shared_bytes,
                                    index_t(context.shared_bytes()) / config::blocks - 1024);
  self::resident_blocks(context, kernel, block::threads, int(most_bytes));
  bool const is_one = job.n <= histogram_tuning::most_in_one_block;
  int copies = block::copies_in(most_bytes);
  if (is_one)
    copies = int(min_of(copies, histogram_tuning::copies_in_one_block));
  index_t blocks = 1;
  if (!is_one)
    blocks = max_of(self::limited(context, engine::div_up(job.n, block::items_at_once),
                                  index_t{config::blocks} * context.multiprocessors()),
                    engine::div_up(job.n, index_t{1} << 31));  // counters have 32 bits
  for (int pass = 0; pass < Job::passes; pass += is_one ? Job::passes : 1)
    self::launch(context, kernel, blocks, block::threads, int(block::shared_bytes(copies)),
                 {job, pass, is_one ? Job::passes : pass + 1, copies, context.exchange(),
                  &context.ring_for(0).shared->left});
}

}  // namespace sam::inline v0_1::SAM_GPU_WARPS

#endif
