// SPDX-License-Identifier: MIT
// Combines the aggregates of a tile's warps in shared memory: first into the tile's aggregate,
// later with the tile's exclusive prefix into the exclusive prefix of each warp.
#pragma once

#include <sam/gpu/scan/tile_io.hpp>

namespace sam::inline v0_1::gpu {

/// Computes tile aggregates and warp prefixes; each lane handles the states of its component.
template <class Device, class Job, class Policy, class Config>
class block_aggregates {
  using arguments = scan_arguments<Device, Job, Policy, Config>;
  using config = scan_config<Device, Job, Policy, Config>;
  using traits = typename config::traits;
  using items_type = tile_io<Device, Job, Policy, Config>;
  using T = typename config::T;
  using lanes_type = warp_state<Device, T, Policy>;
  using state = typename traits::state;
  using shared_layout = typename config::shared_layout;
  static constexpr int Q = traits::Q;
  static constexpr int S = traits::S;

 public:
  SAM_DEVICE block_aggregates(arguments const& a, items_type const& items, shared_layout& shared)
      : a_(a), items_(items), shared_(shared) {}

  static SAM_DEVICE void read(T const* from, state& to) {
    for (int q = 0; q < Q; ++q)
      to.at[q] = from[q];
  }
  static SAM_DEVICE void write(state const& from, T* to) {
    for (int q = 0; q < Q; ++q)
      to[q] = from.at[q];
  }

  // Addresses of the states of this lane's component, for the tile in stage s.

  SAM_DEVICE T* sum_of_warp(int s, int warp) const { return of_warp(shared_.sums[s], warp); }
  /// Returns the exclusive prefix of a warp: within the tile after reduce(), over all items after
  /// start().
  SAM_DEVICE T* start_of_warp(int s, int warp) const { return of_warp(shared_.starts[s], warp); }
  SAM_DEVICE T* sum_of_tile(int s) const { return shared_.sum[s].at + lanes().component * Q; }
  /// Returns the part of the tile's exclusive prefix that one look-back warp has accumulated.
  SAM_DEVICE T* part_of_lookback_warp(int s, int lookback_warp) const {
    return shared_.parts[s].at + (lookback_warp * S + lanes().component) * Q;
  }

  /// True if the tile has an exclusive prefix.
  static SAM_DEVICE bool is_known(index_t tile) {
    if constexpr (std::is_same_v<typename Policy::carry, scan_tiles_apart>)
      return has_identity<typename Policy::op_type, T> || (Policy::starts_known && tile == 0);
    else
      return traits::starts_known || tile > 0;
  }

  /// Computes each warp's exclusive prefix within the tile, and the tile's aggregate in `sum`. Only
  /// full warps are read. This is enough, since every warp before another one is full, and so is
  /// every tile before another one. The aggregate of the last tile may be left without a value.
  SAM_DEVICE void reduce(int s, index_t tile, state& sum) {
    for (int g = 0; g < warp_groups(); ++g) {
      int const warp = g * lanes().runs + lanes().run;
      bool const mine = lanes().run < lanes().runs && warp < config::warps;
      auto const are_full = [&](int warps) {
        return mine && warps * items_.warp_items() <= items_.count(tile);
      };
      state part;
      if (are_full(warp + 1))
        read(sum_of_warp(s, warp), part);
      lanes().template scan_runs<config::warps>(
          part, are_full(warp + 1), [&](int d) -> auto& { return a_.tables.warps(d); });
      state before;
      lanes().from_below(part, 1, before);
      if (g > 0) {
        if (lanes().run == 0) {
          lanes_type::copy(sum, before);
        } else if (are_full(warp)) {
          state all;
          lanes_type::copy(sum, all);
          lanes().append(all, before, a_.tables.warps(lanes().run));
          lanes_type::copy(all, before);
        }
      }
      if (mine)
        write(before, start_of_warp(s, warp));
      int const of_group = engine::min_of(config::warps - g * lanes().runs, lanes().runs);
      state whole;
      lanes().from_run(part, of_group - 1, whole);
      if (g == 0)
        lanes_type::copy(whole, sum);
      else if ((g * lanes().runs + of_group) * items_.warp_items() <= items_.count(tile))
        lanes().append(sum, whole, a_.tables.warps(of_group));
    }
  }

  /// Combines the tile's exclusive prefix `before` with the prefixes of the warps within the tile.
  SAM_DEVICE void start(int s, index_t tile, state const& before) {
    bool const known = is_known(tile);
    for (int g = 0; g < warp_groups(); ++g) {
      int const warp = g * lanes().runs + lanes().run;
      bool const mine = lanes().run < lanes().runs && warp < config::warps &&
                        warp * items_.warp_items() + lanes().component < items_.count(tile);
      if (!mine || !known)
        continue;
      state start;
      lanes_type::copy(before, start);
      if (warp > 0) {
        if constexpr (config::has_reduce_warps) {
          state within;
          read(start_of_warp(s, warp), within);
          lanes().append(start, within, a_.tables.warps(warp));
        } else {
          lanes().move_on(start, a_.tables.warps(warp));
        }
      }
      write(start, start_of_warp(s, warp));
    }
  }

 private:
  template <int Values>
  SAM_DEVICE T* of_warp(uninitialized_array<T, Values>& values, int warp) const {
    return values.at + (warp * S + lanes().component) * config::state_pitch;
  }
  // Warps are processed in groups of as many as a warp has runs, one warp by the lanes of each run.
  SAM_DEVICE int warp_groups() const { return (config::warps + lanes().runs - 1) / lanes().runs; }

  SAM_DEVICE lanes_type const& lanes() const { return items_.lanes; }

  arguments const& a_;
  items_type const& items_;
  shared_layout& shared_;
};

}  // namespace sam::inline v0_1::gpu
