// SPDX-License-Identifier: MIT
// Segments that are too long for windows, and not too long for a block: listed by the windows in
// which they begin, each in the list of the smallest blocks that have room for it, and then sorted
// in shared memory, each by a block.
#pragma once

#include <sam/gpu/sort/block_radix_sort.hpp>

namespace sam::gpu {

struct listed_segment {
  index_t first;
  int length;
};

/// Of each list, how many items its blocks have room for, in ascending order, and where it lies.
/// Behind the last list there is no room.
struct segment_lists {
  static constexpr int most = 4;
  int buffer_for[most];
  listed_segment* segments[most];
  std::uint32_t* counts;  // zero before windows list any

  /// How long a segment may be.
  SAM_FUNCTION int longest() const {
    int longest = 0;
    for (int k = 0; k < most; ++k)
      longest = int(max_of(longest, buffer_for[k]));
    return longest;
  }
  /// Called by one thread.
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

/// Sorts the segments of a list.
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
      // What depends on the thread alone is found opaque each time: to keep it takes registers.
      sort(a_, segment.first, segment.length, Device::opaque(sort::own_thread()))
          .template sort_items<false>();
      Device::sync_block();  // shared memory has been read
    }
  }

 private:
  listed_arguments<Job> const& a_;
};

}  // namespace sam::gpu
