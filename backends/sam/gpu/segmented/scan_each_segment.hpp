// SPDX-License-Identifier: MIT
// Scans the segments that offsets describe in a single kernel, without marking where they begin,
// and without waiting for other blocks.
//
// Threads of a segment find its items by its two offsets, so that loads begin at once:
//
//   short   some lanes of a warp, as the host chooses by the mean length
//   middle  the warp whose lanes these would have been, after all short ones
//   large   likewise the block, or a block for each segment if the host chooses so
//   long    a block for each tile of items, if the segment has more items than a tile
//
// Threads take neighbouring items, in rows of as many as there are lanes. A block that scans a part
// of a long segment first combines the items that precede it, which suits few items.
//
// Blocks load items of other blocks' parts before they store their own, so the output may be the
// input only if no segment is long.
//
// run_few() scans few items: short segments by the lanes of few_segments.hpp, and others as above.
#pragma once

#include <sam/backend/scan_segments_job.hpp>
#include <sam/gpu/segmented/few_segments.hpp>
#include <sam/gpu/segmented/value_combiner.hpp>
#include <sam/gpu/warp/warp_lower_bound.hpp>

#include <bit>

namespace sam::inline v0_1::gpu {

/// Configures blocks of `Warps` or `FewWarps` warps, powers of two, whose threads load twice `Rows`
/// items at a time, and which scan segments of up to MostOfWarp items by warps.
template <int Warps, int FewWarps, int Rows, int MostOfWarp>
struct scan_each_config {
  static constexpr int warps = Warps;
  static constexpr int few_warps = FewWarps;
  static constexpr int rows = Rows;
  static constexpr int most_of_warp = MostOfWarp;
};

/// Holds the arguments of a launch.
template <class Job>
struct scan_each_arguments {
  Job job;
  int log_lanes;    // the logarithm of the lanes of a segment; -1 if a block scans each segment
  int log_threads;  // the logarithm of a block's threads
  index_t sets;     // of segments, of which a block takes one at a time
  index_t tiles;    // of items; 0 if no segment can be long
};

/// Runs one block of the kernel.
template <class Device, class Job, class Config>
class scan_each_segment {
  using item = typename Job::item;
  using T = typename Job::value;
  using lane_set = typename Device::lane_set;
  static constexpr int lanes = Device::warp_size;
  static constexpr int W = Config::warps;
  static constexpr int R = Config::rows;
  static_assert(Config::few_warps >= 2 && W <= lanes);
  static_assert((W & (W - 1)) == 0 && (Config::few_warps & (Config::few_warps - 1)) == 0);
  using combiner =
      value_combiner<Device, T, decltype(Job::op), int(max_of(1, 32 / max_of(4, sizeof(T))))>;
  using one = typename combiner::one;
  using row_values = uninitialized_array<T, R>;

 public:
  using arguments = scan_each_arguments<Job>;
  static constexpr int most_threads = W * lanes;
  /// The items of a block of all warps. Up to as many, no segment is long.
  static constexpr int most_items = most_threads * 2 * R;

  /// Returns the arguments for blocks of all warps, or of few warps if there are many items. The
  /// kernel divides by no variable, which would take as long as a load.
  static arguments arguments_for(Job const& job, int log_lanes, bool by_few_warps) {
    return arguments_with(job, log_lanes,
                          by_few_warps && job.n > most_items ? Config::few_warps : W);
  }
  /// Returns those of run_few(): blocks have few warps, unless a block has to scan more items.
  static arguments arguments_for_few(Job const& job, int log_lanes) {
    bool const has_large = job.n > Config::most_of_warp && job.n <= most_items;
    return arguments_with(job, log_lanes, has_large ? W : Config::few_warps);
  }
  static int threads(arguments const& a) { return 1 << a.log_threads; }

 private:
  static arguments arguments_with(Job const& job, int log_lanes, int warps) {
    int const threads = warps * lanes;
    int const of_set = log_lanes < 0 ? 1 : warps * (lanes >> log_lanes);
    return {job, log_lanes, int(std::bit_width(unsigned(threads)) - 1),
            div_up(job.segments, of_set), job.n <= most_items ? 0 : div_up(job.n, threads * 2 * R)};
  }
  struct range {
    index_t begin, end;
    SAM_DEVICE index_t items() const { return end - begin; }
  };
  struct shared_layout {
    range of_ends[2];                    // the long segments of the tile's first and last item
    lane_set large[Config::warps];       // the first lanes of large segments
    uninitialized_array<T, W> of_warps;  // aggregates of warps
    uninitialized_array<T, W> leads;     // what warps have combined of the preceding items
  };

 public:
  static constexpr int shared_bytes = int(sizeof(shared_layout));

