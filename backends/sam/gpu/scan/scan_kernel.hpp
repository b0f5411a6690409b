// SPDX-License-Identifier: MIT
// The kernel of a single-pass job. A block stays; it claims tile after tile, and hands each from
// one kind of its warps to the next, in a ring of stages in shared memory:
//
// load_warp     claims a tile as soon as a stage is free, or is about to be, and has the copy
// engine
//            bring its items; where these are rows that lie apart, other load_warps ask for them
// reduce_warps    add up what each thread, and each warp, has of the tile
// publish_warp  combines the warps' sums and publishes the tile's aggregate
// lookback_warp    learns what lies before the tile, and where in it each warp starts
// scan_warps  scan the tile from there, in place
// store_warp     has the copy engine send it out; where there is none, the scan_warps do
//
// None of them waits for a later one, but for the ring to have room. So an aggregate is published
// as soon as the items are there, whatever the tiles before it wait for; the descriptor_ring
// between blocks hides behind the tiles that follow, and memory is never idle. A block only ever
// waits for tiles that running blocks have claimed: blocks need not all be resident.
//
// The kernels of a multi-pass scheme are the same with some of these left out, and with a
// descriptors for which nobody waits. Where only the last row is wanted nothing is finished, and
// the lookback_warps of one block follow all others: see reduce_epilogue.hpp.
//
// What each of them does with a tile is said here; how it is claimed, in tile_scheduler.hpp; how
// items come and go, in tile_io.hpp; how they are summed up and finished, in scan_tile.hpp and, for
// jobs that only count and place them, select_tile.hpp; and what becomes of the warps' sums, in
// block_aggregates.hpp.
//
// Source: Maleki, Yang, Burtscher, PLDI 2016, sections 2.1 and 2.2 (persistent blocks, carry); the
// pipeline, and one descriptor_ring for any order, are ours.
#pragma once

#include <sam/gpu/scan/reduce_epilogue.hpp>
#include <sam/gpu/scan/scan_tile.hpp>
#include <sam/gpu/scan/select_tile.hpp>
#include <sam/gpu/scan/tile_scheduler.hpp>

namespace sam::gpu {

/// One block's work on a pass.
template <class Device, class Job, class Policy, class Config>
class scan_block {
  using arguments = scan_arguments<Device, Job, Policy, Config>;
  using config = scan_config<Device, Job, Policy, Config>;
  using traits = typename config::traits;
  using barrier = typename Device::barrier;
  using items_type = tile_io<Device, Job, Policy, Config>;
  using claims_type = tile_scheduler<Device, Job, Policy, Config>;
  using states_type = block_aggregates<Device, Job, Policy, Config>;
  /// What reduce_warps and scan_warps do with the items.
  using work_type =
      std::conditional_t<config::stage_type::counts, select_tile<Device, Job, Policy, Config>,
                         scan_tile<Device, Job, Policy, Config>>;
  using lookback_type = typename config::lookback_type;
  using state = typename traits::state;
  using Carry = typename Policy::carry;
  static constexpr int Q = traits::Q;
  static constexpr bool fixed = traits::fixed;
  static constexpr bool sums = config::sums;
  static constexpr bool finishes = config::finishes;
  static constexpr bool follows = config::follows;
  static constexpr bool has_store_warp = items_type::has_store_warp;

 public:
  SAM_DEVICE explicit scan_block(arguments const& a)
      : a_(a), lookback_(a.descriptors), items_(a),
        board_(*reinterpret_cast<typename config::board*>(Device::shared_memory())) {}

  SAM_DEVICE void run() {
    set_up();
    constexpr int load_warp = config::reduce_warps + config::scan_warps;
    constexpr int publish_warp = load_warp + config::load_warps;
    int const warp = Device::warp();
    if (sums && warp < config::reduce_warps)
      sum_up();
    else if (finishes && warp < load_warp)
      finish();
    else if (warp == load_warp)
      load();
    else if (config::load_warps > 1 && warp < publish_warp)
      help_load(warp - load_warp);
    else if (sums && ((!finishes && !follows) || warp == publish_warp))
      publish();
    else if (follows)
      follow(warp - publish_warp - 1);
    else if (finishes && warp < publish_warp + config::publish_warps + config::lookback_warps)
      carry(warp - publish_warp - config::publish_warps);
    else
      send();
  }

