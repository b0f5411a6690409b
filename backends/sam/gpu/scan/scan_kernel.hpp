// SPDX-License-Identifier: MIT
// The persistent, warp-specialised kernel scans, reduces or selects items in one pass over memory.
//
// Each block claims one tile after another. A tile moves through a ring of stages in shared memory,
// and each kind of warp does one step of the work on it:
//
//   load warp        claims a tile when a stage is free, or about to be, and starts the bulk
//                    loads of its items; further load warps copy rows that are strided
//   reduce warps     compute the aggregates of each thread's and each warp's items
//                    (without asynchronous copies, these load the items that the load warp only
//                    prefetches)
//   publish warp     combines the warps' aggregates and publishes the tile's aggregate
//   look-back warps  find the tile's exclusive prefix, and from it that of each warp
//   scan warps       scan the tile in place from these prefixes
//   store warp       starts the bulk store of the tile; other jobs store in the scan warps
//
// No kind of warp waits for a later kind, except for a free stage. A tile's aggregate is therefore
// published as soon as its items have arrived, even if earlier tiles are still waiting. The
// look-back latency is hidden behind the following tiles, and memory stays busy. A block waits only
// for tiles that running blocks have claimed, so the blocks of a grid need not all be resident.
//
// The kernels of a multi-pass scheme leave out some kinds of warps, and their descriptors never
// wait. If only the scan values of the last row are wanted, there are no scan warps, and the
// look-back warps of one block read the aggregates of all tiles: see reduce_epilogue.hpp.
//
// This file has the loops of the warps. tile_scheduler.hpp claims tiles, tile_io.hpp loads and
// stores items, scan_tile.hpp and select_tile.hpp (selection and partition) compute, and
// block_aggregates.hpp combines the aggregates of warps.
//
// Source: Maleki, Yang, Burtscher, PLDI 2016, sections 2.1 and 2.2 (persistent blocks, carry). The
// pipeline, and one descriptor ring for scans of any order, are this project's.
#pragma once

#include <sam/gpu/scan/reduce_epilogue.hpp>
#include <sam/gpu/scan/scan_tile.hpp>
#include <sam/gpu/scan/select_tile.hpp>
#include <sam/gpu/scan/tile_scheduler.hpp>

namespace sam::inline v0_1::gpu {

/// Runs one block of the kernel: run() dispatches each warp to the loop of its kind.
template <class Device, class Job, class Policy, class Config>
class scan_block {
  using arguments = scan_arguments<Device, Job, Policy, Config>;
  using config = scan_config<Device, Job, Policy, Config>;
  using traits = typename config::traits;
  using barrier = typename Device::barrier;
  using items_type = tile_io<Device, Job, Policy, Config>;
  using claims_type = tile_scheduler<Device, Job, Policy, Config>;
  using states_type = block_aggregates<Device, Job, Policy, Config>;
  /// The computation that the reduce warps and the scan warps share.
  using work_type =
      std::conditional_t<config::stage_type::is_selection, select_tile<Device, Job, Policy, Config>,
                         scan_tile<Device, Job, Policy, Config>>;
  using lookback_type = typename config::lookback_type;
  using state = typename traits::state;
  using Carry = typename Policy::carry;
  static constexpr int Q = traits::Q;
  static constexpr bool fixed = traits::fixed;
  static constexpr bool has_reduce_warps = config::has_reduce_warps;
  static constexpr bool has_scan_warps = config::has_scan_warps;
  static constexpr bool uses_epilogue = config::uses_epilogue;
  static constexpr bool has_store_warp = items_type::has_store_warp;

 public:
  SAM_DEVICE explicit scan_block(arguments const& a)
      : a_(a), lookback_(a.descriptors), items_(a),
        shared_(*reinterpret_cast<typename config::shared_layout*>(Device::shared_memory())) {}

  SAM_DEVICE void run() {
    if constexpr (requires { a_.job.does_nothing(); }) {
      Device::grid_dependency_wait();
      if (a_.job.does_nothing())
        return;
    }
    set_up();
    constexpr int load_warp = config::reduce_warps + config::scan_warps;
    constexpr int publish_warp = load_warp + config::load_warps;
    int const warp = Device::warp();
    if (has_reduce_warps && warp < config::reduce_warps)
      reduce_tiles();
    else if (has_scan_warps && warp < load_warp)
      scan_tiles();
    else if (warp == load_warp)
      load_tiles();
    else if (config::load_warps > 1 && warp < publish_warp)
      load_rows_of_tiles(warp - load_warp);
    else if (has_reduce_warps && ((!has_scan_warps && !uses_epilogue) || warp == publish_warp))
      publish_aggregates();
    else if (uses_epilogue)
      reduce_aggregates(warp - publish_warp - 1);
    else if (has_scan_warps && warp < publish_warp + config::publish_warps + config::lookback_warps)
      look_back(warp - publish_warp - config::publish_warps);
    else
      store_tiles();
  }

