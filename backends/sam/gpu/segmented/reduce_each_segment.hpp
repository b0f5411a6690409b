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
// Loads begin at once, and nothing is searched. If there are many items, segments that are too long
// for a block are left to blocks that share them. Each multiple of the length of a chunk lies in at
// most one such segment, which a block finds in the offsets. The last one of these blocks to come
// combines the segment's chunks. No block waits for another.
//
// run_few() reduces few items: short segments by the lanes of few_segments.hpp, and others as
// above.
#pragma once

#include <sam/gpu/grid/last_block.hpp>
#include <sam/gpu/segmented/few_segments.hpp>
#include <sam/gpu/segmented/segment_block.hpp>

#include <bit>

namespace sam::inline v0_1::gpu {

/// Tells how segments are divided among threads. For floats it depends on nothing but the numbers
/// of items and segments, since it determines how they are grouped.
struct segment_shares {
  int log_lanes;  // the logarithm of the lanes of a segment; -1 if a block reduces each segment
  int warps;      // warps of a block that reduce
};

/// Holds the arguments of a launch.
template <class Job>
struct each_segment_arguments {
  Job job;
  segment_shares by;
  index_t sets;      // of segments, of which a block takes one at a time
  index_t searches;  // turns in which a block looks for long segments, each at some positions
  segment_chunks<typename Job::total> chunks;
};

/// Runs one block of the kernel.
template <class Device, class Job, class Config>
class reduce_each_segment : segment_block<Device, Job, Config> {
  using base = segment_block<Device, Job, Config>;
  using base::lanes, base::job_, base::combine_, base::thread_;
  using typename base::T, typename base::one, typename base::range;
  using lane_set = typename Device::lane_set;

  struct shared_layout {
    typename base::warp_values of_warps;
    lane_set large[Config::warps];  // the first lanes of large segments
    index_t found[Config::warps];   // the long segments at the warps' positions; -1 for none
    std::uint32_t is_last;
  };

 public:
  using arguments = each_segment_arguments<Job>;
  static constexpr int shared_bytes = int(sizeof(shared_layout));
  static constexpr int most_threads = Config::warps * lanes;

  /// Returns the logarithm of the items of a chunk.
  static int log_of_chunk(index_t n, segment_shares const& by) {
    index_t const of_block = index_t{by.warps} * lanes * Config::of_thread;
    index_t const fewest = div_up(n, Config::most_chunks);
    return int(std::bit_width(std::uint64_t(engine::max_of(of_block, fewest) - 1)));
  }
  /// Returns how many positions of chunks n items have; 0 if no segment can be long.
  static index_t positions(index_t n, segment_shares const& by) {
    int const log = log_of_chunk(n, by);
    return n > index_t{2} << log ? div_up(n, index_t{1} << log) : 0;
  }
  /// Returns the arguments. A block looks for long segments at one position if it is one of at most
  /// `few_searches`, else at up to as many as it has warps. The kernel divides by no variable,
  /// which would take as long as a load.
  static arguments arguments_for(Job const& job, segment_shares const& by, segment_chunks<T> chunks,
                                 index_t few_searches) {
    int const of_set = by.log_lanes < 0 ? 1 : by.warps * (lanes >> by.log_lanes);
    chunks.log_items = log_of_chunk(job.n, by);
    chunks.positions = chunks.values != nullptr ? positions(job.n, by) : 0;
    chunks.segments_of_chunk =
        float(job.segments) * float(index_t{1} << chunks.log_items) / float(job.n);
    index_t const of_search =
        engine::min_of(by.warps, engine::max_of(1, div_up(chunks.positions, few_searches)));
    return {job, by, div_up(job.segments, of_set), div_up(chunks.positions, of_search), chunks};
  }
  static SAM_FUNCTION index_t turns(arguments const& a) { return a.searches + a.sets; }
  static SAM_FUNCTION int threads(arguments const& a) { return a.by.warps * lanes; }

  SAM_DEVICE explicit reduce_each_segment(arguments const& a)
      : base(a.job), a_(a), shared_(*reinterpret_cast<shared_layout*>(Device::shared_memory())) {}

  SAM_DEVICE void run() {
    Device::grid_dependency_trigger();
    Device::grid_dependency_wait();
    for (index_t turn = Device::block(); turn < turns(a_); turn += Device::blocks())
      if (turn >= a_.searches && a_.by.log_lanes < 0)
        reduce_by_block(turn - a_.searches, -1);
      else
        take<false>(turn);
  }
  /// Runs a block with one set of segments of few items, by lanes. It is one of so many blocks as
  /// there are sets, and none looks for long segments.
  SAM_DEVICE void run_few() {
    Device::grid_dependency_trigger();
    Device::grid_dependency_wait();
    take<true>(Device::block());
  }

