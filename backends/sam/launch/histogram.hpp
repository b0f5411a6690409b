// SPDX-License-Identifier: MIT
// Launches the histogram kernel.
#ifndef SAM_LAUNCH_HISTOGRAM_HPP
#define SAM_LAUNCH_HISTOGRAM_HPP

#include <sam/gpu/counting_search.hpp>
#include <sam/gpu/histogram.hpp>
#include <sam/gpu/weighted_histogram.hpp>
#include <sam/launch/device.hpp>
#include <sam/launch/runtime/launch.hpp>

namespace sam::inline v0_1::SAM_GPU_WARPS {

/// Sizes that affect speed and never results. Evidence: perf/results.
struct histogram_tuning {
  /// Threads load 64 bytes of items into registers at a time. Up to 768 bins have one counter a
  /// lane, as three channels of bytes do.
  using config = gpu::histogram_config<warps_of(16), 4, 2>;
  static constexpr index_t shared_bytes = 100 << 10;

  /// Bounds the copies of counters, so that a block does not clear and add up more than
  /// `counters_an_item` of them for each item that it counts; but `fewest_copies` always pay off.
  static constexpr index_t counters_an_item = 1;
  static constexpr int fewest_copies = 4;

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

/// Queues a histogram of all channels that a job keeps, or of some among them. `kernel` is
/// histogram_kernel, which may have `most_bytes` of shared memory.
template <class Job>
void queue_one_histogram(context& context, void (*kernel)(gpu::histogram_arguments<Job>),
                         Job const& job, index_t most_bytes) {
  using config = histogram_tuning::config;
  using block = gpu::histogram_block<device, Job, config>;
  index_t const least_share = block::items_at_once / config::vectors;
  index_t blocks = engine::div_up(job.n, block::items_at_once);
  // Smaller shares pay off where few blocks add to the same words, if they count more than they
  // add.
  if (blocks > 1 && job.kinds() <= least_share)
    blocks = max_of(
        blocks, min_of(engine::div_up(job.n, least_share), index_t{context.multiprocessors() / 4}));
  blocks = self::limited(context, blocks, index_t{config::blocks} * context.multiprocessors());
  blocks =
      engine::max_of(blocks, engine::div_up(job.n, index_t{1} << 31));  // counters have 32 bits
  int copies = block::copies_in(job, most_bytes);
  index_t const of_block = engine::div_up(job.n, blocks) * (job.last_channel - job.first_channel);
  while (copies > histogram_tuning::fewest_copies &&
         copies * job.kinds() > histogram_tuning::counters_an_item * of_block)
    copies /= 2;
  bool const stores = blocks == 1 && block::holds_counts(job, copies);
  bool const adds = !stores && block::adds_in_words(job, copies);
  if (!stores && !adds)
    self::clear(context, job.counts, std::size_t(job.size) * sizeof(typename Job::count),
                "clear counts");
  self::launch(context, kernel, blocks, block::threads, int(block::shared_bytes(job, copies)),
               {job, copies, adds ? context.exchange() : nullptr});
}

/// Queues a histogram. If the bins of all channels have no room in shared memory, each launch
/// counts as many channels as have.
template <class Job>
void queue_histogram(context& context, Job const& job) {
  using config = histogram_tuning::config;
  using block = gpu::histogram_block<device, Job, config>;
  range const named([&] { return "sam: histogram of " + std::to_string(job.n) + " items"; });
  if (job.size == 0)
    return;
  if (job.n == 0)
    return self::clear(context, job.counts, std::size_t(job.size) * sizeof(typename Job::count),
                       "clear counts");
  index_t const most_bytes = min_of(histogram_tuning::shared_bytes,
                                    index_t(context.shared_bytes()) / config::blocks - 1024);
  auto* const kernel = &histogram_kernel<Job, config>;
  self::resident_blocks(context, kernel, block::threads, int(most_bytes));
  for (int first = 0, last; first < Job::channels; first = last) {
    Job some = job;
    for (last = Job::channels;; --last) {
      some = job;
      some.keep_channels(first, last);
      if (!Job::may_split || last == first + 1 || block::copies_in(some, most_bytes) > 0)
        break;
    }
    if (some.size > 0)
      self::queue_one_histogram(context, kernel, some, most_bytes);
  }
}

/// Sizes of weighted histograms that affect speed and never results: half of the warps add items,
/// each with 12 loads of four bytes and four floats on their way, or fewer where more registers
/// would be spilled.
using weighted_histogram_tuning = gpu::weighted_histogram_config<warps_of(8), bytes_loaded_ahead>;

/// Runs gpu::weighted_histogram_block as a kernel.
template <class Job, class Config>
__global__ void SAM_LAUNCH_BOUNDS(gpu::weighted_histogram_block<device, Job, Config>::threads, 1)
    weighted_histogram_kernel(
        SAM_GRID_CONSTANT gpu::weighted_histogram_arguments<Job> const arguments) {
  SAM_IF_TARGET gpu::weighted_histogram_block<device, Job, Config>(arguments).run();
}

/// Queues a weighted histogram. Returns false, and queues nothing, if a table of its bins has no
/// room in shared memory.
template <class Job>
bool queue_weighted_histogram(context& context, Job const& job) {
  using config = weighted_histogram_tuning;
  using block = gpu::weighted_histogram_block<device, Job, config>;
  using shape = gpu::weighted_histogram_shape<Job>;
  range const named([&] { return "sam: weights of " + std::to_string(job.n) + " items"; });
  int const columns = shape::columns_for(job.kinds());
  if (columns == 0)
    return false;
  auto* const kernel = &weighted_histogram_kernel<Job, config>;
  index_t const most_bytes = context.shared_bytes();
  self::resident_blocks(context, kernel, block::threads, int(most_bytes));
  index_t const piece = shape::piece_of(job.n, job.kinds());
  int tables = shape::pieces_of_group;
  while (tables > 1 &&
         (block::shared_bytes(job, columns, tables) > most_bytes || (tables / 2) * piece >= job.n))
    tables /= 2;
  index_t const most_groups = shape::most_groups_of(job.n, job.kinds());
  index_t const blocks = self::limited(context, shape::groups_of(job.n, piece), most_groups);
  bool const clears = Job::adds_values && job.size > gpu::exchange_memory::most_bins;
  void* const groups =
      most_groups == 1
          ? nullptr
          : context.workspace(std::size_t(most_groups * job.kinds()) * sizeof(typename Job::sum));
  if (clears)
    self::clear(context, job.sums, std::size_t(job.size) * sizeof(typename Job::sum), "clear sums");
  self::launch(context, kernel, blocks, block::threads,
               int(block::shared_bytes(job, columns, tables)),
               {job, columns, tables, clears, static_cast<typename Job::sum*>(groups),
                &context.ring_for(0).shared->left});
  return true;
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
