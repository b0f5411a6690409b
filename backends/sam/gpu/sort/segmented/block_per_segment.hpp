// SPDX-License-Identifier: MIT
// Sorts segments of medium length, one block per segment, in shared memory.
//
// These segments are too long for the packed kernels and short enough for one block. The packed
// kernel in whose window a segment begins appends it to the list of the smallest block config that
// can hold it.
#pragma once

#include <sam/gpu/sort/block_radix_sort.hpp>

namespace sam::gpu {

struct listed_segment {
  index_t first;
  int length;
};

/// Holds one list per block config, in ascending order of capacity. buffer_for is a list's largest
/// segment length, or zero past the last list.
struct segment_lists {
  static constexpr int most = 4;
  int buffer_for[most];
  listed_segment* segments[most];
  std::uint32_t* counts;  // must be zero before the first segment is listed

  /// Returns the length of the longest segment that some list takes.
  SAM_FUNCTION int longest() const {
    int longest = 0;
    for (int k = 0; k < most; ++k)
      longest = int(max_of(longest, buffer_for[k]));
    return longest;
  }
  /// Appends a segment to the list of the smallest block config that can hold it. One thread calls
  /// it.
  template <class Device>
  SAM_DEVICE void add(listed_segment const& segment) const {
    int k = 0;
    while (buffer_for[k] < segment.length)
      ++k;
    segments[k][Device::add(counts + k, 1u)] = segment;
  }
};

template <class Job>
struct listed_arguments : sort_arguments<Job> {
  listed_segment const* segments = nullptr;
  std::uint32_t const* count = nullptr;
};

/// Sorts the segments of one list, each by one block.
template <class Device, class Job, class Config>
class sort_listed {
  using sort = block_radix_sort<Device, Job, Config>;

 public:
  static constexpr int threads = sort::threads;
  static constexpr int size = sort::size;
  static constexpr int shared_bytes = sort::shared_bytes;

  SAM_DEVICE explicit sort_listed(listed_arguments<Job> const& arguments) : a_(arguments) {}

  SAM_DEVICE void run() const {
    Device::grid_dependency_wait();
    Device::grid_dependency_trigger();
    auto const count = int(*a_.count);
    for (int k = Device::block(); k < count; k += Device::blocks()) {
      listed_segment const segment = a_.segments[k];
      // An optimisation barrier has per-thread values recomputed for each segment: keeping them
      // takes registers.
      sort(a_, segment.first, segment.length, Device::opaque(sort::own_thread()))
          .template sort_items<false>();
      // orders the reads of shared memory before the next segment overwrites it
      Device::sync_block();
    }
  }

 private:
  listed_arguments<Job> const& a_;
};

}  // namespace sam::gpu
