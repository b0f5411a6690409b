// SPDX-License-Identifier: MIT
// The kernel of a single-pass job. A block stays; it claims tile after tile, and its warps each do one
// thing to them, in a pipeline of stages in shared memory:
//
// loader    claims a tile as soon as a stage is free, and has the copy engine bring its items
// compute   sums up the tile; then, one tile late, scans the tile before from what lies before it, in
//           place, and sends it out
// carrier   combines the warps' sums, publishes the tile's summary, learns what lies before the tile, and
//           tells each compute warp where it starts
//
// So the exchange between blocks hides behind the summing up of the next tile, and memory is never idle.
// A block only ever waits for tiles that running blocks have claimed: blocks need not all be resident.
//
// Source: Maleki, Yang, Burtscher, PLDI 2016, sections 2.1 and 2.2 (persistent blocks, carry); the
// pipeline, and one exchange for any order, are ours.
#pragma once

#include <sam/gpu/mailbox.hpp>
#include <sam/tiling.hpp>

namespace sam::gpu {

/// How a block works: so many compute warps, items of a component a thread, and stages.
template <int Warps, int Items, int Stages>
struct block_shape {
  static constexpr int warps = Warps;
  static constexpr int items = Items;
  static constexpr int stages = Stages;
};

/// Whether tiles are brought and sent as they are in memory, forwards or backwards.
template <class Job>
inline constexpr bool loads_directly = has_source<Job>;
template <class Job>
inline constexpr bool loads_directly<reversed<Job>> = has_source<Job>;
template <class Job>
inline constexpr bool stores_directly = loads_directly<Job>&& has_target<Job>;
template <class Job>
inline constexpr bool stores_directly<reversed<Job>> = stores_directly<Job>;

/// Everything about a pass that is known when it is compiled.
template <class Device, class Job, class Pass, class Shape>
struct pass_shape {
  using T = typename Job::summary;
  using traits = pass_traits<Device, T, Pass>;
  static constexpr int warps = Shape::warps;
  static constexpr int stages = Shape::stages;
  static constexpr int items = Shape::items;  // of a thread
  static constexpr int S = traits::S;
  static constexpr int warp_items = traits::runs * S * items;
  static constexpr int tile_items = warps * warp_items;
  static constexpr int threads = (warps + 2) * Device::warp_size;  // and a loader and a carrier
  using tables = power_tables<typename traits::power, traits::runs, warps, traits::algebra>;

  /// What a block keeps in shared memory besides the stages.
  struct board {
    typename Device::barrier full[stages];     // the items are there
    typename Device::barrier summed[stages];   // and the warps' sums
    typename Device::barrier carried[stages];  // and where each warp starts
    typename Device::barrier empty[stages];    // nobody needs the stage any more
    index_t tile[stages];                      // which is in it, or none
    room<T, warps * S * traits::Q> sums[stages];
    room<T, warps * S * traits::Q> starts[stages];
  };
  static constexpr int aligned(int bytes) { return (bytes + 127) / 128 * 128; }
  static constexpr int board_bytes = aligned(int(sizeof(board)));
  static constexpr int stage_bytes = aligned(tile_items * int(sizeof(T)) + 16);
  static constexpr int shared_bytes = board_bytes + stages * stage_bytes;
};

/// What a launch is given.
template <class Device, class Job, class Pass, class Shape>
struct pass_arguments {
  using shape = pass_shape<Device, Job, Pass, Shape>;
  Job job;
  Pass pass;
  index_t n;
  typename shape::tables tables;
  exchange mail;
};

/// One block's work on a pass.
template <class Device, class Job, class Pass, class Shape>
class pass_block {
  using arguments = pass_arguments<Device, Job, Pass, Shape>;
  using shape = pass_shape<Device, Job, Pass, Shape>;
  using traits = typename shape::traits;
  using T = typename shape::T;
  using lanes_type = lane_states<Device, T, Pass>;
  using state = typename traits::state;
  using mail_type = mailbox<Device, T, Pass, typename shape::tables>;
  using Carry = typename Pass::carry;
  static constexpr int Q = traits::Q;
  static constexpr int S = traits::S;
  static constexpr int I = shape::items;
  static constexpr bound kind = Pass::kind;
  static constexpr index_t none = -1;

