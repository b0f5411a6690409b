// SPDX-License-Identifier: MIT
// The kernel of a single-pass job. A block stays; it claims tile after tile, and hands each from
// one kind of its warps to the next, in a ring of stages in shared memory:
//
// loader     claims a tile as soon as a stage is free, or is about to be, and has the copy engine
//            bring its items; where these are rows that lie apart, other loaders ask for them
// summers    add up what each thread, and each warp, has of the tile
// publisher  combines the warps' sums and publishes the tile's summary
// carrier    learns what lies before the tile, and where in it each warp starts
// finishers  scan the tile from there, in place
// sender     has the copy engine send it out; where there is none, the finishers do
//
// None of them waits for a later one, but for the ring to have room. So a summary is published as
// soon as the items are there, whatever the tiles before it wait for; the exchange between blocks
// hides behind the tiles that follow, and memory is never idle. A block only ever waits for tiles
// that running blocks have claimed: blocks need not all be resident.
//
// The kernels of a multi-pass scheme are the same with some of these left out, and with a mailbox
// for which nobody waits. Where only the last row is wanted nothing is finished, and the carriers
// of one block follow all others: see last_row.hpp.
//
// What each of them does with a tile is said here; how it is claimed, in tile_claims.hpp; how items
// come and go, in staged_items.hpp; how they are summed up and finished, in scanned_items.hpp and,
// for jobs that only count and place them, counted_items.hpp; and what becomes of the warps' sums,
// in warp_states.hpp.
//
// Source: Maleki, Yang, Burtscher, PLDI 2016, sections 2.1 and 2.2 (persistent blocks, carry); the
// pipeline, and one exchange for any order, are ours.
#pragma once

#include <sam/gpu/scan/counted_items.hpp>
#include <sam/gpu/scan/last_row.hpp>
#include <sam/gpu/scan/scanned_items.hpp>
#include <sam/gpu/scan/tile_claims.hpp>

namespace sam::gpu {

/// One block's work on a pass.
template <class Device, class Job, class Pass, class Shape>
class pass_block {
  using arguments = pass_arguments<Device, Job, Pass, Shape>;
  using shape = pass_shape<Device, Job, Pass, Shape>;
  using traits = typename shape::traits;
  using barrier = typename Device::barrier;
  using items_type = staged_items<Device, Job, Pass, Shape>;
  using claims_type = tile_claims<Device, Job, Pass, Shape>;
  using states_type = warp_states<Device, Job, Pass, Shape>;
  /// What summers and finishers do with the items.
  using work_type =
      std::conditional_t<shape::stage_type::counts, counted_items<Device, Job, Pass, Shape>,
                         scanned_items<Device, Job, Pass, Shape>>;
  using mail_type = typename shape::mail_type;
  using state = typename traits::state;
  using Carry = typename Pass::carry;
  static constexpr int Q = traits::Q;
  static constexpr bool fixed = traits::fixed;
  static constexpr bool sums = shape::sums;
  static constexpr bool finishes = shape::finishes;
  static constexpr bool follows = shape::follows;
  static constexpr bool has_sender = items_type::has_sender;

 public:
  SAM_DEVICE explicit pass_block(arguments const& a)
      : a_(a), mail_(a.mail), items_(a),
        board_(*reinterpret_cast<typename shape::board*>(Device::shared_memory())) {}

  SAM_DEVICE void run() {
    set_up();
    constexpr int loader = shape::summers + shape::finishers;
    constexpr int publisher = loader + shape::loaders;
    int const warp = Device::warp();
    if (sums && warp < shape::summers)
      sum_up();
    else if (finishes && warp < loader)
      finish();
    else if (warp == loader)
      load();
    else if (shape::loaders > 1 && warp < publisher)
      help_load(warp - loader);
    else if (sums && ((!finishes && !follows) || warp == publisher))
      publish();
    else if (follows)
      follow(warp - publisher - 1);
    else if (finishes && warp < publisher + shape::publishers + shape::carriers)
      carry(warp - publisher - shape::publishers);
    else
      send();
  }

