// SPDX-License-Identifier: MIT
// Segments by offsets, reduced by one kernel: of few items, what is queued takes longer than what
// is done.
//
// Items and the ends of segments are merged to one path: an end comes behind the last item before
// it. Tiles are equal parts of that path, and so are the threads' parts of them, whatever lengths
// segments have, or if they have none. A thread goes along its part and combines items until there
// is an end; what it has then is a total, but for its first one, which begins with what threads
// before it have left over, and a tile's first one with what tiles before that have. The last block
// that is done sees to these.
//
// Source: Merrill, Garland, "Merge-based parallel sparse matrix-vector multiplication", SC 2016;
// Odeh, Green, Mwassi, Shmueli, Birk, "Merge path", IPDPSW 2012.
#pragma once

#include <sam/gpu/exchange.hpp>
#include <sam/reduce_segments_job.hpp>

namespace sam::gpu {

/// Warps of a block, and steps of a thread along the path.
template <int Warps, int Steps>
struct path_shape {
  static constexpr int warps = Warps;
  static constexpr int steps = Steps;
};

/// What some steps come to: the items since the last end, or all of them if there was none.
template <class T>
struct path_piece {
  room<T, 1> value;  // only if it has items
  bool has_items = false, has_end = false;

  template <class Op>
  SAM_DEVICE void take(Op const& op, T const& x) {
    value.at[0] = has_items ? static_cast<T>(op(value.at[0], x)) : x;
    has_items = true;
  }
  /// this := before and, behind it, this.
  template <class Op>
  SAM_DEVICE void prepend(Op const& op, path_piece const& before) {
    if (!has_end && before.has_items) {
      value.at[0] =
          has_items ? static_cast<T>(op(before.value.at[0], value.at[0])) : before.value.at[0];
      has_items = true;
    }
    has_end |= before.has_end;
  }
};

/// What a tile leaves: what comes behind its last end and, if it has an end, what lies in it of the
/// segment that the first one ends.
template <class T>
struct path_record {
  path_piece<T> rest, first;
  index_t segment;
};

template <class Job>
struct path_arguments {
  Job job;
  path_record<typename Job::total>* records;  // one for each tile
  control* shared;                            // where blocks that are done are counted
};

template <class Device, class Job, class Shape>
class segment_path {
  using item = typename Job::item;
  using T = typename Job::total;
  using piece = path_piece<T>;
  using record = path_record<T>;
  static constexpr int lanes = Device::warp_size;
  static constexpr int warps = Shape::warps;
  static constexpr int steps = Shape::steps;
  static_assert(warps >= 2);

 public:
  static constexpr int threads = warps * lanes;
  static constexpr int tile_steps = threads * steps;
  static SAM_FUNCTION index_t tiles(Job const& job) {
    return div_up(job.n + job.segments, tile_steps);
  }

 private:
  struct board {
    room<item, tile_steps> items;
    int ends[tile_steps];  // before which of the tile's items
    index_t end_at[2];     // which end comes first at the tile's begin, and behind it
    piece of_warp[warps];
    bool is_last;
  };

 public:
  static constexpr int shared_bytes = int(sizeof(board));

  SAM_DEVICE explicit segment_path(path_arguments<Job> const& arguments)
      : a_(arguments), job_(arguments.job),
        board_(*reinterpret_cast<board*>(Device::shared_memory())),
        thread_(Device::warp() * lanes + Device::lane()) {}

  SAM_DEVICE void run() {
    Device::let_next_kernel_start();
    Device::await_previous_kernel();
    index_t const count = tiles(job_);
    for (index_t tile = Device::block(); tile < count; tile += Device::blocks())
      reduce(tile, count == 1);
    if (count > 1 && is_last_block())
      join(int(count));
  }

 private:
  // --- A tile ------------------------------------------------------------------------------------

  /// How many ends lie before place d of the path: end k is at place k + offsets[k + 1]. Found by a
  /// warp.
  SAM_DEVICE index_t ends_before(index_t d) const {
    index_t low = max_of(0, d - job_.n), high = min_of(d, job_.segments);
    while (low < high) {
      index_t const step = div_up(high - low, lanes + 1);
      index_t const k = low + (Device::lane() + 1) * step - 1;
      bool const is_behind = k >= high || k + static_cast<index_t>(job_.offsets[k + 1]) >= d;
      int const lane = Device::first_lane_where(is_behind);
      if (lane < lanes)
        high = min_of(high, low + (lane + 1) * step - 1);
      low += lane * step;
    }
    return high;
  }

  SAM_DEVICE void reduce(index_t tile, bool alone) {
    index_t const begin = tile * tile_steps;
    index_t const end = min_of(begin + tile_steps, job_.n + job_.segments);
    if (Device::warp() < 2) {
      index_t const k = ends_before(Device::warp() == 0 ? begin : end);
      if (Device::lane() == 0)
        board_.end_at[Device::warp()] = k;
    }
    Device::sync_block();  // publishes which ends are the tile's
    index_t const first_end = board_.end_at[0];
    index_t const first_item = begin - first_end;
    // Nothing else is read or written, whatever offsets say.
    auto const ends = int(max_of(0, board_.end_at[1] - first_end));
    auto const items = int(max_of(0, min_of(end - begin - ends, job_.n - first_item)));
    bring(first_end, first_item, ends, items);
    Device::sync_block();  // publishes the items and the ends
    piece rest, first;
    int const own_end = walk(first_end, ends, items, rest, first);
    bool const has_end = rest.has_end;
    piece const before = scan(rest);
    bool const is_first = has_end && !before.has_end;  // of the tile
    if (has_end) {
      first.prepend(job_.op, cut(before));
      if (!is_first || alone)
        put(first_end + own_end, first);
    }
    if (!alone) {
      if (is_first)
        a_.records[tile].first = first;
      if (thread_ == threads - 1) {
        a_.records[tile].rest = rest;
        a_.records[tile].segment = first_end;
      }
    }
  }

