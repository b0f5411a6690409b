// SPDX-License-Identifier: MIT
// The kernel of a single-pass job. A block stays; it claims tile after tile, and hands each from
// one kind of its warps to the next, in a ring of stages in shared memory:
//
// loader     claims a tile as soon as a stage is free, and has the copy engine bring its items;
//            where these are rows that lie apart, several loaders share them
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

#include <sam/gpu/pass_shape.hpp>
#include <sam/tiling.hpp>

#include <cstddef>

namespace sam::gpu {

/// One block's work on a pass.
template <class Device, class Job, class Pass, class Shape>
class pass_block {
  using arguments = pass_arguments<Device, Job, Pass, Shape>;
  using shape = pass_shape<Device, Job, Pass, Shape>;
  using traits = typename shape::traits;
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
  static constexpr bool sums = shape::sums;
  static constexpr bool finishes = shape::finishes;
  static constexpr bool apart = std::is_same_v<Carry, scan_tiles_apart>;
  static constexpr bool identity = has_identity<typename Pass::op_type, T>;

 public:
  SAM_DEVICE explicit pass_block(arguments const& a)
      : a_(a), mail_(a.mail), tiles_{a.n, shape::tile_items},
        lanes_(a.pass, Device::lane(), layout_for(a)),
        board_(*reinterpret_cast<typename shape::board*>(Device::shared_memory())) {}