 private:
  SAM_DEVICE void set_up() {
    if (Device::warp() == 0 && Device::lane() == 0)
      for (int s = 0; s < config::stages; ++s) {
        if (config::load_warps > 1 || (follows && s == 0))
          board_.claimed[s].init(Device::arrivals);
        board_.full[s].init(config::load_warps *
                            (items_type::arrivals * Device::arrivals + row_arrivals));
        board_.summed[s].init(config::warps * Device::arrivals);
        board_.published[s].init(Device::arrivals);
        board_.parted[s].init(config::lookback_warps * Device::arrivals);
        board_.carried[s].init(Device::arrivals);
        board_.finished[s].init(config::warps * Device::arrivals);
        board_.empty[s].init((finishes && !has_store_warp ? config::warps : 1) * Device::arrivals);
      }
    tile_powers<traits>::copy(a_.tables, board_.powers,
                              Device::warp() * Device::warp_size + Device::lane(), config::threads);
    Device::grid_dependency_trigger();
    Device::grid_dependency_wait();
    Device::sync_block();
  }

  // --- Panels ------------------------------------------------------------------------------------

  using ring_type =
      std::conditional_t<fixed, typename lookback_type::memory const&, descriptor_ring>;

  /// Goes on with another panel. All kinds of warps do so each for itself. Returns whether its
  /// tiles are told of in another ring.
  SAM_DEVICE bool enter(index_t panel) {
    panels const& by = a_.descriptors.by;
    bool const other = items_.panel == no_tile || by.ring_of(panel) != by.ring_of(items_.panel);
    if (other)
      lookback_ = a_.descriptors.ring(by.ring_of(panel));
    items_.enter(panel);
    return other;
  }
  /// If the tile in a stage is another panel's, enters that; entered(other_ring) may do more.
  template <class F>
  SAM_DEVICE void enter_panel_of(int s, F entered) {
    if constexpr (!fixed)
      if (board_.panel[s] != items_.panel)
        entered(enter(board_.panel[s]));
  }
  SAM_DEVICE void enter_panel_of(int s) {
    enter_panel_of(s, [](bool) {});
  }

  SAM_DEVICE void go_on(lookback_type& descriptors, bool of_other_ring) const {
    if constexpr (!fixed)
      descriptors.enter(a_.descriptors.by.tiles_before(items_.panel), of_other_ring);
  }

  /// What this warp did is done, for whom waits at a barrier.
  static SAM_DEVICE void arrive(barrier& of) {
    Device::sync_warp();
    if (Device::arrivals > 1 || Device::lane() == 0)
      of.arrive();
  }

  // --- The load_warp, and those that help it
  // --------------------------------------------------------

