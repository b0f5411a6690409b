// SPDX-License-Identifier: MIT
// Where the blocks of a pass leave the summaries and totals of their tiles for one another.
//
// A carry word is four bytes of a value and the sequence number that says whose they are, written
// and read as one: whoever sees the number sees the bytes. No reader needs a fence, and nothing is
// cleared: tile t of a launch has number base + t + 1, and the base moves on from launch to launch.
//
// The words of a tile lie in slot (base + t) mod 2 D. A tile u is published only after every tile
// up to u - D has finished, that is, has read all that it will read. A tile t reads nothing older
// than tile t - D, and the slot of that is written next by t + D: after t has finished. So no word
// is lost, however late a block is; and the oldest unfinished tile, which a running block holds,
// never waits for room. Who has finished is counted by epochs of E <= D tiles, each with a counter
// of its own.
//
// Source: the ring and the words bypassing L1 are SAM's (Maleki, Yang, Burtscher, PLDI 2016,
// section 2.2); values packed with what validates them are LightScan's (Liu, Aluru, 2016, section
// III).
#pragma once

#include <sam/carry_scheme.hpp>
#include <sam/gpu/lanes.hpp>

namespace sam::gpu {

struct alignas(8) carry_word {
  std::uint32_t value;
  std::uint32_t sequence;
};

/// What stays from launch to launch; all zero at first.
struct control {
  static constexpr int epochs = 16;
  std::uint32_t base;    // the sequence number of what lies before tile 0
  std::uint32_t claims;  // tiles that have been claimed
  std::uint32_t left;    // blocks that are done
  std::uint32_t finished[epochs];
};

/// The memory of a pass's exchange.
struct exchange {
  control* shared;
  carry_word* words;
  index_t capacity;      // words there are
  std::uint32_t slots;   // 2 D, a power of two
  std::uint32_t window;  // D, at least 512
  std::uint32_t epoch;   // E, a power of two; 4 D <= epochs x E
};

/// Words that a slot needs: for a local and for a total.
template <class Traits, class T>
inline constexpr int words_of_slot = 2 * Traits::Q* Traits::S* words_of<T>;

/// What both kinds of mailbox share: the words of an exchange, and who has finished. A warp's lanes
/// use it together.
template <class Device, class T, class Pass>
class mail_words {
 protected:
  using traits = pass_traits<Device, T, Pass>;
  using lanes_type = lane_states<Device, T, Pass>;
  using values = typename traits::state;
  static constexpr int Q = traits::Q;
  static constexpr int S = traits::S;
  static constexpr int words = words_of<T>;

  SAM_DEVICE mail_words(exchange const& e, lanes_type const& lanes, std::uint32_t base)
      : e_(e), lanes_(lanes), base_(base) {}

 public:
  /// The summary of this warp's tile, to be published.
  values local;

  SAM_DEVICE void publish_local(index_t tile) const {
    if (lanes_.run == 0)
      write(at(0, tile), tile, local);
  }

  /// Waits until the slot of a tile is free; before any of its words is written.
  SAM_DEVICE void make_room(index_t tile) {
    if (tile < index_t(e_.window))
      return;
    std::uint32_t const epoch = (base_ + std::uint32_t(tile) - e_.window) / e_.epoch;
    std::uint32_t const first = base_ / e_.epoch;
    finished_ = first > finished_ ? first : finished_;
    if (finished_ > epoch)
      return;
    for (; finished_ <= epoch; ++finished_)
      while (Device::load(e_.shared->finished + finished_ % control::epochs) <
             e_.epoch * (1 + finished_ / control::epochs))
        Device::pause();
    Device::fence();  // what they wrote to the slot has taken effect before what is written now
  }

  /// Learns, without waiting, of as much room as there is: so that make_room need not ask.
  SAM_DEVICE void look_for_room(index_t tile) {
    std::uint32_t const first = base_ / e_.epoch;
    std::uint32_t const known = first > finished_ ? first : finished_;
    finished_ = known;
    while (finished_ < (base_ + std::uint32_t(tile)) / e_.epoch &&
           Device::load(e_.shared->finished + finished_ % control::epochs) >=
               e_.epoch * (1 + finished_ / control::epochs))
      ++finished_;
    if (finished_ > known)
      Device::fence();
  }

  /// This warp reads nothing more for the tile.
  SAM_DEVICE void finish(index_t tile) const {
    Device::sync_warp();
    if (Device::lane() == 0)
      Device::add(e_.shared->finished + (base_ + std::uint32_t(tile)) / e_.epoch % control::epochs,
                  1);
  }

