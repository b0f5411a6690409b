// SPDX-License-Identifier: MIT
// Reduces the segments that offsets describe in a single kernel, without marking where they begin.
//
// A segment is reduced by some lanes of a warp or by a block, as the host chooses by the mean
// length. Longer segments are told apart by the offsets alone:
//
//   short   by the lanes that the host has chosen
//   middle  by the warp whose lanes it would have been, after all short ones
//   large   likewise by the block
//
// Loads begin at once, and nothing is searched. In return a block may have to reduce all items. If
// these are many, the block lists the chunks of such a segment for a second kernel instead,
// reduce_segment_chunks.
#pragma once

#include <sam/gpu/segmented/segment_block.hpp>

namespace sam::inline v0_1::gpu {

/// Tells how segments are divided among threads. It depends on nothing but the numbers of items and
/// segments, since it determines how floats are grouped.
struct segment_shares {
  int log_lanes;  // the logarithm of the lanes of a segment; -1 if a block reduces each segment
  int warps;      // warps of a block that reduce
};

/// Holds the arguments of a launch.
template <class Job>
struct each_segment_arguments {
  Job job;
  segment_shares by;
  index_t sets;  // of segments, of which a block takes one at a time
  segment_chunks<typename Job::total> chunks;
};

/// Runs one block of the kernel.
template <class Device, class Job, class Config>
class reduce_each_segment : segment_block<Device, Job, Config> {
  using base = segment_block<Device, Job, Config>;
  using base::lanes, base::chunk, base::job_, base::combine_, base::thread_;
  using typename base::T, typename base::one, typename base::range;
  using lane_set = typename Device::lane_set;

  struct shared_layout {
    typename base::warp_values of_warps;
    lane_set large[Config::warps];  // the first lanes of large segments
    std::uint32_t first_chunk;
  };

 public:
  using arguments = each_segment_arguments<Job>;
  static constexpr int shared_bytes = int(sizeof(shared_layout));
  static constexpr int most_threads = Config::warps * lanes;

  /// Returns the arguments. The kernel divides by no variable, which would take as long as a load.
  static arguments arguments_for(Job const& job, segment_shares const& by,
                                 segment_chunks<T> const& chunks) {
    int const of_set = by.log_lanes < 0 ? 1 : by.warps * (lanes >> by.log_lanes);
    return {job, by, div_up(job.segments, of_set), chunks};
  }
  static SAM_FUNCTION int threads(arguments const& a) { return a.by.warps * lanes; }

  SAM_DEVICE explicit reduce_each_segment(arguments const& a)
      : base(a.job), a_(a), shared_(*reinterpret_cast<shared_layout*>(Device::shared_memory())) {}

  SAM_DEVICE void run() {
    Device::grid_dependency_trigger();
    Device::grid_dependency_wait();
    for (index_t set = Device::block(); set < a_.sets; set += Device::blocks())
      if (a_.by.log_lanes < 0)
        reduce_by_block(set);
      else
        reduce_set(set);
  }

