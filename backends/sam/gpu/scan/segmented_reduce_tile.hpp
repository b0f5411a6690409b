// SPDX-License-Identifier: MIT
// This file processes tiles of a segmented reduction, where only the total of each segment is
// stored.
//
// The total of a segment that lies within a thread's run of items is known at once and saved at the
// position of its last item. So is the partial total before the run's first head. When the prefix
// is known, only heads need processing. If there are many, a warp lists the positions of its heads
// and then processes one per lane at a time, so that its stores are contiguous.
#pragma once

#include <sam/algebra/segmented.hpp>
#include <sam/gpu/scan/tile_io.hpp>

namespace sam::gpu {

/// True if a job returns a mask of the heads among 32 items.
template <class Job, class P>
inline constexpr bool says_heads_of = false;
template <class Job, class... P>
inline constexpr bool says_heads_of<Job, pointers<P...>> = requires(Job const j, index_t i,
                                                                    P const&... p) {
  j.heads_at(i, p...);
};

/// Processes the segments of a thread's run of items.
template <class Device, class Job, class Policy, class Config>
class segment_totals {
  using arguments = scan_arguments<Device, Job, Policy, Config>;
  using config = scan_config<Device, Job, Policy, Config>;
  using items_type = tile_io<Device, Job, Policy, Config>;
  using run_of_items = typename items_type::run_of_items;
  using item = typename Job::item;
  using accumulator = typename Job::accumulator;
  using total = typename accumulator::value_type;
  static constexpr int I = config::items;
  static constexpr bool notes = config::stage_type::notes_totals;

 public:
  SAM_DEVICE segment_totals(arguments const& a, items_type const& items,
                            typename config::board& board)
      : a_(a), items_(items), board_(board) {}

  /// Saves the heads and totals of a non-empty run and computes its sum.
  template <bool Whole>
  SAM_DEVICE void sum_up(int s, run_of_items const& run, accumulator& sum) const {
    uninitialized_array<total, 1> since;  // value since the last head or the first item
    int heads = 0, last_head = 0;
#pragma unroll
    for (int first = 0; first < I; first += 32) {
      int const end = int(sam::min_of(first + 32, Whole ? I : run.left));
      std::uint32_t bits = 0;
      if constexpr (says_heads)
        bits = items_.with_arrays(
            run, first, [&](index_t i, auto const&... p) { return a_.job.heads_at(i, p...); });
      auto const take = [&](int k, item const& x) {
        bool begins;
        if constexpr (says_heads) {
          begins = bits >> (k - first) & 1;
        } else {
          begins = x.head;
          bits |= (begins ? 1u : 0u) << (k - first);
        }
        if constexpr (notes) {
          total const own = a_.job.to_accumulator(x).value;
          if (k == 0) {
            since.at[0] = own;
          } else {
            if (begins)
              note(run, k) = since.at[0];
            since.at[0] = detail::combine_in_segment(a_.job.op, since.at[0], own, begins);
          }
        }
      };
      if constexpr (Whole) {
#pragma unroll
        for (int k = first; k < end; k += batch) {
          uninitialized_array<item, batch> x;  // loaded before notes are written, which could alias
#pragma unroll
          for (int b = 0; b < batch; ++b)
            if (k + b < end)
              x.at[b] = items_.template get<1>(run, k + b);
#pragma unroll
          for (int b = 0; b < batch; ++b)
            if (k + b < end)
              take(k + b, x.at[b]);
        }
      } else {
#pragma unroll 1
        for (int k = first; k < end; ++k)
          take(k, items_.template get<1>(run, k));
      }
      if (says_heads && end - first < 32)
        bits &= (1u << max_of(end - first, 0)) - 1;
      words(s, first / 32) = bits;
      heads += Device::count(bits);
      if (!notes && bits != 0)
        last_head = first + Device::last(bits);
    }
    if constexpr (notes) {
      if (is_last(run))
        note(run, run.left) = since.at[0];
      sum = {since.at[0], static_cast<decltype(sum.heads)>(heads)};
    } else {
      sum = {static_cast<total>(run.left - last_head), static_cast<decltype(sum.heads)>(heads)};
    }
  }

  /// Returns true if no thread has more than a few heads. Each thread then processes its own, which
  /// is faster than listing them.
  SAM_DEVICE bool are_few(int s, run_of_items const& run) const {
    int heads = 0;
#pragma unroll
    for (int w = 0; w < config::head_words; ++w)
      heads += Device::count(words(s, w));
    return Device::all_lanes(run.left == 0 || heads <= few);
  }

