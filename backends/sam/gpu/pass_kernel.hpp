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
// for which nobody waits.
//
// Source: Maleki, Yang, Burtscher, PLDI 2016, sections 2.1 and 2.2 (persistent blocks, carry); the
// pipeline, and one exchange for any order, are ours.
#pragma once

#include <sam/gpu/staged_items.hpp>

namespace sam::gpu {

/// One block's work on a pass.
template <class Device, class Job, class Pass, class Shape>
class pass_block {
  using arguments = pass_arguments<Device, Job, Pass, Shape>;
  using shape = pass_shape<Device, Job, Pass, Shape>;
  using traits = typename shape::traits;
  using stage_type = typename shape::stage_type;
  using items_type = staged_items<Device, Job, Pass, Shape>;
  using run_of_items = typename items_type::run_of_items;
  using T = typename shape::T;
  using lanes_type = lane_states<Device, T, Pass>;
  using state = typename traits::state;
  using mail_type = typename shape::mail_type;
  using Carry = typename Pass::carry;
  static constexpr int Q = traits::Q;
  static constexpr int S = traits::S;
  static constexpr int I = shape::items;
  static constexpr bound kind = Pass::kind;
  static constexpr index_t none = -1;
  static constexpr bool fixed = traits::fixed;
  static constexpr bool sums = shape::sums;
  static constexpr bool finishes = shape::finishes;
  static constexpr bool has_sender = items_type::has_sender;
  static constexpr bool apart = std::is_same_v<Carry, scan_tiles_apart>;
  static constexpr bool identity = has_identity<typename Pass::op_type, T>;

 public:
  SAM_DEVICE explicit pass_block(arguments const& a)
      : a_(a), mail_(a.mail), items_(a),
        board_(*reinterpret_cast<typename shape::board*>(Device::shared_memory())) {}