  /// All that is asked for is asked for first.
  SAM_DEVICE void bring(index_t first_end, index_t first_item, int ends, int items) const {
    room<item, steps> x;
    int e[steps];
#pragma unroll
    for (int s = 0; s < steps; ++s) {
      int const at = s * threads + thread_;
      if (at < items)
        x.at[s] = job_.items[first_item + at];
      else if (at < items + ends)
        e[s] = int(static_cast<index_t>(job_.offsets[first_end + at - items + 1]) - first_item);
    }
#pragma unroll
    for (int s = 0; s < steps; ++s) {
      int const at = s * threads + thread_;
      if (at < items)
        board_.items.at[at] = x.at[s];
      else if (at < items + ends)
        board_.ends[at - items] = e[s];
    }
  }

  /// Goes along a thread's part, and finishes all segments that end there but the first. Returns
  /// which of the tile's ends that is.
  SAM_DEVICE int walk(index_t first_end, int ends, int items, piece& rest, piece& first) const {
    int const begin = min_of(thread_ * steps, items + ends);
    int low = max_of(0, begin - items), high = min_of(begin, ends);
    while (low < high) {
      int const k = (low + high) / 2;
      if (k + board_.ends[k] >= begin)
        high = k;
      else
        low = k + 1;
    }
    int k = low, i = begin - low;
    int const left = min_of(steps, items + ends - begin);
#pragma unroll
    for (int s = 0; s < steps; ++s) {
      if (s >= left)
        continue;
      if (i == items || (k < ends && board_.ends[k] <= i)) {
        if (rest.has_end)
          put(first_end + k, rest);
        else
          first = rest;
        rest.has_items = false, rest.has_end = true;
        ++k;
      } else {
        rest.take(job_.op, static_cast<T>(board_.items.at[i++]));
      }
    }
    return low;
  }

  SAM_DEVICE void put(index_t segment, piece const& all) const {
    job_.out[segment] = all.has_items ? job_.total_of(all.value.at[0]) : job_.nothing;
  }

  // --- Pieces of threads -------------------------------------------------------------------------

  static SAM_DEVICE piece cut(piece p) {
    p.has_end = false;
    return p;
  }
  static SAM_DEVICE piece from_below(piece const& mine, int up) {
    piece theirs;
    theirs.value.at[0] = shuffle_up<Device>(mine.value.at[0], up);
    std::uint32_t const has =
        Device::shuffle_up((mine.has_items ? 1u : 0u) | (mine.has_end ? 2u : 0u), up);
    theirs.has_items = (has & 1) != 0, theirs.has_end = (has & 2) != 0;
    return theirs;
  }
  /// mine := all up to this thread of the block, where it is that of the last; returns what comes
  /// before it.
  SAM_DEVICE piece scan(piece& mine) const {
#pragma unroll
    for (int d = 1; d < lanes; d *= 2) {
      piece const before = from_below(mine, d);
      if (Device::lane() >= d)
        mine.prepend(job_.op, before);
    }
    if (Device::lane() == lanes - 1)
      board_.of_warp[Device::warp()] = mine;
    piece before = from_below(mine, 1);
    Device::sync_block();  // publishes what warps come to
    piece of_warps;
    for (int w = 0; w < Device::warp(); ++w) {
      piece next = board_.of_warp[w];
      next.prepend(job_.op, of_warps);
      of_warps = next;
    }
    mine.prepend(job_.op, of_warps);
    if (Device::lane() == 0)
      return of_warps;
    before.prepend(job_.op, of_warps);
    return before;
  }

  // --- Tiles -------------------------------------------------------------------------------------

  /// Whether all that other blocks have left is there.
  SAM_DEVICE bool is_last_block() const {
    Device::fence();
    Device::sync_block();  // all of the block have left their records
    if (thread_ == 0) {
      board_.is_last = Device::add(&a_.shared->left, 1) + 1 == std::uint32_t(Device::blocks());
      if (board_.is_last)
        Device::store(&a_.shared->left, 0);
    }
    Device::sync_block();  // publishes whether it is the last
    bool const last = board_.is_last;
    Device::fence();
    return last;
  }

  /// Finishes the segments that end first in their tiles.
  SAM_DEVICE void join(int count) const {
    int const each = (count + threads - 1) / threads;
    int const begin = min_of(thread_ * each, count), end = min_of(begin + each, count);
    piece all;
    for (int t = begin; t < end; ++t) {
      piece next = a_.records[t].rest;
      next.prepend(job_.op, all);
      all = next;
    }
    piece before = scan(all);
    for (int t = begin; t < end; ++t) {
      record const& r = a_.records[t];
      if (r.rest.has_end) {
        piece first = r.first;
        first.prepend(job_.op, cut(before));
        put(r.segment, first);
      }
      piece next = r.rest;
      next.prepend(job_.op, before);
      before = next;
    }
  }

  path_arguments<Job> const& a_;
  Job const& job_;
  board& board_;
  int thread_;
};

}  // namespace sam::gpu