 private:
  /// Looks for long segments, or reduces a set of segments by warps. What is left to the block
  /// follows in one place, since each copy of that needs registers.
  template <bool Few>
  SAM_DEVICE void take(index_t turn) {
    bool const searches = !Few && turn < a_.searches;
    index_t const set = Few ? turn : turn - a_.searches;
    if (searches)
      search(turn);
    else if constexpr (Few)
      reduce_few(std::uint32_t(set));
    else
      reduce_by_warp(first_of_warp(set, Device::warp()));
    if (!searches && job_.n <= most_of_warp)
      return;
    Device::sync_block();  // orders the writes of what is left to the block before their reads
    int const own = Device::lane();
    lane_set const with_some =
        Device::lanes_where(own < a_.by.warps && shared_.large[own % Config::warps] != 0);
    for (lane_set warps = with_some; warps != 0; warps &= warps - 1) {
      int const w = Device::first(warps);
      for (lane_set left = shared_.large[w]; left != 0; left &= left - 1)
        reduce_by_block(searches ? shared_.found[w]
                                 : first_of_warp(set, w) + (Device::first(left) >> a_.by.log_lanes),
                        searches ? int(turn + w * a_.searches) : -1);
    }
    if (searches)
      end_search(with_some != 0);
    if (!Few && turn + Device::blocks() < turns(a_))
      Device::sync_block();  // orders the reads of what was left before the next writes
  }
  /// Reduces a segment by the block, or its chunk at a position. Without one, leaves long segments
  /// to blocks that share them.
  SAM_DEVICE void reduce_by_block(index_t segment, int position) {
    range r = this->items_of(segment);
    if (position >= 0)
      r = chunk_at(position, r);
    else if (is_long(r))
      return;
    this->combine_items(r, a_.by.warps, shared_.of_warps, [&](bool has_items, one const& sum) {
      if (position >= 0)
        a_.chunks.values[position] = sum.at[0];
      else
        this->put(segment, has_items, sum);
    });
    if (position >= 0)
      end_chunk(segment);
  }

  // --- Long segments ----------------------------------------------------------------------------

  SAM_DEVICE index_t chunk() const { return index_t{1} << a_.chunks.log_items; }
  SAM_DEVICE bool is_long(range const& r) const {
    return a_.chunks.positions > 0 && r.items() > 2 * chunk();
  }
  /// Returns the chunk of a long segment at a position: what it has from there, or from its begin,
  /// to its next position.
  SAM_DEVICE range chunk_at(index_t position, range const& of_segment) const {
    index_t const begin = position << a_.chunks.log_items;
    return {begin - of_segment.begin < chunk() ? of_segment.begin : begin,
            engine::min_of(of_segment.end, begin + chunk())};
  }
  /// Ends the reduction of a chunk. The last block that does so combines those of the segment.
  SAM_DEVICE void end_chunk(index_t segment) {
    range const r = this->items_of(segment);
    auto const first = int((r.begin + chunk() - 1) >> a_.chunks.log_items);
    int const count = int((r.end - 1) >> a_.chunks.log_items) + 1 - first;
    if (!gpu::is_last_block<Device>(a_.chunks.come + first, std::uint32_t(count), thread_,
                                    shared_.is_last))
      return;
    int const threads = this->threads(a_);
    this->combine_by_block(
        shared_.of_warps,
        [&](one& sum) {
          combine_.of_thread(
              count, thread_, threads, [&](int c) { return a_.chunks.values[first + c]; }, sum);
          return combine_.having(count, threads);
        },
        [&](bool, one const& sum) { this->put(segment, true, sum); });
  }
  /// Looks for long segments at some positions, of which each warp has one.
  SAM_DEVICE void search(index_t turn) {
    index_t const position = turn + Device::warp() * a_.searches;
    index_t const segment = position < a_.chunks.positions ? long_segment_at(position) : -1;
    if (Device::lane() == 0) {
      shared_.found[Device::warp()] = segment;
      shared_.large[Device::warp()] = segment >= 0 ? 1 : 0;
    }
  }
  /// Ends a turn with a search. Where there are long segments, the last one clears their counters,
  /// since fewer blocks may have come than a segment has positions if offsets are wrong.
  SAM_DEVICE void end_search(bool has_found) {
    constexpr std::uint32_t found = 1 << 16;
    static_assert(Config::most_chunks < found);
    if (Device::warp() > 0)
      return;
    std::uint32_t counted = 0;
    if (Device::lane() == 0) {
      std::uint32_t const own = has_found ? found + 1 : 1;
      if (has_found)
        Device::fence();  // orders the counts of chunks before that of the turn
      counted = Device::add(a_.chunks.left, own) + own;
      if (counted % found == std::uint32_t(a_.searches))
        Device::store(a_.chunks.left, 0);
      if (counted / found > 0)
        Device::fence();  // orders the counts of all turns before the clearing
    }
    counted = Device::shuffle_from(counted, 0);
    if (counted / found == 0 || counted % found != std::uint32_t(a_.searches))
      return;
    Device::sync_warp();  // lets the fence of lane 0 order what the other lanes clear
#pragma unroll 1
    for (int p = Device::lane(); p < int(a_.chunks.positions); p += lanes)
      a_.chunks.come[p] = 0;
  }
  /// Returns the long segment at a position, found by a warp; -1 if there is none.
  SAM_DEVICE index_t long_segment_at(index_t position) const {
    index_t const item = position << a_.chunks.log_items;
    // The segment is one from `low` on, and before `high`. Lanes look first around the one that
    // would be there if all had the same length, and each further away than the one before.
    index_t low = 0, high = job_.segments;
    auto const guess = static_cast<index_t>(float(position) * a_.chunks.segments_of_chunk);
    int const away = Device::lane() - lanes / 2;
    index_t own = guess + away * (away < 0 ? -away : away);
    while (true) {
      own = engine::max_of(low, min_of(own, high));
      bool const is_before = own < high && static_cast<index_t>(job_.offsets[own]) <= item;
      int const behind = Device::count(Device::lanes_where(is_before));
      index_t const at_last = gpu::shuffle_from<Device>(own, engine::max_of(0, behind - 1));
      index_t const at_behind = gpu::shuffle_from<Device>(own, behind % lanes);
      low = behind > 0 ? at_last : low;
      high = behind < lanes ? at_behind : high;
      if (high - low <= 1)
        break;
      own = low + Device::lane() * div_up(high - low, lanes);
    }
    range const r = this->items_of(low);
    return r.begin <= item && item < r.end && is_long(r) ? low : -1;
  }
  // --- Sets of segments -------------------------------------------------------------------------

