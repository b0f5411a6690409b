// SPDX-License-Identifier: MIT
// Reduces the chunks of long segments, which reduce_each_segment has listed. The last block
// combines the values of each segment's chunks. If there are no long segments, the kernel ends at
// once.
#pragma once

#include <sam/gpu/grid/last_block.hpp>
#include <sam/gpu/segmented/segment_block.hpp>

namespace sam::inline v0_1::gpu {

/// Holds the arguments of a launch.
template <class Job>
struct segment_chunk_arguments {
  Job job;
  segment_chunks<typename Job::total> chunks;
};

/// Runs one block of the kernel.
template <class Device, class Job, class Config>
class reduce_segment_chunks : segment_block<Device, Job, Config> {
  using base = segment_block<Device, Job, Config>;
  using base::lanes, base::chunk, base::thread_, base::combine_;
  using typename base::one, typename base::range, typename base::warp_values;
  struct shared_layout {
    warp_values of_warps;
    std::uint32_t is_last;
  };

 public:
  using arguments = segment_chunk_arguments<Job>;
  static constexpr int shared_bytes = int(sizeof(shared_layout));
  static constexpr int threads = Config::warps * lanes;

  SAM_DEVICE explicit reduce_segment_chunks(arguments const& a)
      : base(a.job), a_(a), shared_(*reinterpret_cast<shared_layout*>(Device::shared_memory())) {}

  SAM_DEVICE void run() {
    Device::grid_dependency_trigger();
    Device::grid_dependency_wait();
    index_t const count = engine::min_of(index_t{*a_.chunks.count}, a_.chunks.capacity);
    if (count == 0)
      return;
    for (index_t c = Device::block(); c < count; c += Device::blocks())
      reduce(c);
    if (!gpu::is_last_block<Device>(a_.chunks.left, thread_, shared_.is_last))
      return;
    if (thread_ == 0)
      Device::store(a_.chunks.count, 0);
    for (index_t first = Device::warp() * lanes; first < count; first += threads)
      join(first, count);
  }

 private:
  SAM_DEVICE void reduce(index_t c) {
    segment_chunk const own = a_.chunks.at[c];
    if (own.number < 0)
      return;
    range r = this->items_of(own.segment);
    r.begin += own.number * chunk;
    r.end = engine::min_of(r.end, r.begin + chunk);
    this->combine_by_block(r, Config::warps, shared_.of_warps,
                           [&](bool, one const& sum) { a_.chunks.values[c] = sum.at[0]; });
  }
  /// Combines the chunks of the segments whose first chunks are among those from `first` on, as
  /// many as a warp has lanes.
  SAM_DEVICE void join(index_t first, index_t count) const {
    index_t const own = first + Device::lane();
    bool const begins = own < count && a_.chunks.at[own].number == 0;
    auto left = Device::lanes_where(begins);
    for (; left != 0; left &= left - 1) {
      index_t const c = first + Device::first(left);
      index_t const segment = a_.chunks.at[c].segment;
      // With wrong offsets, fewer chunks may be listed than the segment has.
      index_t const chunks =
          engine::min_of(div_up(this->items_of(segment).items(), chunk), count - c);
      one sum;
      int const having =
          combine_.of_source(engine::array_source<typename Job::total>{a_.chunks.values}, c,
                             int(chunks), Device::lane(), lanes, sum);
      combine_.join_lanes(having, lanes, sum);
      if (Device::lane() == 0)
        this->put(segment, true, sum);
    }
  }

  arguments const& a_;
  shared_layout& shared_;
};

}  // namespace sam::inline v0_1::gpu
