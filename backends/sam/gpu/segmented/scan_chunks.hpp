// SPDX-License-Identifier: MIT
// Scans the segments that offsets describe by blocks that each scan a chunk of consecutive tiles,
// without marking segments before, and without waiting for other blocks.
//
// A block walks along its tiles and their offsets, and carries the aggregate since the last head.
// If a segment began before the chunk, the block first combines the items that the segment has
// there. If they are more than `longest_lead`, the chunk leaves its items of that segment to a
// second kernel. Each chunk records the aggregate of its items since its last head for it.
//
// One barrier a tile orders the aggregates of its warps and the heads of the next tile, which are
// marked in one of three sets of bits. Items of the next tile are on their way meanwhile.
//
// Since blocks load items of other chunks, the output must not be the input.
#pragma once

#include <sam/gpu/segmented/segment_rows.hpp>
#include <sam/gpu/warp/warp_lower_bound.hpp>

namespace sam::inline v0_1::gpu {

/// Configures blocks of `Warps` warps, with `Items` items per thread.
template <int Warps, int Items>
struct segment_chunk_config {
  static constexpr int warps = Warps;
  static constexpr int items = Items;
};

/// Records what the second kernel needs of a chunk.
template <class T>
struct segment_chunk_record {
  uninitialized_array<T, 1> rest;  // the aggregate of the items from the last head on
  index_t begin;  // where the segment begins whose items are left to the second kernel, or -1
  index_t lead;   // the number of these items: those before the first head
  bool is_whole;  // the aggregate has all items since a head, and the start
};

/// Holds the arguments of a launch.
template <class Job>
struct scan_chunks_arguments {
  Job job;
  index_t tiles_of_block;
  index_t longest_lead;
  segment_chunk_record<typename Job::value>* chunks;
};

/// Runs one block of either kernel. Both have a block for each chunk.
template <class Device, class Job, class Config>
class chunks_of_tiles : segment_rows<Device, Job, Config::items> {
  using base = segment_rows<Device, Job, Config::items>;
  using typename base::combiner;
  using typename base::item;
  using typename base::lane_set;
  using typename base::one;
  using typename base::row;
  using typename base::T;
  using record = segment_chunk_record<T>;
  using base::combine_;
  using base::heads_in;
  using base::job_;
  using base::lanes;
  using base::offset;
  using base::put;
  using base::reduce;
  using base::store;
  using base::thread_;
  static constexpr int W = Config::warps;
  static constexpr int I = Config::items;
  static_assert(W <= lanes && (W & (W - 1)) == 0);

 public:
  using arguments = scan_chunks_arguments<Job>;
  static constexpr int threads = W * lanes;
  static constexpr int tile_items = threads * I;
  static SAM_FUNCTION index_t tiles(index_t n) { return div_up(n, tile_items); }

 private:
  static constexpr int words = tile_items / 32;
  struct shared_layout {
    std::uint32_t bits[3][words];           // heads of three tiles in turn
    std::uint32_t passed[3];                // the offsets that each of them has
    index_t first, begin;                   // the first offset from the chunk on; its segment
    uninitialized_array<T, W> of_warps[2];  // aggregates of warps, from the last head on
    uninitialized_array<T, W> leads;        // what warps have combined of the items before
    bool has_head[2][W];
  };

 public:
  static constexpr int shared_bytes = int(sizeof(shared_layout));

  SAM_DEVICE explicit chunks_of_tiles(arguments const& a)
      : base(a.job), a_(a), shared_(*reinterpret_cast<shared_layout*>(Device::shared_memory())),
        begin_(Device::block() * a.tiles_of_block * tile_items),
        end_(min_of(begin_ + a.tiles_of_block * tile_items, a.job.n)) {}

  SAM_DEVICE void run() {
    Device::grid_dependency_trigger();
    Device::grid_dependency_wait();
    row x;
    load(begin_, end_, x);
    find_first_offset();
    index_t const first = shared_.first;
    index_t const from = max_of(0, min_of(shared_.begin, begin_));  // also if offsets are wrong
    mark(first, offset_or_end(first + thread_), begin_, 0);
    if (thread_ == 0 && begin_ == 0)
      Device::set_shared_bits(shared_.bits[0], 1);
    index_t const before = begin_ - from;
    bool const leaves_lead = before > a_.longest_lead;
    if (thread_ == 0)
      own_record().begin = leaves_lead ? from : -1;
    bool const has_lead = before > 0 && !leaves_lead;
    one carry;
    if (has_lead) {
      int const having = combine_.of_source(engine::array_source<item>{job_.items}, from,
                                            int(before), thread_, threads, carry);
      join(having, carry);  // its barrier orders the marks before their reads
      carry.at[0] = job_.from_start(carry.at[0]);
    } else {
      Device::sync_block();  // orders the marks before their reads
    }
    scan_tiles<true>(end_, x, first, has_lead, carry, leaves_lead);
  }