  /// Lists the positions of this warp's heads and completes the saved totals of segments that begin
  /// in the warp's part, if heads are many. Called when all sums of the warp are known. `below` is
  /// the prefix of the thread's run within the warp's part, if any item precedes it.
  SAM_DEVICE void list(int s, run_of_items const& run, accumulator const& below) const {
    if (are_few(s, run))
      return;
    int const rank = Device::lane() == 0 ? 0 : int(below.heads);
    int heads = rank, first = -1;
    if (run.left > 0) {
#pragma unroll
      for (int w = config::head_words - 1; w >= 0; --w) {
        std::uint32_t const own = words(s, w);
        heads += Device::count(own);
        if (own != 0)
          first = 32 * w + Device::first(own);
      }
      if (first < 0 && is_last(run))
        first = run.left;
      if constexpr (notes)
        if (first >= 0 && Device::lane() > 0)
          note(run, first) = upto_first(run, below.value, first);
      list_some(s, run, rank, 0);
      if (Device::lane() == Device::warp_size - 1 || run.first + I >= run.count)
        lists().heads = heads;
    }
    Device::sync_warp();  // orders the writes of the list and the notes before their reads
  }

  /// Stores the listed segments. `start` is the prefix at the part's first item. `rank` is the
  /// number of heads before the thread's run in the part.
  SAM_DEVICE void finish(int s, run_of_items const& run, run_of_items const& part, int rank,
                         accumulator const& start) const {
    int const heads = lists().heads;
    index_t head_before = 0;  // position from which the length of the next segment counts
    if constexpr (!notes)
      head_before = -static_cast<index_t>(start.value);
#pragma unroll 1
    for (int from = 0; from < heads; from += heads_together) {
      if (from > 0) {
        if (run.left > 0)
          list_some(s, run, rank, from);
        Device::sync_warp();  // orders the writes of the list before its reads
      }
      finish_listed(part, int(min_of(heads - from, heads_together)), from, start, head_before);
      Device::sync_warp();  // orders the reads of the list before it is overwritten
    }
    if (is_last(part) && Device::lane() == 0) {
      index_t const segments = static_cast<index_t>(start.heads) + heads;
      put_total(part, part.left, segments - 1,
                since(part, part.left, heads == 0, start, head_before));
      a_.job.close(segments);
    }
  }

  /// Returns true if a segment begins in the run or ends with the last item.
  SAM_DEVICE bool has_ends(int s, run_of_items const& run) const {
    std::uint32_t any = is_last(run) ? 1 : 0;
#pragma unroll
    for (int w = 0; w < config::head_words; ++w)
      any |= words(s, w);
    return any != 0;
  }
  /// Stores the segments that end in the run. `before` is the prefix of its first item.
  SAM_DEVICE void finish_few(int s, run_of_items const& run, accumulator const& before) const {
    auto rank = static_cast<decltype(before.heads)>(before.heads - 1);  // of the current segment
    index_t const begin = run.begin + run.first;
    auto const end_at = [&](int k, total const& y) {
      a_.job.put_total(begin + k - 1, static_cast<index_t>(rank), y);
    };
    auto const begin_at = [&](int k) {
      ++rank;
      if constexpr (requires(Job j) { requires Job::puts_heads; })
        items_.with_arrays(run, k, [&](index_t i, auto const&... p) {
          a_.job.put_head_from(i, static_cast<index_t>(rank), p...);
        });
    };
    int w = 0;
    std::uint32_t bits = words(s, 0);
    while (bits == 0 && w + 1 < config::head_words)
      bits = words(s, ++w);
    int head = -1;
    if (bits != 0) {
      head = 32 * w + Device::first(bits);
      if (begin + head > 0)
        end_at(head, upto_first(run, before.value, head));
      begin_at(head);
      for (bits &= bits - 1;;) {
        for (; bits != 0; bits &= bits - 1) {
          int const k = 32 * w + Device::first(bits);
          end_at(k, since_head(run, head, k));
          begin_at(k);
          head = k;
        }
        if (++w >= config::head_words)
          break;
        bits = words(s, w);
      }
    }
    if (is_last(run)) {
      end_at(run.left,
             head < 0 ? upto_first(run, before.value, run.left) : since_head(run, head, run.left));
      a_.job.close(static_cast<index_t>(rank) + 1);
    }
  }

 private:
  static constexpr bool says_heads = says_heads_of<Job, typename config::stage_type::pointers_type>;
  static constexpr int batch = int(sam::max_of(8 / words_of<item>, 1));
  static constexpr int few = 2;

