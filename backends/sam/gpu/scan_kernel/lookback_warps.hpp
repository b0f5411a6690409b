// SPDX-License-Identifier: MIT
// The look-back warps of the scan kernel find the exclusive prefixes of tiles. Where only the scan
// values of the last row are wanted, those of one block read the aggregates of all tiles instead.
#pragma once

#include <sam/gpu/scan_kernel/any_warp.hpp>

namespace sam::inline v0_1::gpu {

/// Runs the look-back warps of a block.
template <class Base>
class lookback_warps : public Base {
 protected:
  using Device = typename Base::device;
  using Base::a_, Base::accumulates_here, Base::arrive, Base::base, Base::claims,
      Base::enter_panel_of, Base::epilogue, Base::fixed, Base::has_reduce_warps, Base::items_,
      Base::lanes, Base::lookback_, Base::may_overwrite, Base::move_to_panel, Base::parity_of,
      Base::shared_, Base::stage_of, Base::states, Base::uses_epilogue;
  using typename Base::barrier, typename Base::config, typename Base::lookback_type,
      typename Base::state, typename Base::Carry;
  static constexpr int Q = Base::traits::Q;

 public:
  using Base::Base;

  /// Runs a look-back warp. It computes the exclusive prefix of each tile or, with several
  /// look-back warps, one part of it.
  SAM_DEVICE void look_back(int lookback_warp) {
    std::uint32_t const first = base();
    lookback_type descriptors(lookback_, lanes(), {shared_.powers}, first, lookback_warp);
    if constexpr (requires { descriptors.reads_few_together; })
      descriptors.reads_few_together = fixed && config::claims_early;
    typename lookback_type::state known;
    descriptors.start(known);
    for (int iteration = 0;; ++iteration) {
      int const s = stage_of(iteration);
      int const parity = parity_of(iteration);
      if constexpr (has_reduce_warps)
        shared_.published[s].wait(parity);
      else
        shared_.full[s].wait(parity);
      index_t const tile = shared_.tile[s];
      if (tile != no_tile)
        enter_panel_of(s, [&](bool of_other_ring) {
          move_to_panel(descriptors, of_other_ring);
          descriptors.start(known);
        });
      bool const last = tile == no_tile || items_.tiles.is_last(tile);
      if (tile != no_tile) {
        states().read(states().sum_of_tile(s), descriptors.aggregate);
        if constexpr (requires { descriptors.has_aggregate; })
          descriptors.has_aggregate = !last;
        Carry::exclusive_prefix(descriptors, tile, known);
        if (may_overwrite())
          Device::order();  // orders the look-back before stores over the items of earlier tiles
      }
      if constexpr (config::lookback_warps > 1) {
        if (tile == no_tile && lookback_warp > 0)
          return;
        if (tile != no_tile) {
          if (!last)
            descriptors.publish_inclusive_prefix(tile, known);
          combine_parts(s, parity, lookback_warp, known.before);
          if (lookback_warp > 0)
            continue;
        }
      }
      if (tile != no_tile)
        states().start(s, tile, known.before);
      arrive(shared_.prefixed[s]);
      if (tile == no_tile)
        return claims().leave(first);
      if (config::lookback_warps == 1 && !last)
        descriptors.publish_inclusive_prefix(tile, known);
      if (!claims().is_alone()) {
        descriptors.finish(tile);
        if constexpr (!fixed)
          if (last && tile + 1 < a_.descriptors.by.tiles)
            descriptors.finish(tile + 1);  // counts the tile that tile_scheduler skips
      }
    }
  }

  /// Runs a look-back warp if only the last row is wanted. The block that claimed the first tile
  /// accumulates the aggregates of all tiles as they arrive, and stores the last row. Every other
  /// block waits for this block alone, and only for free descriptors.
  SAM_DEVICE void reduce_aggregates(int lookback_warp) {
    if constexpr (uses_epilogue) {
      shared_.claimed[0].wait(0);
      if (!accumulates_here())
        return;
      std::uint32_t const first = base();
      lookback_type descriptors(lookback_, lanes(), {shared_.powers}, first, lookback_warp);
      if constexpr (requires { descriptors.reads_few_together; })
        descriptors.reads_few_together = true;
      typename lookback_type::state known;
      descriptors.start(known);
      auto epilogue_of_block = epilogue();
      epilogue_of_block.load();
      auto const is_there = [] { return true; };
      bool const alone = claims().is_alone();
      if (alone)
        shared_.published[0].wait(0);
      int turn = 0;  // counts the synchronisations of the look-back warps
      index_t const last = items_.tiles.tiles() - 1;
      index_t const epoch = index_t{1} << a_.descriptors.epoch_bits;
      index_t done = 0;
      for (; done + epoch <= epilogue_of_block.first_tile(); done += epoch) {
        descriptors.accumulate_aggregates(done + epoch, known, is_there);
        sync_lookback_warps(turn++);
        if (lookback_warp == 0)
          descriptors.finish(done, done + epoch);
      }
      for (index_t tile = epilogue_of_block.first_tile(); tile <= last; ++tile, ++turn) {
        state within, below;
        if (alone) {
          descriptors.accumulate_aggregates(tile, known, is_there);
          epilogue_of_block.read(0, tile, within, within, below);
        } else {
          descriptors.accumulate_aggregates(tile, known, [&] {
            return descriptors.try_read_two(tile, within, below) || !epilogue_of_block.is_in(tile);
          });
        }
        if (config::lookback_warps > 1 && lanes().run == 0)
          states().write(known.before,
                         states().part_of_lookback_warp(stage_of(turn), lookback_warp));
        sync_lookback_warps(turn);
        if (lookback_warp > 0)
          continue;
        auto const finish = [&] {
          add_parts(stage_of(turn), known.before);
          epilogue_of_block.finish(tile, known.before, within, below);
        };
        if (tile < last || alone) {
          finish();
        } else {
          descriptors.finish(done, last + 1);
          shared_.prefixed[0].wait(0);  // else the load warp could claim a tile of the next launch
          claims().leave(first, finish);
        }
      }
    }
  }

 private:
  /// Combines the partial prefixes of all look-back warps. Only the first one receives the result.
  SAM_DEVICE void combine_parts(int s, int parity, int lookback_warp, state& part) {
    if (lanes().run == 0)
      states().write(part, states().part_of_lookback_warp(s, lookback_warp));
    arrive(shared_.looked_back[s]);
    if (lookback_warp > 0)
      return;
    shared_.looked_back[s].wait(parity);
    add_parts(s, part);
  }
  /// Adds the partial prefixes of the other look-back warps to that of the first.
  SAM_DEVICE void add_parts(int s, state& part) {
    for (int c = 1; c < config::lookback_warps; ++c)
      for (int q = 0; q < Q; ++q)
        part.at[q] = a_.policy.op(part.at[q], states().part_of_lookback_warp(s, c)[q]);
  }
  /// Synchronises the look-back warps of this block.
  SAM_DEVICE void sync_lookback_warps(int turn) {
    if constexpr (config::lookback_warps > 1) {
      barrier& all = shared_.looked_back[stage_of(turn)];
      arrive(all);
      all.wait(parity_of(turn));
    }
  }
};

}  // namespace sam::inline v0_1::gpu
