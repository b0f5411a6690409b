// SPDX-License-Identifier: MIT
// Reduces the segments that offsets describe in a single kernel, without marking where they begin.
//
// A segment is reduced by some lanes of a warp or by a block, as the host chooses by the mean
// length. Longer segments than that are told apart by the offsets alone:
//
//   short   by the lanes that the host has chosen
//   middle  by the warp whose lanes it would have been, after all short ones
//   large   likewise by the block
//   long    in chunks of items: block c reduces the part of long segments in chunk c
//
// A long segment has more items than a chunk, so it holds the first or the last item of each chunk
// that it overlaps. Two searches thus find all long segments of a chunk. They are done by a warp of
// their own while other warps reduce segments. The last block to finish combines the parts. If all
// items fit in one chunk, nothing is searched.
#pragma once

#include <sam/backend/reduce_segments_job.hpp>
#include <sam/gpu/carry/descriptor_memory.hpp>
#include <sam/gpu/grid/last_block.hpp>
#include <sam/gpu/segmented/value_combiner.hpp>
#include <sam/gpu/warp/warp_lower_bound.hpp>

namespace sam::inline v0_1::gpu {

/// Tells how segments are divided among threads. It depends on nothing but the numbers of items and
/// segments, since it determines how floats are grouped.
struct segment_shares {
  int log_lanes;  // the logarithm of the lanes of a segment; -1 if a block reduces each segment
  int warps;      // warps of a block that reduce
  index_t chunk;  // the most items of a segment that is not long
};

/// Configures blocks of at most `Warps` warps, whose threads load `Together` items at a time, and
/// which reduce segments of up to MostOfWarp items by warps.
template <int Warps, int Together, int MostOfWarp>
struct each_segment_config {
  static constexpr int most_of_warp = MostOfWarp;
  static constexpr int warps = Warps;
  static constexpr int together = Together;
};

/// Holds the arguments of a launch.
template <class Job>
struct each_segment_arguments {
  Job job;
  segment_shares by;
  index_t sets;                          // of segments, of which a block takes one at a time
  index_t chunks;                        // 0 if all items fit in one
  typename Job::total* parts = nullptr;  // two for each chunk
  index_t* long_segments = nullptr;      // two for each chunk
  control* shared = nullptr;             // `left` counts blocks, and `claims` long segments
};

/// Runs one block of the kernel.
template <class Device, class Job, class Config>
class reduce_each_segment {
  using item = typename Job::item;
  using T = typename Job::total;
  using lane_set = typename Device::lane_set;
  static constexpr int lanes = Device::warp_size;

  struct shared_layout {
    uninitialized_array<T, Config::warps> of_warps;
    lane_set large[Config::warps];  // the first lanes of large segments
    index_t long_at[2];  // the long segments with the first and the last item of a chunk, or -1
    std::uint32_t is_last, has_arrived;
  };
  static_assert(Config::warps <= lanes);
  using combiner = value_combiner<Device, T, decltype(Job::op), Config::together>;
  using one = typename combiner::one;

 public:
  using arguments = each_segment_arguments<Job>;
  static constexpr int shared_bytes = int(sizeof(shared_layout));
  static constexpr int most_threads = (Config::warps + 1) * lanes;

  /// Returns the arguments but for memory. The kernel divides by no variable, which would take as
  /// long as a load.
  static arguments arguments_for(Job const& job, segment_shares const& by) {
    int const of_set = by.log_lanes < 0 ? 1 : by.warps * (lanes >> by.log_lanes);
    return {job, by, div_up(job.segments, of_set), job.n > by.chunk ? div_up(job.n, by.chunk) : 0};
  }
  static index_t blocks(arguments const& a) { return engine::max_of(a.sets, a.chunks); }
  /// Returns the threads of a block. If segments may be long, one warp more searches for them.
  static int threads(arguments const& a) { return (a.by.warps + (a.chunks > 0 ? 1 : 0)) * lanes; }

  SAM_DEVICE explicit reduce_each_segment(arguments const& a)
      : a_(a), job_(a.job), combine_(a.job.op),
        shared_(*reinterpret_cast<shared_layout*>(Device::shared_memory())),
        thread_(Device::warp() * lanes + Device::lane()) {}

  SAM_DEVICE void run() {
    Device::grid_dependency_trigger();
    Device::grid_dependency_wait();
    if (!is_worker())
      look_for_long();
    for (index_t set = Device::block(); set < a_.sets; set += Device::blocks())
      if (a_.by.log_lanes < 0)
        reduce_by_block(set);
      else
        reduce_set(set);
    if (Device::block() < a_.chunks)
      reduce_chunks();
  }

