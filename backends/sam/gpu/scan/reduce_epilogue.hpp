// SPDX-License-Identifier: MIT
// This file implements scans of which only the last row of scan values is wanted.
//
// No tile is scanned, so only the block that computes the last row needs a prefix: it accumulates
// the aggregates of all blocks' tiles as they arrive. Tiles that contain items of the last row
// publish two states in place of their aggregate: those that a scan would append to the tile's
// exclusive prefix to reach the last run. The results therefore have the same bits as those of a
// scan.
#pragma once

#include <sam/gpu/scan/block_aggregates.hpp>

namespace sam::gpu {

/// Computes the scan value of the last item of this lane's component.
template <class Device, class Job, class Policy, class Config>
class reduce_epilogue {
  using arguments = scan_arguments<Device, Job, Policy, Config>;
  using config = scan_config<Device, Job, Policy, Config>;
  using traits = typename config::traits;
  using items_type = tile_io<Device, Job, Policy, Config>;
  using states_type = block_aggregates<Device, Job, Policy, Config>;
  using T = typename config::T;
  using lanes_type = warp_state<Device, T, Policy>;
  using state = typename traits::state;
  static constexpr int S = traits::S;
  static constexpr int I = config::items;
  static constexpr int runs = traits::runs;
  /// Number of a run's items that each lane holds at a time.
  static constexpr int batch =
      int(sam::max_of(1, sam::min_of((I + runs - 1) / runs, 8 / words_of<T>)));

 public:
  SAM_DEVICE reduce_epilogue(arguments const& a, items_type const& items,
                             typename config::board& board)
      : a_(a), items_(items), states_(a, items, board), board_(board) {
    int const c = lanes().component;
    index_t const left = a.n - 1 - c;
    last_ = left < 0 ? -1 : c + left / S * S;
    int const at = last_ < 0 ? 0 : int(last_ % config::tile_items);
    tile_ = last_ < 0 ? no_tile : last_ / config::tile_items;
    warp_ = at / config::warp_items;
    run_ = at % config::warp_items / (I * S);
    count_ = at % (I * S) / S + 1;
  }

  /// Returns the first tile that contains items of the last row.
  SAM_DEVICE index_t first_tile() const { return sam::max_of(a_.n - S, 0) / config::tile_items; }
  /// Returns true if the component's last item is in the tile.
  SAM_DEVICE bool is_in(index_t tile) const { return tile == tile_; }

  /// Reads the state of the tile before the last item's warp (`within`) and that of the warp before
  /// its run (`below`). Where one does not exist, the result is `other`.
  SAM_DEVICE void read(int s, index_t tile, state const& other, state& within, state& below) const {
    lanes_type::copy(other, within);
    lanes_type::copy(other, below);
    if (is_in(tile) && warp_ > 0)
      states_.read(states_.start_of_warp(s, warp_), within);
    if (is_in(tile) && run_ > 0)
      below.at[0] = board_.before[s].at[warp_ * Device::warp_size + run_ * S + lanes().component];
  }
  /// Publishes the tile's aggregate or, for tiles with items of the last row, these two states.
  SAM_DEVICE void publish(typename config::lookback_type const& descriptors, index_t tile,
                          state const& within, state const& below) const {
    if (tile < first_tile())
      descriptors.publish_aggregate(tile);
    else
      descriptors.publish_two(tile, within, below);
  }

  /// Loads items of the last run from number `from` on, distributed over the lanes of its
  /// component. If the row spans two tiles, runs in the second have one item each, which later
  /// calls do not replace.
  SAM_DEVICE void load(int from = 0) {
    index_t const first = last_ - index_t{count_ - 1} * S;
#pragma unroll
    for (int b = 0; b < batch; ++b)
      if (int const k = from + b * runs + lanes().run;
          lanes().run < runs && k < count_ && last_ >= 0)
        items_of_run_.at[b] = a_.job.to_accumulator(a_.job.load(first + k * S));
  }
  /// Stores the scan value of each component whose last item is in the tile. `before` is the tile's
  /// exclusive prefix; `within` and `below` are results of read().
  SAM_DEVICE void finish(index_t tile, state const& before, state const& within,
                         state const& below) {
    bool const mine = is_in(tile);
    state value;
    bool known = states_type::is_known(tile);
    if (known)
      lanes_type::copy(before, value);
    auto const append = [&](state const& later) {
      if (known)
        lanes().append(value, later, {});
      else
        lanes_type::copy(later, value);
      known = true;
    };
    if (mine && warp_ > 0)
      append(within);
    if (mine && run_ > 0)
      append(below);
    int const most = S == 1 ? count_ : I;
#pragma unroll 1
    for (int from = 0; from < most; from += batch * runs) {
      if (from > 0)
        load(from);
#pragma unroll
      for (int b = 0; b < batch; ++b)
#pragma unroll 4
        for (int r = 0; r < runs && from + b * runs + r < most; ++r) {
          state item;
          item.at[0] = gpu::shuffle_from<Device>(items_of_run_.at[b], r * S + lanes().component);
          if (mine && from + b * runs + r < count_)
            append(item);
        }
    }
    if (mine && lanes().run == 0)
      a_.job.store(last_, a_.job.load(last_), value.at[0]);
  }

 private:
  SAM_DEVICE lanes_type const& lanes() const { return items_.lanes; }

  arguments const& a_;
  items_type const& items_;
  states_type states_;
  typename config::board& board_;
  index_t last_, tile_;
  int warp_, run_, count_;  // the last item is number `count_` of its run
  uninitialized_array<T, batch> items_of_run_;
};

}  // namespace sam::gpu
