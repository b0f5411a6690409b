// SPDX-License-Identifier: MIT
// Scans the items of a tile: each thread reduces its run of items and, once the run's exclusive
// prefix is known, scans it in place.
#pragma once

#include <sam/gpu/scan/block_aggregates.hpp>
#include <sam/gpu/scan/segmented_reduce_tile.hpp>

namespace sam::inline v0_1::gpu {

/// Computes a warp's part of a tile, as a reduce warp (reduce) and as a scan warp (scan).
template <class Device, class Job, class Policy, class Config>
class scan_tile {
  static_assert(!selecting_first<Job>, "only select_tile asks how many items may be kept");
  using arguments = scan_arguments<Device, Job, Policy, Config>;
  using config = scan_config<Device, Job, Policy, Config>;
  using traits = typename config::traits;
  using items_type = tile_io<Device, Job, Policy, Config>;
  using thread_items = typename items_type::thread_items;
  using states_type = block_aggregates<Device, Job, Policy, Config>;
  using T = typename config::T;
  using lanes_type = warp_state<Device, T, Policy>;
  using state = typename traits::state;
  static constexpr int Q = traits::Q;
  static constexpr int I = config::items;
  static constexpr bound kind = Policy::kind;
  static constexpr bool fixed = traits::fixed;
  static constexpr bool apart = std::is_same_v<typename Policy::carry, scan_tiles_apart>;
  static constexpr bool totals = config::stage_type::is_segmented_reduction;
  static_assert(totals || !limiting_first<Job>,
                "only segmented_reduce_tile asks how many there are");
  static constexpr bool identity = has_identity<typename Policy::op_type, T>;

 public:
  SAM_DEVICE scan_tile(arguments const& a, items_type const& items,
                       typename config::shared_layout& shared)
      : a_(a), items_(items), states_(a, items, shared), shared_(shared),
        upto_run_(a.tables.runs(lanes().run)) {}

  /// Computes the aggregate of this warp's part of the tile, and each thread's exclusive prefix
  /// within the warp.
  SAM_DEVICE void reduce(int s, index_t tile) const {
    thread_items const run = items_.thread_items_of(s, tile);
    state sum;
    if (is_asked_for(run))
      items_.with_known_facts(run, [&]<bool Whole, int Alignment>() {
        if constexpr (totals)
          segments().template reduce<Whole>(s, run, sum.at[0]);
        else
          reduce<Whole, Alignment>(run, sum);
      });
    lanes().scan_runs(
        sum, is_asked_for(run), [&](int d) -> auto& { return a_.tables.runs(d); });
    if constexpr (config::has_scan_warps || config::uses_epilogue)
      if (config::has_scan_warps || is_wanted(tile)) {
        state below;
        lanes().from_below(sum, 1, below);
        for (int q = 0; q < Q; ++q)
          before(s, q) = below.at[q];
      }
    if (lanes().run == lanes().runs - 1)
      states_.write(sum, states_.sum_of_warp(s, warp()));
  }
  /// True if move_up() has work to do between reduce() and scan(), before the tile's exclusive
  /// prefix is known.
  static constexpr bool moves = totals;
  SAM_DEVICE void move_up(int s, index_t tile) const {
    segments().list(s, items_.thread_items_of(s, tile), before(s, 0));
  }
  /// Scans this warp's part of the tile from the warp's exclusive prefix, and stores it unless the
  /// store warp does.
  SAM_DEVICE void scan(int s, index_t tile) const {
    if (!is_wanted(tile))
      return;
    thread_items const run = items_.thread_items_of(s, tile);
    bool known = states_.is_known(tile) || warp() > 0;
    if constexpr (!config::has_reduce_warps) {
      propagate(s, run);
    } else if constexpr (totals) {
      finish_segments(s, run);
    } else if (run.left > 0) {
      state start, below;
      for (int q = 0; q < Q; ++q)
        below.at[q] = before(s, q);
      if (known) {
        states_.read(states_.start_of_warp(s, warp()), start);
        if (lanes().run > 0)
          lanes().append(start, below, upto_run_);
      } else if (lanes().run > 0) {
        lanes_type::copy(below, start);
        known = true;
      }
      if (stores_rows_at_once())
        scan_rows(run, items_.first_of_rows(tile), start, known);
      else
        items_.with_known_facts(
            run, [&]<bool Whole, int Alignment>() { scan<Whole, Alignment>(run, start, known); });
    }
    if constexpr (!config::stage_type::stores_while_scanning) {
      if (stores_rows_at_once())
        return;
      Device::sync_warp();
      if (!items_.is_bulk_stored(tile))
        items_.store(s, tile);
    }
  }

