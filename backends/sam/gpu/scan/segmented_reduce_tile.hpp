// SPDX-License-Identifier: MIT
// Reduces the segments of a tile, for jobs that use only the total of each segment.
//
// The total of a segment that begins and ends within a thread's run of items is known at once. It
// is stored in the stage at the position of the segment's last item, as is the partial total of the
// items before the first head. Once the run's exclusive prefix is known, only heads are visited. If
// there are many, a warp lists the positions of its heads and then processes them one per lane, so
// that its stores are coalesced.
#pragma once

#include <sam/algebra/segmented.hpp>
#include <sam/gpu/scan/tile_io.hpp>

namespace sam::inline v0_1::gpu {

/// True if a job can return the head flags of 32 items at once.
template <class Job, class P>
inline constexpr bool says_heads_of = false;
template <class Job, class... P>
inline constexpr bool says_heads_of<Job, pointers<P...>> = requires(Job const j, index_t i,
                                                                    P const&... p) {
  j.heads_at(i, p...);
};

/// Computes the segment totals of a thread's run of items, and stores them.
template <class Device, class Job, class Policy, class Config>
class segmented_reduce_tile {
  using arguments = scan_arguments<Device, Job, Policy, Config>;
  using config = scan_config<Device, Job, Policy, Config>;
  using items_type = tile_io<Device, Job, Policy, Config>;
  using thread_items = typename items_type::thread_items;
  using item = typename Job::item;
  using accumulator = typename Job::accumulator;
  using total = typename accumulator::value_type;
  static constexpr int I = config::items;
  static constexpr bool stages_totals = config::stage_type::stages_totals;
  static constexpr bool stages_places = config::stage_type::stages_places;
  static constexpr bool stages_two_places = config::stage_type::stages_two_places;

 public:
  SAM_DEVICE segmented_reduce_tile(arguments const& a, items_type const& items,
                                   typename config::shared_layout& shared)
      : a_(a), items_(items), shared_(shared) {}

  /// Records a run's head flags and the totals of segments that end in it, and computes the run's
  /// aggregate. The run has at least one item.
  template <bool Whole>
  SAM_DEVICE void reduce(int s, thread_items const& run, accumulator& sum) const {
    uninitialized_array<total, 1> since;  // total since the last head, or since the first item
    int heads = 0, last_head = 0;
#pragma unroll
    for (int first = 0; first < I; first += 32) {
      int const end = int(engine::min_of(first + 32, Whole ? I : run.left));
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
        if constexpr (stages_totals) {
          total const own = a_.job.to_accumulator(x).value;
          if (k == 0) {
            since.at[0] = own;
          } else {
            if (begins)
              stage_total(run, k, since.at[0]);
            since.at[0] = detail::combine_in_segment(a_.job.op, since.at[0], own, begins);
          }
        }
      };
      if constexpr (Whole) {
#pragma unroll
        for (int k = first; k < end; k += batch) {
          uninitialized_array<item, batch> x;  // loaded first: stored totals may alias the items
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
      if (!stages_totals && bits != 0)
        last_head = first + Device::last(bits);
    }
    if constexpr (stages_totals) {
      if (is_last(run))
        stage_total(run, run.left, since.at[0]);
      sum = {since.at[0], static_cast<decltype(sum.heads)>(heads)};
    } else {
      sum = {static_cast<total>(run.left - last_head), static_cast<decltype(sum.heads)>(heads)};
    }
  }

  /// True if no thread of the warp has more than `few` heads. Each thread then stores its own
  /// segments, which is faster than listing the heads.
  SAM_DEVICE bool are_few(int s, thread_items const& run) const {
    int heads = 0;
#pragma unroll
    for (int w = 0; w < config::head_words; ++w)
      heads += Device::count(words(s, w));
    return Device::all_lanes(run.left == 0 || heads <= few);
  }

  /// Lists the positions of the warp's heads, and completes the totals of segments that begin in an
  /// earlier run of its part and end in this run. Does nothing if there are few heads. `below` is
  /// the run's exclusive prefix within the part. All runs must have been reduced.
  SAM_DEVICE void list(int s, thread_items const& run, accumulator const& below) const {
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
      if constexpr (stages_totals)
        if (first >= 0 && Device::lane() > 0)
          stage_total(run, first, upto_first(run, below.value, first));
      list_some(s, run, rank, 0);
      if (Device::lane() == Device::warp_size - 1 || run.first + I >= run.count)
        lists().heads = heads;
    }
    Device::sync_warp();  // orders the writes of list and totals before their reads
  }