  SAM_DEVICE explicit scan_each_segment(arguments const& a)
      : a_(a), job_(a.job), combine_(a.job.op),
        shared_(*reinterpret_cast<shared_layout*>(Device::shared_memory())),
        thread_(Device::warp() * lanes + Device::lane()) {}

  SAM_DEVICE void run() {
    Device::grid_dependency_trigger();
    Device::grid_dependency_wait();
    index_t const count = a_.tiles + a_.sets;
    for (index_t k = Device::block(); k < count; k += Device::blocks()) {
      if (k < a_.tiles)
        scan_tile(k);
      else if (a_.log_lanes < 0)
        scan_by_block(k - a_.tiles);
      else
        scan_set<false>(k - a_.tiles);
      if (k + Device::blocks() < count)
        Device::sync_block();  // orders the reads of shared memory before the next part's writes
    }
  }
  /// Runs a block with a tile, or with one set of segments of few items, by lanes. It is one of as
  /// many blocks as there are tiles and sets.
  SAM_DEVICE void run_few() {
    Device::grid_dependency_trigger();
    Device::grid_dependency_wait();
    index_t const k = Device::block();
    if (k < a_.tiles)
      scan_tile(k);
    else
      scan_set<true>(k - a_.tiles);
  }

 private:
  /// Returns the items of a segment; none if its offsets are wrong, which keeps all accesses inside
  /// the arrays.
  SAM_DEVICE range items_of(index_t k) const {
    auto const begin = static_cast<index_t>(job_.offsets[k]);
    auto end = static_cast<index_t>(job_.offsets[k + 1]);
    if constexpr (Job::is_counted)
      end = min_of(end, job_.items_now());  // a segment behind these ends before it begins
    return begin >= 0 && begin <= end && end <= job_.n ? range{begin, end} : range{0, 0};
  }

  SAM_DEVICE int threads() const { return 1 << a_.log_threads; }
  SAM_DEVICE int warps() const { return threads() / lanes; }
  SAM_DEVICE int tile_items() const { return 2 * R << a_.log_threads; }
  SAM_DEVICE bool is_long(range const& r) const { return r.items() > tile_items(); }

  // --- Segments of a block ----------------------------------------------------------------------

  SAM_DEVICE void scan_by_block(index_t segment) {
    range const r = items_of(segment);
    if (r.items() > 0 && !is_long(r))
      scan_part({r.begin, int(r.items())}, no_lead{});
  }
  /// The first segment of a warp's part of a set.
  SAM_DEVICE index_t first_of_warp(index_t set, int warp) const {
    return (set * warps() + warp) * (lanes >> a_.log_lanes);
  }
  /// Scans the segments of a set: large ones by the block, after all others.
  template <bool Few>
  SAM_DEVICE void scan_set(index_t set) {
    if constexpr (Few)
      scan_few(std::uint32_t(set));
    else
      scan_by_warp(first_of_warp(set, Device::warp()));
    if (job_.n <= Config::most_of_warp)
      return;
    Device::sync_block();  // orders the writes of the large segments before their reads
    int const own = Device::lane();
    lane_set with_some = Device::lanes_where(own < warps() && shared_.large[own % W] != 0);
    for (; with_some != 0; with_some &= with_some - 1) {
      int const w = Device::first(with_some);
      for (lane_set left = shared_.large[w]; left != 0; left &= left - 1)
        scan_by_block(first_of_warp(set, w) + (Device::first(left) >> a_.log_lanes));
    }
  }
  /// Scans a warp's short and middle segments, and notes the large ones.
  SAM_DEVICE void scan_by_warp(index_t first) const {
    int const log = a_.log_lanes, width = 1 << log, own = Device::lane() & (width - 1);
    index_t const segment = first + (Device::lane() >> log);
    range const r = segment < job_.segments ? items_of(segment) : range{0, 0};
    bool const is_short =
        r.items() <= (width == lanes ? index_t{Config::most_of_warp} : index_t{2 * R} * width);
    scan_by_lanes(r.begin, is_short ? int(r.items()) : 0, width);
    scan_longer(r, is_short, own == 0);
  }
  /// Scans those of a set of few items by fewer instructions.
  SAM_DEVICE void scan_few(std::uint32_t set) const {
    few_segments<Device, Job> const few(job_, a_.log_lanes);
    few_items_of_lane const of =
        few.items_of_lane(set * std::uint32_t(warps()) + std::uint32_t(Device::warp()));
    bool const is_short = few.is_short(of);
    few.scan(of.begin, is_short ? of.count : 0);
    scan_longer({of.begin, index_t{of.begin} + of.count}, is_short, few.is_first());
  }
  /// Scans a warp's middle segments and notes the large ones, given the segment of each lane, and
  /// whether it is the segment's first lane.
  SAM_DEVICE void scan_longer(range const& r, bool is_short, bool is_first) const {
    bool const is_middle = !is_short && r.items() <= Config::most_of_warp;
    for (lane_set left = Device::lanes_where(is_middle && is_first); left != 0; left &= left - 1) {
      int const lane = Device::first(left);
      index_t const begin = gpu::shuffle_from<Device>(r.begin, lane);
      scan_by_lanes(begin, int(Device::shuffle_from(std::uint32_t(r.items()), lane)), lanes);
    }
    lane_set const large = Device::lanes_where(!is_short && !is_middle && is_first);
    if (Device::lane() == 0 && job_.n > Config::most_of_warp)
      shared_.large[Device::warp()] = large;
  }

