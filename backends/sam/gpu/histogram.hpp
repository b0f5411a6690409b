// SPDX-License-Identifier: MIT
// This file implements the histogram kernel. Each block counts in shared memory and then adds its
// counts to global memory.
//
// Every counter has as many copies as fit in shared memory, at most one per lane, in different
// banks. Equal items therefore cause no conflicts. If the counters do not fit at all, items are
// counted in global memory.
#pragma once

#include <sam/backend/histogram_job.hpp>
#include <sam/gpu/warp/privatized_counters.hpp>

#include <cstddef>

namespace sam::gpu {

/// Holds the arguments of the histogram kernel.
template <class Job>
struct histogram_arguments {
  Job job;     // its counts must be zero
  int copies;  // copies of each counter in shared memory: a power of two up to the warp size, or 0
};

/// Holds the tuning parameters: warps, 16-byte vectors that a thread loads at a time, and blocks
/// per multiprocessor.
template <int Warps, int Vectors, int Blocks>
struct histogram_config {
  static constexpr int warps = Warps;
  static constexpr int vectors = Vectors;
  static constexpr int blocks = Blocks;
};

/// Runs one block of the histogram kernel.
template <class Device, class Job, class Config>
class histogram_block {
 public:
  using item = typename Job::item;
  static constexpr int lanes = Device::warp_size;
  static constexpr int threads = Config::warps * lanes;
  static constexpr index_t items_at_once =
      index_t{threads} * items_of_vector<item> * Config::vectors;

  /// Returns the size of the counters. Items outside all bins have a counter, too, which saves a
  /// branch.
  static SAM_FUNCTION index_t shared_bytes(Job const& job, int copies) {
    return copies == 0 ? 0 : (copies * job.kinds() + bins_added_up(job)) * 4;
  }
  /// Returns the number of copies of each counter that fit into `bytes`, or 0.
  static int copies_in(Job const& job, index_t bytes) {
    return gpu::counters_that_fit<Device>(bytes,
                                          [&](int copies) { return shared_bytes(job, copies); });
  }

  SAM_DEVICE explicit histogram_block(histogram_arguments<Job> const& arguments)
      : a_(arguments), thread_(Device::warp() * lanes + Device::lane()),
        counters_(reinterpret_cast<std::uint32_t*>(Device::shared_memory())),
        own_(Device::place_in_shared(counters_ + (Device::lane() & (a_.copies - 1)))),
        scale_(Device::first(typename Device::lane_set(a_.copies)) + 2) {}

  SAM_DEVICE void run() {
    int const used = int(shared_bytes(a_.job, a_.copies) / 4);
    for (int k = thread_; k < used; k += threads)
      counters_[k] = 0;
    Device::grid_dependency_wait();
    Device::grid_dependency_trigger();
    Device::sync_block();  // orders the zeros before the additions of other warps
    if (a_.copies == 0) {
      for_each([&](item const& x) { add(a_.job.bin(x), 1); });
      return;
    }
    for_each([&](item const& x) {
      Device::add_shared(Device::word_in_shared(own_ + (std::uint32_t(a_.job.kind(x)) << scale_)),
                         1u);
    });
    Device::sync_block();  // orders the additions before the reads of the counts
    add_up();
  }

 private:
  using count = typename Job::count;
  static_assert(sizeof(count) == 4 || sizeof(count) == 8);

  /// Returns the number of bins that are summed in shared memory first. Several counters may belong
  /// to one bin, and many atomics on few words of global memory would be serialized.
  static SAM_FUNCTION index_t bins_added_up(Job const& job) {
    return Job::counts_values && job.size <= 1024 ? job.size : 0;
  }

  /// Adds the block's counts to the result.
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
    Device::sync_block();  // orders the sums of the bins before their reads
    for (int b = thread_; b < bins; b += threads)
      if (of_bins[b] != 0)
        add(std::uint64_t(b), of_bins[b]);
  }

  SAM_DEVICE void add(std::uint64_t bin, std::uint32_t x) const {
    if (bin == std::uint64_t(a_.job.size))
      return;
    count* const to = a_.job.counts + bin;
    if constexpr (sizeof(count) == 4)
      Device::add_no_return(reinterpret_cast<std::uint32_t*>(to), x);
    else
      Device::add(reinterpret_cast<std::uint64_t*>(to), std::uint64_t{x});
  }

  template <class Use>
  SAM_DEVICE void for_each(Use const& use) const {
    gpu::for_each_item<Device, threads, Config::vectors>(a_.job.items, a_.job.n, thread_, use);
  }

  histogram_arguments<Job> const& a_;
  int thread_;
  std::uint32_t* counters_;
  typename Device::shared_place own_;  // address of this lane's counter of kind 0
  int scale_;                          // log2 of the bytes of a kind's counters
};

}  // namespace sam::gpu
