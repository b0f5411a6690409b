// SPDX-License-Identifier: MIT
// Implements the histogram kernel: each block counts in shared memory, and then adds its counts to
// global memory.
//
// Each counter has as many copies as shared memory can hold, at most one for each lane. The lanes
// use copies in different banks, so equal items cost no more than different ones. If not even one
// copy fits, items are counted in global memory.
#pragma once

#include <sam/backend/histogram_job.hpp>
#include <sam/gpu/warp/privatized_counters.hpp>

#include <cstddef>

namespace sam::inline v0_1::gpu {

/// Holds the arguments of the histogram kernel.
template <class Job>
struct histogram_arguments {
  Job job;     // its counts must be 0
  int copies;  // copies of each counter in shared memory: a power of two up to 32, or 0
};

/// Configures the kernel at compile time: warps of a block, 16-byte vectors that a thread loads at
/// a time, and resident blocks per multiprocessor.
template <int Warps, int Vectors, int Blocks>
struct histogram_config {
  static constexpr int warps = Warps;
  static constexpr int vectors = Vectors;
  static constexpr int blocks = Blocks;
};

/// Runs the histogram kernel in one block.
template <class Device, class Job, class Config>
class histogram_block {
 public:
  using item = typename Job::item;
  static constexpr int lanes = Device::warp_size;
  static constexpr int threads = Config::warps * lanes;
  static constexpr index_t items_at_once =
      index_t{threads} * items_of_vector<item> * Config::vectors;

  /// Returns the bytes of shared memory for `copies` copies. Items outside all bins have a counter,
  /// too, which saves a branch.
  static SAM_FUNCTION index_t shared_bytes(Job const& job, int copies) {
    return copies == 0 ? 0 : (copies * job.kinds() + bins_added_up(job)) * 4;
  }
  /// Returns the number of copies of each counter that fit in `bytes`, or 0 if none fits.
  static int copies_in(Job const& job, index_t bytes) {
    return gpu::counters_that_fit<Device>(bytes,
                                          [&](int copies) { return shared_bytes(job, copies); });
  }

  SAM_DEVICE explicit histogram_block(histogram_arguments<Job> const& arguments)
      : a_(arguments), thread_(Device::warp() * lanes + Device::lane()),
        counters_(reinterpret_cast<std::uint32_t*>(Device::shared_memory())),
        own_(Device::shared_address_of(counters_ + (Device::lane() & (a_.copies - 1)))),
        scale_(Device::first(typename Device::lane_set(a_.copies)) + 2) {}

  SAM_DEVICE void run() {
    int const used = int(shared_bytes(a_.job, a_.copies) / 4);
    for (int k = thread_; k < used; k += threads)
      counters_[k] = 0;
    Device::grid_dependency_wait();
    Device::grid_dependency_trigger();
    Device::sync_block();  // orders the zeroing before the increments by other warps
    if (a_.copies == 0) {
      for_each([&](item const& x) { add(a_.job.bin(x), 1); });
      return;
    }
    for_each([&](item const& x) {
      Device::add_shared(Device::word_at(own_ + (std::uint32_t(a_.job.kind(x)) << scale_)), 1u);
    });
    Device::sync_block();  // orders the increments before the reads by other warps
    add_up();
  }

 private:
  using count = typename Job::count;
  static_assert(sizeof(count) == 4 || sizeof(count) == 8);

  /// Returns the number of bins whose counts a block sums in shared memory first, or 0 if none.
  /// Where each value has a counter, many values may share a bin. Without this sum, many atomic
  /// additions to few words of global memory would serialize.
  static SAM_FUNCTION index_t bins_added_up(Job const& job) {
    return Job::counts_values && job.size <= 1024 ? job.size : 0;
  }

  /// Adds the block's counts to the counts in global memory.
  SAM_DEVICE void add_up() const {
    int const kinds = int(a_.job.kinds()), bins = int(bins_added_up(a_.job));
    std::uint32_t* const of_bins = counters_ + a_.copies * kinds;
    for (int k = thread_; k < kinds; k += threads) {
      std::uint32_t const sum = gpu::sum_of_lanes<Device>(counters_, a_.copies, k);
      if (sum == 0)
        continue;
      std::uint64_t const bin = a_.job.bin_of_kind(k);
      if (bin < std::uint64_t(bins))
        Device::add_shared(of_bins + bin, sum);
      else
        add(bin, sum);
    }
    if (bins == 0)
      return;
    Device::sync_block();  // orders the sums of bins before the reads by other warps
    for (int b = thread_; b < bins; b += threads)
      if (of_bins[b] != 0)
        add(std::uint64_t(b), of_bins[b]);
  }

  /// Adds x to the count of a bin in global memory. Ignores items outside all bins.
  SAM_DEVICE void add(std::uint64_t bin, std::uint32_t x) const {
    if (bin == std::uint64_t(a_.job.size))
      return;
    count* const to = a_.job.counts + bin;
    if constexpr (sizeof(count) == 4)
      Device::add_no_return(reinterpret_cast<std::uint32_t*>(to), x);
    else
      Device::add(reinterpret_cast<std::uint64_t*>(to), std::uint64_t{x});
  }

  /// Calls use(item) for this thread's share of the items.
  template <class Use>
  SAM_DEVICE void for_each(Use const& use) const {
    gpu::for_each_item<Device, threads, Config::vectors>(a_.job.first_to_count(),
                                                         a_.job.items_to_count(), thread_, use);
  }

  histogram_arguments<Job> const& a_;
  int thread_;
  std::uint32_t* counters_;
  typename Device::shared_address own_;  // the lane's copy of the counter of kind 0
  int scale_;                            // log2 of the bytes of all copies of a counter
};

}  // namespace sam::inline v0_1::gpu