 private:
  /// Reduces a segment by the block, or lists its chunks.
  SAM_DEVICE void reduce_by_block(index_t segment) {
    range const r = this->items_of(segment);
    if (a_.chunks.at != nullptr && r.items() > 2 * chunk && lists_chunks(segment, r))
      return;
    this->combine_by_block(r, a_.by.warps, shared_.of_warps, [&](bool has_items, one const& sum) {
      this->put(segment, has_items, sum);
    });
  }
  /// Lists the chunks of a long segment. Returns false if they do not fit, as may be if offsets are
  /// wrong and segments overlap.
  SAM_DEVICE bool lists_chunks(index_t segment, range const& r) {
    segment_chunks<T> const& to = a_.chunks;
    index_t const count = div_up(r.items(), chunk);
    Device::sync_block();  // orders the reads of first_chunk before its next write
    if (thread_ == 0)
      shared_.first_chunk = Device::add(to.count, std::uint32_t(count));
    Device::sync_block();  // orders the write of first_chunk before its reads
    index_t const first = shared_.first_chunk;
    bool const fits = first + count <= to.capacity;
    index_t const end = engine::min_of(count, to.capacity - first);
    for (index_t c = thread_; c < end; c += threads(a_))
      to.at[first + c] = {segment, fits ? c : -1};
    return fits;
  }
  /// The first segment of a warp's part of a set.
  SAM_DEVICE index_t first_of_warp(index_t set, int warp) const {
    return (set * a_.by.warps + warp) * (lanes >> a_.by.log_lanes);
  }
  /// Reduces the segments of a set: large ones by the block, after all others.
  SAM_DEVICE void reduce_set(index_t set) {
    reduce_by_warp(first_of_warp(set, Device::warp()));
    if (job_.n <= most_of_warp)
      return;
    Device::sync_block();  // orders the writes of the large segments before their reads
    int const own = Device::lane();
    lane_set warps =
        Device::lanes_where(own < a_.by.warps && shared_.large[own % Config::warps] != 0);
    for (; warps != 0; warps &= warps - 1) {
      int const w = Device::first(warps);
      for (lane_set left = shared_.large[w]; left != 0; left &= left - 1)
        reduce_by_block(first_of_warp(set, w) + (Device::first(left) >> a_.by.log_lanes));
    }
    if (set + Device::blocks() < a_.sets)
      Device::sync_block();  // orders the reads of the large segments before their next writes
  }
  /// Reduces a warp's short and middle segments, and notes the large ones.
  SAM_DEVICE void reduce_by_warp(index_t first) const {
    int const log = a_.by.log_lanes, width = 1 << log, own = Device::lane() & (width - 1);
    index_t const segment = first + (Device::lane() >> log);
    bool const exists = segment < job_.segments;
    range const r = exists ? this->items_of(segment) : range{0, 0};
    // The lanes of a whole warp take the segment as a middle one, whose loads may be vectors.
    bool const is_short = width < lanes && r.items() <= turns_of_short * Config::together * width;
    if (width < lanes) {
      int const count = is_short ? int(r.items()) : 0;
      one sum;
      combine_.of_thread(
          count, own, width, [&](int i) { return static_cast<T>(job_.items.at(r.begin + i)); },
          sum);
      combine_.join_lanes(combine_.having(count, width), width, sum);
      if (exists && is_short && own == 0)
        this->put(segment, count > 0, sum);
    }
    bool const is_middle = exists && !is_short && r.items() <= most_of_warp;
    for (lane_set left = Device::lanes_where(is_middle && own == 0); left != 0; left &= left - 1)
      reduce_middle(first, r, Device::first(left));
    lane_set const large = Device::lanes_where(exists && !is_short && !is_middle && own == 0);
    if (Device::lane() == 0 && job_.n > most_of_warp)
      shared_.large[Device::warp()] = large;
  }
  /// Reduces the segment of a lane by its warp.
  SAM_DEVICE void reduce_middle(index_t first, range const& of_lane, int lane) const {
    index_t const begin = gpu::shuffle_from<Device>(of_lane.begin, lane);
    auto const count = int(Device::shuffle_from(std::uint32_t(of_lane.items()), lane));
    one sum;
    int const having = combine_.of_source(job_.items, begin, count, Device::lane(), lanes, sum);
    combine_.join_lanes(having, lanes, sum);
    if (Device::lane() == 0)
      this->put(first + (lane >> a_.by.log_lanes), count > 0, sum);
  }
  /// The most turns of loads that some lanes take for a segment, and the most items of a middle
  /// segment.
  static constexpr int turns_of_short = 2;
  static constexpr int most_of_warp = Config::most_of_warp;

  arguments const& a_;
  shared_layout& shared_;
};

}  // namespace sam::inline v0_1::gpu
