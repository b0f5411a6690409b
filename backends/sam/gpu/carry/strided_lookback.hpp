// SPDX-License-Identifier: MIT
// This file implements a look-back that assigns tiles to lanes in a strided pattern, for
// commutative operators with an identity.
#pragma once

#include <sam/gpu/carry/descriptor_ring.hpp>

namespace sam::gpu {

/// Implements the tile descriptors for commutative operators with an identity and for schemes that
/// read inclusive prefixes at oldest readable tiles only. The lanes of one or several warps each
/// accumulate every `classes`-th tile. A lane reads each of its aggregates once and adds it with
/// one operation.
///
/// The exclusive prefix of a tile is the sum of all lanes' sums, each advanced to that tile.
/// `before` is this sum over one warp's lanes. The result's bits depend only on the tiles. Every
/// `interval` tiles the block publishes its lanes' sums as a checkpoint, from which a block that
/// has fallen behind continues.
template <class Device, class T, class Policy>
class strided_lookback : public descriptor_words<Device, T, Policy> {
  using base_type = descriptor_words<Device, T, Policy>;
  using base_type::e_;
  using base_type::lanes_;
  using base_type::Q;
  using typename base_type::lanes_type;
  using typename base_type::traits;
  using typename base_type::values;
  static constexpr int words = Q * base_type::words;

 public:
  /// Number of warps that share the look-back.
  static constexpr int warps = traits::lookback_warps;
  /// Number of lanes that share the tiles; an upper bound for run-time tuple sizes.
  static constexpr int classes = warps * traits::runs;

  struct state {
    // Sum of this lane's tiles before `next`, relative to the end of the last of them.
    values sum;
    values before;  // sum of this warp's tiles before the current tile
    index_t next;   // first of this lane's tiles that is not in `sum`
    index_t tiles;  // number of tiles that all lanes' sums cover
  };

  /// Makes the look-back of one warp. `powers` holds the powers of 0, 1, 2, ... tiles.
  SAM_DEVICE strided_lookback(descriptor_ring const& e, lanes_type const& lanes,
                              tile_powers<traits> powers, std::uint32_t base, int warp)
      : base_type(e, lanes, base), powers_(powers), first_(warp * lanes.runs + lanes.run),
        mine_(lanes.run < lanes.runs),
        oldest_readable_(sam::max_of(1, index_t(e.window) / 4 / stride()) * stride()),
        due_(oldest_readable_) {}

  using base_type::aggregate;

  SAM_DEVICE void enter(std::uint32_t tiles_before, bool of_other_ring) {
    base_type::enter(tiles_before, of_other_ring);
    mine_ = lanes_.run < lanes_.runs;  // the last panel may be narrower
    due_.last = oldest_readable_.last = 0;
  }

  // The state before all tiles counts as tile -1.
  SAM_DEVICE void start(state& known) const {
    for (int q = 0; q < Q; ++q)
      known.sum.at[q] = sam::identity_of<T>(lanes_.policy.op);
    if (first_ == stride() - 1)
      lanes_.start(known.sum);
    known.next = first_;
    known.tiles = 0;
  }

  static SAM_DEVICE index_t tiles_covered(state const& known) { return known.tiles; }
  SAM_DEVICE index_t oldest_readable(index_t tile) {
    // A checkpoint occupies the slots of as many tiles as there are classes.
    return oldest_readable_.at_least(tile - index_t(e_.window) + stride() + 1);
  }

  SAM_DEVICE void read_inclusive_prefix(index_t tile, state& known) const {
    index_t const from = tile + 1;  // a multiple of the interval
    while (!Device::all_lanes(!mine_ || this->try_read(checkpoint(from), from, known.sum)))
      Device::pause();
    known.next = from + first_;
    known.tiles = from;
  }

  SAM_DEVICE void accumulate_aggregates(index_t tile, state& known) const {
    accumulate_aggregates(tile, known, [] { return true; });
  }
  /// Accumulates aggregates and also waits until `also()` returns true. Polls it with every batch
  /// of loads.
  template <class Also>
  SAM_DEVICE void accumulate_aggregates(index_t tile, state& known, Also also) const {
    typename traits::power const step = powers_(stride());
    for (bool rest = also(); !Device::all_lanes((!mine_ || known.next >= tile) && rest);) {
      rest = also();
      values read[batch];
      bool ready[batch];
#pragma unroll
      for (int b = 0; b < batch; ++b) {
        index_t const t = known.next + b * stride();
        ready[b] = mine_ && t < tile && this->try_read(this->at(0, t), t, read[b]);
      }
      bool on = true;
#pragma unroll
      for (int b = 0; b < batch; ++b) {
        on = on && ready[b];
        if (on) {
          lanes_.append(known.sum, read[b], step);
          known.next += stride();
        }
      }
    }
    known.tiles = tile;
    lanes_type::copy(known.sum, known.before);
    if constexpr (traits::algebra) {
      int const behind = int(tile - 1 - (known.next - stride()));
      // Skips the power of 0 tiles, which is 1: it would also multiply an infinite value by 0.
      if (mine_ && behind > 0)
        sam::append<Q>(lanes_.policy.op, known.before.at, nothing().at, powers_(behind));
    }
    lanes_.sum_runs(known.before);
  }

  SAM_DEVICE index_t latest_inclusive_prefix(index_t oldest, index_t) const { return oldest; }

  SAM_DEVICE void publish_inclusive_prefix(index_t tile, state& known) {
    // Tile 0 needs no checkpoint, and its checkpoint could overlap the last one of the previous
    // panel.
    if (tile == 0 || due_.at_least(tile) != tile)
      return;
    if (mine_)
      this->write(checkpoint(tile), tile, known.sum);
    // Orders the checkpoint before the count that frees its slots; see make_room. Aggregates need
    // no fence: other blocks read them before their slot is free.
    Device::fence();
  }

 private:
  /// Returns the distance between consecutive tiles of a lane.
  SAM_DEVICE int stride() const { return traits::fixed ? classes : warps * lanes_.runs; }
  /// Returns the address of this lane's part of a checkpoint at a multiple of the interval. It uses
  /// the inclusive-prefix words of the slots from that tile on.
  SAM_DEVICE descriptor_word* checkpoint(index_t tile) const { return this->at(1, tile + first_); }
  SAM_DEVICE values nothing() const {
    values none;
    for (int q = 0; q < Q; ++q)
      none.at[q] = sam::identity_of<T>(lanes_.policy.op);
    return none;
  }

  // Number of a lane's tiles that are read at a time.
  static constexpr int batch = int(sam::max_of(
      1, sam::min_of(traits::fixed ? traits::tiles_under_way / classes + 2 : 9, 16 / words)));

  tile_powers<traits> powers_;
  int first_;                        // this lane's class: its first tile
  bool mine_;                        // false in lanes without a class
  multiples oldest_readable_, due_;  // both in steps of the interval
};

}  // namespace sam::gpu