 protected:
  /// Where the words of a tile's component begin, of locals (0) and of totals (1); each next word
  /// of it lies `plane()` further on.
  SAM_DEVICE carry_word* at(int kind, index_t tile) const {
    std::uint32_t const slot = (base_ + std::uint32_t(tile)) & (e_.slots - 1);
    return e_.words + (std::uint32_t(kind * Q * words) * e_.slots + slot) * std::uint32_t(S) +
           lanes_.component;
  }
  SAM_DEVICE std::uint32_t plane() const { return e_.slots * std::uint32_t(S); }
  SAM_DEVICE std::uint32_t sequence(index_t tile) const { return base_ + std::uint32_t(tile) + 1; }

  SAM_DEVICE void write(carry_word* to, index_t tile, values const& from) const {
    for (int q = 0; q < Q; ++q)
      to_words(from.at[q], [&](int w, std::uint32_t bits) {
        Device::store(to + std::uint32_t(q * words + w) * plane(),
                      carry_word{bits, sequence(tile)});
      });
  }
  /// Whether the words of a tile were there.
  SAM_DEVICE bool try_read(carry_word const* from, index_t tile, values& to) const {
    bool ready = true;
    for (int q = 0; q < Q; ++q)
      to.at[q] = from_words<T>([&](int w) {
        carry_word const read = Device::load(from + std::uint32_t(q * words + w) * plane());
        ready &= read.sequence == sequence(tile);
        return read.value;
      });
    return ready;
  }

  exchange const& e_;
  lanes_type const& lanes_;
  std::uint32_t base_;

 private:
  std::uint32_t finished_ = 0;  // the first epoch that is not known to be complete
};

/// The carry_mailbox for any operator and scheme. Summaries are combined in groups of as many tiles
/// as a warp holds runs, aligned at multiples of that, each as a fixed tree, and the groups from
/// left to right: so the bits depend on the tiles alone.
template <class Device, class T, class Pass>
class ordered_mailbox : public mail_words<Device, T, Pass> {
  using base_type = mail_words<Device, T, Pass>;
  using base_type::e_;
  using base_type::lanes_;
  using base_type::Q;
  using base_type::S;
  using typename base_type::lanes_type;
  using typename base_type::traits;
  using typename base_type::values;
  static constexpr int group = traits::runs;
  static constexpr asked_totals asked = totals_asked_by<typename Pass::carry>;
  static constexpr int batch =
      int(max_of(1, min_of(4, 8 / (Q * base_type::words))));  // groups read at a time

 public:
  /// Everything before some tile.
  struct state {
    values base;    // of `tiles` tiles, if there is anything before them
    values before;  // of all before the tile asked for
    values total;   // and of that tile as well
    index_t tiles;
    bool counted;  // whether `total` is of this tile
  };

  /// Warps that share the work.
  static constexpr int warps = 1;
  /// How many tiles apart a lane's tiles are; the window must be more than twice that.
  static constexpr int classes = group;

  SAM_DEVICE ordered_mailbox(exchange const& e, lanes_type const& lanes, tile_powers<traits> powers,
                             std::uint32_t base, int)
      : base_type(e, lanes, base), powers_(powers),
        interval_(asked == asked_totals::any ? 1
                  : asked == asked_totals::named
                      ? group
                      : max_of(1, index_t(e.window) / 4 / group) * group) {}

  using base_type::local;

  SAM_DEVICE void start(state& known) const {
    if constexpr (traits::starts_known)
      lanes_.start(known.base);
    lanes_type::copy(known.base, known.before);
    known.tiles = 0;
    known.counted = false;
  }

  static SAM_DEVICE index_t folded(state const& known) { return known.tiles; }
  SAM_DEVICE index_t floor(index_t tile) const {
    index_t const step = max_of(interval_, group);
    return max_of(0, div_up(tile - index_t(e_.window) + 1, step) * step);
  }

  SAM_DEVICE void read_total(index_t tile, state& known) const {
    while (!Device::all_lanes(this->try_read(this->at(1, tile), tile, known.base)))
      Device::pause();
    known.tiles = tile + 1;
    lanes_type::copy(known.base, known.before);
    known.counted = false;
  }

