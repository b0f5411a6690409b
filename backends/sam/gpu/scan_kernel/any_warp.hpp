// SPDX-License-Identifier: MIT
// Defines what every warp of the scan kernel has, whatever its kind: the arguments, the items of
// the current panel, the block's shared memory, and the stages and barriers of the ring.
#pragma once

#include <sam/gpu/scan/reduce_epilogue.hpp>
#include <sam/gpu/scan/scan_tile.hpp>
#include <sam/gpu/scan/select_tile.hpp>
#include <sam/gpu/scan/tile_scheduler.hpp>

namespace sam::inline v0_1::gpu {

/// Holds the state of one warp. The kinds of warps add their loops to it, each as a mixin, so that
/// all of them work on the members of one object.
template <class Device, class Job, class Policy, class Config>
class any_warp {
 protected:
  using device = Device;
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
  static constexpr bool fixed = traits::fixed;
  static constexpr bool has_reduce_warps = config::has_reduce_warps;
  static constexpr bool has_scan_warps = config::has_scan_warps;
  static constexpr bool uses_epilogue = config::uses_epilogue;
  static constexpr bool has_store_warp = items_type::has_store_warp;
  /// True if the work reads how many items there are (limiting_first).
  static constexpr bool is_limited = limiting_first<Job>;
  /// Arrivals at `full` that each load warp adds for asynchronous row copies (Device::fill_rows). A
  /// load warp without rows makes these arrivals itself.
  static constexpr int row_arrivals = config::load_warps > 1 ? Device::row_arrivals : 0;

  SAM_DEVICE explicit any_warp(arguments const& a)
      : a_(a), lookback_(a.descriptors), items_(a),
        shared_(*reinterpret_cast<typename config::shared_layout*>(Device::shared_memory())) {}

  /// True if the work has no items, though the launch has tiles. Tile 0 is claimed, and is empty.
  SAM_DEVICE bool has_none() const {
    if constexpr (is_limited)
      return items_.tiles.n == 0;
    else
      return false;
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

  // --- The protocol between blocks ---------------------------------------------------------------

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
  /// True if this block claimed tile 0 of a reduction, and so accumulates the aggregates of all.
  SAM_DEVICE bool accumulates_here() const { return uses_epilogue && shared_.panel[0] == 0; }

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
