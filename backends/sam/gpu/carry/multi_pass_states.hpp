// SPDX-License-Identifier: MIT
// This file defines the kernels' parts of a multi-pass scheme and the stored states that pass
// results from one kernel to the next. Each kernel ends before the next begins, so no block waits
// for another.
#pragma once

#include <sam/gpu/carry/descriptor_ring.hpp>

namespace sam::gpu {

/// Base class of the steps of a multi-pass scheme. It says whether the kernel computes tile
/// aggregates (`Sums`) and whether it writes results (`Finishes`). The kernel of a single-pass
/// scheme does both.
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
/// Scans every tile from its stored exclusive prefix.
struct scan_tiles : part_of_scheme<true, true> {
  template <class Descriptors>
  SAM_FUNCTION static void exclusive_prefix(Descriptors& descriptors, index_t tile,
                                            typename Descriptors::state& known) {
    descriptors.read_state(tile, known);
  }
};
/// Scans every tile independently, as if it were the first, and stores its aggregate.
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
/// Combines the exclusive prefix of a tile with its items, which scan_tiles_apart has scanned. The
/// kernel skips the first tile.
struct propagate_states : part_of_scheme<false, true> {
  template <class Descriptors>
  SAM_FUNCTION static void exclusive_prefix(Descriptors& descriptors, index_t tile,
                                            typename Descriptors::state& known) {
    descriptors.read_state(tile, known);
  }
};
static_assert(single_pass_scheme<reduce_tiles> && single_pass_scheme<scan_tiles> &&
              single_pass_scheme<scan_tiles_apart> && single_pass_scheme<propagate_states>);

/// True if Carry is a step of a multi-pass scheme.
template <class Carry>
inline constexpr bool is_part_of_scheme = false;
template <class Carry>
requires requires { Carry::finishes; }
inline constexpr bool is_part_of_scheme<Carry> = true;

/// True if a kernel with this scheme computes tile aggregates.
template <class Carry>
inline constexpr bool sums_tiles = [] {
  if constexpr (is_part_of_scheme<Carry>)
    return Carry::sums;
  else
    return true;
}();
/// True if a kernel with this scheme writes results.
template <class Carry>
inline constexpr bool finishes_tiles = [] {
  if constexpr (is_part_of_scheme<Carry>)
    return Carry::finishes;
  else
    return true;
}();

/// Holds the states of a multi-pass scheme: for every tile, Q values of each component. The kernels
/// use the descriptor ring only to claim tiles.
template <class T>
struct stored_states : descriptor_ring {
  T* aggregates;  // aggregates of all tiles but the last
  T* before;      // exclusive prefixes of all tiles but the first
};

/// Implements the tile descriptors of these kernels on the stored states.
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
  static constexpr int classes = 0;  // no constraint on the ring depth

  SAM_DEVICE multi_pass_states(memory const& m, lanes_type const& lanes, tile_powers<traits>,
                               std::uint32_t, int)
      : m_(m), lanes_(lanes) {}

  /// The aggregate of this warp's current tile, which publish_aggregate stores.
  values aggregate;

  SAM_DEVICE void start(state&) const {}
  SAM_DEVICE void publish_aggregate(index_t tile) const {
    if (lanes_.run == 0)
      for (int q = 0; q < Q; ++q)
        m_.aggregates[at(tile) + q] = aggregate.at[q];
  }
  SAM_DEVICE void read_state(index_t tile, state& known) const {
    if (tile > 0) {
      for (int q = 0; q < Q; ++q)
        known.before.at[q] = m_.before[at(tile) + q];
    } else if constexpr (traits::starts_known) {
      lanes_.start(known.before);
    }
  }
  SAM_DEVICE void start_apart(index_t tile, state& known) const {
    if constexpr (traits::starts_known)
      if (tile == 0)
        lanes_.start(known.before);
    if constexpr (has_identity<typename Policy::op_type, T>)
      if (tile > 0)
        lanes_.start_from_identity(known.before);
  }

  SAM_DEVICE void make_room(index_t) const {}
  SAM_DEVICE void look_for_room(index_t) const {}
  SAM_DEVICE void publish_inclusive_prefix(index_t, state const&) const {}
  SAM_DEVICE void finish(index_t) const {}

 private:
  SAM_DEVICE index_t at(index_t tile) const { return (tile * traits::S + lanes_.component) * Q; }

  memory const& m_;
  lanes_type const& lanes_;
};

}  // namespace sam::gpu