  SAM_DEVICE void run() {
    if (Device::warp() == 0 && Device::lane() == 0)
      for (int s = 0; s < shape::stages; ++s) {
        if constexpr (shape::loaders > 1)
          board_.claimed[s].init(Device::arrivals);
        board_.full[s].init(shape::loaders * (Device::arrivals + row_arrivals));
        board_.summed[s].init(shape::warps * Device::arrivals);
        board_.published[s].init(Device::arrivals);
        board_.parted[s].init(shape::carriers * Device::arrivals);
        board_.carried[s].init(Device::arrivals);
        board_.finished[s].init(shape::warps * Device::arrivals);
        board_.empty[s].init((finishes && !sends_whole ? shape::warps : 1) * Device::arrivals);
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

  static constexpr bool fixed = traits::fixed;
  using exchange_type = std::conditional_t<fixed, typename mail_type::memory const&, exchange>;

  static SAM_DEVICE typename lanes_type::layout layout_for(arguments const& a) {
    if constexpr (fixed)
      return {};
    else
      return {a.mail.by.width, a.mail.by.runs};
  }
  /// Whether tiles lie in one piece in memory.
  SAM_DEVICE bool is_whole() const {
    if constexpr (fixed)
      return true;
    else
      return a_.mail.by.is_one();
  }
  /// Whether the launch is of one tile: then nothing is exchanged.
  SAM_DEVICE bool is_alone() const {
    if constexpr (fixed)
      return tiles_.tiles() == 1;
    else
      return a_.mail.by.all_tiles() == 1;
  }
  SAM_DEVICE int warp_items() const {
    return fixed ? shape::warp_items : lanes_.runs * lanes_.width * I;
  }

  /// Goes on with another strip. All kinds of warps do so each for itself. Returns whether its
  /// tiles are told of in another ring.
  SAM_DEVICE bool enter(index_t strip) {
    strips const& by = a_.mail.by;
    bool const other = strip_ == none || by.ring_of(strip) != by.ring_of(strip_);
    strip_ = strip;
    if (other)
      mail_ = a_.mail.ring(by.ring_of(strip));
    tiles_ = {by.items_of(strip, a_.n), index_t{shape::warps * I} * by.runs * by.width_of(strip)};
    lanes_.widen(by.width_of(strip));
    return other;
  }
  /// If the tile in a stage is another strip's, enters that; entered(other_ring) may do more.
  template <class F>
  SAM_DEVICE void enter_strip_of(int s, F entered) {
    if constexpr (!fixed)
      if (board_.strip[s] != strip_)
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

  SAM_DEVICE void load() {
    for (int use = 0;; ++use) {
      int const s = use % shape::stages;
      if (use >= shape::stages)
        board_.empty[s].wait((use / shape::stages - 1) % 2);
      index_t const tile = claim(use);  // not before there is room: others wait for its summary
      if (Device::lane() == 0) {
        board_.tile[s] = tile;
        if constexpr (!fixed)
          board_.strip[s] = strip_;
      }
      if constexpr (shape::loaders > 1)
        arrive(board_.claimed[s]);
      if constexpr (loads_directly<Job>) {
        if (tile != none && is_whole()) {
          auto const* const from = reinterpret_cast<std::byte const*>(source(tile));
          Device::fill(stage(s) + misalignment(from), from, count(tile) * int(sizeof(T)),
                       board_.full[s]);
          arrive_as_with_rows(s);
          continue;
        }
      }
      if (tile != none && fills_rows()) {
        fill_rows(s, tile, 0);
        continue;
      }
      arrive(board_.full[s]);
      arrive_as_with_rows(s);
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
        if (tile != none && fills_rows()) {
          enter_strip_of(s);
          fill_rows(s, tile, helper);
          continue;
        }
        arrive(board_.full[s]);
        arrive_as_with_rows(s);
        if (tile == none)
          return;
      }
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
    if (tiles_.tiles() == 1)
      return use == 0 ? 0 : none;
    if (use > 0 && tiles_.tiles() <= Device::blocks())
      return none;
    std::uint32_t claimed = 0;
    if (Device::lane() == 0)
      claimed = Device::add(&a_.mail.shared->claims, 1);
    // Nothing is to be brought into the first tile, and nobody asks for the summary of the last.
    constexpr int first = sums ? 0 : 1, left_out = finishes ? 0 : 1;
    auto const tile = first + index_t(Device::shuffle_from(claimed, 0));
    return tile < tiles_.tiles() - left_out ? tile : none;
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
    for (std::uint32_t ring = by.ring_of(strip_);;) {
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
      if (strip != strip_)
        enter(strip);
      index_t const tile = claimed % by.tiles;
      if (tile < tiles_.tiles())
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

  SAM_DEVICE void publish() {
    mail_type mail(mail_, lanes_, {board_.powers}, base(), 0);
    for (int use = 0;; ++use) {
      int const s = use % shape::stages;
      board_.summed[s].wait(use / shape::stages % 2);
      index_t const tile = board_.tile[s];
      if (tile != none) {
        enter_strip_of(s, [&](bool of_other_ring) { go_on(mail, of_other_ring); });
        if constexpr (scattering<Job>)
          Device::fence();  // who is told of the tile may write over its items: they were loaded
        sum_up_warps(s, tile, mail.local);
        bool const last = tiles_.is_last(tile);  // for whose summary nobody asks
        if (!fixed || !last)                     // but of strips, others follow
          mail.make_room(tile);
        if (!last)
          Carry::announce(mail, tile);
        if (lanes_.run == 0)
          write(mail.local, board_.sum[s].at + lanes_.component * Q);
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
    mail_type mail(mail_, lanes_, {board_.powers}, first, carrier);
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
      bool const last = tile == none || tiles_.is_last(tile);
      if (tile != none) {
        read(board_.sum[s].at + lanes_.component * Q, mail.local);
        Carry::before(mail, tile, known);
        if constexpr (scattering<Job>)
          Device::fence();  // the items of the tiles before are written over only from here on
      }
      if constexpr (shape::carriers > 1) {
        if (tile == none && carrier > 0)
          return;
        if (tile != none) {
          if (!last)
            mail.publish_total(tile, known);
          if (lanes_.run == 0)
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
      mail.enter(a_.mail.by.tiles_before(strip_), of_other_ring);
  }
  SAM_DEVICE T* of_carrier(int s, int carrier) const {
    return board_.parts[s].at + (carrier * S + lanes_.component) * Q;
  }

  SAM_DEVICE T* of_warp(room<T, shape::warps * S * Q>& values, int warp) const {
    return values.at + (warp * S + lanes_.component) * Q;
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
  SAM_DEVICE int warp_groups() const { return (shape::warps + lanes_.runs - 1) / lanes_.runs; }

  // From the sums of the warps to what lies before each of them in the tile, and the sum of the
  // tile.
  SAM_DEVICE void sum_up_warps(int s, index_t tile, state& sum) {
    for (int g = 0; g < warp_groups(); ++g) {
      int const warp = g * lanes_.runs + lanes_.run;
      bool const mine = lanes_.run < lanes_.runs && warp < shape::warps &&
                        warp * warp_items() + lanes_.component < count(tile);
      state part;
      if (mine)
        read(of_warp(board_.sums[s], warp), part);
      lanes_.scan_runs(
          part, mine, [&](int d) -> auto& { return a_.tables.warps(d); });
      state before;
      lanes_.from_below(part, 1, before);
      if (g > 0) {
        if (lanes_.run == 0) {
          lanes_type::copy(sum, before);
        } else if (mine) {
          state all;
          lanes_type::copy(sum, all);
          lanes_.append(all, before, a_.tables.warps(lanes_.run));
          lanes_type::copy(all, before);
        }
      }
      if (mine)
        write(before, of_warp(board_.starts[s], warp));
      int const of_group = min_of(shape::warps - g * lanes_.runs, lanes_.runs);
      state whole;
      lanes_.from_run(part, of_group - 1, whole);
      if (g == 0)
        lanes_type::copy(whole, sum);
      else if ((g * lanes_.runs + of_group) * warp_items() <= count(tile))
        lanes_.append(sum, whole, a_.tables.warps(of_group));
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
      int const warp = g * lanes_.runs + lanes_.run;
      bool const mine = lanes_.run < lanes_.runs && warp < shape::warps &&
                        warp * warp_items() + lanes_.component < count(tile);
      if (!mine || !known)
        continue;
      state start;
      lanes_type::copy(before, start);
      if (warp > 0) {
        if constexpr (sums) {
          state within;
          read(of_warp(board_.starts[s], warp), within);
          lanes_.append(start, within, a_.tables.warps(warp));
        } else {
          lanes_.move_on(start, a_.tables.warps(warp));
        }
      }
      write(start, of_warp(board_.starts[s], warp));
    }
  }

  // --- The summing and the finishing warps -------------------------------------------------------

  /// A thread's items: every S-th from `first`, up to `left` of them.
  struct run_of_items {
    T* items;
    int first;
    int left;
    int count;  // of the tile
    int step;   // between items; of a fixed tuple, S
    // Of a reversed job the tile lies backwards.
    SAM_DEVICE T* at(int k) const {
      if constexpr (!fixed)
        return items + (first + k * step);
      int const i = first + k * S;
      return items + (is_reversed<Job> && loads_directly<Job> ? count - 1 - i : i);
    }
    template <int Alignment>
    struct alignas(Alignment) aligned_item {
      T value;
    };
    template <int Alignment>
    SAM_DEVICE T get(int k) const {
      aligned_item<Alignment> item = *reinterpret_cast<aligned_item<Alignment> const*>(at(k));
      return item.value;
    }
    template <int Alignment>
    SAM_DEVICE void put(int k, T const& x) const {
      *reinterpret_cast<aligned_item<Alignment>*>(at(k)) = {x};
    }
    SAM_DEVICE bool is_aligned(int alignment) const {
      return reinterpret_cast<std::uintptr_t>(items) % unsigned(alignment) == 0;
    }
  };
  /// Calls f<Whole, Alignment>: the more the compiler knows, the fewer accesses an item takes.
  template <class F>
  static SAM_DEVICE void with_what_is_known_of(run_of_items const& items, F f) {
    if (items.left < I)
      f.template operator()<false, int(alignof(T))>();
    else if (access_bytes<T> > int(alignof(T)) && items.is_aligned(access_bytes<T>))
      f.template operator()<true, access_bytes<T>>();
    else
      f.template operator()<true, int(alignof(T))>();
  }
  SAM_DEVICE run_of_items run_of(int s, index_t tile) const {
    run_of_items r;
    r.items = reinterpret_cast<T*>(stage(s) + shift(tile));
    r.count = count(tile);
    int const width = lanes_.width;
    r.first = warp() * warp_items() + lanes_.run * (I * width) + lanes_.component;
    int const left = (r.count - r.first + width - 1) / width;
    r.left = lanes_.run >= lanes_.runs || r.first >= r.count ? 0 : left < I ? left : I;
    if constexpr (!fixed) {
      r.first = lies_backwards() ? r.count - 1 - r.first : r.first;
      r.step = lies_backwards() ? -width : width;
    }
    return r;
  }
  /// Whether a tile lies backwards in its stage.
  SAM_DEVICE bool lies_backwards() const {
    return is_reversed<Job> && loads_directly<Job> && is_whole();
  }

  /// Which part of a tile this warp works on.
  static SAM_DEVICE int warp() { return Device::warp() % shape::warps; }
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
        if constexpr (!loads_directly<Job>)
          bring_items(s, tile);
        else if (!is_whole() && !fills_rows())
          bring_rows(run_of(s, tile), tile);
        run_of_items const items = run_of(s, tile);
        state sum, below;
        reduce(items, sum);
        lanes_.scan_runs(
            sum, items.left > 0, [&](int d) -> auto& { return a_.tables.runs(d); });
        if constexpr (finishes) {
          lanes_.from_below(sum, 1, below);
          for (int q = 0; q < Q; ++q)
            before(s, q) = below.at[q];
        }
        if (lanes_.run == lanes_.runs - 1)
          write(sum, of_warp(board_.sums[s], warp()));
      }
      arrive(board_.summed[s]);
      if (tile == none)
        return;
    }
  }

  SAM_DEVICE void reduce(run_of_items const& items, state& sum) const {
    if (items.left > 0)
      with_what_is_known_of(
          items, [&]<bool Whole, int Alignment>() { reduce_items<Whole, Alignment>(items, sum); });
  }
  template <bool Whole, int Alignment>
  SAM_DEVICE void reduce_items(run_of_items const& items, state& sum) const {
    if constexpr (traits::algebra) {
      for (int q = 0; q < Q; ++q)
        sum.at[q] = identity_of<T>(a_.pass.op);
    } else {
      sum.at[0] = items.template get<Alignment>(0);
    }
    auto const take = [&](int k) {
      if constexpr (traits::algebra)
        step<Q, kind>(a_.pass.op, sum.at, items.template get<Alignment>(k));
      else
        sum.at[0] = a_.pass.op(sum.at[0], items.template get<Alignment>(k));
    };
    constexpr int from = traits::algebra ? 0 : 1;
    if constexpr (Whole) {
#pragma unroll
      for (int k = from; k < I; ++k)
        take(k);
    } else {
#pragma unroll 1
      for (int k = from; k < items.left; ++k)
        take(k);
    }
  }

  SAM_DEVICE void finish() {
    // What lanes ask for each at another place is kept, lest they queue up for it.
    typename traits::power const upto_run = a_.tables.runs(lanes_.run);
    for (int use = 0;; ++use) {
      int const s = use % shape::stages;
      board_.carried[s].wait(use / shape::stages % 2);
      index_t const tile = board_.tile[s];
      if (tile == none) {
        if (sends_whole)
          arrive(board_.finished[s]);
        return;
      }
      enter_strip_of(s);
      run_of_items const items = run_of(s, tile);
      bool known = is_known(tile) || warp() > 0;
      if constexpr (!sums) {
        propagate(s, items, upto_run);
      } else if (items.left > 0) {
        state start, below;
        for (int q = 0; q < Q; ++q)
          below.at[q] = before(s, q);
        if (known) {
          read(of_warp(board_.starts[s], warp()), start);
          if (lanes_.run > 0)
            lanes_.append(start, below, upto_run);
        } else if (lanes_.run > 0) {
          lanes_type::copy(below, start);
          known = true;
        }
        with_what_is_known_of(items, [&]<bool Whole, int Alignment>() {
          scan_items<Whole, Alignment>(items, start, known);
        });
      }
      Device::sync_warp();
      if (!is_sent_whole(tile))
        send_items(s, tile);
      Device::publish_shared();
      arrive(sends_whole ? board_.finished[s] : board_.empty[s]);
    }
  }

  // --- The sender --------------------------------------------------------------------------------

  static constexpr bool sends_whole = finishes && Device::has_copy_engine && stores_directly<Job>;

  SAM_DEVICE bool is_sent_whole(index_t tile) const {
    if constexpr (sends_whole)
      return is_whole() && misalignment(source(tile)) == misalignment(target(tile));
    else
      return false;
  }

  SAM_DEVICE void send() {
    if constexpr (sends_whole)
      for (int use = 0;; ++use) {
        int const s = use % shape::stages;
        board_.finished[s].wait(use / shape::stages % 2);
        index_t const tile = board_.tile[s];
        if (tile == none)
          return;
        enter_strip_of(s);
        if (is_sent_whole(tile))
          Device::drain(reinterpret_cast<std::byte*>(target(tile)), stage(s) + shift(tile),
                        count(tile) * int(sizeof(T)));
        arrive(board_.empty[s]);
      }
  }
  template <bool Whole, int Alignment>
  SAM_DEVICE void scan_items(run_of_items const& items, state& start, bool known) const {
    auto const take = [&](int k) {
      items.template put<Alignment>(
          k, step<Q, kind>(a_.pass.op, start.at, items.template get<Alignment>(k)));
    };
    if constexpr (apart ? identity : traits::starts_known) {
      take(0);
    } else {  // an exclusive scan starts from nothing only apart, and leaves a gap
      if (known)
        take(0);
      else
        start.at[0] = items.template get<Alignment>(0);
    }
    if constexpr (Whole) {
#pragma unroll
      for (int k = 1; k < I; ++k)
        take(k);
    } else {
#pragma unroll 1
      for (int k = 1; k < items.left; ++k)
        take(k);
    }
  }

  /// Brings what lies before the tile into what was scanned apart: what the tile would hold if all
  /// its items were zero.
  SAM_DEVICE void propagate(int s, run_of_items const& items,
                            typename traits::power const& upto_run) const {
    if (items.left == 0)
      return;
    state before;
    read(of_warp(board_.starts[s], warp()), before);
    if (lanes_.run > 0)
      lanes_.move_on(before, upto_run);
    auto const take = [&](int k) {
      T& item = *items.at(k);
      if constexpr (traits::algebra)
        item =
            a_.pass.op(step<Q, kind>(a_.pass.op, before.at, identity_of<T>(a_.pass.op)), T(item));
      else
        item = a_.pass.op(before.at[0], T(item));
    };
    if (kind == bound::exclusive && !identity && items.first < S)
      *items.at(0) = before.at[0];  // the gap
    else
      take(0);
    if (items.left == I) {
#pragma unroll
      for (int k = 1; k < I; ++k)
        take(k);
    } else {
#pragma unroll 1
      for (int k = 1; k < items.left; ++k)
        take(k);
    }
  }

  // --- Items between global and shared memory ----------------------------------------------------

  SAM_DEVICE int count(index_t tile) const { return int(tiles_.count(tile)); }
  SAM_DEVICE std::byte* stage(int s) const {
    return Device::shared_memory() + shape::board_bytes + s * shape::stage_bytes;
  }
  static SAM_DEVICE int misalignment(void const* p) {
    return int(reinterpret_cast<std::uintptr_t>(p) % 16);
  }
  SAM_DEVICE T const* source(index_t tile) const {
    if constexpr (is_reversed<Job>)
      return a_.job.inner.source() + (a_.n - tiles_.begin(tile) - tiles_.count(tile));
    else
      return a_.job.source() + tiles_.begin(tile);
  }
  SAM_DEVICE T* target(index_t tile) const {
    if constexpr (is_reversed<Job>)
      return a_.job.inner.target() + (a_.n - tiles_.begin(tile) - tiles_.count(tile));
    else
      return a_.job.target() + tiles_.begin(tile);
  }
  /// How far past a multiple of 16 bytes a tile's items lie, in memory and in their stage.
  SAM_DEVICE int shift(index_t tile) const {
    if constexpr (loads_directly<Job>)
      return is_whole() ? misalignment(source(tile)) : 0;
    else
      return 0;
  }

  /// This warp's part of a tile: [first, first + size).
  struct part {
    int first, size;
  };
  SAM_DEVICE part part_of(index_t tile) const {
    int const first = warp() * warp_items();
    int const left = count(tile) - first;
    return {first, left < 0 ? 0 : left < warp_items() ? left : warp_items()};
  }

  // A scattering job is not to load an item again.
  SAM_DEVICE typename Job::item& held_item(int s, int at) const {
    return reinterpret_cast<typename Job::item*>(stage(s) + shape::held_at)[at];
  }
  SAM_DEVICE T load_value(int s, index_t tile, int at) const {
    index_t const i = tiles_.begin(tile) + at;
    if constexpr (scattering<Job>)
      return a_.job.summarise(held_item(s, at) = a_.job.load(i));
    else
      return a_.job.summarise(a_.job.load(i));
  }
  SAM_DEVICE typename Job::item loaded_item(int s, index_t i, int at) const {
    if constexpr (scattering<Job>)
      return held_item(s, at);
    else
      return a_.job.load(i);
  }

  SAM_DEVICE void bring_items(int s, index_t tile) const {
    if constexpr (!fixed)
      if (!is_whole())
        return bring_rows(run_of(s, tile), tile);
    auto* const items = reinterpret_cast<T*>(stage(s));
    part const p = part_of(tile);
#pragma unroll 8
    for (int k = Device::lane(); k < p.size; k += Device::warp_size)
      items[p.first + k] = load_value(s, tile, p.first + k);
    Device::sync_warp();
  }

  SAM_DEVICE void send_items(int s, index_t tile) const {
    if constexpr (!fixed)
      if (!is_whole())
        return send_rows(run_of(s, tile), tile);
    auto const* const items = reinterpret_cast<T const*>(stage(s) + shift(tile));
    part const p = part_of(tile);
    if constexpr (stores_directly<Job>) {
      int const first = is_reversed<Job> ? count(tile) - p.first - p.size : p.first;
      T* const to = target(tile) + first;
      T const* const from = items + first;
      if (misalignment(to) == misalignment(from)) {
        Device::drain(reinterpret_cast<std::byte*>(to), reinterpret_cast<std::byte const*>(from),
                      p.size * int(sizeof(T)));
      } else {
#pragma unroll 8
        for (int k = Device::lane(); k < p.size; k += Device::warp_size)
          to[k] = from[k];
      }
    } else {
#pragma unroll 4
      for (int k = Device::lane(); k < p.size; k += Device::warp_size) {
        index_t const i = tiles_.begin(tile) + p.first + k;
        int const at = p.first + k;
        a_.job.finish(i, loaded_item(s, i, at),
                      items[lies_backwards() ? count(tile) - 1 - at : at]);
      }
    }
  }

  /// The bytes by which the loader may have rows of the strip copied; 0 if it cannot.
  SAM_DEVICE int bytes_together() const {
    if constexpr (!fixed && has_source<Job> && Device::copies_rows) {
      strips const& by = a_.mail.by;
      auto const bytes = (by.components | by.column(strip_) | lanes_.width) * index_t{sizeof(T)};
      auto const all = unsigned(bytes | index_t(reinterpret_cast<std::uintptr_t>(a_.job.source())));
      unsigned const together = (all | 16) & -(all | 16);
      return together < 4 ? 0 : int(together);
    }
    return 0;
  }
  SAM_DEVICE bool fills_rows() const { return !is_whole() && bytes_together() > 0; }
  /// A loader's share of them.
  SAM_DEVICE void fill_rows(int s, index_t tile, int loader) const {
    if constexpr (!fixed && has_source<Job>) {
      int const row = lanes_.width * int(sizeof(T));
      int const rows = count(tile) / lanes_.width;
      int const first = rows * loader / shape::loaders;
      int const end = rows * (loader + 1) / shape::loaders;
      index_t const pitch = a_.mail.by.components;
      T const* const from =
          a_.job.source() + tile * (shape::warps * I) * pitch + a_.mail.by.column(strip_);
      T* const to = reinterpret_cast<T*>(stage(s));
      if (int const k = rows * lanes_.width + Device::lane(); loader == 0 && k < count(tile))
        to[k] = from[rows * pitch + Device::lane()];  // of a row cut short
      Device::fill_rows(stage(s) + first * row,
                        reinterpret_cast<std::byte const*>(from + first * pitch), end - first, row,
                        pitch * index_t{sizeof(T)}, bytes_together(), board_.full[s]);
    }
  }

  // Or else every lane brings its own items, as it sends them: a warp's are a piece of a row at a
  // time.

  SAM_DEVICE index_t first_of_rows(index_t tile) const {
    index_t const row = (tile * shape::warps + warp()) * I;
    return row * a_.mail.by.components + a_.mail.by.column(strip_) + lanes_.component;
  }
  SAM_DEVICE void bring_rows(run_of_items const& items, index_t tile) const {
    if constexpr (!fixed) {
      // Asked for together, since memory is far.
      constexpr int batch = int(max_of(1, min_of(I, 33 / words_of<T>)));
      index_t i = first_of_rows(tile);
      index_t const pitch = a_.mail.by.components;
#pragma unroll 1
      for (int k = 0; k < items.left; k += batch, i += batch * pitch) {
        room<T, batch> read;
#pragma unroll
        for (int b = 0; b < batch; ++b)
          if (k + b < items.left)
            read.at[b] = a_.job.summarise(a_.job.load(i + b * pitch));
#pragma unroll
        for (int b = 0; b < batch; ++b)
          if (k + b < items.left)
            *items.at(k + b) = read.at[b];
      }
    }
  }
  SAM_DEVICE void send_rows(run_of_items const& items, index_t tile) const {
    index_t i = first_of_rows(tile);
#pragma unroll 8
    for (int k = 0; k < items.left; ++k, i += a_.mail.by.components)
      a_.job.finish(i, a_.job.load(i), *items.at(k));
  }

  // --- The end -----------------------------------------------------------------------------------

  // A block is done with the exchange when its first carrier is: the other warps ask for nothing
  // more. The last block makes ready for the next launch. Numbers start again long before they
  // could come round to words that are still there.
  SAM_DEVICE void leave(std::uint32_t base) {
    if constexpr (!fixed)
      return leave_strips(base);
    if (tiles_.tiles() == 1)
      return;
    control& shared = *a_.mail.shared;
    if constexpr (is_part_of_scheme<Carry>) {  // which has only claimed tiles
      if (Device::lane() == 0 &&
          Device::add(&shared.left, 1) + 1 == std::uint32_t(Device::blocks())) {
        Device::store(&shared.claims, 0);
        Device::store(&shared.left, 0);
      }
      return;
    }
    constexpr std::uint32_t enough = std::uint32_t{1} << 31;
    std::uint32_t const epoch = std::uint32_t{1} << a_.mail.epoch_bits;
    std::uint32_t const end = base + std::uint32_t(tiles_.tiles());
    std::uint32_t const next = (end + epoch - 1) / epoch * epoch;
    std::uint32_t left = 0;
    if (Device::lane() == 0) {
      if (next >= enough)
        Device::fence();  // nobody may count after all has been cleared
      left = Device::add(&shared.left, 1) + 1;
    }
    if (Device::shuffle_from(left, 0) != std::uint32_t(Device::blocks()))
      return;
    if (next >= enough) {
      Device::fence();  // and nothing is cleared before all have counted
      for (index_t k = Device::lane(); k < a_.mail.capacity; k += Device::warp_size)
        Device::store(a_.mail.words + k, carry_word{0, 0});
    }
    if (Device::lane() != 0)
      return;
    Device::store(&shared.claims, 0);
    Device::store(&shared.left, 0);
    Device::store(&shared.base, next >= enough ? 0 : next);
    if (next < enough)
      Device::add(shared.finished + (next - 1) / epoch % control::epochs, next - end);
    else
      for (int k = 0; k < control::epochs; ++k)
        Device::store(shared.finished + k, 0);
  }

  // The same for all rings, which have one base. Their counts start from zero, so nobody may count
  // any more.
  SAM_DEVICE void leave_strips(std::uint32_t base) {
    if (is_alone())
      return;
    control* const shared = a_.mail.shared;
    std::uint32_t left = 0;
    if (Device::lane() == 0) {
      Device::fence();
      left = Device::add(&shared->left, 1) + 1;
    }
    if (Device::shuffle_from(left, 0) != std::uint32_t(Device::blocks()))
      return;
    Device::fence();
    constexpr std::uint32_t enough = std::uint32_t{1} << 31;
    std::uint32_t const end = base + a_.mail.by.tiles_of(0);
    if (end >= enough)
      for (index_t k = Device::lane(); k < a_.mail.capacity; k += Device::warp_size)
        Device::store(a_.mail.words + k, carry_word{0, 0});
    for (std::uint32_t r = Device::lane(); r < a_.mail.by.rings; r += Device::warp_size) {
      Device::store(&shared[r].claims, 0);
      for (int k = 0; k < control::epochs; ++k)
        Device::store(shared[r].finished + k, 0);
    }
    if (Device::lane() != 0)
      return;
    Device::store(&shared->left, 0);
    Device::store(&shared->base, end >= enough ? 0 : end);
  }

  arguments const& a_;
  exchange_type mail_;    // of strips, the ring of the one that was entered
  index_t strip_ = none;  // which was
  tiling tiles_;          // its
  lanes_type lanes_;
  typename shape::board& board_;
};

}  // namespace sam::gpu
