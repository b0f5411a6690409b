// SPDX-License-Identifier: MIT
// Implements the histogram kernel: each block counts in shared memory, and then adds its counts to
// global memory. A block that is alone stores them instead. Where there are several, they may add
// to words that are zero between launches and also count blocks; the block that adds to a word last
// stores its sum. So there is nothing to clear before, and no block waits for another. All channels
// of an item are counted at once.
//
// Each counter has as many copies as shared memory can hold, at most one for each lane. The lanes
// use copies in different banks, so equal items cost no more than different ones. If not even one
// copy fits, items are counted in global memory; bytes that are counted by value always fit.
#pragma once

#include <sam/backend/histogram_job.hpp>
#include <sam/gpu/grid/exchange.hpp>
#include <sam/gpu/warp/privatized_counters.hpp>

#include <cstddef>

namespace sam::inline v0_1::gpu {

/// Holds the arguments of the histogram kernel.
template <class Job>
struct histogram_arguments {
  Job job;
  int copies;               // of each counter in shared memory: a power of two up to 32, or 0
  exchange_memory* memory;  // whose bins are zero; or null: then the job's counts must be 0
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
  /// True if one block that is alone holds every count, and stores it.
  static SAM_FUNCTION bool holds_counts(Job const& job, int copies) {
    return copies != 0 && (!Job::counts_values || bins_added_up(job) == job.size);
  }
  /// True if blocks that hold every count may add them to the words of exchange_memory.
  static SAM_FUNCTION bool adds_in_words(Job const& job, int copies) {
    return holds_counts(job, copies) && job.size <= exchange_memory::most_bins &&
           job.n <= index_t{highest_of<std::uint32_t>};
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
    auto const of_kind = [&](int k) { return gpu::sum_of_lanes<Device>(counters_, a_.copies, k); };
    if constexpr (!Job::counts_values) {
      add_or_store(of_kind);
    } else {
      std::uint32_t* const of_bins = counters_ + a_.copies * kinds;
      for (int k = thread_; k < kinds; k += threads)
        if (std::uint32_t const x = of_kind(k); x != 0) {
          std::uint64_t const bin = a_.job.bin_of_kind(k);
          if (bin < std::uint64_t(bins))
            Device::add_shared(of_bins + bin, x);
          else
            add(bin, x);
        }
      if (bins == 0)
        return;
      Device::sync_block();  // orders the sums of bins before the reads by other warps
      add_or_store([&](int b) { return of_bins[b]; });
    }
  }

  /// True if the block is alone, and holds every count.
  SAM_DEVICE bool stores() const {
    return Device::blocks() == 1 && holds_counts(a_.job, a_.copies);
  }
  /// Adds or stores the count of each bin, x(bin).
  template <class X>
  SAM_DEVICE void add_or_store(X const& x) const {
    int const size = int(a_.job.size);
    if (a_.memory != nullptr)
      return add_in_words(size, x);
    for (int b = thread_; b < size; b += threads)
      if (std::uint32_t const of_bin = x(b); stores())
        a_.job.counts[b] = count(of_bin);
      else if (of_bin != 0)
        add(std::uint64_t(b), of_bin);
  }
  /// Adds the counts of all bins to the words of the exchange memory, all before one is awaited,
  /// and stores the counts of bins to which this block adds last.
  template <class X>
  SAM_DEVICE void add_in_words(int size, X const& x) const {
    constexpr int most = (exchange_memory::most_bins + threads - 1) / threads;
    std::uint32_t own[most];
    std::uint64_t before[most];
#pragma unroll
    for (int k = 0; k < most; ++k)
      if (int const b = k * threads + thread_; b < size) {
        own[k] = x(b);
        before[k] = gpu::add_to_word<Device>(a_.memory->bins + b, own[k]);
      }
    int const end = Device::opaque(size);  // as in reduce_kernel.hpp
#pragma unroll
    for (int k = 0; k < most; ++k)
      if (int const b = k * threads + thread_;
          b < end && gpu::ends_word<Device>(a_.memory->bins + b, before[k]))
        a_.job.counts[b] = count(std::uint32_t(before[k] >> 32) + own[k]);
  }
  /// Adds x to the count of a bin in global memory. Ignores items outside all bins.
  SAM_DEVICE void add(std::uint64_t bin, std::uint32_t x) const {
    if (bin == std::uint64_t(a_.job.size))
      return;
    sum* const to = reinterpret_cast<sum*>(a_.job.counts) + bin;
    if constexpr (sizeof(count) == 4)
      Device::add_no_return(to, x);
    else
      Device::add(to, sum{x});
  }

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
