// SPDX-License-Identifier: MIT
// Scans the segments that offsets describe without marking them before, and without waiting for
// other blocks.
//
// A block scans a tile of items. It finds the offsets of its tile, and marks the heads of segments
// in shared memory. If a segment began before the tile, the block combines the items that the
// segment has there, which are few unless segments are long. If they are more than `longest_lead`,
// the tile leaves the items of that segment to a second kernel. Each tile records the aggregate of
// its items since its last head for it.
//
// Since blocks load items of other tiles, the output must not be the input.
#pragma once

#include <sam/gpu/segmented/segment_rows.hpp>

namespace sam::inline v0_1::gpu {

/// Configures blocks of at most `Warps` warps, with `Items` items per thread.
template <int Warps, int Items>
struct segment_tile_config {
  static constexpr int warps = Warps;
  static constexpr int items = Items;
};

/// Records what the second kernel needs of a tile.
template <class T>
struct segment_tile_record {
  uninitialized_array<T, 1> rest;  // the aggregate of the items from the last head on
  index_t begin;  // where the segment begins whose items are left to the second kernel, or -1
  int lead;       // the number of these items: those before the first head
};

/// Holds the arguments of a launch.
template <class Job>
struct scan_segments_arguments {
  Job job;
  index_t longest_lead;
  segment_tile_record<typename Job::value>* tiles;  // null if no lead can be too long
};

/// Runs one block of either kernel.
template <class Device, class Job, class Config>
class scan_segments : segment_rows<Device, Job, Config::items> {
  using base = segment_rows<Device, Job, Config::items>;
  using typename base::lane_set;
  using typename base::one;
  using typename base::row;
  using typename base::T;
  using record = segment_tile_record<T>;
  using base::combine_;
  using base::heads_in;
  using base::job_;
  using base::lanes;
  using base::offset;
  using base::put;
  using base::reduce;
  using base::thread_;
  static constexpr int W = Config::warps;
  static constexpr int I = Config::items;
  static_assert(W <= lanes);

 public:
  using arguments = scan_segments_arguments<Job>;
  static constexpr int most_threads = W * lanes;
  static constexpr int tile_items = most_threads * I;
  static SAM_FUNCTION index_t tiles(index_t n) { return div_up(n, tile_items); }
  /// Returns the threads of a block, which are fewer if n items do not fill a tile.
  static SAM_FUNCTION int threads(index_t n) {
    return int(min_of(W, div_up(n, lanes * I))) * lanes;
  }

 private:
  struct shared_layout {
    std::uint32_t bits[tile_items / 32];  // heads of the tile
    index_t begin;                        // where the segment of the tile's first item begins
    int below[2][2][W];                   // probes below the tile's begin and end, of each warp
    uninitialized_array<T, W> of_warps;   // aggregates of warps, from the last head on
    uninitialized_array<T, W> leads;      // what warps have combined of the items before the tile
    bool has_head[W];
  };

 public:
  static constexpr int shared_bytes = int(sizeof(shared_layout));

  SAM_DEVICE explicit scan_segments(arguments const& a)
      : base(a.job), a_(a), shared_(*reinterpret_cast<shared_layout*>(Device::shared_memory())),
        threads_(threads(a.job.n)) {}

  SAM_DEVICE void run() {
    Device::grid_dependency_trigger();
    Device::grid_dependency_wait();
    n_ = job_.items_now();
    index_t const count = tiles(n_);
    for (index_t tile = Device::block(); tile < count; tile += Device::blocks()) {
      scan_tile(tile);
      if (tile + Device::blocks() < count)
        Device::sync_block();  // orders the reads of shared memory before the next tile's writes
    }
  }

  /// Scans what the first kernel has left. A block looks at the records of neighbouring tiles.
  SAM_DEVICE void run_second() {
    Device::grid_dependency_trigger();
    Device::grid_dependency_wait();
    n_ = job_.items_now();
    index_t const count = tiles(n_);
    for (index_t first = index_t{Device::block()} * lanes; first < count;
         first += index_t{Device::blocks()} * lanes) {
      index_t const mine = first + Device::lane();
      bool const is_left = mine < count && a_.tiles[mine].begin >= 0;
      for (lane_set left = Device::lanes_where(is_left); left != 0; left &= left - 1) {
        scan_lead(first + Device::first(left));
        Device::sync_block();  // orders the reads of shared memory before the next tile's writes
      }
    }
  }

 private:
  /// Describes what a block scans: items [begin, begin + count), of which `lead` belong to a
  /// segment that has some items before. If they are left to the second kernel, they are not
  /// stored.
  struct part {
    index_t begin;
    int count, before;
    bool leaves_lead;
    bool starts_before;  // what precedes the items has the start of the segment
  };

