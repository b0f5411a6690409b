// SPDX-License-Identifier: MIT
// What the kernels of a multi-pass scheme do with a tile, and where they leave states for one
// another. A kernel ends before the next begins, so nobody waits for a word.
#pragma once

#include <sam/gpu/carry/descriptor_ring.hpp>

namespace sam::gpu {

/// What a kernel does with each tile; that of a single-pass scheme sums and finishes it.
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
/// Scans every tile from what lies before it.
struct scan_tiles : part_of_scheme<true, true> {
  template <class Descriptors>
  SAM_FUNCTION static void exclusive_prefix(Descriptors& descriptors, index_t tile,
                                            typename Descriptors::state& known) {
    descriptors.read_state(tile, known);
  }
};
/// Scans every tile as if nothing lay before it, and stores its aggregate.
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
/// Brings what lies before a tile into what was scanned apart; of every tile but the first.
struct propagate_states : part_of_scheme<false, true> {
  template <class Descriptors>
  SAM_FUNCTION static void exclusive_prefix(Descriptors& descriptors, index_t tile,
                                            typename Descriptors::state& known) {
    descriptors.read_state(tile, known);
  }
};
static_assert(single_pass_scheme<reduce_tiles> && single_pass_scheme<scan_tiles> &&
              single_pass_scheme<scan_tiles_apart> && single_pass_scheme<propagate_states>);

template <class Carry>
inline constexpr bool is_part_of_scheme = false;
template <class Carry>
requires requires { Carry::finishes; }
inline constexpr bool is_part_of_scheme<Carry> = true;

template <class Carry>
inline constexpr bool sums_tiles = [] {
  if constexpr (is_part_of_scheme<Carry>)
    return Carry::sums;
  else
    return true;
}();
template <class Carry>
inline constexpr bool finishes_tiles = [] {
  if constexpr (is_part_of_scheme<Carry>)
    return Carry::finishes;
  else
    return true;
}();

/// The memory of a multi-pass scheme: for every tile Q values of each component. Of the
/// descriptor_ring, its kernels only claim tiles.
template <class T>
struct stored_states : descriptor_ring {
  T* aggregates;  // of all tiles but the last
  T* before;      // what lies before all tiles but the first
};

/// The descriptors of these kernels.
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
  static constexpr int classes = 0;  // no window is too small

  SAM_DEVICE multi_pass_states(memory const& m, lanes_type const& lanes, tile_powers<traits>,
                               std::uint32_t, int)
      : m_(m), lanes_(lanes) {}

  /// The aggregate of this warp's tile, to be published.
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
