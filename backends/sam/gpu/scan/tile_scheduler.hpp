// SPDX-License-Identifier: MIT
// Assigns tiles to blocks: a block's load warp claims one tile after another, and the last block to
// leave resets the counters for the next launch. If the work knows that only the first items have
// an effect, tiles behind these are not claimed, as if the launch had fewer.
#pragma once

#include <sam/gpu/scan/tile_io.hpp>

namespace sam::inline v0_1::gpu {

/// Claims tiles for a block.
template <class Device, class Job, class Policy, class Config>
class tile_scheduler {
  using arguments = scan_arguments<Device, Job, Policy, Config>;
  using config = scan_config<Device, Job, Policy, Config>;
  using items_type = tile_io<Device, Job, Policy, Config>;
  static constexpr bool fixed = config::traits::fixed;
  /// True if items from a number on that the work knows have no effect. The passes of a multi-pass
  /// scheme process the same tiles, whatever that number is.
  static constexpr bool ends_early = fixed && config::has_scan_warps &&
                                     !is_part_of_scheme<typename Policy::carry> &&
                                     (needing_first<Job> || selecting_first<Job> ||
                                      partitioning_first<Job> || limiting_first<Job>);

 public:
  SAM_DEVICE tile_scheduler(arguments const& a, items_type& items) : a_(a), items_(items) {}

  /// True if the launch has a single tile, so that blocks exchange nothing.
  SAM_DEVICE bool is_alone() const {
    if constexpr (fixed)
      return launched().tiles() == 1;
    else
      return a_.descriptors.by.all_tiles() == 1;
  }
  /// Returns how many of the first items have an effect.
  SAM_DEVICE index_t needed() const {
    if constexpr (!ends_early)
      return a_.n;
    else if constexpr (limiting_first<Job>)
      return items_.tiles.n;
    else if constexpr (needing_first<Job>)
      return a_.job.needed();
    else
      return a_.job.selected();
  }
  /// True for tiles that are run if `needed` items have an effect. Tile 0 always is.
  SAM_DEVICE bool is_run(index_t tile, [[maybe_unused]] index_t needed) const {
    if constexpr (ends_early)
      return tile < launched().tiles() && (tile == 0 || items_.tiles.begin(tile) < needed);
    else
      return tile < items_.tiles.tiles();
  }
  /// Returns the load warp's next tile, or no_tile. For panels, it also switches to the panel of
  /// that tile. A block that can have only one tile does not access the counter again.
  SAM_DEVICE index_t claim(int use, index_t needed) {
    if constexpr (!fixed)
      return claim_of_panels(use);
    if (launched().tiles() == 1)
      return use == 0 ? 0 : no_tile;
    if (use > 0 && launched().tiles() <= Device::blocks())
      return no_tile;
    std::uint32_t claimed = 0;
    if (Device::lane() == 0)
      claimed = Device::add(&a_.descriptors.shared->claims, 1);
    // A kernel that only propagates prefixes skips the first tile, which has none. One that only
    // reduces skips the last tile, whose aggregate is never read.
    constexpr int first = config::has_reduce_warps ? 0 : 1;
    constexpr int left_out = config::has_scan_warps || config::uses_epilogue ? 0 : 1;
    auto const tile = first + index_t(Device::shuffle_from(claimed, 0));
    return is_run(tile + left_out, needed) ? tile : no_tile;
  }
  /// Ends this block's part of a launch whose sequence numbers begin at `base`. The last block to
  /// leave resets the counters. `meanwhile` runs while the block waits to learn if it is the last.
  template <class F = do_nothing>
  SAM_DEVICE void leave(std::uint32_t base, [[maybe_unused]] F const& meanwhile = {}) const {
    if (is_alone())
      return;
    if constexpr (!fixed)
      gpu::leave<Device>(a_.descriptors, base);
    else if constexpr (is_part_of_scheme<typename Policy::carry>)
      gpu::leave_claims<Device>(*a_.descriptors.shared);
    else
      gpu::leave<Device>(a_.descriptors, base, tiles_run(), meanwhile);
  }

 private:
  /// Returns the tiles of the launch. If the work has fewer items, the last ones do not run.
  SAM_DEVICE tiling launched() const {
    if constexpr (limiting_first<Job>)
      return {a_.n, config::tile_items};
    else
      return items_.tiles;
  }
  SAM_DEVICE index_t tiles_run() const {
    if constexpr (ends_early)
      return max_of(1,
                    min_of(launched().tiles(), div_up(min_of(needed(), a_.n), config::tile_items)));
    else
      return items_.tiles.tiles();
  }
  // A block stays with a ring while tiles are left in it. Blocks start at different rings, and move
  // on to different ones, to spread the claims.
  SAM_DEVICE index_t claim_of_panels(int use) {
    panels const& by = a_.descriptors.by;
    auto const block = std::uint32_t(Device::block());
    if (use == 0)
      items_.enter(block % by.rings);
    if (is_alone())
      return use == 0 ? 0 : no_tile;
    for (std::uint32_t ring = by.ring_of(items_.panel);;) {
      std::uint32_t claimed = 0;
      if (Device::lane() == 0)
        claimed = Device::add(&a_.descriptors.shared[ring].claims, 1);
      claimed = Device::shuffle_from(claimed, 0);
      if (claimed >= by.tiles_of(ring)) {
        if (!find_ring(ring, block * 0x9e3779b1u >> 16))
          return no_tile;
        continue;
      }
      index_t const panel = ring + index_t{claimed / by.tiles} * by.rings;
      if (panel != items_.panel)
        items_.enter(panel);
      index_t const tile = claimed % by.tiles;
      if (tile < items_.tiles.tiles())
        return tile;
      // The tile would hold a part of the last row only, and the panel has no items there.
    }
  }
  /// Finds a ring with unclaimed tiles, in cyclic order from `from` on. Returns false if there is
  /// none.
  SAM_DEVICE bool find_ring(std::uint32_t& ring, std::uint32_t from) const {
    panels const& by = a_.descriptors.by;
    for (std::uint32_t k = 0; k < by.rings; k += Device::warp_size) {
      std::uint32_t const mine = (from + k + std::uint32_t(Device::lane())) % by.rings;
      int const lane = Device::first_lane_where(Device::load(&a_.descriptors.shared[mine].claims) <
                                                by.tiles_of(mine));
      if (lane < Device::warp_size) {
        ring = Device::shuffle_from(mine, lane);
        return true;
      }
    }
    return false;
  }

  arguments const& a_;
  items_type& items_;  // for panels, claim() switches it to the panel of the tile
};

}  // namespace sam::inline v0_1::gpu