  SAM_DEVICE void run() {
    if (Device::warp() == 0 && Device::lane() == 0)
      for (int s = 0; s < shape::stages; ++s) {
        if constexpr (shape::loaders > 1)
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
    else if (sums && (!finishes || warp == publisher))
      publish();
    else if (finishes && warp < publisher + shape::publishers + shape::carriers)
      carry(warp - publisher - shape::publishers);
    else
      send();
  }

 private:
  // --- Strips ------------------------------------------------------------------------------------

  using exchange_type = std::conditional_t<fixed, typename mail_type::memory const&, exchange>;

  /// Whether the launch is of one tile: then nothing is exchanged.
  SAM_DEVICE bool is_alone() const {
    if constexpr (fixed)
      return items_.tiles.tiles() == 1;
    else
      return a_.mail.by.all_tiles() == 1;
  }
  /// Goes on with another strip. All kinds of warps do so each for itself. Returns whether its
  /// tiles are told of in another ring.
  SAM_DEVICE bool enter(index_t strip) {
    strips const& by = a_.mail.by;
    bool const other = items_.strip == none || by.ring_of(strip) != by.ring_of(items_.strip);
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

  /// What this warp did is done, for whom waits at the barrier.
  static SAM_DEVICE void arrive(typename Device::barrier& barrier) {
    Device::sync_warp();
    if (Device::arrivals > 1 || Device::lane() == 0)
      barrier.arrive();
  }

  // --- The loader --------------------------------------------------------------------------------

  /// Where it is known that a stage will be empty, whatever other blocks do.
  SAM_DEVICE typename Device::barrier& leaving(int s) const {
    if constexpr (!shape::claims_early)
      return board_.empty[s];
    else if constexpr (has_sender)
      return board_.finished[s];
    else if constexpr (finishes)
      return board_.carried[s];
    else
      return board_.summed[s];
  }
  SAM_DEVICE void load() {
    for (int use = 0;; ++use) {
      int const s = use % shape::stages;
      int const last_use = (use / shape::stages - 1) % 2;
      if (use >= shape::stages)
        leaving(s).wait(last_use);
      index_t const tile = claim(use);  // not before there is room: others wait for its summary
      if (shape::claims_early && use >= shape::stages)
        board_.empty[s].wait(last_use);
      if (Device::lane() == 0) {
        board_.tile[s] = tile;
        if constexpr (!fixed)
          board_.strip[s] = items_.strip;
      }
      if constexpr (shape::loaders > 1)
        arrive(board_.claimed[s]);
      if (tile != none && items_.fill(s, tile, board_.full[s]))
        arrive_as_with_rows(s);
      else
        fill_rows(s, tile, 0);
      if (tile == none)
        return;
    }
  }
  SAM_DEVICE void help_load(int helper) {
    if constexpr (shape::loaders > 1)
      for (int use = 0;; ++use) {
        int const s = use % shape::stages;
        board_.claimed[s].wait(use / shape::stages % 2);
        index_t const tile = board_.tile[s];
        if (tile != none)
          enter_strip_of(s);
        fill_rows(s, tile, helper);
        if (tile == none)
          return;
      }
  }
  /// Brings a loader's share of the rows of a tile, if there is anything to bring, and arrives. The
  /// first has none: to ask for rows takes long, and it is to claim the next tile.
  SAM_DEVICE void fill_rows(int s, index_t tile, int loader) {
    if (loader > 0 && tile != none && items_.fills_rows())
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

  // A block that can have one tile only need not ask for another.
  SAM_DEVICE index_t claim(int use) {
    if constexpr (!fixed)
      return claim_of_strips(use);
    if (items_.tiles.tiles() == 1)
      return use == 0 ? 0 : none;
    if (use > 0 && items_.tiles.tiles() <= Device::blocks())
      return none;
    std::uint32_t claimed = 0;
    if (Device::lane() == 0)
      claimed = Device::add(&a_.mail.shared->claims, 1);
    // Nothing is to be brought into the first tile, and nobody asks for the summary of the last.
    constexpr int first = sums ? 0 : 1, left_out = finishes ? 0 : 1;
    auto const tile = first + index_t(Device::shuffle_from(claimed, 0));
    return tile < items_.tiles.tiles() - left_out ? tile : none;
  }

  // A block keeps to a ring as long as there are tiles in it. Blocks begin at different ones, and
  // do not all go on to the same.
  SAM_DEVICE index_t claim_of_strips(int use) {
    strips const& by = a_.mail.by;
    auto const block = std::uint32_t(Device::block());
    if (use == 0)
      enter(block % by.rings);
    if (is_alone())
      return use == 0 ? 0 : none;
    for (std::uint32_t ring = by.ring_of(items_.strip);;) {
      std::uint32_t claimed = 0;
      if (Device::lane() == 0)
        claimed = Device::add(&a_.mail.shared[ring].claims, 1);
      claimed = Device::shuffle_from(claimed, 0);
      if (claimed >= by.tiles_of(ring)) {
        if (!find_ring(ring, block * 0x9e3779b1u >> 16))
          return none;
        continue;
      }
      index_t const strip = ring + index_t{claimed / by.tiles} * by.rings;
      if (strip != items_.strip)
        enter(strip);
      index_t const tile = claimed % by.tiles;
      if (tile < items_.tiles.tiles())
        return tile;
      // The tile would be of the last row only, of which the strip has nothing.
    }
  }
  /// The first ring from some one on that has tiles left; false if none has.
  SAM_DEVICE bool find_ring(std::uint32_t& ring, std::uint32_t from) const {
    strips const& by = a_.mail.by;
    for (std::uint32_t k = 0; k < by.rings; k += Device::warp_size) {
      std::uint32_t const mine = (from + k + std::uint32_t(Device::lane())) % by.rings;
      int const lane =
          Device::first_lane_where(Device::load(&a_.mail.shared[mine].claims) < by.tiles_of(mine));
      if (lane < Device::warp_size) {
        ring = Device::shuffle_from(mine, lane);
        return true;
      }
    }
    return false;
  }

  // --- The publisher and the carrier -------------------------------------------------------------

  SAM_DEVICE std::uint32_t base() const {
    if (is_part_of_scheme<Carry> || is_alone())
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

  SAM_DEVICE void publish() {
    mail_type mail(mail_, lanes(), {board_.powers}, base(), 0);
    for (int use = 0;; ++use) {
      int const s = use % shape::stages;
      board_.summed[s].wait(use / shape::stages % 2);
      index_t const tile = board_.tile[s];
      if (tile != none) {
        enter_strip_of(s, [&](bool of_other_ring) { go_on(mail, of_other_ring); });
        if (may_overwrite())
          Device::fence();  // who is told of the tile may write over its items: they were loaded
        sum_up_warps(s, tile, mail.local);
        bool const last = items_.tiles.is_last(tile);  // for whose summary nobody asks
        if (!fixed || !last)                           // but of strips, others follow
          mail.make_room(tile);
        if (!last)
          Carry::announce(mail, tile);
        if (lanes().run == 0)
          write(mail.local, board_.sum[s].at + lanes().component * Q);
      }
      if constexpr (finishes) {
        arrive(board_.published[s]);
      } else {
        Device::publish_shared();
        arrive(board_.empty[s]);
        if (tile == none)
          leave(0);
      }
      if (tile == none)
        return;
      if (!fixed || tile >= a_.mail.window / 2)
        mail.look_for_room(tile);
    }
  }

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
      if (tile != none)
        enter_strip_of(s, [&](bool of_other_ring) {
          go_on(mail, of_other_ring);
          mail.start(known);
        });
      bool const last = tile == none || items_.tiles.is_last(tile);
      if (tile != none) {
        read(board_.sum[s].at + lanes().component * Q, mail.local);
        Carry::before(mail, tile, known);
        if (may_overwrite())
          Device::fence();  // the items of the tiles before are written over only from here on
      }
      if constexpr (shape::carriers > 1) {
        if (tile == none && carrier > 0)
          return;
        if (tile != none) {
          if (!last)
            mail.publish_total(tile, known);
          if (lanes().run == 0)
            write(known.before, of_carrier(s, carrier));
          arrive(board_.parted[s]);
          if (carrier > 0)
            continue;
          board_.parted[s].wait(parity);
          for (int c = 1; c < shape::carriers; ++c)
            for (int q = 0; q < Q; ++q)
              known.before.at[q] = a_.pass.op(known.before.at[q], of_carrier(s, c)[q]);
        }
      }
      if (tile != none)
        start_warps(s, tile, known.before);
      arrive(board_.carried[s]);
      if (tile == none)
        return leave(first);
      if (shape::carriers == 1 && !last)
        mail.publish_total(tile, known);
      if (!is_alone()) {
        mail.finish(tile);
        if constexpr (!fixed)
          if (last && tile + 1 < a_.mail.by.tiles)
            mail.finish(tile + 1);  // which is left out: see claim_of_strips
      }
    }
  }
  SAM_DEVICE void go_on(mail_type& mail, bool of_other_ring) const {
    if constexpr (!fixed)
      mail.enter(a_.mail.by.tiles_before(items_.strip), of_other_ring);
  }
  SAM_DEVICE T* of_carrier(int s, int carrier) const {
    return board_.parts[s].at + (carrier * S + lanes().component) * Q;
  }

  SAM_DEVICE T* of_warp(room<T, shape::warps * S * Q>& values, int warp) const {
    return values.at + (warp * S + lanes().component) * Q;
  }
  static SAM_DEVICE void read(T const* from, state& to) {
    for (int q = 0; q < Q; ++q)
      to.at[q] = from[q];
  }
  static SAM_DEVICE void write(state const& from, T* to) {
    for (int q = 0; q < Q; ++q)
      to[q] = from.at[q];
  }

  // Warps are taken in groups of as many as a warp has runs.
  SAM_DEVICE int warp_groups() const { return (shape::warps + lanes().runs - 1) / lanes().runs; }

  // From the sums of the warps to what lies before each of them in the tile, and the sum of the
  // tile.
  SAM_DEVICE void sum_up_warps(int s, index_t tile, state& sum) {
    for (int g = 0; g < warp_groups(); ++g) {
      int const warp = g * lanes().runs + lanes().run;
      bool const mine = lanes().run < lanes().runs && warp < shape::warps &&
                        warp * items_.warp_items() + lanes().component < items_.count(tile);
      state part;
      if (mine)
        read(of_warp(board_.sums[s], warp), part);
      lanes().scan_runs(
          part, mine, [&](int d) -> auto& { return a_.tables.warps(d); });
      state before;
      lanes().from_below(part, 1, before);
      if (g > 0) {
        if (lanes().run == 0) {
          lanes_type::copy(sum, before);
        } else if (mine) {
          state all;
          lanes_type::copy(sum, all);
          lanes().append(all, before, a_.tables.warps(lanes().run));
          lanes_type::copy(all, before);
        }
      }
      if (mine)
        write(before, of_warp(board_.starts[s], warp));
      int const of_group = min_of(shape::warps - g * lanes().runs, lanes().runs);
      state whole;
      lanes().from_run(part, of_group - 1, whole);
      if (g == 0)
        lanes_type::copy(whole, sum);
      else if ((g * lanes().runs + of_group) * items_.warp_items() <= items_.count(tile))
        lanes().append(sum, whole, a_.tables.warps(of_group));
    }
  }

  /// Whether there is a state before the tile.
  static SAM_DEVICE bool is_known(index_t tile) {
    if constexpr (apart)
      return identity || (Pass::starts_known && tile == 0);
    else
      return traits::starts_known || tile > 0;
  }

  // Where each warp starts: what lies before the tile, and in it before the warp.
  SAM_DEVICE void start_warps(int s, index_t tile, state const& before) {
    bool const known = is_known(tile);
    for (int g = 0; g < warp_groups(); ++g) {
      int const warp = g * lanes().runs + lanes().run;
      bool const mine = lanes().run < lanes().runs && warp < shape::warps &&
                        warp * items_.warp_items() + lanes().component < items_.count(tile);
      if (!mine || !known)
        continue;
      state start;
      lanes_type::copy(before, start);
      if (warp > 0) {
        if constexpr (sums) {
          state within;
          read(of_warp(board_.starts[s], warp), within);
          lanes().append(start, within, a_.tables.warps(warp));
        } else {
          lanes().move_on(start, a_.tables.warps(warp));
        }
      }
      write(start, of_warp(board_.starts[s], warp));
    }
  }

  // --- The summing and the finishing warps -------------------------------------------------------

  static SAM_DEVICE int warp() { return items_type::warp(); }
  SAM_DEVICE T& before(int s, int q) const {
    return board_.before[s].at[(q * shape::warps + warp()) * Device::warp_size + Device::lane()];
  }

  SAM_DEVICE void sum_up() {
    for (int use = 0;; ++use) {
      int const s = use % shape::stages;
      board_.full[s].wait(use / shape::stages % 2);
      index_t const tile = board_.tile[s];
      if (tile != none) {
        enter_strip_of(s);
        items_.bring(s, tile);
        state sum, below;
        if constexpr (stage_type::counts) {
          sum.at[0] = T(count_kept(s, tile));
        } else {
          run_of_items const run = items_.run_of(s, tile);
          reduce(run, sum);
          lanes().scan_runs(
              sum, run.left > 0, [&](int d) -> auto& { return a_.tables.runs(d); });
        }
        if constexpr (finishes && !stage_type::counts) {
          lanes().from_below(sum, 1, below);
          for (int q = 0; q < Q; ++q)
            before(s, q) = below.at[q];
        }
        if (lanes().run == lanes().runs - 1)
          write(sum, of_warp(board_.sums[s], warp()));
      }
      arrive(board_.summed[s]);
      if (tile == none)
        return;
    }
  }

  SAM_DEVICE void reduce(run_of_items const& run, state& sum) const {
    if (run.left > 0)
      items_.with_what_is_known_of(
          run, [&]<bool Whole, int Alignment>() { reduce_items<Whole, Alignment>(run, sum); });
  }
  template <bool Whole, int Alignment>
  SAM_DEVICE void reduce_items(run_of_items const& run, state& sum) const {
    auto const summary = [&](int k) {
      return items_.summary(items_.template get<Alignment>(run, k));
    };
    if constexpr (traits::algebra) {
      for (int q = 0; q < Q; ++q)
        sum.at[q] = identity_of<T>(a_.pass.op);
    } else {
      sum.at[0] = summary(0);
    }
    auto const take = [&](int k) {
      if constexpr (traits::algebra)
        step<Q, kind>(a_.pass.op, sum.at, summary(k));
      else
        sum.at[0] = a_.pass.op(sum.at[0], summary(k));
    };
    constexpr int from = traits::algebra ? 0 : 1;
    if constexpr (Whole) {
#pragma unroll
      for (int k = from; k < I; ++k)
        take(k);
    } else {
#pragma unroll 1
      for (int k = from; k < run.left; ++k)
        take(k);
    }
  }

  SAM_DEVICE void finish() {
    // What lanes ask for each at another place is kept, lest they queue up for it.
    typename traits::power const upto_run = a_.tables.runs(lanes().run);
    for (int use = 0;; ++use) {
      int const s = use % shape::stages;
      if constexpr (stage_type::counts && moves) {
        board_.summed[s].wait(use / shape::stages % 2);
        if (board_.tile[s] != none)
          move_up(s, board_.tile[s]);
      }
      board_.carried[s].wait(use / shape::stages % 2);
      index_t const tile = board_.tile[s];
      if (tile == none) {
        if (has_sender)
          arrive(board_.finished[s]);
        return;
      }
      enter_strip_of(s);
      if constexpr (stage_type::counts)
        place_kept(s, tile);
      else if (is_wanted(tile))
        scan_run(s, tile, upto_run);
      Device::publish_shared();
      arrive(has_sender ? board_.finished[s] : board_.empty[s]);
    }
  }

  /// Whether there are items in a tile that the job wants finished.
  SAM_DEVICE bool is_wanted(index_t tile) const {
    if constexpr (fixed && ending<Job>)
      return items_.tiles.begin(tile) + items_.count(tile) > a_.n - S;
    else
      return true;
  }
  SAM_DEVICE void scan_run(int s, index_t tile, typename traits::power const& upto_run) const {
    run_of_items const run = items_.run_of(s, tile);
    bool known = is_known(tile) || warp() > 0;
    if constexpr (!sums) {
      propagate(s, run, upto_run);
    } else if (run.left > 0) {
      state start, below;
      for (int q = 0; q < Q; ++q)
        below.at[q] = before(s, q);
      if (known) {
        read(of_warp(board_.starts[s], warp()), start);
        if (lanes().run > 0)
          lanes().append(start, below, upto_run);
      } else if (lanes().run > 0) {
        lanes_type::copy(below, start);
        known = true;
      }
      if (sends_rows_at_once())
        scan_rows(run, items_.first_of_rows(tile), start, known);
      else
        items_.with_what_is_known_of(run, [&]<bool Whole, int Alignment>() {
          scan_items<Whole, Alignment>(run, start, known);
        });
    }
    if (sends_rows_at_once())
      return;
    Device::sync_warp();
    if (!items_.is_sent_whole(tile))
      items_.send(s, tile);
  }
  /// Whether items of rows that lie apart go to memory as they are scanned. Those of 4 bytes do
  /// not: blocks would drift apart, and wait for memory whose pages they do not share
  /// (perf/results).
  SAM_DEVICE bool sends_rows_at_once() const {
    if constexpr (!fixed && sizeof(T) != 4)
      return !items_.is_whole();
    else
      return false;
  }
  /// Items of rows that lie apart, the first of which has index i, go to memory as they are
  /// scanned. Several are asked for at a time, since shared memory is far, too.
  SAM_DEVICE void scan_rows(run_of_items const& run, index_t i, state& start, bool known) const {
    if constexpr (!fixed) {
      index_t const pitch = a_.mail.by.components;
      auto const finish = [&](T const& y) {
        a_.job.finish(i, a_.job.load(i), y);
        i += pitch;
      };
      int k = 0;
      if constexpr (!traits::starts_known)
        if (!known) {
          start.at[0] = run.values[run.at(k++)];
          finish(start.at[0]);
        }
      constexpr int batch = int(max_of(1, 8 / (words_of<T> * Q)));
#pragma unroll 1
      for (; k + batch <= run.left; k += batch) {
        room<T, batch> x;
#pragma unroll
        for (int b = 0; b < batch; ++b)
          x.at[b] = run.values[run.at(k + b)];
#pragma unroll
        for (int b = 0; b < batch; ++b)
          finish(step<Q, kind>(a_.pass.op, start.at, x.at[b]));
      }
#pragma unroll 1
      for (; k < run.left; ++k)
        finish(step<Q, kind>(a_.pass.op, start.at, run.values[run.at(k)]));
    }
  }
  template <bool Whole, int Alignment>
  SAM_DEVICE void scan_items(run_of_items const& run, state& start, bool known) const {
    auto const take = [&](int k) {
      auto const x = items_.template get<Alignment>(run, k);
      items_.template put<Alignment>(run, k, x,
                                     step<Q, kind>(a_.pass.op, start.at, items_.summary(x)));
    };
    if constexpr (apart ? identity : traits::starts_known) {
      take(0);
    } else {  // an exclusive scan starts from nothing only apart, and leaves a gap
      if (known) {
        take(0);
      } else {
        auto const x = items_.template get<Alignment>(run, 0);
        start.at[0] = items_.summary(x);
        if constexpr (kind == bound::inclusive && items_type::arrays)
          items_.template put<Alignment>(run, 0, x, start.at[0]);
      }
    }
    if constexpr (Whole) {
#pragma unroll
      for (int k = 1; k < I; ++k)
        take(k);
    } else {
#pragma unroll 1
      for (int k = 1; k < run.left; ++k)
        take(k);
    }
  }

  /// Brings what lies before the tile into what was scanned apart: what the tile would hold if all
  /// its items were zero.
  SAM_DEVICE void propagate(int s, run_of_items const& run,
                            typename traits::power const& upto_run) const {
    if constexpr (!sums) {
      if (run.left == 0)
        return;
      state before;
      read(of_warp(board_.starts[s], warp()), before);
      if (lanes().run > 0)
        lanes().move_on(before, upto_run);
      auto const take = [&](int k) {
        T& item = run.values[run.at(k)];
        if constexpr (traits::algebra)
          item =
              a_.pass.op(step<Q, kind>(a_.pass.op, before.at, identity_of<T>(a_.pass.op)), T(item));
        else
          item = a_.pass.op(before.at[0], T(item));
      };
      if (kind == bound::exclusive && !identity && run.first < S)
        run.values[run.at(0)] = before.at[0];  // the gap
      else
        take(0);
      if (run.left == I) {
#pragma unroll
        for (int k = 1; k < I; ++k)
          take(k);
      } else {
#pragma unroll 1
        for (int k = 1; k < run.left; ++k)
          take(k);
      }
    }
  }

  // --- Items that are placed ---------------------------------------------------------------------

  // A warp takes as many at a time as it has lanes, a row, and votes on which are kept. Those move
  // up in the warp's part of the stage while nobody knows yet where they go (Billeter, Olsson,
  // Assarsson, HPG 2009: compaction within warps).

  using value = typename stage_type::value;
  static constexpr int batch = shape::batch;
  template <class X>
  using batch_of = typename shape::template batch_of<X>;

  /// f<Whole>(row, first, end): for batches of rows, of which the items are [first, end).
  template <class F>
  SAM_DEVICE void for_each_batch(index_t tile, F f) const {
    auto const part = items_.part_of(tile);
    constexpr int size = batch * Device::warp_size;
    int const end = part.first + part.size;
    int row = 0, first = part.first;
#pragma unroll 1
    for (; first + size <= end; first += size, row += batch)
      f.template operator()<true>(row, first, end);
    if (first < end)
      f.template operator()<false>(row, first, end);
  }

  /// How many this warp keeps of its part; notes of each row which, and how many before it.
  SAM_DEVICE int count_kept(int s, index_t tile) const {
    auto* const rows = board_.kept_of[s].rows[warp()];
    int rows_done = 0;
    for_each_batch(tile, [&]<bool Whole>(int row, int first, int end) {
      bool keeps[batch];
#pragma unroll
      for (int b = 0; b < batch; ++b) {
        int const at = first + b * Device::warp_size + Device::lane();
        keeps[b] = false;
        if (Whole || at < end)
          keeps[b] = packed().keeps(items_.load(s, tile, at));
      }
      batch_of<typename Device::lane_set> lanes;
#pragma unroll
      for (int b = 0; b < batch; ++b)
        lanes.of_row[b] = Device::lanes_where(keeps[b]);
      if (Device::lane() == 0)
        rows[row / batch].lanes = lanes;
      rows_done = row + batch;
    });
    Device::sync_warp();
    int kept = 0;
    for (int first = 0; first < rows_done; first += Device::warp_size) {
      int const row = first + Device::lane();
      int const mine =
          row < rows_done ? Device::count(rows[row / batch].lanes.of_row[row % batch]) : 0;
      int upto = mine;
      for (int d = 1; d < Device::warp_size; d *= 2) {
        int const below = int(Device::shuffle_up(std::uint32_t(upto), d));
        upto += Device::lane() >= d ? below : 0;
      }
      if (row < rows_done)
        rows[row / batch].before.of_row[row % batch] = kept + upto - mine;
      kept += int(Device::shuffle_from(std::uint32_t(upto), Device::warp_size - 1));
    }
    return kept;
  }

  /// Where the places of what is kept are known, it goes there.
  SAM_DEVICE void place_kept(int s, index_t tile) const {
    auto const part = items_.part_of(tile);
    if (part.size == 0)
      return;
    state start, sum;
    read(of_warp(board_.starts[s], warp()), start);
    read(of_warp(board_.sums[s], warp()), sum);
    auto const before = index_t(start.at[0]);
    auto const kept = index_t(sum.at[0]);
    value* const to = packed().front() + way * before;
    index_t const room = packed().room() - before;
    if constexpr (moves) {
      value const* const from = first_of(s, tile, part.first);
      int const size = int(max_of(0, min_of(kept, room)));
#pragma unroll 1
      for (int first = Device::lane(); first < size; first += batch * Device::warp_size) {
        sam::room<value, batch> x;
#pragma unroll
        for (int b = 0; b < batch; ++b)
          if (int const k = first + b * Device::warp_size; k < size)
            x.at[b] = from[way * k];
#pragma unroll
        for (int b = 0; b < batch; ++b)
          if (int const k = first + b * Device::warp_size; k < size)
            to[way * k] = x.at[b];
      }
    } else {
      place(s, tile, to, room);
    }
    if (Device::lane() == 0 && items_.tiles.is_last(tile) &&
        part.first + part.size == items_.count(tile))
      packed().close(before + kept);
  }
  static constexpr bool moves = stage_type::over_first;
  // Of a reversed job all goes the other way.
  static constexpr int way = is_reversed<Job> ? -1 : 1;
  SAM_DEVICE auto const& packed() const { return forward_job(a_.job); }
  /// Until they are known, it moves up in the stage.
  SAM_DEVICE void move_up(int s, index_t tile) const {
    value* const to = first_of(s, tile, items_.part_of(tile).first);
    for_each_batch(tile, [&]<bool Whole>(int row, int first, int end) {
      room<value, batch> x;
#pragma unroll
      for (int b = 0; b < batch; ++b)
        if (int const at = first + b * Device::warp_size + Device::lane(); Whole || at < end)
          x.at[b] = packed().value(items_.index(tile, at), items_.load(s, tile, at));
      Device::sync_warp();  // nobody writes what is not yet read
      for_each_row(s, row, [&](int b, int rank) { to[way * rank] = x.at[b]; });
    });
    Device::sync_warp();
  }
  SAM_DEVICE value* first_of(int s, index_t tile, int at) const {
    return reinterpret_cast<value*>(Device::shared_memory() + items_.first_array(s, tile, at));
  }
  /// f(b, rank): for every row of a batch, in lanes whose item is kept; so many are before it. All
  /// that is asked for is asked for first.
  template <class F>
  SAM_DEVICE void for_each_row(int s, int first, F f) const {
    auto const rows = board_.kept_of[s].rows[warp()][first / batch];
    int rank[batch];
    bool keeps[batch];
#pragma unroll
    for (int b = 0; b < batch; ++b) {
      auto const lanes = rows.lanes.of_row[b];
      keeps[b] = lanes >> Device::lane() & 1;
      rank[b] = rows.before.of_row[b] + Device::count(lanes & Device::lower_lanes());
    }
#pragma unroll
    for (int b = 0; b < batch; ++b)
      if (keeps[b])
        f(b, rank[b]);
  }
  SAM_DEVICE void place(int s, index_t tile, value* to, index_t room) const {
    for_each_batch(tile, [&]<bool Whole>(int row, int first, int) {
      for_each_row(s, row, [&](int b, int rank) {
        int const at = first + b * Device::warp_size + Device::lane();
        if (rank < room)
          to[way * rank] = packed().value(items_.index(tile, at), items_.load(s, tile, at));
      });
    });
  }

  // --- The sender --------------------------------------------------------------------------------

  SAM_DEVICE void send() {
    if constexpr (has_sender)
      for (int use = 0;; ++use) {
        int const s = use % shape::stages;
        board_.finished[s].wait(use / shape::stages % 2);
        index_t const tile = board_.tile[s];
        if (tile == none)
          return;
        enter_strip_of(s);
        if (items_.is_sent_whole(tile))
          items_.send_whole(s, tile);
        arrive(board_.empty[s]);
      }
  }

  // --- The end -----------------------------------------------------------------------------------

  SAM_DEVICE void leave(std::uint32_t base) const {
    if (is_alone())
      return;
    if constexpr (!fixed)
      gpu::leave<Device>(a_.mail, base);
    else if constexpr (is_part_of_scheme<Carry>)
      leave_claims<Device>(*a_.mail.shared);
    else
      gpu::leave<Device>(a_.mail, base, items_.tiles.tiles());
  }

  SAM_DEVICE lanes_type const& lanes() const { return items_.lanes; }

  arguments const& a_;
  exchange_type mail_;  // of strips, the ring of the one that was entered
  items_type items_;
  typename shape::board& board_;
};

}  // namespace sam::gpu
