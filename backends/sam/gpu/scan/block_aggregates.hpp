// SPDX-License-Identifier: MIT
// This file combines the states of a block's warps in shared memory: it computes the tile's
// aggregate from the warps' sums, and the warps' starts from the tile's exclusive prefix.
#pragma once

#include <sam/gpu/scan/tile_io.hpp>

namespace sam::gpu {

/// Combines the states of a block's warps. Each lane works on the states of its component.
template <class Device, class Job, class Policy, class Config>
class block_aggregates {
  using arguments = scan_arguments<Device, Job, Policy, Config>;
  using config = scan_config<Device, Job, Policy, Config>;
  using traits = typename config::traits;
  using items_type = tile_io<Device, Job, Policy, Config>;
  using T = typename config::T;
  using lanes_type = warp_state<Device, T, Policy>;
  using state = typename traits::state;
  using board_type = typename config::board;
  static constexpr int Q = traits::Q;
  static constexpr int S = traits::S;

 public:
  SAM_DEVICE block_aggregates(arguments const& a, items_type const& items, board_type& board)
      : a_(a), items_(items), board_(board) {}

  static SAM_DEVICE void read(T const* from, state& to) {
    for (int q = 0; q < Q; ++q)
      to.at[q] = from[q];
  }
  static SAM_DEVICE void write(state const& from, T* to) {
    for (int q = 0; q < Q; ++q)
      to[q] = from.at[q];
  }

  // The following return the address of a state of the tile in stage s, for this lane's component.

  SAM_DEVICE T* sum_of_warp(int s, int warp) const { return of_warp(board_.sums[s], warp); }
  /// Holds the exclusive prefix of the warp within the tile at first, later that of all items.
  SAM_DEVICE T* start_of_warp(int s, int warp) const { return of_warp(board_.starts[s], warp); }
  SAM_DEVICE T* sum_of_tile(int s) const { return board_.sum[s].at + lanes().component * Q; }
  /// Holds the part of the tile's exclusive prefix that one look-back warp has computed.
  SAM_DEVICE T* part_of_lookback_warp(int s, int lookback_warp) const {
    return board_.parts[s].at + (lookback_warp * S + lanes().component) * Q;
  }

  /// Returns true if a state before the tile exists.
  static SAM_DEVICE bool is_known(index_t tile) {
    if constexpr (std::is_same_v<typename Policy::carry, scan_tiles_apart>)
      return has_identity<typename Policy::op_type, T> || (Policy::starts_known && tile == 0);
    else
      return traits::starts_known || tile > 0;
  }

  /// Computes the exclusive prefix of each warp within the tile, and the tile's aggregate `sum`.
  /// Only full warps are combined: every warp before another is full, and so is every tile before
  /// another. In the last tile `sum` may be undefined.
  SAM_DEVICE void sum_up(int s, index_t tile, state& sum) {
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
      int const of_group = sam::min_of(config::warps - g * lanes().runs, lanes().runs);
      state whole;
      lanes().from_run(part, of_group - 1, whole);
      if (g == 0)
        lanes_type::copy(whole, sum);
      else if ((g * lanes().runs + of_group) * items_.warp_items() <= items_.count(tile))
        lanes().append(sum, whole, a_.tables.warps(of_group));
    }
  }

  /// Computes each warp's start: the tile's exclusive prefix combined with that of the warp within
  /// the tile.
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
        if constexpr (config::sums) {
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
  SAM_DEVICE T* of_warp(uninitialized_array<T, config::warps * S * Q>& values, int warp) const {
    return values.at + (warp * S + lanes().component) * Q;
  }
  // Returns the number of groups in which warps are processed. Each run of lanes takes one warp.
  SAM_DEVICE int warp_groups() const { return (config::warps + lanes().runs - 1) / lanes().runs; }

  SAM_DEVICE lanes_type const& lanes() const { return items_.lanes; }

  arguments const& a_;
  items_type const& items_;
  board_type& board_;
};

}  // namespace sam::gpu