  // --- Rows -------------------------------------------------------------------------------------

  SAM_DEVICE void load(index_t begin, int left, int own, int width, row_values& x) const {
#pragma unroll
    for (int r = 0; r < R; ++r)
      if (r * width + own < left)
        x.at[r] = static_cast<T>(job_.items[begin + r * width + own]);
  }
  /// Scans each row by itself over its lanes.
  SAM_DEVICE void scan_rows(int left, int own, int width, row_values& x) const {
#pragma unroll
    for (int d = 1; d < lanes; d *= 2) {
      if (d >= width)
        break;
#pragma unroll
      for (int r = 0; r < R; ++r) {
        T const other = gpu::shuffle_up<Device>(x.at[r], d);
        if (own >= d && r * width + own < left)
          x.at[r] = job_.op(other, x.at[r]);
      }
    }
  }
  /// Stores the results of scanned rows, given what precedes them. Adds the rows to it if more
  /// follow.
  SAM_DEVICE void put_rows(index_t begin, int left, int own, int width, row_values const& x,
                           bool has_carry, one& carry) const {
#pragma unroll
    for (int r = 0; r < R; ++r) {
      bool const is_mine = r * width + own < left;
      bool const has = has_carry || r > 0;
      one result;
      if constexpr (Job::is_exclusive) {
        T const below = gpu::shuffle_up<Device>(x.at[r], 1);
        if (is_mine)
          result.at[0] = own == 0 ? carry.at[0] : static_cast<T>(job_.op(carry.at[0], below));
      } else if (is_mine) {
        result.at[0] = has ? static_cast<T>(job_.op(carry.at[0], x.at[r])) : x.at[r];
      }
      if (is_mine)
        job_.out[begin + r * width + own] = result.at[0];
      T const total = gpu::shuffle_from<Device>(x.at[r], Device::lane() | (width - 1));
      if ((r + 1) * width < left)
        carry.at[0] = has ? static_cast<T>(job_.op(carry.at[0], total)) : total;
    }
  }
  /// Scans `count` items by `width` lanes, which all have the same range.
  SAM_DEVICE void scan_by_lanes(index_t begin, int count, int width) const {
    int const own = Device::lane() & (width - 1);
    one carry;
    if constexpr (Job::has_start)
      carry.at[0] = job_.start.value;
    bool has_carry = Job::has_start;
#pragma unroll 1
    for (; Device::lanes_where(count > 0) != 0; begin += 2 * R * width, count -= 2 * R * width) {
      row_values x[2];
#pragma unroll
      for (int g = 0; g < 2; ++g)
        load(begin + g * R * width, count - g * R * width, own, width, x[g]);
#pragma unroll
      for (int g = 0; g < 2; ++g) {
        int const left = count - g * R * width;
        if (g > 0 && Device::lanes_where(left > 0) == 0)
          break;
        scan_rows(left, own, width, x[g]);
        put_rows(begin + g * R * width, left, own, width, x[g], has_carry, carry);
        has_carry = true;
      }
    }
  }

  // --- Parts of a segment that a block scans ----------------------------------------------------