 private:
  // Initializes the barriers and copies the powers to shared memory.
  SAM_DEVICE void set_up() {
    if (Device::warp() == 0 && Device::lane() == 0)
      for (int s = 0; s < stages(); ++s) {
        if (config::load_warps > 1 || (uses_epilogue && s == 0))
          shared_.claimed[s].init(Device::arrivals);
        if constexpr (config::shares_loads)
          shared_.offered[s].init(Device::arrivals);
        shared_.full[s].init((config::shares_loads ? config::warps : config::load_warps) *
                             (items_type::arrivals * Device::arrivals + row_arrivals));
        shared_.reduced[s].init(config::warps * Device::arrivals);
        shared_.published[s].init(Device::arrivals);
        shared_.looked_back[s].init(config::lookback_warps * Device::arrivals);
        shared_.prefixed[s].init(Device::arrivals);
        shared_.finished[s].init(config::warps * Device::arrivals);
        shared_.empty[s].init((has_scan_warps && !has_store_warp ? config::warps : 1) *
                              Device::arrivals);
      }
    tile_powers<traits>::copy(a_.tables, shared_.powers,
                              Device::warp() * Device::warp_size + Device::lane(), config::threads);
    Device::grid_dependency_trigger();
    Device::grid_dependency_wait();
    Device::sync_block();
  }

  // --- Panels ------------------------------------------------------------------------------------

  using ring_type =
      std::conditional_t<fixed, typename lookback_type::memory const&, descriptor_ring>;

  /// Switches the calling warp to another panel; every kind of warp does so for itself. Returns
  /// true if the panel's descriptors lie in another ring.
  SAM_DEVICE bool enter(index_t panel) {
    panels const& by = a_.descriptors.by;
    bool const other = items_.panel == no_tile || by.ring_of(panel) != by.ring_of(items_.panel);
    if (other)
      lookback_ = a_.descriptors.ring(by.ring_of(panel));
    items_.enter(panel);
    return other;
  }
  /// Switches to the panel of the tile in stage `s` if that is not the current one, and then calls
  /// entered(other_ring).
  template <class F>
  SAM_DEVICE void enter_panel_of(int s, F entered) {
    if constexpr (!fixed)
      if (shared_.panel[s] != items_.panel)
        entered(enter(shared_.panel[s]));
  }
  SAM_DEVICE void enter_panel_of(int s) {
    enter_panel_of(s, [](bool) {});
  }

  SAM_DEVICE void move_to_panel(lookback_type& descriptors, bool of_other_ring) const {
    if constexpr (!fixed)
      descriptors.enter(a_.descriptors.by.tiles_before(items_.panel), of_other_ring);
  }

  // --- Stages ------------------------------------------------------------------------------------

  /// Returns the number of stages.
  SAM_DEVICE int stages() const {
    if constexpr (config::has_fixed_stages)
      return config::stages;
    else
      return a_.stages;
  }
  /// Returns the stage that a warp uses at its `use`-th turn, counted from 0.
  SAM_DEVICE int stage_of(int iteration) const {
    if constexpr (config::has_fixed_stages)
      return iteration % config::stages;
    else
      return int(unsigned(iteration) % unsigned(a_.stages));
  }
  /// Returns how often all stages were used before that turn.
  SAM_DEVICE int round_of(int iteration) const {
    if constexpr (config::has_fixed_stages)
      return iteration / config::stages;
    else
      return int(unsigned(iteration) / unsigned(a_.stages));
  }
  /// Returns the phase, modulo 2, of the barriers of the stage at that turn.
  SAM_DEVICE int parity_of(int iteration) const { return round_of(iteration) % 2; }

  /// Arrives at a barrier on behalf of the whole warp, after all its lanes have finished.
  static SAM_DEVICE void arrive(barrier& of) {
    Device::sync_warp();
    if (Device::arrivals > 1 || Device::lane() == 0)
      of.arrive();
  }