  /// Lists the heads of a run whose ranks are in [from, from + heads_together). `rank` is the
  /// number of heads before the run.
  SAM_DEVICE void list_some(int s, run_of_items const& run, int rank, int from) const {
    std::uint16_t* const places = lists().places;
    int const end = from + heads_together;
    int const offset = run.first - items_type::warp() * config::warp_items;
#pragma unroll
    for (int w = 0; w < config::head_words; ++w) {
      std::uint32_t own = words(s, w);
      if (int const upto = rank + Device::count(own); upto <= from) {
        rank = upto;
        continue;
      }
      for (; rank < from; ++rank)
        own &= own - 1;
      for (; own != 0 && rank < end; own &= own - 1, ++rank)
        places[rank - from] = static_cast<std::uint16_t>(offset + 32 * w + Device::first(own));
    }
  }
  /// Stores the segments that end at `count` listed heads, and the heads of those that begin there.
  /// `from` heads precede the list. Updates `head_before` to the last listed head.
  SAM_DEVICE void finish_listed(run_of_items const& part, int count, int from,
                                accumulator const& start, index_t& head_before) const {
    int first = Device::lane();
#pragma unroll 1
    for (; first + (batch - 1) * Device::warp_size < count; first += batch * Device::warp_size)
      finish_some<batch>(part, first, from, start, head_before);
#pragma unroll 1
    for (; first < count; first += Device::warp_size)
      finish_some<1>(part, first, from, start, head_before);
    head_before = lists().places[count - 1];
  }
  /// Processes `Rows` rows of heads, one per lane. Issues all loads before the first use.
  template <int Rows>
  SAM_DEVICE void finish_some(run_of_items const& part, int first, int from,
                              accumulator const& start, index_t head_before) const {
    std::uint16_t const* const places = lists().places + first;
    index_t const segments = static_cast<index_t>(start.heads) + from + first;
    int at[Rows];
    uninitialized_array<total, Rows> y;
#pragma unroll
    for (int b = 0; b < Rows; ++b)
      at[b] = places[b * Device::warp_size];
#pragma unroll
    for (int b = 0; b < Rows; ++b) {
      bool const is_listed_first = b == 0 && first == 0;
      y.at[b] = since(part, at[b], is_listed_first && from == 0, start,
                      notes || is_listed_first ? head_before
                                               : index_t(places[b * Device::warp_size - 1]));
    }
#pragma unroll
    for (int b = 0; b < Rows; ++b) {
      index_t const segment = segments + b * Device::warp_size;
      if (part.begin + part.first + at[b] > 0)
        put_total(part, at[b], segment - 1, y.at[b]);
      if constexpr (requires(Job j) { requires Job::puts_heads; })
        items_.with_arrays(part, at[b], [&](index_t i, auto const&... p) {
          a_.job.put_head_from(i, segment, p...);
        });
    }
  }

  /// Returns the total of the segment that ends before item k and began at `head` of the same run.
  SAM_DEVICE total since_head(run_of_items const& run, [[maybe_unused]] int head, int k) const {
    if constexpr (notes)
      return note(run, k);
    else
      return static_cast<total>(k - head);
  }
  /// Returns the total of the segment that ends before item k of a warp's part. The first such
  /// segment began before the part.
  SAM_DEVICE total since(run_of_items const& part, int k, bool is_first, accumulator const& start,
                         [[maybe_unused]] index_t head_before) const {
    if constexpr (!notes)
      return static_cast<total>(k - head_before);
    else if (!is_first)
      return note(part, k);
    else
      return upto_first(part, start.value, k);
  }
  /// Stores the total of segment number `segment`, which ends before item k.
  SAM_DEVICE void put_total(run_of_items const& part, int k, index_t segment,
                            total const& y) const {
    a_.job.put_total(part.begin + part.first + k - 1, segment, y);
  }
  /// Returns the total of the segment that ends before item k of a run or part and began before it.
  SAM_DEVICE total upto_first(run_of_items const& run, total const& before, int k) const {
    if (k == 0)
      return before;
    if constexpr (notes)
      return a_.job.op(before, note(run, k));
    else
      return before + static_cast<total>(k);
  }
  /// Returns true if the run contains the last of all items.
  SAM_DEVICE bool is_last(run_of_items const& run) const {
    return run.begin + run.first + run.left == a_.n;
  }
  /// Returns a reference to the saved total, within the run, of the segment that ends before item
  /// k.
  SAM_DEVICE total& note(run_of_items const& run, int k) const {
    return run.values[run.first + k - 1];
  }
  SAM_DEVICE auto& lists() const { return board_.lists_of[items_type::warp()]; }
  SAM_DEVICE std::uint32_t& words(int s, int w) const {
    return board_.heads_of[s].words[w][items_type::warp() * Device::warp_size + Device::lane()];
  }

  arguments const& a_;
  items_type const& items_;
  typename config::board& board_;
};

}  // namespace sam::gpu