 private:
  /// Calls take(k, load(k)) for the items of a run from `First` on. The loop over a whole run is
  /// unrolled.
  template <int First, bool Whole, class Load, class Take>
  static SAM_DEVICE void for_each_from(thread_items const& run, Load const& load,
                                       Take const& take) {
    if constexpr (Whole) {
#pragma unroll
      for (int k = First; k < I; ++k)
        take(k, load(k));
    } else {
      scan_tile::for_each_in_batches<4>(First, run.left, load, take);
    }
  }
  /// Calls take(k, load(k)) for k from `first` to `end`. Items of up to `Words` words are loaded
  /// before the first one is used, so that a thread waits for shared memory once for all of them.
  template <int Words, class Load, class Take>
  static SAM_DEVICE void for_each_in_batches(int first, int end, Load const& load,
                                             Take const& take) {
    using loaded = std::remove_cvref_t<decltype(load(0))>;
    constexpr int batch = int(engine::max_of(1, Words / (gpu::words_of<loaded> * Q)));
    int k = first;
    // Without braces around it, nvcc 13.0 leaves out both loops if batches have one item.
    if constexpr (batch > 1) {
#pragma unroll 1
      for (; k + batch <= end; k += batch) {
        uninitialized_array<loaded, batch> x;
#pragma unroll
        for (int b = 0; b < batch; ++b)
          x.at[b] = load(k + b);
#pragma unroll
        for (int b = 0; b < batch; ++b)
          take(k + b, x.at[b]);
      }
    }
#pragma unroll 1
    for (; k < end; ++k)
      take(k, load(k));
  }

  /// True if the run's aggregate is needed. If only the last row is wanted, an incomplete run is
  /// the last one, and its aggregate is not needed.
  static SAM_DEVICE bool is_asked_for(thread_items const& run) {
    return config::uses_epilogue ? run.left == I : run.left > 0;
  }

  /// Computes the aggregate of a run of at least one item.
  template <bool Whole, int Alignment>
  SAM_DEVICE void reduce(thread_items const& run, state& sum) const {
    auto const load = [&](int k) {
      return items_.accumulator(items_.template get<Alignment>(run, k));
    };
    if constexpr (traits::algebra) {
      for (int q = 0; q < Q; ++q)
        sum.at[q] = sam::identity_of<T>(a_.policy.op);
    } else {
      sum.at[0] = load(0);
    }
    auto const take = [&](int, T const& x) {
      if constexpr (traits::algebra)
        engine::step<Q, kind>(a_.policy.op, sum.at, x);
      else
        sum.at[0] = a_.policy.op(sum.at[0], x);
    };
    for_each_from<traits::algebra ? 0 : 1, Whole>(run, load, take);
  }

  // --- Scans ------------------------------------------------------------------------------------

  /// True if the job wants the scan value of any item of the tile.
  SAM_DEVICE bool is_wanted(index_t tile) const {
    if constexpr (fixed && reducing<Job>)
      return items_.tiles.begin(tile) + items_.count(tile) > a_.n - traits::S;
    else
      return true;
  }

  /// Stores the totals of segments that end in this warp's part of a tile. All lanes call this.
  SAM_DEVICE void finish_segments(int s, thread_items const& run) const {
    static_assert(!totals || traits::starts_known);
    state start;
    if (segments().are_few(s, run)) {
      if (run.left == 0 || !segments().has_ends(s, run))
        return;
      states_.read(states_.start_of_warp(s, warp()), start);
      if (lanes().run > 0) {
        state below;
        below.at[0] = before(s, 0);
        lanes().append(start, below, upto_run_);
      }
      segments().finish_few(s, run, start.at[0]);
    } else {
      thread_items part = run;
      part.first = warp() * config::warp_items;
      part.left = int(engine::min_of(run.count - part.first, config::warp_items));
      states_.read(states_.start_of_warp(s, warp()), start);
      int const rank = lanes().run == 0 ? 0 : int(before(s, 0).heads);
      segments().finish(s, run, part, rank, start.at[0]);
    }
  }