  SAM_DEVICE void append_locals(index_t tile, state& known) const {
    index_t const aligned = tile / group * group;
    int const rest = int(tile - aligned);
    values part;
    lanes_type::copy(local, part);
    // Ask for the last, short group first: most of it is there by the time it is needed.
    index_t const mine = aligned + lanes_.run;
    bool ready = lanes_.run >= rest || this->try_read(this->at(0, mine), mine, part);
    while (known.tiles < aligned)
      if (known.tiles + batch * group <= aligned)
        append_groups<batch>(known);
      else
        append_groups<1>(known);
    lanes_type::copy(known.base, known.before);
    known.counted = rest > 0;
    if (rest == 0)
      return;
    while (!Device::all_lanes(ready))
      ready = ready || this->try_read(this->at(0, mine), mine, part);
    lanes_.scan_runs(part, lanes_.run <= rest, powers_);
    values last;
    lanes_.from_run(part, rest - 1, last);
    add(known.before, aligned > 0, last, rest);
    lanes_.from_run(part, rest, last);
    lanes_type::copy(known.base, known.total);
    add(known.total, aligned > 0, last, rest + 1);
  }

  /// The latest of the totals at group ends that is there, looking back group by group.
  SAM_DEVICE index_t latest_total(index_t floor, index_t tile) const {
    index_t const aligned = tile / group * group;
    for (;;) {
      index_t const mine = aligned - index_t(Device::lane()) * group;
      int const found = Device::first_lane_where(mine > floor && is_there(mine - 1));
      if (found < Device::warp_size)
        return aligned - index_t(found) * group;
      // Within a warp's reach of groups one is finished, or all that is missing are locals.
      if (aligned - index_t(Device::warp_size) * group <= floor)
        return floor;
    }
  }

  SAM_DEVICE void publish_total(index_t tile, state& known) const {
    if ((tile + 1) % interval_ != 0)
      return;
    if (!known.counted) {
      lanes_type::copy(known.base, known.total);
      add(known.total, known.tiles > 0, local, 1);
    }
    if (lanes_.run == 0)
      this->write(this->at(1, tile), tile, known.total);
    Device::fence();  // see make_room; of a summary, others have read it before its slot is free
  }

 private:
  SAM_DEVICE bool is_there(index_t tile) const {
    carry_word const* const from = this->at(1, tile) - lanes_.component;
    bool ready = true;
    for (int w = 0; w < Q * base_type::words; ++w)
      for (int c = 0; c < S; ++c)
        ready &= Device::load(from + std::uint32_t(w) * this->plane() + c).sequence ==
                 this->sequence(tile);
    return ready;
  }

  /// Appends what `tiles` tiles hold to a state that may yet be of none.
  SAM_DEVICE void add(values& to, bool known, values const& later, int tiles) const {
    if (known || traits::starts_known)
      lanes_.append(to, later, powers_(tiles));
    else
      lanes_type::copy(later, to);
  }

  template <int N>
  SAM_DEVICE void append_groups(state& known) const {
    values part[N];
    bool const mine = lanes_.run < group;
    for (bool ready = false; !Device::all_lanes(ready);) {
      ready = true;
      if (mine)
#pragma unroll
        for (int b = 0; b < N; ++b) {
          index_t const tile = known.tiles + b * group + lanes_.run;
          ready &= this->try_read(this->at(0, tile), tile, part[b]);
        }
    }
#pragma unroll
    for (int b = 0; b < N; ++b)
      lanes_.scan_runs(part[b], mine, powers_);
#pragma unroll
    for (int b = 0; b < N; ++b) {
      values last;
      lanes_.from_run(part[b], group - 1, last);
      add(known.base, known.tiles > 0, last, group);
      known.tiles += group;
    }
  }

  tile_powers<traits> powers_;
  index_t interval_;  // a total is published of every so many tiles
};

/// The carry_mailbox for operators that commute and have an identity, and schemes that ask for
/// totals at floors only. Tiles are dealt out among the lanes of several warps: a lane keeps the
/// sum of every `classes`-th tile, reads each of their summaries once, and adds it by one
/// operation. What lies before a tile is the sum of all lanes' sums, each moved on to that tile; of
/// one warp's lanes, `before`. So again the bits depend on the tiles alone. Every `interval` tiles,
/// all lanes' sums are published, from which a block that fell behind goes on.
template <class Device, class T, class Pass>
class strided_mailbox : public mail_words<Device, T, Pass> {
  using base_type = mail_words<Device, T, Pass>;
  using base_type::e_;
  using base_type::lanes_;
  using base_type::Q;
  using base_type::S;
  using typename base_type::lanes_type;
  using typename base_type::traits;
  using typename base_type::values;
  static constexpr int runs = traits::runs;
  static constexpr int words = Q * base_type::words;
  static constexpr int batch = int(max_of(1, min_of(8, 16 / words)));

