// SPDX-License-Identifier: MIT
// Selects or partitions the items of a tile: kept items are placed one behind the other, or each
// item behind the earlier items of its kind.
//
// A warp takes one row of items at a time, one item per lane, and votes on which are kept. Kept
// items are compacted within the warp's part of the stage before their destination is known
// (Billeter, Olsson, Assarsson, HPG 2009: compaction within warps). A partition counts the items of
// every kind but the last in the same way. Its items stay in place in the stage, and are stored to
// the destinations that the votes give.
#pragma once

#include <sam/gpu/scan/block_aggregates.hpp>
#include <sam/gpu/warp/warp_scan.hpp>

namespace sam::inline v0_1::gpu {

/// The type of the second values of a selection of two arrays.
template <class Job>
struct second_value_of {
  using type = char;
};
template <selecting_pairs Job>
struct second_value_of<Job> {
  using type = std::remove_pointer_t<decltype(std::declval<Job const&>().second_front())>;
};

/// Computes a warp's part of a tile, as a reduce warp (reduce) and as a scan warp (scan).
template <class Device, class Job, class Policy, class Config>
class select_tile {
  using arguments = scan_arguments<Device, Job, Policy, Config>;
  using config = scan_config<Device, Job, Policy, Config>;
  using stage_type = typename config::stage_type;
  using items_type = tile_io<Device, Job, Policy, Config>;
  using states_type = block_aggregates<Device, Job, Policy, Config>;
  using T = typename config::T;
  using state = typename config::traits::state;
  using value = typename stage_type::value;
  using lane_set = typename Device::lane_set;
  static constexpr int batch = config::batch;
  static constexpr bool splits = stage_type::is_partition;
  static constexpr int kinds = stage_type::counted_kinds;
  template <class X>
  using batch_of = typename config::template batch_of<X>;

 public:
  SAM_DEVICE select_tile(arguments const& a, items_type const& items,
                         typename config::shared_layout& shared)
      : a_(a), items_(items), states_(a, items, shared), shared_(shared) {
    if constexpr (cuts)
      selected_ = packed().selected();
  }

  /// Votes on the items of this warp's part of the tile; the warp's aggregate is the number of kept
  /// items.
  SAM_DEVICE void reduce(int s, index_t tile) const {
    state sum;
    int const rows = vote(s, tile);
    if constexpr (splits) {
#pragma unroll
      for (int k = 0; k < kinds; ++k)
        sum.at[0].of[k] = rank_rows(s, rows, k);
    } else {
      sum.at[0] = T(rank_rows(s, rows, 0));
    }
    if (items_.lanes.run == items_.lanes.runs - 1)
      states_.write(sum, states_.sum_of_warp(s, warp()));
  }
  /// True if move_up() compacts kept items in the stage, before their destination is known.
  static constexpr bool moves = stage_type::over_first && !splits;
  /// True if kept items have a second value, which moves within the second array of the stage.
  static constexpr bool pairs = selecting_pairs<forward_job_of<Job>>;
  static_assert(moves || !pairs);
  SAM_DEVICE void move_up(int s, index_t tile) const { move_kept(s, tile); }
  /// Stores the items of this warp's part of the tile, given the warp's exclusive prefix.
  SAM_DEVICE void scan(int s, index_t tile) const {
    auto const part = items_.part_of(tile);
    if (part.size == 0)
      return;
    state start;
    states_.read(states_.start_of_warp(s, warp()), start);
    if constexpr (splits)
      place_kinds(s, tile, start.at[0]);
    else
      place_kept(s, tile, part, start);
  }

 private:
  SAM_DEVICE void place_kept(int s, index_t tile, typename items_type::part const& part,
                             state const& start) const {
    state sum;
    states_.read(states_.sum_of_warp(s, warp()), sum);
    auto const before = index_t(start.at[0]);
    auto const kept = index_t(sum.at[0]);
    value* const to = packed().front() + way * before;
    index_t const capacity = packed().capacity() - before;
    if constexpr (moves)
      copy(first_of(s, tile, part.first), to, int(max_of(0, min_of(kept, capacity))));
    else
      place(s, tile, to, capacity);
    if constexpr (pairs)
      copy(second_of(s, tile, part.first), packed().second_front() + way * before,
           int(max_of(0, min_of(kept, packed().second_capacity() - before))));
    if (Device::lane() == 0 && is_last_run(tile) && part.first + part.size == items_.count(tile))
      packed().close(before + kept);
  }

  // --- Votes ------------------------------------------------------------------------------------

