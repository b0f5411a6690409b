// SPDX-License-Identifier: MIT
#pragma once

#include <sam/gpu/carry/descriptor_ring.hpp>

namespace sam::gpu {

/// The tile_descriptors for operators that commute and have an identity, and schemes that ask for
/// totals at oldest readable tiles only. Tiles are dealt out among the lanes of several warps: a
/// lane keeps the sum of every `classes`-th tile, reads each of their aggregates once, and adds it
/// by one operation. What lies before a tile is the sum of all lanes' sums, each moved on to that
/// tile; of one warp's lanes, `before`. So again the bits depend on the tiles alone. Every
/// `interval` tiles, all lanes' sums are published, from which a block that fell behind goes on.
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
  /// Warps that share the work.
  static constexpr int warps = traits::lookback_warps;
  static constexpr int classes = warps * traits::runs;  // at most, if tuples are of any size

  struct state {
    values sum;     // of this lane's tiles before `next`, as of behind the last of them
    values before;  // of this warp's tiles before the tile asked for
    index_t next;   // the first of this lane's tiles that is not in `sum`
    index_t tiles;  // all lanes are there
  };

  /// `powers` are of 0, 1, 2, ... tiles.
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

  // What lies before all tiles counts as tile -1.
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
    // A checkpoint takes up the slots of as many tiles as there are classes.
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
  /// And waits until `also()` says so, which is asked whenever the aggregates are.
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
      if (mine_ && behind > 0)  // by 0 tiles means by 1, but also an infinite value by 0
        sam::append<Q>(lanes_.policy.op, known.before.at, nothing().at, powers_(behind));
    }
    lanes_.sum_runs(known.before);
  }

  SAM_DEVICE index_t latest_inclusive_prefix(index_t oldest, index_t) const { return oldest; }

  SAM_DEVICE void publish_inclusive_prefix(index_t tile, state& known) {
    // Tile 0 needs none, and its could lie across the last one of the panel before.
    if (tile == 0 || due_.at_least(tile) != tile)
      return;
    if (mine_)
      this->write(checkpoint(tile), tile, known.sum);
    Device::fence();  // see make_room; of an aggregate, others have read it before its slot is free
  }

 private:
  /// How many tiles apart a lane's are.
  SAM_DEVICE int stride() const { return traits::fixed ? classes : warps * lanes_.runs; }
  /// Where the sums of the tiles before a multiple of the interval lie: in words for totals of the
  /// slots from the multiple on.
  SAM_DEVICE descriptor_word* checkpoint(index_t tile) const { return this->at(1, tile + first_); }
  SAM_DEVICE values nothing() const {
    values none;
    for (int q = 0; q < Q; ++q)
      none.at[q] = sam::identity_of<T>(lanes_.policy.op);
    return none;
  }

  // Tiles of a lane that are asked for at a time.
  static constexpr int batch = int(sam::max_of(
      1, sam::min_of(traits::fixed ? traits::tiles_under_way / classes + 2 : 9, 16 / words)));

  tile_powers<traits> powers_;
  int first_;                        // this lane's class
  bool mine_;                        // or it has none
  multiples oldest_readable_, due_;  // of the interval
};

}  // namespace sam::gpu
