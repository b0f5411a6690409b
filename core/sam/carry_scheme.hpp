// SPDX-License-Identifier: MIT
// Defines carry schemes: how prefixes of tiles travel between the blocks or threads that scan them.
//
// A single-pass scheme is three functions over tile descriptors, written once for all back ends:
// the same code runs in GPU kernels and in host threads. A multi-pass scheme is only a tag; each
// back end implements its passes.
#pragma once

#include <sam/portable.hpp>

#include <concepts>

namespace sam::inline v0_1 {

/// The tiles whose inclusive prefixes a scheme reads: any tiles, those that oldest_readable and
/// latest_inclusive_prefix return, or only those at oldest readable tiles. Descriptors need not
/// publish others. A scheme declares it as a member `prefixes`.
enum class asked_prefixes { any, named, at_oldest_readable };

/// The operations on tile descriptors that a single-pass scheme may use. `state` is the back end's
/// type for the aggregate of a run of tiles. The descriptors publish inclusive prefixes themselves,
/// at least those that the scheme reads.
///
/// tiles_covered(state)   returns the number of tiles in `state`'s aggregate; 0 at the start
/// oldest_readable(tile)  returns the first tile whose aggregate `tile` may still read; earlier
///                        ones may be overwritten. Tiles are asked for in ascending order
/// read_inclusive_prefix(t, s)  waits for the inclusive prefix of tile t and copies it to s, which
///                        then covers t + 1 tiles
/// accumulate_aggregates(t, s)  waits for the aggregates of the tiles from tiles_covered(s) up to
///                        but not including t, and appends them to s in tile order
/// latest_inclusive_prefix(f, t)  returns the number of tiles that the latest published inclusive
///                        prefix before tile t covers, or f if it would cover fewer
/// publish_aggregate(t)   makes the block's aggregate of tile t visible to other blocks
template <class M>
concept tile_descriptors = requires(M descriptors, typename M::state& known, index_t tile) {
  { descriptors.tiles_covered(known) } -> std::same_as<index_t>;
  { descriptors.oldest_readable(tile) } -> std::same_as<index_t>;
  descriptors.read_inclusive_prefix(tile, known);
  descriptors.accumulate_aggregates(tile, known);
  { descriptors.latest_inclusive_prefix(tile, tile) } -> std::same_as<index_t>;
  descriptors.publish_aggregate(tile);
};

namespace archetype {
struct descriptors {
  struct state {};
  index_t tiles_covered(state const&) const;
  index_t oldest_readable(index_t) const;
  void read_inclusive_prefix(index_t, state&) const;
  void accumulate_aggregates(index_t, state&) const;
  index_t latest_inclusive_prefix(index_t, index_t) const;
  void publish_aggregate(index_t) const;
};
static_assert(tile_descriptors<descriptors>);
}  // namespace archetype

/// A scheme that needs one pass over the items.
///
/// announce          called once the aggregate of a tile is known: publishes it, or does nothing
/// exclusive_prefix  extends `known` to the exclusive prefix of `tile`, either from an inclusive
///                   prefix or from its present value. Descriptors append aggregates in an order
///                   that depends on the tiles alone, so the start does not change the bits
template <class C>
concept single_pass_scheme = requires(archetype::descriptors descriptors,
                                      archetype::descriptors::state& known, index_t tile) {
  C::announce(descriptors, tile);
  C::exclusive_prefix(descriptors, tile, known);
};

template <class C>
inline constexpr asked_prefixes prefixes_asked_by = [] {
  if constexpr (requires { C::prefixes; })
    return C::prefixes;
  else
    return asked_prefixes::any;
}();

template <class C>
concept multi_pass_scheme = requires {
  requires(C::passes > 1);
};

template <class C>
concept carry_scheme = single_pass_scheme<C> || multi_pass_scheme<C>;

}  // namespace sam::inline v0_1
