// SPDX-License-Identifier: MIT
// Computes exclusive prefixes of tiles in tile order, for any associative operator.
#pragma once

#include <sam/gpu/carry/descriptor_ring.hpp>

namespace sam::inline v0_1::gpu {

/// Implements tile_descriptors for any operator and any single-pass scheme.
///
/// A group has as many tiles as a warp has runs, and begins at a multiple of that number. The warp
/// combines the aggregates of a group by a fixed tree, and the groups from left to right. So the
/// bits of a result depend on the tiles alone, not on timing.
template <class Device, class T, class Policy>
class ordered_lookback : public descriptor_words<Device, T, Policy> {
  using base_type = descriptor_words<Device, T, Policy>;
  using base_type::e_;
  using base_type::lanes_;
  using base_type::Q;
  using typename base_type::lanes_type;
  using typename base_type::traits;
  using typename base_type::values;
  static constexpr asked_prefixes asked = prefixes_asked_by<typename Policy::carry>;
  /// Number of groups read at a time.
  static constexpr int batch =
      int(engine::max_of(1, engine::min_of(4, 16 / (Q * base_type::words))));

 public:
  /// Holds the prefixes that a warp knows.
  struct state {
    values base;    // the combination of the first `tiles` tiles, after the initial state if any
    values before;  // the exclusive prefix of the requested tile
    values total;   // the inclusive prefix of that tile, if `counted`
    index_t tiles;
    bool counted;
  };

  /// The number of look-back warps of a block.
  static constexpr int warps = 1;
  /// The distance between consecutive tiles of a lane. The ring depth must be more than twice that.
  static constexpr int classes = traits::runs;

  SAM_DEVICE ordered_lookback(descriptor_ring const& e, lanes_type const& lanes,
                              tile_powers<traits> powers, std::uint32_t base, int)
      : base_type(e, lanes, base), powers_(powers), due_(interval()),
        oldest_readable_(engine::max_of(due_.step, group())) {}

  using base_type::aggregate;
  /// True if `aggregate` is valid. It may be uninitialised for the last tile, whose aggregate no
  /// other tile needs.
  bool has_aggregate = true;
  /// If set, the last groups are read together even if there are fewer than `batch`. Otherwise they
  /// are read one at a time.
  bool reads_few_together = false;

  SAM_DEVICE void enter(std::uint32_t tiles_before, bool of_other_ring) {
    base_type::enter(tiles_before, of_other_ring);
    due_.last = oldest_readable_.last = 0;
  }

  SAM_DEVICE void start(state& known) const {
    if constexpr (traits::starts_known)
      lanes_.start(known.base);
    lanes_type::copy(known.base, known.before);
    known.tiles = 0;
    known.counted = false;
  }

  static SAM_DEVICE index_t tiles_covered(state const& known) { return known.tiles; }
  SAM_DEVICE index_t oldest_readable(index_t tile) {
    return oldest_readable_.at_least(tile - index_t(e_.depth) + 1);
  }

  SAM_DEVICE void read_inclusive_prefix(index_t tile, state& known) const {
    while (!Device::all_lanes(this->try_read(this->at(1, tile), tile, known.base)))
      Device::pause();
    known.tiles = tile + 1;
    lanes_type::copy(known.base, known.before);
    known.counted = false;
  }

  SAM_DEVICE void accumulate_aggregates(index_t tile, state& known) {
    accumulate_aggregates<true>(tile, known);
  }
  /// Accumulates the aggregates without computing the tile's inclusive prefix. Also waits until
  /// also() returns true in all lanes.
  template <class Also>
  SAM_DEVICE void accumulate_aggregates(index_t tile, state& known, Also also) {
    bool rest = also();  // its loads overlap those of the aggregates
    accumulate_aggregates<false>(tile, known);
    while (!Device::all_lanes(rest))
      rest = also();
  }

  /// Returns the number of tiles that the latest published inclusive prefix before `tile` covers,
  /// or `oldest` if that is more. Each lane looks at one group end. The warp repeats this until a
  /// prefix is found, or `oldest` is within its reach.
  SAM_DEVICE index_t latest_inclusive_prefix(index_t oldest, index_t tile) const {
    index_t const aligned = tile / group() * group();
    for (;;) {
      index_t const mine = aligned - index_t(Device::lane()) * group();
      int const found = Device::first_lane_where(mine > oldest && is_there(mine - 1));
      if (found < Device::warp_size)
        return aligned - index_t(found) * group();
      // From `oldest` on, the warp can read aggregates instead.
      if (aligned - index_t(Device::warp_size) * group() <= oldest)
        return oldest;
    }
  }