  static constexpr bool cuts = selecting_first<Job> || partitioning_first<Job>;
  /// True for the last tile that tile_scheduler lets run.
  SAM_DEVICE bool is_last_run(index_t tile) const {
    return items_.tiles.is_last(tile) || (cuts && items_.tiles.begin(tile + 1) >= selected_);
  }
  /// Returns the end of the tile's items that may be kept.
  SAM_DEVICE int limit_of([[maybe_unused]] index_t tile) const {
    if constexpr (cuts)
      return int(max_of(index_t{0},
                        min_of(selected_ - items_.tiles.begin(tile), index_t{config::tile_items})));
    else
      return config::tile_items;
  }
  /// Returns the counted kind of an item, or `kinds` if it is not counted.
  SAM_DEVICE int kind_of(typename Job::item const& x) const {
    if constexpr (splits)
      return packed().kind(x);
    else
      return packed().keeps(x) ? 0 : 1;
  }
  /// Records which lanes of each row of this warp's part have an item of each counted kind. Returns
  /// the number of rows, rounded up to whole batches.
  SAM_DEVICE int vote(int s, index_t tile) const {
    auto* const rows = rows_of(s);
    int rows_done = 0;
    int const limit = limit_of(tile);
    auto const vote_on = [&]<bool Whole>(int row, int first, int end) {
      int kind[batch];
#pragma unroll
      for (int b = 0; b < batch; ++b) {
        int const at = first + b * Device::warp_size + Device::lane();
        kind[b] = kinds;
        if (Whole || at < end) {
          auto const x = items_.load(s, tile, at);
          if (Whole || !cuts || at < limit)
            kind[b] = kind_of(x);
        }
      }
#pragma unroll
      for (int k = 0; k < kinds; ++k) {
        batch_of<typename Device::lane_set> lanes;
#pragma unroll
        for (int b = 0; b < batch; ++b)
          lanes.of_row[b] = Device::lanes_where(kind[b] == k);
        if (Device::lane() == 0)
          rows[row / batch].lanes[k] = lanes;
      }
      rows_done = row + batch;
    };
    for_each_batch(tile, vote_on, limit);
    Device::sync_warp();
    return rows_done;
  }
  /// Records how many items of a kind precede each row in this warp's part. Returns the number in
  /// the whole part.
  SAM_DEVICE int rank_rows(int s, int count, int kind) const {
    auto* const rows = rows_of(s);
    int kept = 0;
    for (int first = 0; first < count; first += Device::warp_size) {
      int const row = first + Device::lane();
      int const mine =
          row < count ? Device::count(rows[row / batch].lanes[kind].of_row[row % batch]) : 0;
      auto const upto = int(gpu::sum_upto_lane<Device>(std::uint32_t(mine)));
      if (row < count)
        rows[row / batch].before[kind].of_row[row % batch] = kept + upto - mine;
      kept += int(Device::shuffle_from(std::uint32_t(upto), Device::warp_size - 1));
    }
    return kept;
  }

  /// Calls f<Whole>(row, first, end) for each batch of rows: `row` and `first` are its first row
  /// and item, and `end` is the end of the warp's part. `Whole` is true if the batch is full and,
  /// in a job that cuts, has no item from `limit` on.
  template <class F>
  SAM_DEVICE void for_each_batch(index_t tile, F f, int limit = config::tile_items) const {
    auto const part = items_.part_of(tile);
    constexpr int size = batch * Device::warp_size;
    int const end = part.first + part.size, whole = cuts ? int(min_of(end, limit)) : end;
    int row = 0, first = part.first;
#pragma unroll 1
    for (; first + size <= whole; first += size, row += batch)
      f.template operator()<true>(row, first, end);
#pragma unroll 1
    for (; first < end; first += size, row += batch) {
      f.template operator()<false>(row, first, end);
      if constexpr (!cuts)
        break;
    }
  }

  /// Calls f(b, rank) for each row b of a batch in which this lane's item is kept, where `rank` is
  /// the number of kept items before it in the warp's part. All loads are issued before the first
  /// call.
  template <class F>
  SAM_DEVICE void for_each_kept(int s, int first, F f) const {
    auto const rows = rows_of(s)[first / batch];
    int rank[batch];
    bool keeps[batch];
#pragma unroll
    for (int b = 0; b < batch; ++b) {
      auto const lanes = rows.lanes[0].of_row[b];
      keeps[b] = lanes >> Device::lane() & 1;
      rank[b] = rows.before[0].of_row[b] + Device::count(lanes & Device::lower_lanes());
    }
#pragma unroll
    for (int b = 0; b < batch; ++b)
      if (keeps[b])
        f(b, rank[b]);
  }

  SAM_DEVICE auto* rows_of(int s) const { return shared_.kept_of[s].rows[warp()]; }

  // --- Stores -----------------------------------------------------------------------------------

  SAM_DEVICE void move_kept(int s, index_t tile) const {
    int const begin = items_.part_of(tile).first;
    value* const to = first_of(s, tile, begin);
    for_each_batch(tile, [&]<bool Whole>(int row, int first, int end) {
      uninitialized_array<value, batch> x;
      [[maybe_unused]] uninitialized_array<second_value, pairs ? batch : 1> y;
#pragma unroll
      for (int b = 0; b < batch; ++b)
        if (int const at = first + b * Device::warp_size + Device::lane(); Whole || at < end) {
          auto const item = items_.load(s, tile, at);
          x.at[b] = packed().value(items_.index(tile, at), item);
          if constexpr (pairs)
            y.at[b] = packed().second(item);
        }
      Device::sync_warp();  // orders the loads of the items before the stores that overwrite them
      for_each_kept(s, row, [&](int b, int rank) {
        to[way * rank] = x.at[b];
        if constexpr (pairs)
          second_of(s, tile, begin)[way * rank] = y.at[b];
      });
    });
    Device::sync_warp();
  }