  /// Scans a run in place from `start` or, if that is not `known`, from its first item.
  template <bool Whole, int Alignment>
  SAM_DEVICE void scan(thread_items const& run, state& start, bool known) const {
    auto const load = [&](int k) { return items_.template get<Alignment>(run, k); };
    auto const take = [&](int k, auto const& x) {
      items_.template put<Alignment>(
          run, k, x, engine::step<Q, kind>(a_.policy.op, start.at, items_.accumulator(x)));
    };
    if constexpr (apart ? identity : traits::starts_known) {
      take(0, load(0));
    } else {  // an exclusive scan of tiles apart leaves a gap for propagate()
      if (known) {
        take(0, load(0));
      } else {
        auto const x = items_.template get<Alignment>(run, 0);
        start.at[0] = items_.accumulator(x);
        if constexpr (kind == bound::inclusive && items_type::arrays)
          items_.template put<Alignment>(run, 0, x, start.at[0]);
      }
    }
    for_each_from<1, Whole>(run, load, take);
  }

  /// True if strided rows are stored while they are scanned. Items of 4 bytes are not: blocks would
  /// drift apart and wait for memory pages that they do not share (perf/results).
  SAM_DEVICE bool stores_rows_at_once() const {
    if constexpr (!fixed && sizeof(T) != 4)
      return !items_.is_whole();
    else
      return false;
  }
  /// Scans strided rows and stores them straight to memory, where the run's first item has index i.
  SAM_DEVICE void scan_rows(thread_items const& run, index_t i, state& start, bool known) const {
    if constexpr (!fixed) {
      index_t const pitch = a_.descriptors.by.components;
      auto const finish = [&](T const& y) {
        a_.job.store(i, a_.job.load(i), y);
        i += pitch;
      };
      int k = 0;
      if constexpr (!traits::starts_known)
        if (!known) {
          start.at[0] = run.values[run.at(k++)];
          finish(start.at[0]);
        }
      scan_tile::for_each_in_batches<8>(
          k, run.left, [&](int j) { return run.values[run.at(j)]; },
          [&](int, T const& x) { finish(engine::step<Q, kind>(a_.policy.op, start.at, x)); });
    }
  }

  /// Combines the exclusive prefix with items that were scanned without it. The value to combine
  /// with an item is its scan value in a tile of zeros.
  SAM_DEVICE void propagate(int s, thread_items const& run) const {
    if constexpr (!config::has_reduce_warps) {
      if (run.left == 0)
        return;
      state before;
      states_.read(states_.start_of_warp(s, warp()), before);
      if (lanes().run > 0)
        lanes().move_on(before, upto_run_);
      auto const load = [&](int k) { return T(run.values[run.at(k)]); };
      auto const take = [&](int k, T const& x) {
        T& item = run.values[run.at(k)];
        if constexpr (traits::algebra)
          item = a_.policy.op(
              engine::step<Q, kind>(a_.policy.op, before.at, sam::identity_of<T>(a_.policy.op)), x);
        else
          item = a_.policy.op(before.at[0], x);
      };
      if (kind == bound::exclusive && !identity && run.first < traits::S)
        run.values[run.at(0)] = before.at[0];  // the gap that scan() left
      else
        take(0, load(0));
      if (run.left == I)
        for_each_from<1, true>(run, load, take);
      else
        for_each_from<1, false>(run, load, take);
    }
  }

  SAM_DEVICE segmented_reduce_tile<Device, Job, Policy, Config> segments() const {
    return {a_, items_, shared_};
  }
  static SAM_DEVICE int warp() { return items_type::warp(); }
  SAM_DEVICE T& before(int s, int q) const {
    return shared_.before[s].at[(q * config::warps + warp()) * Device::warp_size + Device::lane()];
  }
  SAM_DEVICE lanes_type const& lanes() const { return items_.lanes; }

  arguments const& a_;
  items_type const& items_;
  states_type states_;
  typename config::shared_layout& shared_;
  // Each lane keeps its own power in a register, because reads of different table entries by the
  // lanes of a warp are serialised.
  typename traits::power const upto_run_;
};

}  // namespace sam::inline v0_1::gpu