 public:
  SAM_DEVICE explicit pass_block(arguments const& a)
      : a_(a),
        tiles_{a.n, shape::tile_items},
        lanes_(a.pass, Device::lane()),
        board_(*reinterpret_cast<typename shape::board*>(Device::shared_memory())) {}

  SAM_DEVICE void run() {
    if (Device::warp() == 0 && Device::lane() == 0)
      for (int s = 0; s < shape::stages; ++s) {
        board_.full[s].init(1);
        board_.summed[s].init(shape::warps);
        board_.carried[s].init(1);
        board_.empty[s].init(shape::warps + 1);
      }
    Device::sync_block();
    if (Device::warp() < shape::warps)
      compute();
    else if (Device::warp() == shape::warps)
      load();
    else
      carry();
    leave();
  }

 private:
  // --- The loader --------------------------------------------------------------------------------

  SAM_DEVICE void load() {
    for (int use = 0;; ++use) {
      int const s = use % shape::stages;
      index_t const tile = claim(use);  // it takes its time: ask before there is room
      if (use >= shape::stages)
        board_.empty[s].wait((use / shape::stages - 1) % 2);
      if (Device::lane() == 0)
        board_.tile[s] = tile;
      Device::sync_warp();
      if (tile == none || !loads_directly<Job>) {
        if (Device::lane() == 0)
          board_.full[s].arrive();
      } else {
        auto const* const from = reinterpret_cast<std::byte const*>(source(tile));
        Device::fill(stage(s) + misalignment(from), from, count(tile) * int(sizeof(T)), board_.full[s]);
      }
      if (tile == none)
        return;
    }
  }

  // A block that can have one tile only need not ask for another.
  SAM_DEVICE index_t claim(int use) const {
    if (use > 0 && tiles_.tiles() <= Device::blocks())
      return none;
    std::uint32_t claimed = 0;
    if (Device::lane() == 0)
      claimed = Device::add(&a_.mail.shared->claims, 1);
    auto const tile = index_t(Device::shuffle_from(claimed, 0));
    return tile < tiles_.tiles() ? tile : none;
  }

  // --- The carrier -------------------------------------------------------------------------------