 private:
  SAM_DEVICE void set_up() {
    if (Device::warp() == 0 && Device::lane() == 0)
      for (int s = 0; s < shape::stages; ++s) {
        if (shape::loaders > 1 || (follows && s == 0))
          board_.claimed[s].init(Device::arrivals);
        board_.full[s].init(shape::loaders *
                            (items_type::arrivals * Device::arrivals + row_arrivals));
        board_.summed[s].init(shape::warps * Device::arrivals);
        board_.published[s].init(Device::arrivals);
        board_.parted[s].init(shape::carriers * Device::arrivals);
        board_.carried[s].init(Device::arrivals);
        board_.finished[s].init(shape::warps * Device::arrivals);
        board_.empty[s].init((finishes && !has_sender ? shape::warps : 1) * Device::arrivals);
      }
    tile_powers<traits>::copy(a_.tables, board_.powers,
                              Device::warp() * Device::warp_size + Device::lane(), shape::threads);
    Device::let_next_kernel_start();
    Device::await_previous_kernel();
    Device::sync_block();
  }

  // --- Strips ------------------------------------------------------------------------------------

  using exchange_type = std::conditional_t<fixed, typename mail_type::memory const&, exchange>;

  /// Goes on with another strip. All kinds of warps do so each for itself. Returns whether its
  /// tiles are told of in another ring.
  SAM_DEVICE bool enter(index_t strip) {
    strips const& by = a_.mail.by;
    bool const other = items_.strip == no_tile || by.ring_of(strip) != by.ring_of(items_.strip);
    if (other)
      mail_ = a_.mail.ring(by.ring_of(strip));
    items_.enter(strip);
    return other;
  }
  /// If the tile in a stage is another strip's, enters that; entered(other_ring) may do more.
  template <class F>
  SAM_DEVICE void enter_strip_of(int s, F entered) {
    if constexpr (!fixed)
      if (board_.strip[s] != items_.strip)
        entered(enter(board_.strip[s]));
  }
  SAM_DEVICE void enter_strip_of(int s) {
    enter_strip_of(s, [](bool) {});
  }

  SAM_DEVICE void go_on(mail_type& mail, bool of_other_ring) const {
    if constexpr (!fixed)
      mail.enter(a_.mail.by.tiles_before(items_.strip), of_other_ring);
  }

  /// What this warp did is done, for whom waits at a barrier.
  static SAM_DEVICE void arrive(barrier& of) {
    Device::sync_warp();
    if (Device::arrivals > 1 || Device::lane() == 0)
      of.arrive();
  }

  // --- The loader, and those that help it --------------------------------------------------------

