// SPDX-License-Identifier: MIT
// The end of a pass of which only the scan values of the last row are wanted.
//
// No tile is finished, so no block needs to know what lies before its tiles, but for the one that
// finishes that row: it follows the others, and adds up their tiles' aggregates as these come. Of a
// tile with items of the row, what lies in it before them is published in place of its aggregate,
// as the two states that a scan appends to what lies before the tile: so the bits are those of a
// scan.
#pragma once

#include <sam/gpu/scan/block_aggregates.hpp>

namespace sam::gpu {

/// Where the last item of this lane's component is, and what it takes to finish it.
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
  /// Lanes hold so many of a run's items each at a time.
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

  /// The first tile with items of the row; the last tile is the last.
  SAM_DEVICE index_t first_tile() const { return sam::max_of(a_.n - S, 0) / config::tile_items; }
  /// Whether the component's last item is in a tile.
  SAM_DEVICE bool is_in(index_t tile) const { return tile == tile_; }

  /// What lies in a tile before the last run's warp, and in that before the run; or else some value
  /// that is there.
  SAM_DEVICE void read(int s, index_t tile, state const& other, state& within, state& below) const {
    lanes_type::copy(other, within);
    lanes_type::copy(other, below);
    if (is_in(tile) && warp_ > 0)
      states_.read(states_.start_of_warp(s, warp_), within);
    if (is_in(tile) && run_ > 0)
      below.at[0] = board_.before[s].at[warp_ * Device::warp_size + run_ * S + lanes().component];
  }
  /// Publishes a tile's aggregate or, of components that end there, these two.
  SAM_DEVICE void publish(typename config::lookback_type const& descriptors, index_t tile,
                          state const& within, state const& below) const {
    if (tile < first_tile())
      descriptors.publish_aggregate(tile);
    else
      descriptors.publish_two(tile, within, below);
  }

  /// Asks for items of the last run, which lanes of its component share: from the first on. Where
  /// the row lies in two tiles, runs of the second have one item each, which no later call
  /// replaces.
  SAM_DEVICE void load(int from = 0) {
    index_t const first = last_ - index_t{count_ - 1} * S;
#pragma unroll
    for (int b = 0; b < batch; ++b)
      if (int const k = from + b * runs + lanes().run;
          lanes().run < runs && k < count_ && last_ >= 0)
        items_of_run_.at[b] = a_.job.to_accumulator(a_.job.load(first + k * S));
  }
  /// Finishes what is in a tile, from all that lies before the tile and from what read() found.
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
  int warp_, run_, count_;  // of its run the component's last item is the count-th
  uninitialized_array<T, batch> items_of_run_;
};

}  // namespace sam::gpu