  /// Where it is known that a stage will be empty, whatever other blocks do.
  SAM_DEVICE barrier& leaving(int s) const {
    if constexpr (!config::claims_early)
      return board_.empty[s];
    else if constexpr (has_store_warp)
      return board_.finished[s];
    else if constexpr (finishes)
      return board_.carried[s];
    else
      return board_.summed[s];
  }
  /// Not before there is room does it claim a tile: others wait for its aggregate.
  SAM_DEVICE void load() {
    for (int use = 0;; ++use) {
      int const s = use % config::stages;
      int const last_use = (use / config::stages - 1) % 2;
      if (use >= config::stages)
        leaving(s).wait(last_use);
      index_t const tile = claims().claim(use);
      if (config::claims_early && use >= config::stages)
        board_.empty[s].wait(last_use);
      if (Device::lane() == 0) {
        board_.tile[s] = tile;
        if constexpr (!fixed)
          board_.panel[s] = items_.panel;
        else if (follows && use == 0)
          board_.panel[0] = tile;
      }
      if (follows && use == 0)
        arrive(board_.claimed[0]);
      if constexpr (config::load_warps > 1)
        arrive(board_.claimed[s]);
      if (tile != no_tile && items_.load_regions(s, tile, board_.full[s]))
        arrive_as_with_rows(s);
      else
        fill_rows(s, tile, 0);
      if (tile == no_tile)
        return;
    }
  }
  SAM_DEVICE void help_load(int helper) {
    if constexpr (config::load_warps > 1)
      for (int use = 0;; ++use) {
        int const s = use % config::stages;
        board_.claimed[s].wait(use / config::stages % 2);
        index_t const tile = board_.tile[s];
        if (tile != no_tile)
          enter_panel_of(s);
        fill_rows(s, tile, helper);
        if (tile == no_tile)
          return;
      }
  }
  /// Brings a load_warp's share of the rows of a tile, if there is anything to bring, and arrives.
  /// The first has none: to ask for rows takes long, and it is to claim the next tile.
  SAM_DEVICE void fill_rows(int s, index_t tile, int load_warp) {
    if (load_warp > 0 && tile != no_tile && items_.fills_rows())
      return items_.fill_rows(s, tile, load_warp - 1, board_.full[s]);
    for (int k = 0; k < items_type::arrivals; ++k)
      arrive(board_.full[s]);
    arrive_as_with_rows(s);
  }
  // As many arrivals are waited for as rows that are brought come with.
  static constexpr int row_arrivals = config::load_warps > 1 ? Device::row_arrivals : 0;
  SAM_DEVICE void arrive_as_with_rows(int s) {
    if constexpr (row_arrivals > 0)
      board_.full[s].arrive();
  }

  // --- The reduce_warps
  // -------------------------------------------------------------------------------

  SAM_DEVICE void sum_up() {
    work_type const work(a_, items_, board_);
    for (int use = 0;; ++use) {
      int const s = use % config::stages;
      board_.full[s].wait(use / config::stages % 2);
      index_t const tile = board_.tile[s];
      if (tile != no_tile) {
        enter_panel_of(s);
        items_.bring(s, tile);
        work.sum_up(s, tile);
      }
      arrive(board_.summed[s]);
      if (tile == no_tile)
        return;
    }
  }

  // --- The publish_warp
  // -----------------------------------------------------------------------------

  /// The sequence number of what lies before tile 0.
  SAM_DEVICE std::uint32_t base() {
    if (is_part_of_scheme<Carry> || claims().is_alone())
      return 0;  // nobody waits to be told
    return Device::load(&a_.descriptors.shared->base);
  }
  /// Whether finishing an item may write over another.
  SAM_DEVICE bool may_overwrite() const {
    if constexpr (requires { a_.job.overwrites(); })
      return a_.job.overwrites();
    else
      return scattering<Job>;
  }

  /// Adds up the sums of a tile's warps, and tells other blocks.
  SAM_DEVICE void publish() {
    std::uint32_t const first = base();
    lookback_type descriptors(lookback_, lanes(), {board_.powers}, first, 0);
    for (int use = 0;; ++use) {
      int const s = use % config::stages;
      board_.summed[s].wait(use / config::stages % 2);
      index_t const tile = board_.tile[s];
      if (tile != no_tile) {
        enter_panel_of(s, [&](bool of_other_ring) { go_on(descriptors, of_other_ring); });
        if (may_overwrite())
          Device::fence();  // who is told of the tile may write over its items: they were loaded
        states().sum_up(s, tile, descriptors.aggregate);
        if constexpr (follows) {
          Device::sync_warp();  // publishes where warps start
          state within, below;
          ends().read(s, tile, descriptors.aggregate, within, below);
          if (!claims().is_alone()) {
            descriptors.make_room(tile);
            ends().publish(descriptors, tile, within, below);
          }
        } else {
          bool const last = items_.tiles.is_last(tile);  // for whose aggregate nobody asks
          if (!fixed || !last)                           // but of panels, others follow
            descriptors.make_room(tile);
          if (!last)
            Carry::announce(descriptors, tile);
          if (lanes().run == 0)
            states().write(descriptors.aggregate, states().sum_of_tile(s));
        }
      }
      if constexpr (finishes) {
        arrive(board_.published[s]);
      } else {
        // Not before the aggregate is on its way: to have more tiles brought at a time is slower.
        release(s);
        if (tile == no_tile && is_followed_here())
          arrive(board_.carried[0]);  // nothing more is claimed
        else if (tile == no_tile)
          claims().leave(first);
      }
      if (tile == no_tile)
        return;
      if (!fixed || tile >= a_.descriptors.window / 2)
        descriptors.look_for_room(tile);
    }
  }