  /// Where it is known that a stage will be empty, whatever other blocks do.
  SAM_DEVICE barrier& leaving(int s) const {
    if constexpr (!shape::claims_early)
      return board_.empty[s];
    else if constexpr (has_sender)
      return board_.finished[s];
    else if constexpr (finishes)
      return board_.carried[s];
    else
      return board_.summed[s];
  }
  /// Not before there is room does it claim a tile: others wait for its summary.
  SAM_DEVICE void load() {
    for (int use = 0;; ++use) {
      int const s = use % shape::stages;
      int const last_use = (use / shape::stages - 1) % 2;
      if (use >= shape::stages)
        leaving(s).wait(last_use);
      index_t const tile = claims().claim(use);
      if (shape::claims_early && use >= shape::stages)
        board_.empty[s].wait(last_use);
      if (Device::lane() == 0) {
        board_.tile[s] = tile;
        if constexpr (!fixed)
          board_.strip[s] = items_.strip;
        else if (follows && use == 0)
          board_.strip[0] = tile;
      }
      if (follows && use == 0)
        arrive(board_.claimed[0]);
      if constexpr (shape::loaders > 1)
        arrive(board_.claimed[s]);
      if (tile != no_tile && items_.fill(s, tile, board_.full[s]))
        arrive_as_with_rows(s);
      else
        fill_rows(s, tile, 0);
      if (tile == no_tile)
        return;
    }
  }
  SAM_DEVICE void help_load(int helper) {
    if constexpr (shape::loaders > 1)
      for (int use = 0;; ++use) {
        int const s = use % shape::stages;
        board_.claimed[s].wait(use / shape::stages % 2);
        index_t const tile = board_.tile[s];
        if (tile != no_tile)
          enter_strip_of(s);
        fill_rows(s, tile, helper);
        if (tile == no_tile)
          return;
      }
  }
  /// Brings a loader's share of the rows of a tile, if there is anything to bring, and arrives. The
  /// first has none: to ask for rows takes long, and it is to claim the next tile.
  SAM_DEVICE void fill_rows(int s, index_t tile, int loader) {
    if (loader > 0 && tile != no_tile && items_.fills_rows())
      return items_.fill_rows(s, tile, loader - 1, board_.full[s]);
    for (int k = 0; k < items_type::arrivals; ++k)
      arrive(board_.full[s]);
    arrive_as_with_rows(s);
  }
  // As many arrivals are waited for as rows that are brought come with.
  static constexpr int row_arrivals = shape::loaders > 1 ? Device::row_arrivals : 0;
  SAM_DEVICE void arrive_as_with_rows(int s) {
    if constexpr (row_arrivals > 0)
      board_.full[s].arrive();
  }

  // --- The summers -------------------------------------------------------------------------------

  SAM_DEVICE void sum_up() {
    work_type const work(a_, items_, board_);
    for (int use = 0;; ++use) {
      int const s = use % shape::stages;
      board_.full[s].wait(use / shape::stages % 2);
      index_t const tile = board_.tile[s];
      if (tile != no_tile) {
        enter_strip_of(s);
        items_.bring(s, tile);
        work.sum_up(s, tile);
      }
      arrive(board_.summed[s]);
      if (tile == no_tile)
        return;
    }
  }

  // --- The publisher -----------------------------------------------------------------------------

  /// The sequence number of what lies before tile 0.
  SAM_DEVICE std::uint32_t base() {
    if (is_part_of_scheme<Carry> || claims().is_alone())
      return 0;  // nobody waits to be told
    return Device::load(&a_.mail.shared->base);
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
    mail_type mail(mail_, lanes(), {board_.powers}, first, 0);
    for (int use = 0;; ++use) {
      int const s = use % shape::stages;
      board_.summed[s].wait(use / shape::stages % 2);
      index_t const tile = board_.tile[s];
      if (tile != no_tile) {
        enter_strip_of(s, [&](bool of_other_ring) { go_on(mail, of_other_ring); });
        if (may_overwrite())
          Device::fence();  // who is told of the tile may write over its items: they were loaded
        states().sum_up(s, tile, mail.local);
        if constexpr (follows) {
          Device::sync_warp();  // publishes where warps start
          state within, below;
          ends().read(s, tile, mail.local, within, below);
          if (!claims().is_alone()) {
            mail.make_room(tile);
            ends().publish(mail, tile, within, below);
          }
        } else {
          bool const last = items_.tiles.is_last(tile);  // for whose summary nobody asks
          if (!fixed || !last)                           // but of strips, others follow
            mail.make_room(tile);
          if (!last)
            Carry::announce(mail, tile);
          if (lanes().run == 0)
            states().write(mail.local, states().sum_of_tile(s));
        }
      }
      if constexpr (finishes) {
        arrive(board_.published[s]);
      } else {
        // Not before the summary is on its way: to have more tiles brought at a time is slower.
        release(s);
        if (tile == no_tile && is_followed_here())
          arrive(board_.carried[0]);  // nothing more is claimed
        else if (tile == no_tile)
          claims().leave(first);
      }
      if (tile == no_tile)
        return;
      if (!fixed || tile >= a_.mail.window / 2)
        mail.look_for_room(tile);
    }
  }