  // --- Load warps -------------------------------------------------------------------------------

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
  /// Runs the first load warp. It claims a tile only once a stage is available for it, because
  /// other blocks wait for the aggregate of every claimed tile.
  SAM_DEVICE void load_tiles() {
    for (int iteration = 0;; ++iteration) {
      int const s = stage_of(iteration);
      int const last_parity = (round_of(iteration) - 1) % 2;
      if (iteration >= stages())
        early_claim_barrier(s).wait(last_parity);
      index_t const tile = claims().claim(iteration);
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
      if constexpr (config::shares_loads) {
        if (tile != no_tile)
          items_.prefetch_regions(s, tile);
        arrive(shared_.offered[s]);
      } else if (tile != no_tile && items_.load_regions(s, tile, shared_.full[s]))
        arrive_as_with_rows(s);
      else
        fill_rows(s, tile, 0);
      if (tile == no_tile)
        return;
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
  // Arrivals at `full` that each load warp adds for asynchronous row copies (Device::fill_rows). A
  // load warp without rows makes these arrivals itself.
  static constexpr int row_arrivals = config::load_warps > 1 ? Device::row_arrivals : 0;
  SAM_DEVICE void arrive_as_with_rows(int s) {
    if constexpr (row_arrivals > 0)
      shared_.full[s].arrive();
  }

  // --- Reduce warps -----------------------------------------------------------------------------

  /// Loads a reduce warp's part of a tile, on devices without asynchronous copies. All parts
  /// together have enough loads in flight, where one warp would have too few registers. The load
  /// warp has requested the tile, so these loads find it in L2 or on its way there.
  SAM_DEVICE void load_part(int s, int parity) {
    if constexpr (config::shares_loads) {
      shared_.offered[s].wait(parity);
      index_t const tile = shared_.tile[s];
      if (tile == no_tile ||
          !items_.load_regions(s, tile, shared_.full[s], items_type::warp(), config::warps))
        for (int k = 0; k < items_type::arrivals; ++k)
          arrive(shared_.full[s]);
    }
  }
  SAM_DEVICE void reduce_tiles() {
    work_type const work(a_, items_, shared_);
    for (int iteration = 0;; ++iteration) {
      int const s = stage_of(iteration);
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

  // --- Publish warp -----------------------------------------------------------------------------

  /// Returns the sequence number of the exclusive prefix of tile 0.
  SAM_DEVICE std::uint32_t base() {
    if (is_part_of_scheme<Carry> || claims().is_alone())
      return 0;  // no other block waits for a descriptor
    return Device::load(&a_.descriptors.shared->base);
  }
  /// True if storing an item may overwrite another item of the input.
  SAM_DEVICE bool may_overwrite() const {
    if constexpr (requires { a_.job.overwrites(); })
      return a_.job.overwrites();
    else
      return scattering<Job>;
  }

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

  /// Releases the stage of a tile that is only reduced.
  SAM_DEVICE void release(int s) {
    if (uses_epilogue && shared_.tile[s] == 0 && claims().is_alone())
      arrive(shared_.published[s]);
    Device::fence_proxy_async();
    arrive(shared_.empty[s]);
  }

  // --- Look-back warps --------------------------------------------------------------------------

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

  // --- Look-back warps of a reduction: only the last row is wanted ------------------------------

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
  SAM_DEVICE bool accumulates_here() const { return uses_epilogue && shared_.panel[0] == 0; }
  /// Synchronises the look-back warps of this block.
  SAM_DEVICE void sync_lookback_warps(int turn) {
    if constexpr (config::lookback_warps > 1) {
      barrier& all = shared_.looked_back[stage_of(turn)];
      arrive(all);
      all.wait(parity_of(turn));
    }
  }

  // --- Scan warps and store warp ----------------------------------------------------------------

  /// Runs a scan warp.
  SAM_DEVICE void scan_tiles() {
    work_type work(a_, items_, shared_);
    for (int iteration = 0;; ++iteration) {
      int const s = stage_of(iteration);
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

  SAM_DEVICE warp_state<Device, typename config::T, Policy> const& lanes() const {
    return items_.lanes;
  }

  // These objects are created on demand: a member that refers to other members would be kept in
  // local memory.
  SAM_DEVICE claims_type claims() { return {a_, items_}; }
  SAM_DEVICE states_type states() const { return {a_, items_, shared_}; }
  SAM_DEVICE reduce_epilogue<Device, Job, Policy, Config> epilogue() const {
    return {a_, items_, shared_};
  }

  arguments const& a_;
  ring_type lookback_;  // for panels, the ring of the current panel
  items_type items_;
  typename config::shared_layout& shared_;
};

}  // namespace sam::inline v0_1::gpu