  /// Nobody needs a tile any more that was only summed up.
  SAM_DEVICE void release(int s) {
    if (follows && board_.tile[s] == 0 && claims().is_alone())
      arrive(board_.published[s]);
    Device::fence_proxy_async();
    arrive(board_.empty[s]);
  }

  // --- The lookback_warps
  // ------------------------------------------------------------------------------

  /// Learns what lies before a tile: all of it or, of several lookback_warps, each its part.
  SAM_DEVICE void carry(int lookback_warp) {
    std::uint32_t const first = base();
    lookback_type descriptors(lookback_, lanes(), {board_.powers}, first, lookback_warp);
    if constexpr (requires { descriptors.reads_few_together; })
      descriptors.reads_few_together = fixed && config::claims_early;
    typename lookback_type::state known;
    descriptors.start(known);
    for (int use = 0;; ++use) {
      int const s = use % config::stages;
      int const parity = use / config::stages % 2;
      if constexpr (sums)
        board_.published[s].wait(parity);
      else
        board_.full[s].wait(parity);
      index_t const tile = board_.tile[s];
      if (tile != no_tile)
        enter_panel_of(s, [&](bool of_other_ring) {
          go_on(descriptors, of_other_ring);
          descriptors.start(known);
        });
      bool const last = tile == no_tile || items_.tiles.is_last(tile);
      if (tile != no_tile) {
        states().read(states().sum_of_tile(s), descriptors.aggregate);
        if constexpr (requires { descriptors.has_aggregate; })
          descriptors.has_aggregate = !last;
        Carry::exclusive_prefix(descriptors, tile, known);
        if (may_overwrite())
          Device::fence();  // the items of the tiles before are written over only from here on
      }
      if constexpr (config::lookback_warps > 1) {
        if (tile == no_tile && lookback_warp > 0)
          return;
        if (tile != no_tile) {
          if (!last)
            descriptors.publish_inclusive_prefix(tile, known);
          put_together(s, parity, lookback_warp, known.before);
          if (lookback_warp > 0)
            continue;
        }
      }
      if (tile != no_tile)
        states().start(s, tile, known.before);
      arrive(board_.carried[s]);
      if (tile == no_tile)
        return claims().leave(first);
      if (config::lookback_warps == 1 && !last)
        descriptors.publish_inclusive_prefix(tile, known);
      if (!claims().is_alone()) {
        descriptors.finish(tile);
        if constexpr (!fixed)
          if (last && tile + 1 < a_.descriptors.by.tiles)
            descriptors.finish(tile + 1);  // which is left out: see tile_scheduler
      }
    }
  }
  /// Of the parts that lookback_warps know of what lies before a tile, all; for the first of them.
  SAM_DEVICE void put_together(int s, int parity, int lookback_warp, state& part) {
    if (lanes().run == 0)
      states().write(part, states().part_of_lookback_warp(s, lookback_warp));
    arrive(board_.parted[s]);
    if (lookback_warp > 0)
      return;
    board_.parted[s].wait(parity);
    add_parts(s, part);
  }
  /// To what the first lookback_warp knows it adds what the others do.
  SAM_DEVICE void add_parts(int s, state& part) {
    for (int c = 1; c < config::lookback_warps; ++c)
      for (int q = 0; q < Q; ++q)
        part.at[q] = a_.policy.op(part.at[q], states().part_of_lookback_warp(s, c)[q]);
  }

  // --- Or those that follow, where only the last row is wanted
  // -------------------------------------

