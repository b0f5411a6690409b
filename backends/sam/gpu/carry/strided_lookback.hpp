// SPDX-License-Identifier: MIT
// Computes exclusive prefixes of tiles with all lanes of several warps, for commutative operators.
#pragma once

#include <sam/gpu/carry/descriptor_ring.hpp>

namespace sam::inline v0_1::gpu {

/// Implements tile_descriptors for a commutative operator with an identity, and a scheme that reads
/// inclusive prefixes at oldest readable tiles only.
///
/// Tiles are assigned to lanes round-robin: with s lanes in all look-back warps, lane c sums tiles
/// c, c + s, c + 2 s, and so on (class c). It reads each of their aggregates once, and adds it by
/// one operation. The exclusive prefix of a tile is the sum of all lanes' sums, each advanced to
/// that tile; `before` is the part of one warp. So the bits of a result depend on the tiles alone,
/// not on timing.
///
/// At regular intervals the sums of all lanes are published as a checkpoint, in place of an
/// inclusive prefix. A block that has fallen behind continues from a checkpoint.
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
  /// The number of look-back warps of a block.
  static constexpr int warps = traits::lookback_warps;
  static constexpr int classes =
      warps * traits::runs;  // an upper bound, if the tuple size is not fixed

  struct state {
    values sum;     // the sum of this lane's tiles before `next`, at the end of the last of them
    values before;  // this warp's part of the exclusive prefix of the requested tile
    index_t next;   // this lane's first tile that is not in `sum`
    index_t tiles;  // all lanes have summed their tiles before this one
  };

  /// Constructs the object for one of the look-back warps. powers(k) is the power for k tiles.
  SAM_DEVICE strided_lookback(descriptor_ring const& e, lanes_type const& lanes,
                              tile_powers<traits> powers, std::uint32_t base, int warp)
      : base_type(e, lanes, base), powers_(powers), first_(warp * lanes.runs + lanes.run),
        mine_(lanes.run < lanes.runs),
        oldest_readable_(engine::max_of(1, index_t(e.depth) / 4 / stride()) * stride()),
        due_(oldest_readable_) {}

  using base_type::aggregate;

  SAM_DEVICE void enter(std::uint32_t tiles_before, bool of_other_ring) {
    base_type::enter(tiles_before, of_other_ring);
    mine_ = lanes_.run < lanes_.runs;  // the last panel may be narrower
    due_.last = oldest_readable_.last = 0;
  }

  /// Sets the state before tile 0. The initial state counts as tile -1, which is in the last class.
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
    // A checkpoint occupies one slot for each class.
    return oldest_readable_.at_least(tile - index_t(e_.depth) + stride() + 1);
  }

  SAM_DEVICE void read_inclusive_prefix(index_t tile, state& known) const {
    index_t const from = tile + 1;  // a multiple of the interval of checkpoints
    while (!Device::all_lanes(!mine_ || this->try_read(checkpoint(from), from, known.sum)))
      Device::pause();
    known.next = from + first_;
    known.tiles = from;
  }

  SAM_DEVICE void accumulate_aggregates(index_t tile, state& known) const {
    accumulate_aggregates(tile, known, [] { return true; });
  }
  /// Accumulates the aggregates, and also waits until also() returns true in all lanes. Calls
  /// also() whenever it polls for aggregates.
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
      if (mine_ && behind > 0)  // for 0 tiles it would multiply infinite values by 0
        engine::append<Q>(lanes_.policy.op, known.before.at, nothing().at, powers_(behind));
    }
    lanes_.sum_runs(known.before);
  }

  SAM_DEVICE index_t latest_inclusive_prefix(index_t oldest, index_t) const { return oldest; }

  SAM_DEVICE void publish_inclusive_prefix(index_t tile, state& known) {
    // Tile 0 needs no checkpoint, and its words could overlap the previous panel's last checkpoint.
    if (tile == 0 || due_.at_least(tile) != tile)
      return;
    if (mine_)
      this->write(checkpoint(tile), tile, known.sum);
    // Orders the writes of the checkpoint before the tile counts as finished, and so before a later
    // tile's writes of these words. Aggregates need no order: they are read before their slot is
    // free.
    Device::order();
  }

 private:
  /// Returns the distance between consecutive tiles of a lane.
  SAM_DEVICE int stride() const { return traits::fixed ? classes : warps * lanes_.runs; }
  /// Returns the first word of this lane's sum in the checkpoint before `tile`. A checkpoint uses
  /// the words for inclusive prefixes of the slots from `tile` on.
  SAM_DEVICE descriptor_word* checkpoint(index_t tile) const { return this->at(1, tile + first_); }
  /// Returns the state of no tiles.
  SAM_DEVICE values nothing() const {
    values none;
    for (int q = 0; q < Q; ++q)
      none.at[q] = sam::identity_of<T>(lanes_.policy.op);
    return none;
  }

  // The number of tiles that a lane loads at a time.
  static constexpr int batch = int(engine::max_of(
      1, engine::min_of(traits::fixed ? traits::tiles_under_way / classes + 2 : 9, 16 / words)));

  tile_powers<traits> powers_;
  int first_;                        // this lane's class
  bool mine_;                        // false if the lane has no class
  multiples oldest_readable_, due_;  // of the interval of checkpoints
};

}  // namespace sam::inline v0_1::gpu
