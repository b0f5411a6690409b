// SPDX-License-Identifier: MIT
// Implements the kernel of searches by counts: a histogram of some bins, a scan of its counts, and
// a choice among the bins, pass by pass.
//
// Each block counts in shared memory, as in histogram.hpp. A block that is alone runs all passes.
// Several blocks run one pass, and each adds its counts to global memory. The last one to finish
// scans them, chooses, and leaves zeros for the next launch. So there is nothing to clear before,
// and no other kernel is needed between the passes.
#pragma once

#include <sam/backend/histogram_job.hpp>
#include <sam/gpu/grid/exchange_memory.hpp>
#include <sam/gpu/grid/last_block.hpp>
#include <sam/gpu/warp/privatized_counters.hpp>
#include <sam/gpu/warp/warp_scan.hpp>

namespace sam::inline v0_1::gpu {

/// Holds the arguments of a launch.
template <class Job>
struct counting_search_arguments {
  Job job;
  int first, last;          // passes [first, last); one pass if there are several blocks
  int copies;               // of each counter in shared memory: a power of two up to 32
  exchange_memory* memory;  // its bins are zero
  std::uint32_t* done;      // counts the blocks that are done
};

/// Runs one block, for a histogram_config.
template <class Device, class Job, class Config>
class counting_search_block {
  using item = typename Job::item;
  using sum = std::conditional_t<sizeof(typename Job::count) == 4, std::uint32_t, std::uint64_t>;
  static constexpr int lanes = Device::warp_size;
  static constexpr int bins = int(Job::bins), kinds = bins + 1;  // and items in no bin
  static_assert(bins <= exchange_memory::most_bins);
  static_assert(bins <= int(engine::most_searched_bins));

 public:
  static constexpr int threads = Config::warps * lanes;
  static constexpr index_t items_at_once =
      index_t{threads} * items_of_vector<item> * Config::vectors;

 private:
  static constexpr int of_thread = (bins + threads - 1) / threads;
  struct shared_layout {
    sum of_bins[of_thread * threads];
    sum of_warps[Config::warps];
    std::uint32_t is_last;
  };

 public:
  static SAM_FUNCTION constexpr index_t shared_bytes(int copies) {
    return index_t{sizeof(shared_layout)} + index_t{copies} * kinds * 4;
  }
  /// Returns the number of copies of each counter that fit in `bytes`, which one must do.
  static int copies_in(index_t bytes) {
    return gpu::counters_that_fit<Device>(bytes, [](int copies) { return shared_bytes(copies); });
  }

  SAM_DEVICE explicit counting_search_block(counting_search_arguments<Job> const& arguments)
      : a_(arguments), thread_(Device::warp() * lanes + Device::lane()),
        shared_(*reinterpret_cast<shared_layout*>(Device::shared_memory())),
        counters_(reinterpret_cast<std::uint32_t*>(&shared_ + 1)) {}

  SAM_DEVICE void run() const {
#pragma unroll 1
    for (int p = a_.first; p < a_.last; ++p) {
      for (int k = thread_; k < a_.copies * kinds; k += threads)
        counters_[k] = 0;
      if (p == a_.first) {
        Device::grid_dependency_wait();
        Device::grid_dependency_trigger();
      }
      Device::sync_block();  // orders the zeroing, and the last choice, before what follows
      count(p);
      Device::sync_block();  // orders the increments before the reads by other warps
      if (Device::blocks() == 1) {
        for (int b = thread_; b < bins; b += threads)
          shared_.of_bins[b] = gpu::sum_of_lanes<Device>(counters_, a_.copies, b);
        choose(p);
        continue;
      }
      for (int b = thread_; b < bins; b += threads)
        add(b, gpu::sum_of_lanes<Device>(counters_, a_.copies, b));
      if (!gpu::is_last_block<Device>(a_.done, thread_, shared_.is_last))
        return;
      for (int b = thread_; b < bins; b += threads) {
        shared_.of_bins[b] = sum(Device::load(total(b)));
        Device::store(total(b), sum(0));
      }
      choose(p);
    }
  }

 private:
  SAM_DEVICE sum* total(int bin) const { return reinterpret_cast<sum*>(a_.memory->bins) + bin; }
  SAM_DEVICE void add(int bin, std::uint32_t x) const {
    if (x == 0)
      return;
    if constexpr (sizeof(sum) == 4)
      Device::add_no_return(total(bin), x);
    else
      Device::add(total(bin), sum(x));
  }

  /// Counts this block's share of the items.
  SAM_DEVICE void count(int p) const {
    auto const job = a_.job.pass(p, nullptr);
    int const copy = Device::lane() & (a_.copies - 1);
    gpu::for_each_item<Device, threads, Config::vectors>(
        job.first_to_count(), job.items_to_count(), thread_, [&](item const& x) {
          job.for_each_bin(x, [&](std::uint64_t bin) {
            Device::add_shared(counters_ + int(bin) * a_.copies + copy, 1u);
          });
        });
  }

  /// Scans the counts of the bins, and stores each with its scan value.
  SAM_DEVICE void choose(int p) const {
    for (int b = bins + thread_; b < of_thread * threads; b += threads)
      shared_.of_bins[b] = 0;
    Device::sync_block();  // orders the writes of the counts before their reads
    sum x[of_thread], of_run = 0;
#pragma unroll
    for (int k = 0; k < of_thread; ++k)
      of_run += x[k] = shared_.of_bins[thread_ * of_thread + k];
    sum upto = gpu::sum_upto_lane<Device>(of_run);
    if (Device::lane() == lanes - 1)
      shared_.of_warps[Device::warp()] = upto;
    Device::sync_block();  // orders the writes of the warps' sums before their reads
    upto -= of_run;
    for (int w = 0; w < Device::warp(); ++w)
      upto += shared_.of_warps[w];
    auto const chosen = a_.job.search.chosen_of(p);
    using count = typename Job::count;
#pragma unroll
    for (int k = 0; k < of_thread; ++k) {
      upto += x[k];
      if (int const b = thread_ * of_thread + k; b < bins)
        chosen.store(b, count(x[k]), count(upto));
    }
  }

  counting_search_arguments<Job> const& a_;
  int const thread_;
  shared_layout& shared_;
  std::uint32_t* const counters_;
};

}  // namespace sam::inline v0_1::gpu
