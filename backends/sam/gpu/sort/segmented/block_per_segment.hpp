// SPDX-License-Identifier: MIT
// Sorts each segment of a list by one block, in its shared memory or in tiles. packed_segments has
// listed the segment, which exceeds its buffer, for the smallest blocks that have capacity for it.
#pragma once

#include <sam/gpu/sort/block_radix_sort.hpp>
#include <sam/gpu/sort/segmented/block_tile_sort.hpp>

namespace sam::inline v0_1::gpu {

/// Locates a segment in the arrays of a job.
struct listed_segment {
  index_t first;
  int length;
};

/// Holds lists of segments in ascending order of their blocks' capacity, buffer_for[k] items. Lists
/// beyond the last one have capacity 0.
struct segment_lists {
  static constexpr int most = 5;
  int buffer_for[most];
  listed_segment* segments[most];
  std::uint32_t* counts;  // zeroed before any segment is added

  /// Returns the length of the longest segment that fits in a list.
  SAM_FUNCTION int longest() const {
    int longest = 0;
    for (int k = 0; k < most; ++k)
      longest = int(max_of(longest, buffer_for[k]));
    return longest;
  }
  /// Adds a segment to the first list that has capacity for it. One thread calls it.
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

/// Names what sorts a segment by a block: in shared memory, or in tiles.
template <class Device, class Job, class Config>
struct block_sort_of {
  using type = block_radix_sort<Device, Job, Config>;
};
template <class Device, class Job, class Config>
requires requires { Config::longest; }
struct block_sort_of<Device, Job, Config> {
  using type = block_tile_sort<Device, Job, Config>;
};

/// Sorts the segments of one list, one block for each.
template <class Device, class Job, class Config>
class sort_listed {
  using sort = typename block_sort_of<Device, Job, Config>::type;

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
      // Recomputing what depends on the thread, behind an optimisation barrier, saves registers.
      sort(a_, segment.first, segment.length, Device::opaque(sort::own_thread()))
          .template sort_items<false>();
      Device::sync_block();  // orders the reads of shared memory before the next segment's writes
    }
  }

 private:
  listed_arguments<Job> const& a_;
};

}  // namespace sam::inline v0_1::gpu
