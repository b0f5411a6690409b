// SPDX-License-Identifier: MIT
// Computes and stores the scan values of the last row, in a pass where only that row is wanted.
//
// The pass scans no tile, so only the block that stores the last row needs a prefix: its look-back
// warps accumulate the aggregates of all tiles as they are published. A tile with items of the last
// row publishes two partial prefixes in place of its aggregate: those of the last item's warp and
// of its run of items. They are appended in the order of a scan, so the result has the bits of the
// scan.
#pragma once

#include <sam/gpu/scan/block_aggregates.hpp>

namespace sam::inline v0_1::gpu {

/// Locates the last item of this lane's component, and computes its scan value.
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
  /// The number of items of a run that each lane holds at a time.
  static constexpr int batch =
      int(engine::max_of(1, engine::min_of((I + runs - 1) / runs, 8 / words_of<T>)));

 public:
  SAM_DEVICE reduce_epilogue(arguments const& a, items_type const& items,
                             typename config::shared_layout& shared)
      : a_(a), items_(items), states_(a, items, shared), shared_(shared) {
    int const c = lanes().component;
    index_t const left = a.n - 1 - c;
    last_ = left < 0 ? -1 : c + left / S * S;
    int const at = last_ < 0 ? 0 : int(last_ % config::tile_items);
    tile_ = last_ < 0 ? no_tile : last_ / config::tile_items;
    warp_ = at / config::warp_items;
    run_ = at % config::warp_items / (I * S);
    count_ = at % (I * S) / S + 1;
  }

  /// Returns the first tile with items of the last row. Such items also lie in the last tile.
  SAM_DEVICE index_t first_tile() const { return engine::max_of(a_.n - S, 0) / config::tile_items; }
  /// True if the component's last item lies in the tile.
  SAM_DEVICE bool is_in(index_t tile) const { return tile == tile_; }

  /// Reads the exclusive prefix, within the tile, of the warp with the last item (`within`) and
  /// that of its run within the warp (`below`). A state that does not exist is set to `other`, an
  /// arbitrary valid state.
  SAM_DEVICE void read(int s, index_t tile, state const& other, state& within, state& below) const {
    lanes_type::copy(other, within);
    lanes_type::copy(other, below);
    if (is_in(tile) && warp_ > 0)
      states_.read(states_.start_of_warp(s, warp_), within);
    if (is_in(tile) && run_ > 0)
      below.at[0] = shared_.before[s].at[warp_ * Device::warp_size + run_ * S + lanes().component];
  }
  /// Publishes the tile's aggregate, or the two partial prefixes if the tile has items of the last
  /// row.
  SAM_DEVICE void publish(typename config::lookback_type const& descriptors, index_t tile,
                          state const& within, state const& below) const {
    if (tile < first_tile())
      descriptors.publish_aggregate(tile);
    else
      descriptors.publish_two(tile, within, below);
  }

  /// Loads items of the last run, from item `from` on, shared among the lanes of the component. If
  /// the last row spans two tiles, the runs in the second tile have one item each, which later
  /// calls do not overwrite.
  SAM_DEVICE void load(int from = 0) {
    index_t const first = last_ - index_t{count_ - 1} * S;
#pragma unroll
    for (int b = 0; b < batch; ++b)
      if (int const k = from + b * runs + lanes().run;
          lanes().run < runs && k < count_ && last_ >= 0)
        items_of_run_.at[b] = a_.job.to_accumulator(a_.job.load(first + k * S));
  }
  /// Stores the last items that lie in a tile, given the tile's exclusive prefix and the two states
  /// found by read().
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
  typename config::shared_layout& shared_;
  index_t last_, tile_;
  int warp_, run_, count_;  // the component's last item is number count_ of its run
  uninitialized_array<T, batch> items_of_run_;
};

}  // namespace sam::inline v0_1::gpu
