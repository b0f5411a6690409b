// SPDX-License-Identifier: MIT
// The load warps of the scan kernel claim tiles and start the loads of their items.
#pragma once

#include <sam/gpu/scan_kernel/any_warp.hpp>

namespace sam::inline v0_1::gpu {

/// Runs the load warps of a block.
template <class Base>
class load_warps : public Base {
 protected:
  using Device = typename Base::device;
  using Base::arrive, Base::claims, Base::enter_panel_of, Base::fixed, Base::has_none,
      Base::has_scan_warps, Base::has_store_warp, Base::items_, Base::parity_of, Base::round_of,
      Base::row_arrivals, Base::shared_, Base::stage_of, Base::stages, Base::uses_epilogue;
  using typename Base::barrier, typename Base::config, typename Base::items_type;

 public:
  using Base::Base;

  /// Runs the first load warp. It claims a tile only once a stage is available for it, because
  /// other blocks wait for the aggregate of every claimed tile.
  SAM_DEVICE void load_tiles() {
    index_t const needed = claims().needed();
    for (int iteration = 0;; ++iteration) {
      int const s = stage_of(iteration);
      int const last_parity = (round_of(iteration) - 1) % 2;
      if (iteration >= stages())
        early_claim_barrier(s).wait(last_parity);
      index_t const tile = claims().claim(iteration, needed);
      if (config::claims_early && iteration >= stages())
        shared_.empty[s].wait(last_parity);
      if (Device::lane() == 0) {
        shared_.tile[s] = tile;
        if constexpr (!fixed)
          shared_.panel[s] = items_.panel;
        else if (uses_epilogue && iteration == 0)
          shared_.panel[0] = tile;
      }
      if (uses_epilogue && iteration == 0)
        arrive(shared_.claimed[0]);
      if constexpr (config::load_warps > 1)
        arrive(shared_.claimed[s]);
      bool const loads = tile != no_tile && !has_none();
      if (tile != no_tile && has_none())
        end_without_items();
      if constexpr (config::shares_loads) {
        if (iteration == 0 && loads)
          items_.prefetch_regions(s, tile);
        arrive(shared_.offered[s]);
      } else if (loads && items_.load_regions(s, tile, shared_.full[s]))
        arrive_as_with_rows(s);
      else
        fill_rows(s, tile, 0);
      if (tile == no_tile)
        return;
      prefetch_ahead(s, tile, needed);
    }
  }
  /// Runs another load warp, which copies rows that are not contiguous.
  SAM_DEVICE void load_rows_of_tiles(int helper) {
    if constexpr (config::load_warps > 1)
      for (int iteration = 0;; ++iteration) {
        int const s = stage_of(iteration);
        shared_.claimed[s].wait(parity_of(iteration));
        index_t const tile = shared_.tile[s];
        if (tile != no_tile)
          enter_panel_of(s);
        fill_rows(s, tile, helper);
        if (tile == no_tile)
          return;
      }
  }

 private:
  /// Stores what the last item would, if there is none.
  SAM_DEVICE void end_without_items() const {
    if constexpr (Base::is_limited)
      if (Device::lane() == 0)
        this->a_.job.close(0);
  }
  /// Requests the tile that follows after as many others as there are blocks, whichever block will
  /// claim it. So L2 has each tile when its loads begin, and shared memory is not held for as long.
  SAM_DEVICE void prefetch_ahead(int s, index_t tile, index_t needed) {
    if constexpr (config::prefetches)
      if (index_t const ahead = tile + Device::blocks(); claims().is_run(ahead, needed))
        items_.prefetch_regions(s, ahead);
  }
  /// Returns the barrier after which stage `s` becomes empty without waiting for any other block.
  SAM_DEVICE barrier& early_claim_barrier(int s) const {
    if constexpr (!config::claims_early)
      return shared_.empty[s];
    else if constexpr (has_store_warp)
      return shared_.finished[s];
    else if constexpr (has_scan_warps)
      return shared_.prefixed[s];
    else
      return shared_.reduced[s];
  }
  /// Copies a load warp's share of a tile's strided rows, if the tile has such rows, and arrives at
  /// `full`. The first load warp has no share: issuing row copies takes long and would delay the
  /// next claim.
  SAM_DEVICE void fill_rows(int s, index_t tile, int load_warp) {
    if (load_warp > 0 && tile != no_tile && items_.fills_rows())
      return items_.fill_rows(s, tile, load_warp - 1, shared_.full[s]);
    for (int k = 0; k < items_type::arrivals; ++k)
      arrive(shared_.full[s]);
    arrive_as_with_rows(s);
  }
  SAM_DEVICE void arrive_as_with_rows(int s) {
    if constexpr (row_arrivals > 0)
      shared_.full[s].arrive();
  }
};

}  // namespace sam::inline v0_1::gpu