 public:
  /// Warps that share the work.
  static constexpr int warps = S * Q == 1 ? 1 : S * words >= 3 ? 4 : 2;
  static constexpr int classes = warps * runs;

  struct state {
    values sum;     // of this lane's tiles before `next`, as of behind the last of them
    values before;  // of this warp's tiles before the tile asked for
    index_t next;   // the first of this lane's tiles that is not in `sum`
    index_t tiles;  // all lanes are there
  };

  /// `powers` are of 0, 1, 2, ... tiles.
  SAM_DEVICE strided_mailbox(exchange const& e, lanes_type const& lanes, tile_powers<traits> powers,
                             std::uint32_t base, int warp)
      : base_type(e, lanes, base), powers_(powers), first_(warp * runs + lanes.run),
        mine_(lanes.run < runs), interval_(max_of(1, index_t(e.window) / 4 / classes) * classes) {}

  using base_type::local;

  // What lies before all tiles counts as tile -1.
  SAM_DEVICE void start(state& known) const {
    for (int q = 0; q < Q; ++q)
      known.sum.at[q] = identity_of<T>(lanes_.pass.op);
    if (first_ == classes - 1)
      lanes_.start(known.sum);
    known.next = first_;
    known.tiles = 0;
  }

  static SAM_DEVICE index_t folded(state const& known) { return known.tiles; }
  SAM_DEVICE index_t floor(index_t tile) const {
    // A checkpoint takes up the slots of as many tiles as there are classes.
    return max_of(0, div_up(tile - index_t(e_.window) + classes + 1, interval_) * interval_);
  }

  SAM_DEVICE void read_total(index_t tile, state& known) const {
    index_t const from = tile + 1;  // a multiple of the interval
    while (!Device::all_lanes(!mine_ || this->try_read(checkpoint(from), from, known.sum)))
      Device::pause();
    known.next = from + first_;
    known.tiles = from;
  }

  SAM_DEVICE void append_locals(index_t tile, state& known) const {
    typename traits::power const step = powers_(classes);
    while (!Device::all_lanes(!mine_ || known.next >= tile)) {
      values read[batch];
      bool ready[batch];
#pragma unroll
      for (int b = 0; b < batch; ++b) {
        index_t const t = known.next + b * classes;
        ready[b] = mine_ && t < tile && this->try_read(this->at(0, t), t, read[b]);
      }
      bool on = true;
#pragma unroll
      for (int b = 0; b < batch; ++b) {
        on = on && ready[b];
        if (on) {
          lanes_.append(known.sum, read[b], step);
          known.next += classes;
        }
      }
    }
    known.tiles = tile;
    lanes_type::copy(known.sum, known.before);
    if constexpr (traits::algebra) {
      int const behind = int(tile - 1 - (known.next - classes));
      if (mine_ && behind > 0)  // by 0 tiles means by 1, but also an infinite value by 0
        sam::append<Q>(lanes_.pass.op, known.before.at, nothing().at, powers_(behind));
    }
    lanes_.sum_runs(known.before);
  }

  SAM_DEVICE index_t latest_total(index_t floor, index_t) const { return floor; }

  SAM_DEVICE void publish_total(index_t tile, state& known) const {
    if (tile % interval_ != 0)
      return;
    if (mine_)
      this->write(checkpoint(tile), tile, known.sum);
    Device::fence();  // see make_room; of a summary, others have read it before its slot is free
  }

 private:
  /// Where the sums of the tiles before a multiple of the interval lie: in words for totals of the
  /// slots from the multiple on.
  SAM_DEVICE carry_word* checkpoint(index_t tile) const { return this->at(1, tile + first_); }
  SAM_DEVICE values nothing() const {
    values none;
    for (int q = 0; q < Q; ++q)
      none.at[q] = identity_of<T>(lanes_.pass.op);
    return none;
  }

  tile_powers<traits> powers_;
  int first_;  // this lane's class
  bool mine_;  // or it has none
  index_t interval_;
};

template <class Device, class T, class Pass>
using mailbox_for =
    std::conditional_t<is_commutative<typename Pass::op_type> &&
                           has_identity<typename Pass::op_type, T> &&
                           totals_asked_by<typename Pass::carry> == asked_totals::at_floors,
                       strided_mailbox<Device, T, Pass>, ordered_mailbox<Device, T, Pass>>;

}  // namespace sam::gpu