 private:
  struct range {
    index_t begin, end;
    SAM_DEVICE index_t items() const { return end - begin; }
  };
  /// Returns the items of a segment; none if its offsets are wrong, which keeps all accesses inside
  /// the arrays.
  SAM_DEVICE range items_of(index_t k) const {
    auto const begin = static_cast<index_t>(job_.offsets[k]);
    auto const end = static_cast<index_t>(job_.offsets[k + 1]);
    return begin >= 0 && begin <= end && end <= job_.n ? range{begin, end} : range{0, 0};
  }
  SAM_DEVICE bool is_worker() const { return Device::warp() < a_.by.warps; }
  SAM_DEVICE void put(index_t segment, T const& all) const {
    job_.out[segment] = job_.total_of(all);
  }

  // --- Items by the block -----------------------------------------------------------------------

  /// Combines at least one item by all workers. All threads of the block call it; the result is
  /// valid in thread 0.
  SAM_DEVICE one items_by_block(range const& r) {
    if (uses_warps_)
      Device::sync_block();  // orders the reads of the warps' values before their next writes
    uses_warps_ = true;
    one sum;
    int having = 0;
    if (is_worker()) {
      having = combine_.of_array(job_.items + r.begin, int(r.items()), thread_, a_.by.warps * lanes,
                                 sum);
      combine_.join_lanes(having - Device::warp() * lanes, lanes, sum);
      if (Device::lane() == 0 && thread_ < having)
        shared_.of_warps.at[Device::warp()] = sum.at[0];
    }
    Device::sync_block();  // orders the writes of the warps' values before their reads
    if (Device::warp() == 0) {
      int const warps = (having + lanes - 1) / lanes;
      if (Device::lane() < warps)
        sum.at[0] = shared_.of_warps.at[Device::lane()];
      combine_.join_lanes(warps, lanes, sum);
    }
    return sum;
  }

  // --- Segments that are not long ---------------------------------------------------------------

  /// Reduces a segment that is not long by the block.
  SAM_DEVICE void reduce_by_block(index_t segment) {
    range const r = items_of(segment);
    if (r.items() > a_.by.chunk)
      return;
    if (r.items() > 0) {
      one const all = items_by_block(r);
      if (thread_ == 0)
        put(segment, all.at[0]);
    } else if (thread_ == 0) {
      job_.out[segment] = job_.nothing;
    }
  }
  /// The first segment of a warp's part of a set.
  SAM_DEVICE index_t first_of_warp(index_t set, int warp) const {
    return (set * a_.by.warps + warp) * (lanes >> a_.by.log_lanes);
  }
  /// Reduces the segments of a set: large ones by the block, after all others.
  SAM_DEVICE void reduce_set(index_t set) {
    if (is_worker())
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
    range const r = exists ? items_of(segment) : range{0, 0};
    bool const is_short = r.items() <= turns_of_short * Config::together * width;
    int const count = is_short ? int(r.items()) : 0;
    item const* const from = job_.items + r.begin;
    one sum;
    combine_.of_thread(
        count, own, width, [=](int i) { return static_cast<T>(from[i]); }, sum);
    combine_.join_lanes(combine_.having(count, width), width, sum);
    if (exists && is_short && own == 0) {
      if (count > 0)
        put(segment, sum.at[0]);
      else
        job_.out[segment] = job_.nothing;
    }
    bool const is_middle = !is_short && r.items() <= most_of_warp;
    for (lane_set left = Device::lanes_where(is_middle && own == 0); left != 0; left &= left - 1)
      reduce_middle(first, r, Device::first(left));
    lane_set const large =
        Device::lanes_where(!is_short && !is_middle && own == 0 && r.items() <= a_.by.chunk);
    if (Device::lane() == 0 && job_.n > most_of_warp)
      shared_.large[Device::warp()] = large;
  }
  /// Reduces the segment of a lane by its warp.
  SAM_DEVICE void reduce_middle(index_t first, range const& of_lane, int lane) const {
    index_t const begin = gpu::shuffle_from<Device>(of_lane.begin, lane);
    auto const count = int(Device::shuffle_from(std::uint32_t(of_lane.items()), lane));
    one sum;
    int const having = combine_.of_array(job_.items + begin, count, Device::lane(), lanes, sum);
    combine_.join_lanes(having, lanes, sum);
    if (Device::lane() == 0)
      put(first + (lane >> a_.by.log_lanes), sum.at[0]);
  }
  /// The most turns of loads that some lanes take for a segment, and the most items of a middle
  /// segment.
  static constexpr int turns_of_short = 2;
  static constexpr int most_of_warp = Config::most_of_warp;

  // --- Long segments ----------------------------------------------------------------------------

