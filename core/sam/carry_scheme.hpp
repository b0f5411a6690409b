// SPDX-License-Identifier: MIT
// How the totals of tiles travel between the blocks that work on them.
//
// A single-pass scheme is three functions over a descriptors, written once for all back ends: the
// same text runs in a kernel and on host threads. A multi-pass scheme is a name; a back end gives
// it its passes.
#pragma once

#include <sam/portable.hpp>

#include <concepts>

namespace sam {

/// Which totals a scheme reads: those of any tiles, those that floor and latest_inclusive_prefix
/// named, or those at oldest readable tiles. A descriptors may leave out the others. A scheme says
/// so by a member `totals`.
enum class asked_prefixes { any, named, at_oldest_readable };

/// What a single-pass scheme may ask of a back end's descriptors. `state` is the back end's type
/// for the aggregate of a run of tiles; a tile's own aggregate is `aggregate`, everything up to and
/// including a tile is its `total`. Totals are the descriptors's to publish, those at least that
/// the scheme asks for.
///
/// tiles_covered(state)       tiles that `state` covers: 0 when nothing is known yet
/// oldest_readable(tile)         the smallest number of tiles from which `tile` may still be
/// reached by
///                     aggregates: earlier ones may have been overwritten. Tiles come in ascending
///                     order
/// read_inclusive_prefix(t, s)    waits for the total of tile t and copies it to s, which then
/// covers t + 1 accumulate_aggregates(t, s) waits for the aggregates of the tiles from where s
/// stands up to, not including,
///                     t, and appends them in tile order
/// latest_inclusive_prefix(f, t)  how many tiles the latest of the totals covers that are there
/// before tile
///                     t, or f if it would cover fewer
/// publish_aggregate(t)    makes the block's aggregate of tile t visible
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

/// announce   as soon as a tile's own aggregate is known: publish it, or don't
/// before     bring `known` from wherever it stands up to all tiles before `tile`, from a total or
///            from `known` itself. Tile descriptors append in an order that depends on the tiles
///            alone, so the bits do not depend on where a scheme happened to start
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

}  // namespace sam