  /// Nobody needs a tile any more that was only summed up.
  SAM_DEVICE void release(int s) {
    if (follows && board_.tile[s] == 0 && claims().is_alone())
      arrive(board_.published[s]);
    Device::publish_shared();
    arrive(board_.empty[s]);
  }

  // --- The carriers ------------------------------------------------------------------------------

  /// Learns what lies before a tile: all of it or, of several carriers, each its part.
  SAM_DEVICE void carry(int carrier) {
    std::uint32_t const first = base();
    mail_type mail(mail_, lanes(), {board_.powers}, first, carrier);
    if constexpr (requires { mail.reads_few_together; })
      mail.reads_few_together = fixed && shape::claims_early;
    typename mail_type::state known;
    mail.start(known);
    for (int use = 0;; ++use) {
      int const s = use % shape::stages;
      int const parity = use / shape::stages % 2;
      if constexpr (sums)
        board_.published[s].wait(parity);
      else
        board_.full[s].wait(parity);
      index_t const tile = board_.tile[s];
      if (tile != no_tile)
        enter_strip_of(s, [&](bool of_other_ring) {
          go_on(mail, of_other_ring);
          mail.start(known);
        });
      bool const last = tile == no_tile || items_.tiles.is_last(tile);
      if (tile != no_tile) {
        states().read(states().sum_of_tile(s), mail.local);
        if constexpr (requires { mail.has_local; })
          mail.has_local = !last;
        Carry::before(mail, tile, known);
        if (may_overwrite())
          Device::fence();  // the items of the tiles before are written over only from here on
      }
      if constexpr (shape::carriers > 1) {
        if (tile == no_tile && carrier > 0)
          return;
        if (tile != no_tile) {
          if (!last)
            mail.publish_total(tile, known);
          put_together(s, parity, carrier, known.before);
          if (carrier > 0)
            continue;
        }
      }
      if (tile != no_tile)
        states().start(s, tile, known.before);
      arrive(board_.carried[s]);
      if (tile == no_tile)
        return claims().leave(first);
      if (shape::carriers == 1 && !last)
        mail.publish_total(tile, known);
      if (!claims().is_alone()) {
        mail.finish(tile);
        if constexpr (!fixed)
          if (last && tile + 1 < a_.mail.by.tiles)
            mail.finish(tile + 1);  // which is left out: see tile_claims
      }
    }
  }
  /// Of the parts that carriers know of what lies before a tile, all; for the first of them.
  SAM_DEVICE void put_together(int s, int parity, int carrier, state& part) {
    if (lanes().run == 0)
      states().write(part, states().part_of_carrier(s, carrier));
    arrive(board_.parted[s]);
    if (carrier > 0)
      return;
    board_.parted[s].wait(parity);
    add_parts(s, part);
  }
  /// To what the first carrier knows it adds what the others do.
  SAM_DEVICE void add_parts(int s, state& part) {
    for (int c = 1; c < shape::carriers; ++c)
      for (int q = 0; q < Q; ++q)
        part.at[q] = a_.pass.op(part.at[q], states().part_of_carrier(s, c)[q]);
  }

  // --- Or those that follow, where only the last row is wanted
  // -------------------------------------

