// SPDX-License-Identifier: MIT
// The kernel of a histogram: each block counts in shared memory, then adds what it has to memory.
//
// There are as many counters of a bin as shared memory has room for, at most one a lane, each
// lane's in banks of its own: equal items then cost no more than others. Bins that have no room at
// all are counted in memory.
#pragma once

#include <sam/histogram_job.hpp>

#include <cstddef>

namespace sam::gpu {

template <class Job>
struct histogram_arguments {
  Job job;     // the counts are 0
  int copies;  // of counters in shared memory: a power of two, at most a warp's lanes; or 0
};

/// Warps, vectors of 16 bytes that a thread loads at a time, and blocks of a multiprocessor.
template <int Warps, int Vectors, int Blocks>
struct histogram_shape {
  static constexpr int warps = Warps;
  static constexpr int vectors = Vectors;
  static constexpr int blocks = Blocks;
};

template <class Device, class Job, class Shape>
class histogram_block {
 public:
  using item = typename Job::item;
  static constexpr int lanes = Device::warp_size;
  static constexpr int threads = Shape::warps * lanes;
  static constexpr int group =  // items that are loaded at once
      sizeof(item) < 16 && 16 % sizeof(item) == 0 ? 16 / int(sizeof(item)) : 1;
  static constexpr index_t items_at_once = index_t{threads} * group * Shape::vectors;

  /// Items that lie in no bin are counted, too: that takes no branch.
  static index_t shared_bytes(Job const& job, int copies) { return copies * (job.size + 1) * 4; }
  /// Counters of a bin that fit so many bytes; 0 if none do.
  static int copies_in(Job const& job, index_t bytes) {
    int copies = lanes;
    while (copies > 0 && shared_bytes(job, copies) > bytes)
      copies /= 2;
    return copies;
  }

  SAM_DEVICE explicit histogram_block(histogram_arguments<Job> const& arguments)
      : a_(arguments), thread_(Device::warp() * lanes + Device::lane()),
        counters_(reinterpret_cast<std::uint32_t*>(Device::shared_memory())),
        own_at_(std::uint32_t(Device::lane() & (a_.copies - 1)) * 4),
        scale_(Device::first(typename Device::lane_set(a_.copies)) + 2) {}

  SAM_DEVICE void run() {
    int const used = a_.copies * int(a_.job.size + 1);
    for (int k = thread_; k < used; k += threads)
      counters_[k] = 0;
    Device::await_previous_kernel();
    Device::let_next_kernel_start();
    Device::sync_block();  // publishes the zeros
    if (a_.copies == 0) {
      count_all([&](std::uint64_t bin) {
        if (bin != std::uint64_t(a_.job.size))
          add(a_.job.counts + bin, 1);
      });
      return;
    }
    count_all([&](std::uint64_t bin) {
      std::uint32_t const at = std::uint32_t(bin) << scale_ | own_at_;
      Device::add_shared(reinterpret_cast<std::uint32_t*>(Device::shared_memory() + at), 1u);
    });
    Device::sync_block();  // publishes the counts
    for (int b = thread_; b < int(a_.job.size); b += threads) {
      std::uint32_t sum = 0;
#pragma unroll 8
      for (int c = 0; c < a_.copies; ++c)  // lanes start at different banks
        sum += counters_[b * a_.copies + ((c + Device::lane()) & (a_.copies - 1))];
      if (sum != 0)
        add(a_.job.counts + b, sum);
    }
  }

 private:
  using count = typename Job::count;
  static_assert(sizeof(count) == 4 || sizeof(count) == 8);

  static SAM_DEVICE void add(count* to, std::uint32_t x) {
    if constexpr (sizeof(count) == 4)
      Device::add_no_return(reinterpret_cast<std::uint32_t*>(to), x);
    else
      Device::add(reinterpret_cast<std::uint64_t*>(to), std::uint64_t{x});
  }

  template <class Add>
  SAM_DEVICE void count_all(Add const& add_to) {
    item const* const items = a_.job.items;
    index_t const n = a_.job.n;
    index_t const first = index_t{Device::block()} * threads + thread_;
    index_t const step = index_t{Device::blocks()} * threads;
    struct alignas(group > 1 ? group * sizeof(item) : alignof(item)) vector {
      room<item, group> items;
    };
    // The ends that lie in no whole vector are counted one by one.
    index_t head = 0;
    if constexpr (group > 1) {
      auto const past = reinterpret_cast<std::uintptr_t>(items) % sizeof(vector);
      head = min_of(n, past == 0 ? 0 : index_t((sizeof(vector) - past) / sizeof(item)));
    }
    index_t const vectors = (n - head) / group;
    index_t const tail = head + vectors * group;
    auto const* const from = reinterpret_cast<vector const*>(items + head);
    auto const count_vector = [&](vector const& held) {
#pragma unroll
      for (int k = 0; k < group; ++k)
        add_to(a_.job.bin(held.items.at[k]));
    };
    index_t i = first;
    for (; i + (Shape::vectors - 1) * step < vectors; i += Shape::vectors * step) {
      vector held[Shape::vectors];
#pragma unroll
      for (int v = 0; v < Shape::vectors; ++v)
        held[v] = from[i + v * step];
#pragma unroll
      for (int v = 0; v < Shape::vectors; ++v)
        count_vector(held[v]);
    }
    for (; i < vectors; i += step)
      count_vector(from[i]);
    if (first < head + (n - tail))
      add_to(a_.job.bin(items[first < head ? first : first - head + tail]));
  }

  histogram_arguments<Job> const& a_;
  int thread_;
  std::uint32_t* counters_;
  std::uint32_t own_at_;  // the lane's counter among those of a bin, in bytes
  int scale_;             // the power of two of the bytes of a bin's counters
};

}  // namespace sam::gpu