  SAM_DEVICE void carry() {
    mail_type mail(a_.mail, lanes_, a_.tables, Device::load(&a_.mail.shared->base));
    typename mail_type::state known;
    for (int q = 0; q < Q; ++q)
      if constexpr (Pass::starts_known)
        known.base.at[q] = a_.pass.start.value;
      else if constexpr (traits::starts_known)
        known.base.at[q] = identity_of<T>(a_.pass.op);
    lanes_type::copy(known.base, known.before);
    known.tiles = 0;
    known.counted = false;
    for (int use = 0;; ++use) {
      int const s = use % shape::stages;
      int const parity = use / shape::stages % 2;
      board_.full[s].wait(parity);
      index_t const tile = board_.tile[s];
      if (tile == none)
        return;
      board_.summed[s].wait(parity);
      sum_up_warps(s, tile, mail.local);
      bool const last = tiles_.is_last(tile);  // nobody asks for its summary
      if (!last) {
        mail.make_room(tile);
        Carry::announce(mail, tile);
      }
      Carry::before(mail, tile, known);
      start_warps(s, tile, known.before);
      Device::sync_warp();
      if (Device::lane() == 0)
        board_.carried[s].arrive();
      if (!last)
        mail.publish_total(tile, known);
      if (tiles_.tiles() > 1)
        mail.finish(tile);
      if (Device::lane() == 0)
        board_.empty[s].arrive();
    }
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

  /// f(warp) for groups of as many warps as fit into a warp's runs.
  static constexpr int warp_groups = (shape::warps + traits::runs - 1) / traits::runs;

  // From the sums of the warps to what lies before each of them in the tile, and the sum of the tile.
  SAM_DEVICE void sum_up_warps(int s, index_t tile, state& sum) {
    for (int g = 0; g < warp_groups; ++g) {
      int const warp = g * traits::runs + lanes_.run;
      bool const mine = lanes_.run < traits::runs && warp < shape::warps &&
                        warp * shape::warp_items + lanes_.component < count(tile);
      state part;
      if (mine)
        read(of_warp(board_.sums[s], warp), part);
      lanes_.scan_runs(part, mine, [&](int d) -> auto& { return a_.tables.warps(d); });
      state before;
      lanes_type::from_below(part, 1, before);
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
      int const of_group = min_of(shape::warps - g * traits::runs, traits::runs);
      state whole;
      lanes_.from_run(part, of_group - 1, whole);
      if (g == 0)
        lanes_type::copy(whole, sum);
      else if ((g * traits::runs + of_group) * shape::warp_items <= count(tile))
        lanes_.append(sum, whole, a_.tables.warps(of_group));
    }
  }

  // Where each warp starts: what lies before the tile, and in it before the warp.
  SAM_DEVICE void start_warps(int s, index_t tile, state const& before) {
    bool const known = tile > 0 || traits::starts_known;
    for (int g = 0; g < warp_groups; ++g) {
      int const warp = g * traits::runs + lanes_.run;
      bool const mine = lanes_.run < traits::runs && warp < shape::warps &&
                        warp * shape::warp_items + lanes_.component < count(tile);
      if (!mine || !known)
        continue;
      state start;
      lanes_type::copy(before, start);
      if (warp > 0) {
        state within;
        read(of_warp(board_.starts[s], warp), within);
        lanes_.append(start, within, a_.tables.warps(warp));
      }
      write(start, of_warp(board_.starts[s], warp));
    }
  }

  // --- The compute warps -------------------------------------------------------------------------

  /// A tile whose summary is known, but not yet what lies before it.
  struct held {
    index_t tile = none;
    int use;
    state before;  // of this thread's run, in the warp
  };

  SAM_DEVICE void compute() {
    held now, late;
    for (int use = 0;; ++use) {
      int const s = use % shape::stages;
      board_.full[s].wait(use / shape::stages % 2);
      now.tile = board_.tile[s];
      now.use = use;
      if (now.tile != none)
        sum_up(now);
      if (late.tile != none)
        finish(late);
      if (now.tile == none)
        return;
      late = now;
    }
  }

  /// A thread's items: every S-th from `first`, up to `left` of them.
  struct run_of_items {
    T* items;
    int first;
    int left;
    int count;  // of the tile
    // Of a reversed job the tile lies backwards.
    SAM_DEVICE T& operator[](int k) const {
      int const i = first + k * S;
      return items[is_reversed<Job> && loads_directly<Job> ? count - 1 - i : i];
    }
  };
  SAM_DEVICE run_of_items run_of(int s, index_t tile) const {
    run_of_items r;
    r.items = reinterpret_cast<T*>(stage(s) + shift(tile));
    r.count = count(tile);
    r.first = Device::warp() * shape::warp_items + lanes_.run * (I * S) + lanes_.component;
    int const left = (r.count - r.first + S - 1) / S;
    r.left = lanes_.run >= traits::runs || r.first >= r.count ? 0 : left < I ? left : I;
    return r;
  }

  SAM_DEVICE void sum_up(held& now) {
    int const s = now.use % shape::stages;
    if constexpr (!loads_directly<Job>)
      bring_items(s, now.tile);
    run_of_items const items = run_of(s, now.tile);
    state sum;
    reduce(items, sum);
    lanes_.scan_runs(sum, items.left > 0, [&](int d) -> auto& { return a_.tables.runs(d); });
    lanes_type::from_below(sum, 1, now.before);
    if (lanes_.run == traits::runs - 1)
      write(sum, of_warp(board_.sums[s], Device::warp()));
    Device::sync_warp();
    if (Device::lane() == 0)
      board_.summed[s].arrive();
  }

  SAM_DEVICE void reduce(run_of_items const& items, state& sum) const {
    if (items.left == I)
      reduce_items<true>(items, sum);
    else if (items.left > 0)
      reduce_items<false>(items, sum);
  }
  template <bool Whole>
  SAM_DEVICE void reduce_items(run_of_items const& items, state& sum) const {
    if constexpr (traits::algebra) {
      for (int q = 0; q < Q; ++q)
        sum.at[q] = identity_of<T>(a_.pass.op);
    } else {
      sum.at[0] = items[0];
    }
    auto const take = [&](int k) {
      if constexpr (traits::algebra)
        step<Q, kind>(a_.pass.op, sum.at, items[k]);
      else
        sum.at[0] = a_.pass.op(sum.at[0], items[k]);
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

  SAM_DEVICE void finish(held const& late) {
    int const s = late.use % shape::stages;
    run_of_items const items = run_of(s, late.tile);
    board_.carried[s].wait(late.use / shape::stages % 2);
    bool known = late.tile > 0 || traits::starts_known || Device::warp() > 0;
    if (items.left > 0) {
      state start;
      if (known) {
        read(of_warp(board_.starts[s], Device::warp()), start);
        if (lanes_.run > 0)
          lanes_.append(start, late.before, a_.tables.runs(lanes_.run));
      } else if (lanes_.run > 0) {
        lanes_type::copy(late.before, start);
        known = true;
      }
      if (items.left == I)
        scan_items<true>(items, start, known);
      else
        scan_items<false>(items, start, known);
    }
    Device::sync_warp();
    send_items(s, late.tile);
    Device::publish_shared();
    Device::sync_warp();
    if (Device::lane() == 0)
      board_.empty[s].arrive();
  }
  template <bool Whole>
  SAM_DEVICE void scan_items(run_of_items const& items, state& start, bool known) const {
    auto const take = [&](int k) { items[k] = step<Q, kind>(a_.pass.op, start.at, T(items[k])); };
    if constexpr (traits::starts_known) {
      take(0);
    } else {  // only an inclusive scan can start from nothing
      if (known)
        take(0);
      else
        start.at[0] = items[0];
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

  // --- Items between global and shared memory ------------------------------------------------------

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
      return misalignment(source(tile));
    else
      return 0;
  }

  /// This warp's part of a tile: [first, first + size).
  struct part {
    int first, size;
  };
  SAM_DEVICE part part_of(index_t tile) const {
    int const first = Device::warp() * shape::warp_items;
    int const left = count(tile) - first;
    return {first, left < 0 ? 0 : left < shape::warp_items ? left : shape::warp_items};
  }

  SAM_DEVICE void bring_items(int s, index_t tile) const {
    auto* const items = reinterpret_cast<T*>(stage(s));
    part const p = part_of(tile);
#pragma unroll 8
    for (int k = Device::lane(); k < p.size; k += Device::warp_size)
      items[p.first + k] = a_.job.summarise(a_.job.load(tiles_.begin(tile) + p.first + k));
    Device::sync_warp();
  }

  SAM_DEVICE void send_items(int s, index_t tile) const {
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
        a_.job.finish(i, a_.job.load(i),
                      items[is_reversed<Job> && loads_directly<Job> ? count(tile) - 1 - at : at]);
      }
    }
  }

  // --- The end -------------------------------------------------------------------------------------

  // The last block to leave makes ready for the next launch. Numbers start again long before they could
  // come round to words that are still there.
  SAM_DEVICE void leave() {
    if (tiles_.tiles() == 1 && Device::blocks() == 1) {
      if (Device::warp() == 0 && Device::lane() == 0)
        Device::store(&a_.mail.shared->claims, 0);
      return;
    }
    Device::sync_block();
    control& shared = *a_.mail.shared;
    auto* const was_last = reinterpret_cast<std::uint32_t*>(stage(0));
    if (Device::warp() == 0 && Device::lane() == 0) {
      Device::fence();
      *was_last = Device::add(&shared.left, 1) + 1 == std::uint32_t(Device::blocks());
      Device::fence();
    }
    Device::sync_block();
    if (*was_last == 0)
      return;
    constexpr std::uint32_t enough = std::uint32_t{1} << 31;
    std::uint32_t const epoch = a_.mail.epoch;
    std::uint32_t const end = Device::load(&shared.base) + std::uint32_t(tiles_.tiles());
    std::uint32_t const next = (end + epoch - 1) / epoch * epoch;
    Device::sync_block();
    if (next >= enough) {
      for (index_t k = Device::warp() * Device::warp_size + Device::lane(); k < a_.mail.capacity;
           k += shape::threads)
        Device::store(a_.mail.words + k, carry_word{0, 0});
    }
    if (Device::warp() != 0 || Device::lane() != 0)
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

  arguments const& a_;
  tiling tiles_;
  lanes_type lanes_;
  typename shape::board& board_;
};

}  // namespace sam::gpu