  /// Those of the block that has claimed the first tile learn what lies before the last row while
  /// it comes, and finish that. So of all others a block waits for that one alone, and for it only
  /// to have room.
  SAM_DEVICE void follow(int carrier) {
    if constexpr (follows) {
      board_.claimed[0].wait(0);
      if (!is_followed_here())
        return;
      std::uint32_t const first = base();
      mail_type mail(mail_, lanes(), {board_.powers}, first, carrier);
      if constexpr (requires { mail.reads_few_together; })
        mail.reads_few_together = true;
      typename mail_type::state known;
      mail.start(known);
      auto end = ends();
      end.load();
      auto const is_there = [] { return true; };
      bool const alone = claims().is_alone();
      if (alone)
        board_.published[0].wait(0);
      int turn = 0;  // in which carriers wait for one another
      index_t const last = items_.tiles.tiles() - 1;
      index_t const epoch = index_t{1} << a_.mail.epoch_bits;
      index_t done = 0;
      for (; done + epoch <= end.first_tile(); done += epoch) {
        mail.append_locals(done + epoch, known, is_there);
        meet(turn++);
        if (carrier == 0)
          mail.finish(done, done + epoch);
      }
      for (index_t tile = end.first_tile(); tile <= last; ++tile, ++turn) {
        state within, below;
        if (alone) {
          mail.append_locals(tile, known, is_there);
          end.read(0, tile, within, within, below);
        } else {
          mail.append_locals(tile, known, [&] {
            return mail.try_read_two(tile, within, below) || !end.is_in(tile);
          });
        }
        if (shape::carriers > 1 && lanes().run == 0)
          states().write(known.before, states().part_of_carrier(turn % shape::stages, carrier));
        meet(turn);
        if (carrier > 0)
          continue;
        auto const finish = [&] {
          add_parts(turn % shape::stages, known.before);
          end.finish(tile, known.before, within, below);
        };
        if (tile < last || alone) {
          finish();
        } else {
          mail.finish(done, last + 1);
          board_.carried[0].wait(0);  // or this block might claim tiles of the next launch
          claims().leave(first, finish);
        }
      }
    }
  }
  SAM_DEVICE bool is_followed_here() const { return follows && board_.strip[0] == 0; }
  /// All carriers come, and wait for one another.
  SAM_DEVICE void meet(int turn) {
    if constexpr (shape::carriers > 1) {
      barrier& all = board_.parted[turn % shape::stages];
      arrive(all);
      all.wait(turn / shape::stages % 2);
    }
  }

  // --- The finishers, and the sender -------------------------------------------------------------

  SAM_DEVICE void finish() {
    work_type work(a_, items_, board_);
    for (int use = 0;; ++use) {
      int const s = use % shape::stages;
      if constexpr (work_type::moves) {
        board_.summed[s].wait(use / shape::stages % 2);
        if (board_.tile[s] != no_tile)
          work.move_up(s, board_.tile[s]);
      }
      board_.carried[s].wait(use / shape::stages % 2);
      index_t const tile = board_.tile[s];
      if (tile == no_tile) {
        if (has_sender)
          arrive(board_.finished[s]);
        return;
      }
      enter_strip_of(s);
      work.finish(s, tile);
      Device::publish_shared();
      arrive(has_sender ? board_.finished[s] : board_.empty[s]);
    }
  }

  SAM_DEVICE void send() {
    if constexpr (has_sender)
      for (int use = 0;; ++use) {
        int const s = use % shape::stages;
        board_.finished[s].wait(use / shape::stages % 2);
        index_t const tile = board_.tile[s];
        if (tile == no_tile)
          return;
        enter_strip_of(s);
        if (items_.is_sent_whole(tile))
          items_.send_whole(s, tile);
        arrive(board_.empty[s]);
      }
  }

  SAM_DEVICE lane_states<Device, typename shape::T, Pass> const& lanes() const {
    return items_.lanes;
  }

  // Made where they are needed: what refers to members and is one stays in memory.
  SAM_DEVICE claims_type claims() { return {a_, items_}; }
  SAM_DEVICE states_type states() const { return {a_, items_, board_}; }
  SAM_DEVICE last_row<Device, Job, Pass, Shape> ends() const { return {a_, items_, board_}; }

  arguments const& a_;
  exchange_type mail_;  // of strips, the ring of the one that was entered
  items_type items_;
  typename shape::board& board_;
};

}  // namespace sam::gpu
