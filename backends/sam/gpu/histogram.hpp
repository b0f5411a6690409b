// SPDX-License-Identifier: MIT
// Implements the histogram kernel: each block counts in shared memory, and then adds its counts to
// global memory. A block that is alone stores them instead. Where there are several, they may add
// to counters that are zero between launches; the last block to finish then stores the sums. So
// there is nothing to clear before. All channels of an item are counted at once.
//
// Each counter has as many copies as shared memory can hold, at most one for each lane. The lanes
// use copies in different banks, so equal items cost no more than different ones. If not even one
// copy fits, items are counted in global memory; bytes that are counted by value always fit.
#pragma once

#include <sam/backend/histogram_job.hpp>
#include <sam/gpu/grid/exchange_memory.hpp>
#include <sam/gpu/grid/last_block.hpp>
#include <sam/gpu/warp/privatized_counters.hpp>

#include <cstddef>

namespace sam::inline v0_1::gpu {

/// Holds the arguments of the histogram kernel.
template <class Job>
struct histogram_arguments {
  Job job;
  int copies;               // of each counter in shared memory: a power of two up to 32, or 0
  exchange_memory* memory;  // whose bins are zero; or null: then the job's counts must be 0
  std::uint32_t* done;      // counts the blocks that are done, if there is memory
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
  /// too, which saves a branch. Without copies, one word tells which block is the last.
  static SAM_FUNCTION index_t shared_bytes(Job const& job, int copies) {
    return copies == 0 ? 4 : (copies * job.kinds() + bins_added_up(job)) * 4;
  }
  /// Returns the number of copies of each counter that fit in `bytes`, or 0 if none fits.
  static int copies_in(Job const& job, index_t bytes) {
    return gpu::counters_that_fit<Device>(bytes,
                                          [&](int copies) { return shared_bytes(job, copies); });
  }
  /// True if one block that is alone holds every count, and stores it.
  static SAM_FUNCTION bool holds_counts(Job const& job, int copies) {
    return copies != 0 && (!Job::counts_values || bins_added_up(job) == job.size);
  }

  SAM_DEVICE explicit histogram_block(histogram_arguments<Job> const& arguments)
      : a_(arguments), thread_(Device::warp() * lanes + Device::lane()),
        counters_(reinterpret_cast<std::uint32_t*>(Device::shared_memory())),
        own_(Device::shared_address_of(counters_ + (Device::lane() & (a_.copies - 1)))),
        pitch_(std::uint32_t(a_.copies) * 4) {}

  SAM_DEVICE void run() {
    int const used = int(shared_bytes(a_.job, a_.copies) / 4);
    for (int k = thread_; k < used; k += threads)
      counters_[k] = 0;
    Device::grid_dependency_wait();
    Device::grid_dependency_trigger();
    Device::sync_block();  // orders the zeroing before the increments by other warps
    if (Job::counts_values || a_.copies != 0) {
      for_each<Config::vectors>([&](item const& x) {
        a_.job.for_each_kind(x, [&](auto kind) {
          Device::add_shared(Device::word_at(own_ + std::uint32_t(kind) * pitch_), 1u);
        });
      });
      Device::sync_block();  // orders the increments before the reads by other warps
      add_up();
    } else {
      for_each<1>(
          [&](item const& x) { a_.job.for_each_bin(x, [&](std::uint64_t bin) { add(bin, 1); }); });
    }
    if (stores() || a_.memory == nullptr ||
        !gpu::is_last_block<Device>(a_.done, thread_, *counters_))
      return;
    for (int b = thread_; b < int(a_.job.size); b += threads) {
      a_.job.counts[b] = count(Device::load(total(b)));
      Device::store(total(b), sum(0));
    }
  }

 private:
  using count = typename Job::count;
  static_assert(sizeof(count) == 4 || sizeof(count) == 8);
  using sum = std::conditional_t<sizeof(count) == 4, std::uint32_t, std::uint64_t>;

  /// Returns the number of bins whose counts a block sums in shared memory first, or 0 if none.
  /// Where each value has a counter, many values may share a bin. Without this sum, many atomic
  /// additions to few words of global memory would serialize.
  static SAM_FUNCTION index_t bins_added_up(Job const& job) {
    return Job::counts_values && job.size <= exchange_memory::most_bins ? job.size : 0;
  }

  /// Adds the block's counts to those in global memory, or stores them if it is alone.
  SAM_DEVICE void add_up() const {
    int const kinds = int(a_.job.kinds()), bins = int(bins_added_up(a_.job));
    std::uint32_t* const of_bins = counters_ + a_.copies * kinds;
    for (int k = thread_; k < kinds; k += threads) {
      std::uint32_t const of_kind = gpu::sum_of_lanes<Device>(counters_, a_.copies, k);
      if (of_kind == 0 && (Job::counts_values || !stores()))
        continue;
      std::uint64_t const bin = a_.job.bin_of_kind(k);
      if (bin < std::uint64_t(bins))
        Device::add_shared(of_bins + bin, of_kind);
      else
        add_or_store(bin, of_kind);
    }
    if (bins == 0)
      return;
    Device::sync_block();  // orders the sums of bins before the reads by other warps
    for (int b = thread_; b < bins; b += threads)
      if (stores() || of_bins[b] != 0)
        add_or_store(std::uint64_t(b), of_bins[b]);
  }

  SAM_DEVICE bool stores() const {
    return Device::blocks() == 1 && holds_counts(a_.job, a_.copies);
  }
  SAM_DEVICE void add_or_store(std::uint64_t bin, std::uint32_t x) const {
    if (!stores())
      add(bin, x);
    else if (bin != std::uint64_t(a_.job.size))
      a_.job.counts[bin] = count(x);
  }
  /// Adds x to the count of a bin in global memory. Ignores items outside all bins.
  SAM_DEVICE void add(std::uint64_t bin, std::uint32_t x) const {
    if (bin == std::uint64_t(a_.job.size))
      return;
    sum* const to =
        a_.memory != nullptr ? total(index_t(bin)) : reinterpret_cast<sum*>(a_.job.counts) + bin;
    if constexpr (sizeof(count) == 4)
      Device::add_no_return(to, x);
    else
      Device::add(to, sum{x});
  }
  SAM_DEVICE sum* total(index_t bin) const { return reinterpret_cast<sum*>(a_.memory->bins) + bin; }

  /// Calls use(item) for this thread's share of the items.
  template <int Vectors, class Use>
  SAM_DEVICE void for_each(Use const& use) const {
    gpu::for_each_item<Device, threads, Vectors>(a_.job.first_to_count(), a_.job.items_to_count(),
                                                 thread_, use);
  }

  histogram_arguments<Job> const& a_;
  int thread_;
  std::uint32_t* counters_;
  typename Device::shared_address own_;  // the lane's copy of the counter of kind 0
  std::uint32_t pitch_;                  // bytes of all copies of a counter
};

}  // namespace sam::inline v0_1::gpu