  SAM_DEVICE void publish_inclusive_prefix(index_t tile, state& known) {
    if (due_.at_least(tile + 1) != tile + 1)
      return;
    if (!known.counted) {
      lanes_type::copy(known.base, known.total);
      add(known.total, known.tiles > 0, aggregate, 1);
    }
    if (lanes_.run == 0)
      this->write(this->at(1, tile), tile, known.total);
    // Orders the writes of this prefix and of the aggregate before the tile counts as finished, and
    // so before a later tile's writes of the slot. A tile without a prefix need not do so, because
    // other tiles have read its aggregate before its slot is free. If there is a prefix, they may
    // have read only that.
    Device::order();
  }

 private:
  /// Returns the number of tiles of a group.
  SAM_DEVICE int group() const { return lanes_.runs; }
  /// Returns the distance between tiles whose inclusive prefixes are published, as the scheme needs
  /// them.
  SAM_DEVICE index_t interval() const {
    if (asked == asked_prefixes::any)
      return 1;
    if (asked == asked_prefixes::named)
      return group();
    return engine::max_of(1, index_t(e_.depth) / 4 / group()) * group();
  }

  /// True if the inclusive prefix of a tile is published, in all components.
  SAM_DEVICE bool is_there(index_t tile) const {
    bool ready = true;
    for (int c = 0; c < lanes_.width; ++c)
      for (int w = 0; w < Q * base_type::words; ++w)
        ready &= Device::load(this->at(1, tile, c) + std::uint32_t(w) * this->step()).sequence ==
                 this->sequence(tile);
    return ready;
  }

  /// Appends the aggregate of `tiles` tiles to a state. If the state is of no tile yet, and there
  /// is no initial state, copies the aggregate.
  SAM_DEVICE void add(values& to, bool known, values const& later, int tiles) const {
    if (known || traits::starts_known)
      lanes_.append(to, later, powers_(tiles));
    else
      lanes_type::copy(later, to);
  }

  /// Computes the exclusive prefix of a tile and, if HasLocal, its inclusive prefix. Waits for all
  /// aggregates that these need.
  template <bool HasLocal>
  SAM_DEVICE void accumulate_aggregates(index_t tile, state& known) {
    index_t const aligned = tile / group() * group();
    int const rest = int(tile - aligned);
    values part;
    if constexpr (HasLocal)
      lanes_type::copy(aggregate, part);
    // Load the last, incomplete group first. Most of it has arrived by the time it is needed.
    index_t const mine = aligned + lanes_.run;
    bool ready = lanes_.run >= rest || this->try_read(this->at(0, mine), mine, part);
    while (known.tiles < aligned)
      append_most_groups<batch>(known, aligned);
    lanes_type::copy(known.base, known.before);
    bool const with_aggregate = HasLocal && has_aggregate;
    known.counted = with_aggregate && rest > 0;
    if (rest == 0)
      return;
    while (!Device::all_lanes(ready))
      ready = ready || this->try_read(this->at(0, mine), mine, part);
    lanes_.scan_runs(part, lanes_.run < rest + with_aggregate, powers_);
    values last;
    lanes_.from_run(part, rest - 1, last);
    add(known.before, aligned > 0, last, rest);
    if (with_aggregate) {
      lanes_.from_run(part, rest, last);
      lanes_type::copy(known.base, known.total);
      add(known.total, aligned > 0, last, rest + 1);
    }
  }

  /// Appends up to N of the groups before tile `end`.
  template <int N>
  SAM_DEVICE void append_most_groups(state& known, index_t end) const {
    if constexpr (N > 1)
      if (known.tiles + N * group() > end)
        return reads_few_together ? append_most_groups<N - 1>(known, end) : append_groups<1>(known);
    append_groups<N>(known);
  }
  /// Waits for the aggregates of the next N groups, and appends them.
  template <int N>
  SAM_DEVICE void append_groups(state& known) const {
    values part[N];
    bool const mine = lanes_.run < group();
    for (bool ready = false; !Device::all_lanes(ready);) {
      ready = true;
      if (mine)
#pragma unroll
        for (int b = 0; b < N; ++b) {
          index_t const tile = known.tiles + b * group() + lanes_.run;
          ready &= this->try_read(this->at(0, tile), tile, part[b]);
        }
    }
#pragma unroll
    for (int b = 0; b < N; ++b)
      lanes_.scan_runs(part[b], mine, powers_);
#pragma unroll
    for (int b = 0; b < N; ++b) {
      values last;
      lanes_.from_run(part[b], group() - 1, last);
      add(known.base, known.tiles > 0, last, group());
      known.tiles += group();
    }
  }

  tile_powers<traits> powers_;
  // `due_` rounds up to tiles with a published inclusive prefix, `oldest_readable_` to tiles from
  // which aggregates may be read.
  multiples due_, oldest_readable_;
};

}  // namespace sam::inline v0_1::gpu
