// SPDX-License-Identifier: MIT
// The publish warp of the scan kernel publishes the aggregates of tiles.
#pragma once

#include <sam/gpu/scan_kernel/any_warp.hpp>

namespace sam::inline v0_1::gpu {

/// Runs the publish warp of a block.
template <class Base>
class publish_warp : public Base {
 protected:
  using Device = typename Base::device;
  using Base::a_, Base::accumulates_here, Base::arrive, Base::base, Base::claims,
      Base::enter_panel_of, Base::epilogue, Base::fixed, Base::has_scan_warps, Base::items_,
      Base::lanes, Base::lookback_, Base::may_overwrite, Base::move_to_panel, Base::parity_of,
      Base::shared_, Base::stage_of, Base::states, Base::uses_epilogue;
  using typename Base::lookback_type, typename Base::state, typename Base::Carry;

 public:
  using Base::Base;

  /// Runs the publish warp: it combines the aggregates of a tile's warps and publishes the result.
  SAM_DEVICE void publish_aggregates() {
    std::uint32_t const first = base();
    lookback_type descriptors(lookback_, lanes(), {shared_.powers}, first, 0);
    for (int iteration = 0;; ++iteration) {
      int const s = stage_of(iteration);
      shared_.reduced[s].wait(parity_of(iteration));
      index_t const tile = shared_.tile[s];
      if (tile != no_tile) {
        enter_panel_of(s, [&](bool of_other_ring) { move_to_panel(descriptors, of_other_ring); });
        if (may_overwrite())
          Device::order();  // orders the item loads before stores by blocks that see the aggregate
        states().reduce(s, tile, descriptors.aggregate);
        if constexpr (uses_epilogue) {
          Device::sync_warp();  // orders the writes of warps' prefixes before their reads
          state within, below;
          epilogue().read(s, tile, descriptors.aggregate, within, below);
          if (!claims().is_alone()) {
            descriptors.wait_for_slot(tile);
            epilogue().publish(descriptors, tile, within, below);
          }
        } else {
          bool const last = items_.tiles.is_last(tile);  // its aggregate is never read
          if (!fixed || !last)  // a panel's last tile has a successor in the ring
            descriptors.wait_for_slot(tile);
          if (!last)
            Carry::announce(descriptors, tile);
          if (lanes().run == 0)
            states().write(descriptors.aggregate, states().sum_of_tile(s));
        }
      }
      // Lets the look-back warp order this tile's words before it counts the tile as finished, and
      // before it counts the block as done with the ring.
      Device::order_before_barrier();
      if constexpr (has_scan_warps) {
        arrive(shared_.published[s]);
      } else {
        // The stage is released only after the aggregate is published. An earlier release is
        // slower, since it loads more tiles at a time.
        release(s);
        if (tile == no_tile && accumulates_here())
          arrive(shared_.prefixed[0]);  // this block claims no more tiles
        else if (tile == no_tile)
          claims().leave(first);
      }
      if (tile == no_tile)
        return;
      if (!fixed || tile >= a_.descriptors.depth / 2)
        descriptors.poll_for_slots(tile);
    }
  }

 private:
  /// Releases the stage of a tile that is only reduced.
  SAM_DEVICE void release(int s) {
    if (uses_epilogue && shared_.tile[s] == 0 && claims().is_alone())
      arrive(shared_.published[s]);
    Device::fence_proxy_async();
    arrive(shared_.empty[s]);
  }
};

}  // namespace sam::inline v0_1::gpu