  SAM_DEVICE void scan_tile(index_t tile) {
    index_t const begin = tile * tile_items, end = min_of(begin + tile_items, n_);
    load(begin, int(end - begin));
    mark(begin, end);
    index_t const from = max_of(0, min_of(shared_.begin, begin));
    index_t const before = (shared_.bits[0] & 1) != 0 ? 0 : begin - from;
    bool const leaves_lead = a_.tiles != nullptr && before > a_.longest_lead;
    part const p{begin, int(end - begin), leaves_lead ? 0 : int(before), leaves_lead, false};
    record* const to = a_.tiles == nullptr ? nullptr : a_.tiles + tile;
    if (to != nullptr && thread_ == 0)
      to->begin = leaves_lead ? from : -1;
    scan(
        p, heads_in(shared_.bits), [&](int i) { return static_cast<T>(job_.items[from + i]); }, to);
  }
  /// Scans the first items of a tile, given the records of the tiles that its first segment has.
  SAM_DEVICE void scan_lead(index_t tile) {
    record const& r = a_.tiles[tile];
    index_t const first = r.begin / tile_items;
    load(tile * tile_items, r.lead);
    part const p{tile * tile_items, r.lead, int(tile - first), false, true};
    scan(
        p, 0, [&](int i) { return a_.tiles[first + i].rest.at[0]; }, nullptr);
  }

  // --- Heads ------------------------------------------------------------------------------------

  /// Sets a bit for each head of the tile, and finds where the segment of its first item begins.
  SAM_DEVICE void mark(index_t begin, index_t end) const {
    for (int w = thread_; w < tile_items / 32; w += threads_)
      shared_.bits[w] = 0;
    if (thread_ == 0)
      shared_.begin = 0;
    index_t first = 0, last = job_.segments + 1;
    for (int round = 0; last - first > most_offsets * threads_; ++round)
      if (!narrow(begin, end, round % 2, first, last))
        break;
    Device::sync_block();  // orders the writes of zeros before updates
    constexpr int together = 4;
#pragma unroll 1
    for (index_t k = first + thread_; k < last; k += together * threads_) {
      index_t at[together], next[together];
#pragma unroll
      for (int u = 0; u < together; ++u) {
        index_t const i = k + u * threads_;
        at[u] = i < last ? offset(i) : -1;
        next[u] = i < last && i < job_.segments ? offset(i + 1) : job_.n;
      }
#pragma unroll
      for (int u = 0; u < together; ++u) {
        if (at[u] >= begin && at[u] < end)
          Device::set_shared_bits(shared_.bits + (at[u] - begin) / 32,
                                  1u << (unsigned(at[u] - begin) % 32));
        if (at[u] >= 0 && at[u] <= begin && next[u] > begin)
          shared_.begin = at[u];
      }
    }
    if (thread_ == 0 && begin == 0)
      Device::set_shared_bits(shared_.bits, 1);
    Device::sync_block();  // orders the updates before their reads
  }
  /// Narrows the offsets [first, last) to about a thread's share and the tile's. Those left still
  /// have the last one up to `begin` and all below `end`. Returns false if that does not help.
  SAM_DEVICE bool narrow(index_t begin, index_t end, int round, index_t& first,
                         index_t& last) const {
    // A division by a variable would take as long as a load.
    index_t const step =
        threads_ == most_threads ? div_up(last - first, most_threads) : div_up(last - first, lanes);
    index_t const probe = first + (thread_ + 1) * step - 1;
    index_t const found = probe < last ? offset(probe) : job_.n;
    lane_set const upto = Device::lanes_where(probe < last && found <= begin);
    lane_set const below = Device::lanes_where(probe < last && found < end);
    auto& counts = shared_.below[round];
    if (Device::lane() == 0) {
      counts[0][Device::warp()] = Device::count(upto);
      counts[1][Device::warp()] = Device::count(below);
    }
    Device::sync_block();  // orders the writes of the counts before their reads
    index_t before = 0, inside = 0;
    for (int w = 0; w < threads_ / lanes; ++w)
      before += counts[0][w], inside += counts[1][w];
    index_t const left = last - first;
    last = min_of(last, first + (inside + 1) * step);
    first = max_of(first, first + before * step - 1);
    return last - first <= left / 2;
  }
  static constexpr int most_offsets = 8;  // of a thread

  // --- Scan -------------------------------------------------------------------------------------