  /// Describes items of one segment, of which a block scans as many as a tile has.
  struct part {
    index_t begin;
    int count;
  };
  struct no_lead {
    static constexpr bool is_none = true;
    SAM_DEVICE int operator()(int, one&) const { return 0; }
  };
  /// Combines items of the segment that precede a part.
  struct lead_of_items {
    static constexpr bool is_none = false;
    scan_each_segment const& by;
    index_t begin;
    int count;
    SAM_DEVICE int operator()(int thread, one& sum) const {
      return by.combine_.of_source(engine::array_source<item>{by.job_.items}, begin, count, thread,
                                   by.threads(), sum);
    }
  };
  /// Scans a part. lead(thread, sum) combines the items of the segment before it by all threads,
  /// and returns how many of these have any.
  template <class Lead>
  SAM_DEVICE void scan_part(part const& p, Lead const& lead) {
    if (uses_warps_)
      Device::sync_block();  // orders the reads of the warps' values before their next writes
    uses_warps_ = true;
    int const rows = (p.count + threads() - 1) >> a_.log_threads, of_warp = rows * lanes;
    index_t const begin = p.begin + index_t{Device::warp()} * of_warp;
    int const left = int(max_of(0, min_of(of_warp, p.count - index_t{Device::warp()} * of_warp)));
    row_values x[2];
    one own, before;
#pragma unroll
    for (int g = 0; g < 2; ++g)
      load(begin + g * R * lanes, left - g * R * lanes, Device::lane(), lanes, x[g]);
    int leading = 0;
    if constexpr (!Lead::is_none) {
      leading = lead(thread_, before);
      combine_.join_lanes(leading - Device::warp() * lanes, lanes, before);
    }
#pragma unroll
    for (int g = 0; g < 2; ++g) {
      if (g > 0 && rows <= R)
        break;
      scan_rows(left - g * R * lanes, Device::lane(), lanes, x[g]);
#pragma unroll
      for (int r = 0; r < R; ++r) {
        int const in_row = left - (g * R + r) * lanes;
        T const total = gpu::shuffle_from<Device>(x[g].at[r], int(min_of(in_row, lanes)) - 1);
        if (in_row > 0)
          own.at[0] = g + r == 0 ? total : static_cast<T>(job_.op(own.at[0], total));
      }
    }
    if (Device::lane() == 0) {
      if (left > 0)
        shared_.of_warps.at[Device::warp()] = own.at[0];
      if (thread_ < leading)
        shared_.leads.at[Device::warp()] = before.at[0];
    }
    Device::sync_block();  // orders the writes of the warps' values before their reads
    one prefix;
    if (Device::lane() < Device::warp() && left > 0)
      prefix.at[0] = shared_.of_warps.at[Device::lane()];
    combine_.join_lanes(left > 0 ? Device::warp() : 0, lanes, prefix);
    prefix.at[0] = gpu::shuffle_from<Device>(prefix.at[0], 0);
    one carry;
    bool has_carry = Job::has_start;
    if constexpr (!Lead::is_none) {
      int const with_leads = int(div_up(leading, lanes));
      if (Device::lane() < with_leads)
        before.at[0] = shared_.leads.at[Device::lane()];
      combine_.join_lanes(with_leads, lanes, before);
      before.at[0] = gpu::shuffle_from<Device>(before.at[0], 0);
      if (leading > 0) {
        carry.at[0] = job_.from_start(before.at[0]);
        has_carry = true;
      }
    }
    if constexpr (Job::has_start)
      if (leading == 0)
        carry.at[0] = job_.start.value;
    if (Device::warp() > 0 && left > 0)
      carry.at[0] = has_carry ? static_cast<T>(job_.op(carry.at[0], prefix.at[0])) : prefix.at[0];
    has_carry |= Device::warp() > 0;
#pragma unroll
    for (int g = 0; g < 2; ++g) {
      if (g > 0 && rows <= R)
        break;
      put_rows(begin + g * R * lanes, left - g * R * lanes, Device::lane(), lanes, x[g],
               has_carry || g > 0, carry);
    }
  }

  // --- Long segments ----------------------------------------------------------------------------

  /// Scans what a tile has of the long segments of its first and of its last item.
  SAM_DEVICE void scan_tile(index_t tile) {
    index_t const begin = tile * tile_items(), end = min_of(begin + tile_items(), job_.items_now());
    if (begin >= end)
      return;  // only where items are counted
    if (Device::warp() < 2) {
      index_t const at = Device::warp() == 0 ? begin : end - 1;
      index_t const k = gpu::search<Device>(0, job_.segments, [&](index_t i) {
        return static_cast<index_t>(job_.offsets[i + 1]) > at;
      });
      range const r = k < job_.segments ? items_of(k) : range{0, 0};
      bool const has = is_long(r) && r.begin <= at && at < r.end;
      if (Device::lane() == 0)
        shared_.of_ends[Device::warp()] = has ? r : range{0, 0};
    }
    Device::sync_block();  // orders the writes of the segments before their reads
    range const first = shared_.of_ends[0], last = shared_.of_ends[1];
    if (first.items() > 0)
      scan_part({begin, int(min_of(first.end, end) - begin)},
                lead_of_items{*this, first.begin, int(begin - first.begin)});
    if (last.items() > 0 && (first.items() == 0 || last.begin != first.begin))
      scan_part({last.begin, int(end - last.begin)}, no_lead{});
  }

  arguments const& a_;
  Job const& job_;
  combiner combine_;
  shared_layout& shared_;
  int thread_;
  bool uses_warps_ = false;  // scan_part() has been called
};

}  // namespace sam::inline v0_1::gpu
