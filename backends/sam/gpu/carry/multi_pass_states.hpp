// SPDX-License-Identifier: MIT
// Defines the kernels of the multi-pass schemes as carry schemes, and the arrays in which they pass
// states on. Each kernel ends before the next one begins, so no block waits for a descriptor.
#pragma once

#include <sam/gpu/carry/descriptor_ring.hpp>

namespace sam::inline v0_1::gpu {

/// Provides the common parts of the carry schemes below, each of which is one kernel. `sums` is
/// true if the kernel computes the aggregate of each tile, `finishes` if it stores results. The
/// kernel of a single-pass scheme does both.
template <bool Sums, bool Finishes>
struct part_of_scheme {
  static constexpr bool sums = Sums;
  static constexpr bool finishes = Finishes;

  template <class Descriptors>
  SAM_FUNCTION static void announce(Descriptors&, index_t) {}
  template <class Descriptors>
  SAM_FUNCTION static void exclusive_prefix(Descriptors&, index_t, typename Descriptors::state&) {}
};

/// Stores the aggregate of every tile but the last.
struct reduce_tiles : part_of_scheme<true, false> {
  template <class Descriptors>
  SAM_FUNCTION static void announce(Descriptors& descriptors, index_t tile) {
    descriptors.publish_aggregate(tile);
  }
};
/// Scans every tile from its exclusive prefix.
struct scan_tiles : part_of_scheme<true, true> {
  template <class Descriptors>
  SAM_FUNCTION static void exclusive_prefix(Descriptors& descriptors, index_t tile,
                                            typename Descriptors::state& known) {
    descriptors.read_state(tile, known);
  }
};
/// Scans every tile as if it were the first one, and stores its aggregate.
struct scan_tiles_apart : part_of_scheme<true, true> {
  template <class Descriptors>
  SAM_FUNCTION static void announce(Descriptors& descriptors, index_t tile) {
    descriptors.publish_aggregate(tile);
  }
  template <class Descriptors>
  SAM_FUNCTION static void exclusive_prefix(Descriptors& descriptors, index_t tile,
                                            typename Descriptors::state& known) {
    descriptors.start_apart(tile, known);
  }
};
/// Combines the exclusive prefix of every tile but the first with the results of scan_tiles_apart.
struct propagate_states : part_of_scheme<false, true> {
  template <class Descriptors>
  SAM_FUNCTION static void exclusive_prefix(Descriptors& descriptors, index_t tile,
                                            typename Descriptors::state& known) {
    descriptors.read_state(tile, known);
  }
};
static_assert(single_pass_scheme<reduce_tiles> && single_pass_scheme<scan_tiles> &&
              single_pass_scheme<scan_tiles_apart> && single_pass_scheme<propagate_states>);

/// True if Carry is one kernel of a multi-pass scheme.
template <class Carry>
inline constexpr bool is_part_of_scheme = false;
template <class Carry>
requires requires { Carry::finishes; }
inline constexpr bool is_part_of_scheme<Carry> = true;

/// True if the kernel of Carry computes the aggregates of tiles.
template <class Carry>
inline constexpr bool sums_tiles = [] {
  if constexpr (is_part_of_scheme<Carry>)
    return Carry::sums;
  else
    return true;
}();
/// True if the kernel of Carry stores results.
template <class Carry>
inline constexpr bool finishes_tiles = [] {
  if constexpr (is_part_of_scheme<Carry>)
    return Carry::finishes;
  else
    return true;
}();

/// Describes the global memory of a multi-pass scheme: arrays with Q values of each component for
/// every tile. Its kernels use only the claim counter of the descriptor ring.
template <class T>
struct stored_states : descriptor_ring {
  T* aggregates;  // for all tiles but the last
  T* before;      // exclusive prefixes, for all tiles but the first
};

/// Reads and writes stored_states with the interface of ordered_lookback, as far as the kernels of
/// a multi-pass scheme use it.
template <class Device, class T, class Policy>
class multi_pass_states {
  using traits = policy_traits<Device, T, Policy>;
  using lanes_type = warp_state<Device, T, Policy>;
  using values = typename traits::state;
  static constexpr int Q = traits::Q;

 public:
  using memory = stored_states<T>;
  struct state {
    values before;
  };
  static constexpr int warps = 1;
  static constexpr int classes = 0;  // there is no ring, so any ring depth suffices

  SAM_DEVICE multi_pass_states(memory const& m, lanes_type const& lanes, tile_powers<traits>,
                               std::uint32_t, int)
      : m_(m), lanes_(lanes) {}

  /// The aggregate of the current tile, which publish_aggregate() writes.
  values aggregate;

  SAM_DEVICE void start(state&) const {}
  SAM_DEVICE void publish_aggregate(index_t tile) const {
    if (lanes_.run == 0)
      for (int q = 0; q < Q; ++q)
        m_.aggregates[at(tile) + q] = aggregate.at[q];
  }
  /// Reads the exclusive prefix of a tile; that of tile 0 is the initial state, if there is one.
  SAM_DEVICE void read_state(index_t tile, state& known) const {
    if (tile > 0) {
      for (int q = 0; q < Q; ++q)
        known.before.at[q] = m_.before[at(tile) + q];
    } else if constexpr (traits::starts_known) {
      lanes_.start(known.before);
    }
  }
  /// Sets the state from which scan_tiles_apart scans a tile: the initial state for tile 0, else
  /// the identity, if there is one.
  SAM_DEVICE void start_apart(index_t tile, state& known) const {
    if constexpr (traits::starts_known)
      if (tile == 0)
        lanes_.start(known.before);
    if constexpr (has_identity<typename Policy::op_type, T>)
      if (tile > 0)
        lanes_.start_from_identity(known.before);
  }

  // Functions of the ring, which have nothing to do here.
  SAM_DEVICE void wait_for_slot(index_t) const {}
  SAM_DEVICE void poll_for_slots(index_t) const {}
  SAM_DEVICE void publish_inclusive_prefix(index_t, state const&) const {}
  SAM_DEVICE void finish(index_t) const {}

 private:
  /// Returns the index of the first value of a tile's state, for this lane's component.
  SAM_DEVICE index_t at(index_t tile) const { return (tile * traits::S + lanes_.component) * Q; }

  memory const& m_;
  lanes_type const& lanes_;
};

}  // namespace sam::inline v0_1::gpu