  /// Those of the block that has claimed the first tile learn what lies before the last row while
  /// it comes, and finish that. So of all others a block waits for that one alone, and for it only
  /// to have room.
  SAM_DEVICE void follow(int lookback_warp) {
    if constexpr (follows) {
      board_.claimed[0].wait(0);
      if (!is_followed_here())
        return;
      std::uint32_t const first = base();
      lookback_type descriptors(lookback_, lanes(), {board_.powers}, first, lookback_warp);
      if constexpr (requires { descriptors.reads_few_together; })
        descriptors.reads_few_together = true;
      typename lookback_type::state known;
      descriptors.start(known);
      auto end = ends();
      end.load();
      auto const is_there = [] { return true; };
      bool const alone = claims().is_alone();
      if (alone)
        board_.published[0].wait(0);
      int turn = 0;  // in which lookback_warps wait for one another
      index_t const last = items_.tiles.tiles() - 1;
      index_t const epoch = index_t{1} << a_.descriptors.epoch_bits;
      index_t done = 0;
      for (; done + epoch <= end.first_tile(); done += epoch) {
        descriptors.accumulate_aggregates(done + epoch, known, is_there);
        meet(turn++);
        if (lookback_warp == 0)
          descriptors.finish(done, done + epoch);
      }
      for (index_t tile = end.first_tile(); tile <= last; ++tile, ++turn) {
        state within, below;
        if (alone) {
          descriptors.accumulate_aggregates(tile, known, is_there);
          end.read(0, tile, within, within, below);
        } else {
          descriptors.accumulate_aggregates(tile, known, [&] {
            return descriptors.try_read_two(tile, within, below) || !end.is_in(tile);
          });
        }
        if (config::lookback_warps > 1 && lanes().run == 0)
          states().write(known.before,
                         states().part_of_lookback_warp(turn % config::stages, lookback_warp));
        meet(turn);
        if (lookback_warp > 0)
          continue;
        auto const finish = [&] {
          add_parts(turn % config::stages, known.before);
          end.finish(tile, known.before, within, below);
        };
        if (tile < last || alone) {
          finish();
        } else {
          descriptors.finish(done, last + 1);
          board_.carried[0].wait(0);  // or this block might claim tiles of the next launch
          claims().leave(first, finish);
        }
      }
    }
  }
  SAM_DEVICE bool is_followed_here() const { return follows && board_.panel[0] == 0; }
  /// All lookback_warps come, and wait for one another.
  SAM_DEVICE void meet(int turn) {
    if constexpr (config::lookback_warps > 1) {
      barrier& all = board_.parted[turn % config::stages];
      arrive(all);
      all.wait(turn / config::stages % 2);
    }
  }

  // --- The scan_warps, and the store_warp
  // -------------------------------------------------------------

  SAM_DEVICE void finish() {
    work_type work(a_, items_, board_);
    for (int use = 0;; ++use) {
      int const s = use % config::stages;
      if constexpr (work_type::moves) {
        board_.summed[s].wait(use / config::stages % 2);
        if (board_.tile[s] != no_tile)
          work.move_up(s, board_.tile[s]);
      }
      board_.carried[s].wait(use / config::stages % 2);
      index_t const tile = board_.tile[s];
      if (tile == no_tile) {
        if (has_store_warp)
          arrive(board_.finished[s]);
        return;
      }
      enter_panel_of(s);
      work.finish(s, tile);
      Device::fence_proxy_async();
      arrive(has_store_warp ? board_.finished[s] : board_.empty[s]);
    }
  }

  SAM_DEVICE void send() {
    if constexpr (has_store_warp)
      for (int use = 0;; ++use) {
        int const s = use % config::stages;
        board_.finished[s].wait(use / config::stages % 2);
        index_t const tile = board_.tile[s];
        if (tile == no_tile)
          return;
        enter_panel_of(s);
        if (items_.is_sent_whole(tile))
          items_.send_whole(s, tile);
        arrive(board_.empty[s]);
      }
  }

  SAM_DEVICE warp_state<Device, typename config::T, Policy> const& lanes() const {
    return items_.lanes;
  }

  // Made where they are needed: what refers to members and is one stays in memory.
  SAM_DEVICE claims_type claims() { return {a_, items_}; }
  SAM_DEVICE states_type states() const { return {a_, items_, board_}; }
  SAM_DEVICE reduce_epilogue<Device, Job, Policy, Config> ends() const {
    return {a_, items_, board_};
  }

  arguments const& a_;
  ring_type lookback_;  // of panels, the ring of the one that was entered
  items_type items_;
  typename config::board& board_;
};

}  // namespace sam::gpu