  /// Copies values that were compacted in the stage to memory.
  template <class Value>
  static SAM_DEVICE void copy(Value const* from, Value* to, int size) {
#pragma unroll 1
    for (int first = Device::lane(); first < size; first += batch * Device::warp_size) {
      uninitialized_array<Value, batch> x;
#pragma unroll
      for (int b = 0; b < batch; ++b)
        if (int const k = first + b * Device::warp_size; k < size)
          x.at[b] = from[way * k];
#pragma unroll
      for (int b = 0; b < batch; ++b)
        if (int const k = first + b * Device::warp_size; k < size)
          to[way * k] = x.at[b];
    }
  }
  /// Computes the values of kept items and stores them straight to memory, without compaction.
  SAM_DEVICE void place(int s, index_t tile, value* to, index_t capacity) const {
    for_each_batch(tile, [&]<bool Whole>(int row, int first, int) {
      for_each_kept(s, row, [&](int b, int rank) {
        int const at = first + b * Device::warp_size + Device::lane();
        if (rank < capacity)
          to[way * rank] = packed().value(items_.index(tile, at), items_.load(s, tile, at));
      });
    });
  }

  // --- Partition --------------------------------------------------------------------------------

  /// Stores every item of this warp's part. The votes give its kind, and the number of items of
  /// that kind before it.
  SAM_DEVICE void place_kinds(int s, index_t tile, T const& start) const {
    using sum = std::remove_cvref_t<decltype(start.of[0])>;
    sum begin[kinds + 1];  // destination of the tile's first item of each kind
    begin[kinds] = packed().begin(kinds) + static_cast<sum>(items_.tiles.begin(tile));
#pragma unroll
    for (int k = 0; k < kinds; ++k) {
      begin[k] = packed().begin(k) + start.of[k];
      begin[kinds] -= start.of[k];
    }
    value const* const stage = first_of(s, tile, 0);
    value* const front = packed().front();
    auto const lower = Device::lower_lanes(),
               mine = static_cast<lane_set>(lane_set(1) << Device::lane());
    for_each_batch(tile, [&]<bool Whole>(int row, int first, int end) {
      auto const rows = rows_of(s)[row / batch];
      uninitialized_array<value, batch> x;
#pragma unroll
      for (int b = 0; b < batch; ++b)
        if (int const at = first + b * Device::warp_size + Device::lane(); Whole || at < end)
          x.at[b] = stage[at];
#pragma unroll
      for (int b = 0; b < batch; ++b) {
        int const at = first + b * Device::warp_size + Device::lane();
        sum last = begin[kinds] + static_cast<sum>(at), to = 0;
        lane_set counted = 0;
#pragma unroll
        for (int k = 0; k < kinds; ++k) {
          auto const lanes = rows.lanes[k].of_row[b];
          auto const before =
              static_cast<sum>(rows.before[k].of_row[b] + Device::count(lanes & lower));
          to = (lanes & mine) != 0 ? begin[k] + before : to;
          counted |= lanes;
          last -= before;
        }
        auto const place = static_cast<index_t>((counted & mine) != 0 ? to : last);
        // The destination is out of range if the item is none of the first, or if a caller's
        // predicate contradicts itself.
        if ((Whole || at < end) && place >= 0 && place < written())
          front[place] = x.at[b];
      }
    });
  }

  /// Returns how many items are written.
  SAM_DEVICE index_t written() const {
    if constexpr (cuts)
      return selected_;
    else
      return packed().n;
  }

  SAM_DEVICE value* first_of(int s, index_t tile, int at) const {
    return reinterpret_cast<value*>(Device::shared_memory() + items_.first_array(s, tile, at));
  }
  using second_value = typename second_value_of<forward_job_of<Job>>::type;
  SAM_DEVICE second_value* second_of(int s, index_t tile, int at) const {
    return reinterpret_cast<second_value*>(Device::shared_memory() +
                                           items_.second_array(s, tile, at));
  }

  // A reversed job stores in the opposite direction.
  static constexpr int way = is_reversed<Job> ? -1 : 1;
  SAM_DEVICE auto const& packed() const { return engine::forward_job(a_.job); }
  static SAM_DEVICE int warp() { return items_type::warp(); }

  arguments const& a_;
  items_type const& items_;
  states_type states_;
  typename config::shared_layout& shared_;
  index_t selected_ = 0;  // how many of the first items may be kept, if the job says so
};

}  // namespace sam::inline v0_1::gpu