  /// Loads the thread's items of `count` from `begin` on.
  SAM_DEVICE void load(index_t begin, int count) {
    int const left = count - thread_ * I;
    left_ = left < 0 ? 0 : left < I ? left : I;
    base::load(begin, left_, run_);
  }

  /// Scans the loaded items. before(i) returns value i of p.before that precede them. Bit k of
  /// `heads` tells if the thread's item k begins a segment.
  template <class Before>
  SAM_DEVICE void scan(part const& p, std::uint32_t heads, Before const& before, record* to) {
    lane_set const with_head = Device::lanes_where(heads != 0);
    one own, lead;
    reduce(run_, left_, heads, own);
    int leading = 0;  // threads with some of the items before
    if (p.before > 0) {
      combine_.of_thread(p.before, thread_, threads_, before, lead);
      leading = combine_.having(p.before, threads_);
      combine_.join_lanes(leading - Device::warp() * lanes, lanes, lead);
    }
    base::template scan_lanes<lanes>(left_ > 0, with_head, own.at[0]);
    if (left_ > 0 && (Device::lane() == lanes - 1 || is_last(p)))
      shared_.of_warps.at[Device::warp()] = own.at[0];
    if (Device::lane() == 0) {
      shared_.has_head[Device::warp()] = with_head != 0;
      if (thread_ < leading)
        shared_.leads.at[Device::warp()] = lead.at[0];
    }
    T const below = gpu::shuffle_up<Device>(own.at[0], 1);
    Device::sync_block();  // orders the writes of the warps' values before their reads
    one prefix;            // of the warp
    bool const has_head_before = find_prefix(prefix);
    bool has_prefix = Device::warp() > 0;
    if (to != nullptr && is_last(p))
      note_rest(*to, p, own.at[0], prefix, with_head != 0, has_head_before);
    if (p.before > 0) {
      if (Device::lane() < int(div_up(leading, lanes)))
        lead.at[0] = shared_.leads.at[Device::lane()];
      combine_.join_lanes(int(div_up(leading, lanes)), lanes, lead);
      T const all = gpu::shuffle_from<Device>(lead.at[0], 0);
      T const carry = p.starts_before ? all : job_.from_start(all);
      if (!has_head_before)
        prefix.at[0] = has_prefix ? static_cast<T>(job_.op(carry, prefix.at[0])) : carry;
      has_prefix = true;
    }
    bool is_inside = has_head_before;  // the items before the thread's have a head of the tile
    if (Device::lane() > 0) {
      bool const has_head_below = (with_head & Device::lower_lanes()) != 0;
      prefix.at[0] =
          has_head_below || !has_prefix ? below : static_cast<T>(job_.op(prefix.at[0], below));
      has_prefix = true;
      is_inside |= has_head_below;
    }
    if (to != nullptr && heads != 0 && !is_inside)
      to->lead = thread_ * I + Device::first(lane_set(heads));
    put(run_, left_, heads, has_prefix, prefix);
    int const first =
        p.leaves_lead && !is_inside ? heads != 0 ? Device::first(lane_set(heads)) : I : 0;
    base::store(p.begin, first, left_, run_);
  }
  /// True in the thread that has the last item.
  SAM_DEVICE bool is_last(part const& p) const {
    return left_ > 0 && thread_ * I + left_ == p.count;
  }
  /// Combines the warps before this one, from their last head on. Returns true if they have one.
  SAM_DEVICE bool find_prefix(one& prefix) const {
    bool const counts = Device::lane() < Device::warp();
    one sum;
    if (counts)
      sum.at[0] = shared_.of_warps.at[Device::lane()];
    lane_set const heads = Device::lanes_where(counts && shared_.has_head[Device::lane() % W]);
    base::template scan_lanes<W>(counts, heads, sum.at[0]);
    if (Device::warp() > 0)
      prefix.at[0] = gpu::shuffle_from<Device>(sum.at[0], Device::warp() - 1);
    return heads != 0;
  }
  /// Records the aggregate of the tile, from its last head on, and its lead if it has no head.
  SAM_DEVICE void note_rest(record& to, part const& p, T const& own, one const& prefix,
                            bool has_head, bool has_head_before) const {
    to.rest.at[0] =
        has_head || Device::warp() == 0 ? own : static_cast<T>(job_.op(prefix.at[0], own));
    if (!has_head && !has_head_before)
      to.lead = p.count;
  }
  arguments const& a_;
  shared_layout& shared_;
  int threads_;
  index_t n_ = 0;  // the number of items, which may lie in memory
  int left_ = 0;   // the number of items of the thread
  row run_;
};

}  // namespace sam::inline v0_1::gpu