  /// Scans what the first kernel has left of the chunk.
  SAM_DEVICE void run_second() {
    Device::grid_dependency_trigger();
    Device::grid_dependency_wait();
    if (own_record().begin < 0)
      return;
    row x;
    index_t const end = begin_ + own_record().lead;
    load(begin_, end, x);
    int const last = last_whole_before();
    int const count = Device::block() - last;
    one carry;
    combine_.of_thread(
        count, thread_, threads, [&](int i) { return a_.chunks[last + i].rest.at[0]; }, carry);
    join(combiner::having(count, threads), carry);
    scan_tiles<false>(end, x, 0, true, carry, false);
  }

 private:
  SAM_DEVICE record& own_record() const { return a_.chunks[Device::block()]; }
  /// Returns the last chunk before this one whose record has all items since a head.
  SAM_DEVICE int last_whole_before() const {
    for (int last = Device::block() - 1; last > 0; last -= lanes) {
      int const k = last - Device::lane();
      lane_set const whole = Device::lanes_where(k <= 0 || a_.chunks[k].is_whole);
      if (whole != 0)
        return int(max_of(0, last - Device::first(whole)));
    }
    return 0;
  }

  /// Combines what the first `having` threads have, in all threads.
  SAM_DEVICE void join(int having, one& sum) const {
    combine_.join_lanes(having - Device::warp() * lanes, lanes, sum);
    if (Device::lane() == 0 && thread_ < having)
      shared_.leads.at[Device::warp()] = sum.at[0];
    Device::sync_block();  // orders the writes of the warps' values before their reads
    int const with_values = int(div_up(having, lanes));
    if (Device::lane() < with_values)
      sum.at[0] = shared_.leads.at[Device::lane()];
    combine_.join_lanes(with_values, lanes, sum);
    sum.at[0] = gpu::shuffle_from<Device>(sum.at[0], 0);
  }

  // --- Heads ------------------------------------------------------------------------------------

  /// Returns offset k, or n if there is none.
  SAM_DEVICE index_t offset_or_end(index_t k) const {
    return k <= job_.segments ? offset(k) : job_.n;
  }
  /// Finds the first offset from the chunk on, and where the segment of its first item begins.
  /// Clears all bits.
  SAM_DEVICE void find_first_offset() const {
    for (int w = thread_; w < 3 * words; w += threads)
      shared_.bits[w / words][w % words] = 0;
    if (thread_ < 3)
      shared_.passed[thread_] = 0;
    if (Device::warp() == 0) {
      index_t const k =
          gpu::search<Device>(0, job_.segments + 1, [&](index_t i) { return offset(i) >= begin_; });
      if (Device::lane() == 0) {
        bool const is_head = begin_ == 0 || (k <= job_.segments && offset(k) == begin_);
        shared_.first = k;
        shared_.begin = is_head ? begin_ : k == 0 ? 0 : offset(k - 1);
      }
    }
    Device::sync_block();  // orders the zeros and the first offset before their use
  }
  /// Sets a bit for each head of the tile from `begin` on, given the thread's first offset from
  /// number `first` on. Threads whose first two offsets are in the tile load several at a time,
  /// since there may be many of segments without items.
  SAM_DEVICE void mark(index_t first, index_t mine, index_t begin, int set) const {
    index_t const end = min_of(begin + tile_items, end_);
    std::uint32_t passed = 0;
    auto const passes = [&](index_t at) {
      if (at >= end)
        return false;
      if (at >= begin)  // unless offsets are wrong
        Device::set_shared_bits(shared_.bits[set] + (at - begin) / 32,
                                1u << (unsigned(at - begin) % 32));
      ++passed;
      return true;
    };
    index_t k = first + thread_;
    bool goes_on = passes(mine) && passes(offset_or_end(k += threads));
    while (goes_on) {
      constexpr int together = 8;
      index_t next[together];
#pragma unroll
      for (int u = 0; u < together; ++u)
        next[u] = offset_or_end(k += threads);
#pragma unroll
      for (int u = 0; u < together; ++u)
        goes_on = goes_on && passes(next[u]);
    }
    if (passed != 0)
      Device::add_shared(shared_.passed + set, passed);
  }

  // --- Scan -------------------------------------------------------------------------------------

  /// Returns the number of the thread's items of a tile.
  SAM_DEVICE int left_of(index_t begin, index_t end) const {
    return int(max_of(0, min_of(I, end - begin - thread_ * I)));
  }
  SAM_DEVICE void load(index_t begin, index_t end, row& to) const {
    base::load(begin, left_of(begin, end), to);
  }