  /// The first segment of a warp's part of a set.
  SAM_DEVICE index_t first_of_warp(index_t set, int warp) const {
    return (set * a_.by.warps + warp) * (lanes >> a_.by.log_lanes);
  }
  /// Reduces a warp's short and middle segments, and notes the large ones.
  SAM_DEVICE void reduce_by_warp(index_t first) const {
    int const log = a_.by.log_lanes, width = 1 << log, own = Device::lane() & (width - 1);
    index_t const segment = first + (Device::lane() >> log);
    bool const exists = segment < job_.segments;
    range const r = exists ? this->items_of(segment) : range{0, 0};
    // The lanes of a whole warp take the segment as a middle one, whose loads may be vectors.
    bool const is_short = width < lanes && r.items() <= most_of_lane * width;
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
    reduce_longer(first, r, exists && !is_short && own == 0);
  }
  /// Reduces those of a set of few items by fewer instructions.
  SAM_DEVICE void reduce_few(std::uint32_t set) const {
    few_segments<Device, Job> const few(job_, a_.by.log_lanes);
    std::uint32_t const warp = set * std::uint32_t(a_.by.warps) + std::uint32_t(Device::warp());
    few_items_of_lane const of = few.items_of_lane(warp);
    bool const is_short = few.is_short(of);
    int const count = is_short ? of.count : 0;
    one sum;
    sum.at[0] = few.reduced(of.begin, count);
    if (of.exists && is_short && few.is_first())
      this->put(of.segment, count > 0, sum);
    reduce_longer(index_t{warp} * (lanes >> a_.by.log_lanes),
                  {of.begin, index_t{of.begin} + of.count}, !is_short && few.is_first());
  }
  /// Reduces a warp's middle segments, given those of lanes that are the first ones of segments
  /// which are not short, and notes the large ones.
  SAM_DEVICE void reduce_longer(index_t first, range const& r, bool is_longer) const {
    bool const is_middle = is_longer && r.items() <= most_of_warp;
    for (lane_set left = Device::lanes_where(is_middle); left != 0; left &= left - 1)
      reduce_middle(first, r, Device::first(left));
    lane_set const large = Device::lanes_where(is_longer && !is_middle);
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
  /// The most items of a short segment for each of its lanes, and the most of a middle segment.
  /// Warps take middle ones one after another. Where the grouping decides no result, lanes take as
  /// many items of 8 bytes as of 4.
  static constexpr int most_of_lane = engine::max_of(2 * Config::together, is_exact<T> ? 16 : 0);
  static constexpr int most_of_warp = Config::most_of_warp;

  arguments const& a_;
  shared_layout& shared_;
};

}  // namespace sam::inline v0_1::gpu