  /// Finds the long segments of the block's first chunk, by one warp. If there are none, the block
  /// arrives at once, so that nothing waits for the counter when the segments are reduced.
  SAM_DEVICE void look_for_long() const {
    if (Device::block() >= a_.chunks)
      return;
    bool const has_long = find_long(Device::block());
    bool const arrives = !has_long && a_.chunks <= Device::blocks();
    if (Device::lane() == 0) {
      shared_.has_arrived = arrives ? 1 : 0;
      if (arrives)
        shared_.is_last = gpu::arrive_without_writes<Device>(&a_.shared->left, arrivals()) ? 1 : 0;
    }
  }
  /// The number of blocks with chunks.
  SAM_DEVICE int arrivals() const { return int(min_of(Device::blocks(), a_.chunks)); }
  SAM_DEVICE range items_of_chunk(index_t chunk) const {
    return {chunk * a_.by.chunk, min_of((chunk + 1) * a_.by.chunk, job_.n)};
  }
  /// Finds the long segments of a chunk, by one warp. Returns false if there are none.
  SAM_DEVICE bool find_long(index_t chunk) const {
    bool const is_upper = Device::lane() >= lanes / 2;
    range const within = items_of_chunk(chunk);
    index_t const at = is_upper ? within.end - 1 : within.begin;
    index_t const k = gpu::search_by_halves<Device>(0, job_.segments, [&](index_t e) {
      return static_cast<index_t>(job_.offsets[e + 1]) > at;
    });
    bool const is_long = k < job_.segments && items_of(k).items() > a_.by.chunk;
    index_t const lower = gpu::shuffle_from<Device>(k, 0);
    bool const counts = is_long && (!is_upper || k != lower);
    if (Device::lane() % (lanes / 2) == 0)
      shared_.long_at[is_upper ? 1 : 0] = counts ? k : -1;
    return !Device::all_lanes(!counts);
  }

  /// Reduces the parts of long segments in the block's chunks. The last block combines the parts.
  SAM_DEVICE void reduce_chunks() {
    Device::sync_block();  // orders the writes of long_at, has_arrived and is_last before reads
    if (shared_.has_arrived == 0) {
      for (index_t chunk = Device::block(); chunk < a_.chunks; chunk += Device::blocks()) {
        if (chunk != Device::block()) {
          Device::sync_block();  // orders the reads of long_at before its next writes
          if (!is_worker())
            find_long(chunk);
          Device::sync_block();  // orders the writes of long_at before its reads
        }
        for (int which = 0; which < 2; ++which)
          if (index_t const segment = shared_.long_at[which]; segment >= 0)
            reduce_part(chunk, which, segment);
      }
      if (!gpu::is_last_block<Device>(&a_.shared->left, thread_, shared_.is_last, arrivals()))
        return;
    } else {
      if (shared_.is_last == 0)
        return;
      if (thread_ == 0)
        gpu::see_all_blocks<Device>(&a_.shared->left);
      Device::sync_block();  // orders the fence of thread 0 before the other threads' reads
    }
    join_parts();
  }
  /// Reduces the part of a segment in a chunk. The chunk in which the segment begins lists it.
  SAM_DEVICE void reduce_part(index_t chunk, int which, index_t segment) {
    range const all = items_of(segment), within = items_of_chunk(chunk);
    range const part{max_of(all.begin, within.begin), min_of(all.end, within.end)};
    if (part.begin >= part.end)
      return;  // never, if the offsets ascend
    one const sum = items_by_block(part);
    if (thread_ != 0)
      return;
    a_.parts[2 * chunk + which] = sum.at[0];
    if (all.begin >= within.begin)
      a_.long_segments[Device::add(&a_.shared->claims, 1)] = segment;
  }

  /// Combines the parts of each long segment: few by a thread, more by a warp.
  SAM_DEVICE void join_parts() const {
    std::uint32_t const count = Device::load(&a_.shared->claims);
    Device::sync_block();  // orders the reads of the counter before its reset
    if (thread_ == 0)
      Device::store(&a_.shared->claims, 0);
    if (count == 0 || !is_worker())
      return;
    for (auto k = std::uint32_t(thread_); k < count; k += std::uint32_t(a_.by.warps * lanes))
      join_one(a_.long_segments[k], false, 0, 1);
    for (auto k = std::uint32_t(Device::warp()); k < count; k += std::uint32_t(a_.by.warps))
      join_one(a_.long_segments[k], true, Device::lane(), lanes);
  }
  /// Combines the parts of a segment if there are many or few of them, as asked, by `threads`
  /// threads: one, or all of a warp.
  SAM_DEVICE void join_one(index_t segment, bool many, int thread, int threads) const {
    range const all = items_of(segment);
    index_t const first = all.begin / a_.by.chunk;
    int const count = int((all.end - 1) / a_.by.chunk - first + 1);
    if ((count > most_by_thread) != many || count <= 0)
      return;
    // The segment has the first item of all of its chunks, but perhaps of the first chunk.
    bool const is_inside = all.begin > first * a_.by.chunk;
    one sum;
    combine_.of_thread(
        count, thread, threads,
        [&](int i) { return a_.parts[2 * (first + i) + (is_inside && i == 0 ? 1 : 0)]; }, sum);
    if (many)
      combine_.join_lanes(combine_.having(count, threads), threads, sum);
    if (thread == 0)
      put(segment, sum.at[0]);
  }
  static constexpr int most_by_thread = 16;

  arguments const& a_;
  Job const& job_;
  combiner combine_;
  shared_layout& shared_;
  int thread_;
  bool uses_warps_ = false;  // by_block has been called
};

}  // namespace sam::inline v0_1::gpu