  /// Scans the tiles from the chunk's begin to `end`, given the first one and what precedes it. If
  /// Marks, heads of the first tile are marked, and the record is written. If it leaves the lead,
  /// nothing is stored before the first head.
  template <bool Marks>
  SAM_DEVICE void scan_tiles(index_t end, row& x, index_t first, bool has_carry, one& carry,
                             bool leaves_lead) const {
    bool is_whole = has_carry;
    int set = 0, turn = 0;
#pragma unroll 1
    for (index_t begin = begin_; begin < end; begin += tile_items) {
      index_t const next_begin = begin + tile_items;
      bool const has_next = next_begin < end;
      int const next_set = set == 2 ? 0 : set + 1, free_set = set == 0 ? 2 : set - 1;
      int const left = left_of(begin, end);
      std::uint32_t heads = 0;
      row next;
      index_t mine = job_.n;
      if (has_next)
        load(next_begin, end, next);
      if constexpr (Marks) {
        heads = heads_in(shared_.bits[set]);
        first += shared_.passed[set];
        if (has_next)
          mine = offset_or_end(first + thread_);
      }
      lane_set const with_head = Marks ? Device::lanes_where(heads != 0) : lane_set{0};
      one own;
      reduce(x, left, heads, own);
      base::template scan_lanes<lanes>(left > 0, with_head, own.at[0]);
      bool const is_last = left > 0 && begin + thread_ * I + left == end;
      if (left > 0 && (Device::lane() == lanes - 1 || is_last))
        shared_.of_warps[turn].at[Device::warp()] = own.at[0];
      if (Device::lane() == 0)
        shared_.has_head[turn][Device::warp()] = with_head != 0;
      T const below = gpu::shuffle_up<Device>(own.at[0], 1);
      if constexpr (Marks)
        if (has_next) {
          mark(first, mine, next_begin, next_set);
          for (int w = thread_; w < words; w += threads)
            shared_.bits[free_set][w] = 0;
          if (thread_ == 0)
            shared_.passed[free_set] = 0;
        }
      Device::sync_block();  // orders the aggregates, the heads and the zeros before their use
      int const filled = int(min_of(W, div_up(end - begin, lanes * I)));
      one sum, prefix;
      bool const counts = Device::lane() < filled;
      if (counts)
        sum.at[0] = shared_.of_warps[turn].at[Device::lane()];
      lane_set const warps =
          Marks ? Device::lanes_where(counts && shared_.has_head[turn][Device::lane() % W])
                : lane_set{0};
      base::template scan_lanes<W>(counts, warps, sum.at[0]);
      T const before_warp =
          gpu::shuffle_from<Device>(sum.at[0], int(max_of(0, Device::warp() - 1)));
      T const all = gpu::shuffle_from<Device>(sum.at[0], filled - 1);
      // The items of the chunk before the thread's have a head of this tile.
      bool is_inside = (warps & ((lane_set{1} << Device::warp()) - 1)) != 0;
      bool has_prefix = Device::warp() > 0 || has_carry;
      if (Device::warp() > 0)
        prefix.at[0] = has_carry && !is_inside ? static_cast<T>(job_.op(carry.at[0], before_warp))
                                               : before_warp;
      else if (has_carry)
        prefix.at[0] = carry.at[0];
      if (Device::lane() > 0) {
        bool const has_head_below = (with_head & Device::lower_lanes()) != 0;
        prefix.at[0] =
            has_head_below || !has_prefix ? below : static_cast<T>(job_.op(prefix.at[0], below));
        has_prefix = true;
        is_inside |= has_head_below;
      }
      int const head = heads != 0 ? Device::first(lane_set(heads)) : I;
      bool const is_in_lead = leaves_lead && !is_inside;
      if (Marks && is_in_lead && heads != 0)
        own_record().lead = begin - begin_ + thread_ * I + head;
      put(x, left, heads, has_prefix, prefix);
      store(begin, is_in_lead ? head : 0, left, x);
      carry.at[0] = warps != 0 || !has_carry ? all : static_cast<T>(job_.op(carry.at[0], all));
      has_carry = true;
      if (warps != 0) {
        leaves_lead = false;
        is_whole = true;
      }
      x = next;
      set = next_set;
      turn ^= 1;
    }
    if (Marks && thread_ == 0) {
      record& to = own_record();
      to.rest.at[0] = carry.at[0];
      to.is_whole = is_whole;
      if (leaves_lead)
        to.lead = end - begin_;
    }
  }

  arguments const& a_;
  shared_layout& shared_;
  index_t begin_, end_;
};

}  // namespace sam::inline v0_1::gpu
