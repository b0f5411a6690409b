// SPDX-License-Identifier: MIT
// The reduce, scan and store warps of the scan kernel compute on the items of tiles.
#pragma once

#include <sam/gpu/scan_kernel/any_warp.hpp>

namespace sam::inline v0_1::gpu {

/// Runs the reduce, scan and store warps of a block.
template <class Base>
class computing_warps : public Base {
 protected:
  using Device = typename Base::device;
  using Base::a_, Base::arrive, Base::enter_panel_of, Base::has_store_warp, Base::items_,
      Base::parity_of, Base::shared_, Base::stage_of;
  using typename Base::config, typename Base::items_type, typename Base::work_type;

 public:
  using Base::Base;

  /// Returns the stage of an iteration. With 64 lanes and several arrays, the compiler would
  /// compute the addresses of all items in all stages ahead, and spill them.
  SAM_DEVICE int computed_stage_of(int iteration) const {
    if constexpr (Device::warp_size == 64 && config::stage_type::pointers_type::count > 2)
      return Device::opaque(stage_of(iteration));
    else
      return stage_of(iteration);
  }

  SAM_DEVICE void reduce_tiles() {
    work_type const work(a_, items_, shared_);
    for (int iteration = 0;; ++iteration) {
      int const s = computed_stage_of(iteration);
      if constexpr (config::shares_loads)
        load_part(s, parity_of(iteration));
      shared_.full[s].wait(parity_of(iteration));
      index_t const tile = shared_.tile[s];
      if (tile != no_tile) {
        enter_panel_of(s);
        items_.load_by_lanes(s, tile);
        work.reduce(s, tile);
      }
      arrive(shared_.reduced[s]);
      if (tile == no_tile)
        return;
    }
  }

  /// Runs a scan warp.
  SAM_DEVICE void scan_tiles() {
    work_type work(a_, items_, shared_);
    for (int iteration = 0;; ++iteration) {
      int const s = computed_stage_of(iteration);
      if constexpr (work_type::moves) {
        shared_.reduced[s].wait(parity_of(iteration));
        if (shared_.tile[s] != no_tile)
          work.move_up(s, shared_.tile[s]);
      }
      shared_.prefixed[s].wait(parity_of(iteration));
      index_t const tile = shared_.tile[s];
      if (tile == no_tile) {
        if (has_store_warp)
          arrive(shared_.finished[s]);
        return;
      }
      enter_panel_of(s);
      work.scan(s, tile);
      Device::fence_proxy_async();
      arrive(has_store_warp ? shared_.finished[s] : shared_.empty[s]);
    }
  }

  /// Runs the store warp.
  SAM_DEVICE void store_tiles() {
    if constexpr (has_store_warp)
      for (int iteration = 0;; ++iteration) {
        int const s = stage_of(iteration);
        shared_.finished[s].wait(parity_of(iteration));
        index_t const tile = shared_.tile[s];
        if (tile == no_tile)
          return;
        enter_panel_of(s);
        if (items_.is_bulk_stored(tile))
          items_.bulk_store(s, tile);
        arrive(shared_.empty[s]);
      }
  }

 private:
  /// Loads a reduce warp's part of a tile, on devices without asynchronous copies. All parts
  /// together have enough loads in flight, where one warp would have too few registers. The load
  /// warp has requested the tile, so these loads find it in L2 or on its way there.
  SAM_DEVICE void load_part(int s, int parity) {
    if constexpr (config::shares_loads) {
      shared_.offered[s].wait(parity);
      index_t const tile = shared_.tile[s];
      if (tile == no_tile || this->has_none() ||
          !items_.load_regions(s, tile, shared_.full[s], items_type::warp(), config::warps))
        for (int k = 0; k < items_type::arrivals; ++k)
          arrive(shared_.full[s]);
    }
  }
};

}  // namespace sam::inline v0_1::gpu