  /// Stores the totals of segments that end at listed heads. `start` is the exclusive prefix of the
  /// part, and `rank` is the number of its heads before the thread's run.
  SAM_DEVICE void finish(int s, thread_items const& run, thread_items const& part, int rank,
                         accumulator const& start) const {
    int const heads = lists().heads;
    index_t head_before = 0;  // the head from which the next length is counted
    if constexpr (!stages_totals)
      head_before = -static_cast<index_t>(start.value);
#pragma unroll 1
    for (int from = 0; from < heads; from += heads_together) {
      if (from > 0) {
        if (run.left > 0)
          list_some(s, run, rank, from);
        Device::sync_warp();  // orders the writes of the list before its reads
      }
      finish_listed(part, int(min_of(heads - from, heads_together)), from, start, head_before);
      Device::sync_warp();  // orders the reads of the list before its next writes
    }
    if (is_last(part) && Device::lane() == 0) {
      index_t const segments = static_cast<index_t>(start.heads) + heads;
      put_total(part, part.left, segments - 1,
                since(part, part.left, heads == 0, start, head_before));
      a_.job.close(segments);
    }
  }

  /// True if a segment begins in the run, or the last segment ends with it.
  SAM_DEVICE bool has_ends(int s, thread_items const& run) const {
    std::uint32_t any = is_last(run) ? 1 : 0;
#pragma unroll
    for (int w = 0; w < config::head_words; ++w)
      any |= words(s, w);
    return any != 0;
  }
  /// Stores the totals of segments that end in a run with the exclusive prefix `before`.
  SAM_DEVICE void finish_few(int s, thread_items const& run, accumulator const& before) const {
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
  static constexpr int words_loaded = (config::stage_type::inputs::bits_of_item + 31) / 32;
  static constexpr int batch = [] {  // computed items may have more words than are loaded
    constexpr int words = words_of<item>;
    return int(engine::max_of(8 / engine::max_of(min_of(words, words_loaded), words / 2), 1));
  }();
  static constexpr int few = 2;

  /// Lists the heads of a run whose ranks lie in [from, from + heads_together). The run's first
  /// head has rank `rank`; ranks count the heads of the warp's part.
  SAM_DEVICE void list_some(int s, thread_items const& run, int rank, int from) const {
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
  /// Stores the totals of segments that end before the `count` listed heads, and begins the
  /// segments of these heads. `from` heads of the part precede the list. Sets head_before to the
  /// last listed head.
  SAM_DEVICE void finish_listed(thread_items const& part, int count, int from,
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
  /// Processes `Rows` rows of listed heads, one head per lane. All loads are issued before the
  /// first store.
  template <int Rows>
  SAM_DEVICE void finish_some(thread_items const& part, int first, int from,
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
      y.at[b] =
          since(part, at[b], is_listed_first && from == 0, start,
                stages_totals || is_listed_first ? head_before
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

  /// Returns the total of the segment that begins at `head` and ends before item k of the same run.
  SAM_DEVICE total since_head(thread_items const& run, [[maybe_unused]] int head, int k) const {
    if constexpr (stages_totals)
      return staged_total(run, k);
    else
      return static_cast<total>(k - head);
  }
  /// Returns the total of the segment that ends before item k of a warp's part. If `is_first`, the
  /// segment begins before the part.
  SAM_DEVICE total since(thread_items const& part, int k, bool is_first, accumulator const& start,
                         [[maybe_unused]] index_t head_before) const {
    if constexpr (!stages_totals)
      return static_cast<total>(k - head_before);
    else if (!is_first)
      return staged_total(part, k);
    else
      return upto_first(part, start.value, k);
  }
  /// Passes the total of the segment with rank `segment`, which ends before item k, to the job.
  SAM_DEVICE void put_total(thread_items const& part, int k, index_t segment,
                            total const& y) const {
    a_.job.put_total(part.begin + part.first + k - 1, segment, y);
  }
  /// Returns the total of the segment that begins before a run or part and ends before its item k.
  SAM_DEVICE total upto_first(thread_items const& run, total const& before, int k) const {
    if (k == 0)
      return before;
    if constexpr (stages_totals)
      return a_.job.op(before, staged_total(run, k));
    else
      return before + static_cast<total>(k);
  }
  /// True if the run or part ends with the last item of the input.
  SAM_DEVICE bool is_last(thread_items const& run) const {
    if constexpr (limiting_first<Job>)
      return run.left > 0 && run.begin + run.first + run.left == items_.tiles.n;
    else
      return run.begin + run.first + run.left == a_.n;
  }
  /// Returns the total, within the run, of the segment that ends before item k.
  SAM_DEVICE total staged_total(thread_items const& run, int k) const {
    int const at = run.first + k - 1;
    auto const staged = run.values[at];
    if constexpr (stages_two_places)
      return a_.job.joined(total_at(run, staged.first), total_at(run, staged.second));
    else if constexpr (stages_places)
      return total_at(run, staged);
    else if constexpr (config::stage_type::halves_totals)
      return __builtin_bit_cast(total, halves{staged, second_halves(run)[at]});
    else
      return staged;
  }
  SAM_DEVICE void stage_total(thread_items const& run, int k, total const& y) const {
    int const at = run.first + k - 1;  // of the segment's last item
    if constexpr (stages_two_places) {
      run.values[at] = {place_of_warp(run, at, a_.job.first_place(y)),
                        place_of_warp(run, at, a_.job.second_place(y))};
    } else if constexpr (stages_places) {
      run.values[at] = place_of_warp(run, at, a_.job.place(y));
    } else if constexpr (config::stage_type::halves_totals) {
      auto const of_total = __builtin_bit_cast(halves, y);
      run.values[at] = of_total.first;
      second_halves(run)[at] = of_total.second;
    } else {
      run.values[at] = y;
    }
  }
  struct halves {
    typename config::stage_type::value first, second;
  };
  static SAM_DEVICE auto second_halves(thread_items const& run) {
    return reinterpret_cast<typename config::stage_type::value*>(
        run.stage + config::stage_type::second_halves_at(config::tile_items));
  }
  /// Returns the position of item i in a warp's part; that of item `at` of the tile for no item.
  static SAM_DEVICE std::uint16_t place_of_warp(thread_items const& run, int at, index_t i) {
    int const chosen = i < 0 ? at : int(i - run.begin);
    return static_cast<std::uint16_t>(chosen - first_of_warp());
  }
  /// Returns what the item at a position of a warp's part gives by itself.
  SAM_DEVICE total total_at(thread_items const& run, int place) const {
    return a_.job.to_accumulator(items_.template get<1>(run, first_of_warp() + place - run.first))
        .value;
  }
  static SAM_DEVICE int first_of_warp() { return items_type::warp() * config::warp_items; }
  SAM_DEVICE auto& lists() const { return shared_.lists_of[items_type::warp()]; }
  SAM_DEVICE std::uint32_t& words(int s, int w) const {
    return shared_.heads_of[s].words[w][items_type::warp() * Device::warp_size + Device::lane()];
  }

  arguments const& a_;
  items_type const& items_;
  typename config::shared_layout& shared_;
};

}  // namespace sam::inline v0_1::gpu
