// SPDX-License-Identifier: MIT
// Where the blocks of a pass leave the summaries and totals of their tiles for one another, and how
// they share out the tiles.
//
// A carry word is four bytes of a value and the sequence number that says whose they are, written and
// read as one: whoever sees the number sees the bytes. Nothing needs a fence, and nothing is cleared:
// tile t of a launch has number base + t + 1, and the base moves on from launch to launch.
//
// The words of a tile lie in slot (base + t) mod 2 D. A tile u is published only after every tile up to
// u - D has finished, that is, has read all that it will read. A tile t reads nothing older than tile
// t - D, and the slot of that is written next by t + D: after t has finished. So no word is lost, however
// late a block is; and the oldest unfinished tile, which a running block holds, never waits for room.
// Who has finished is counted by epochs of E <= D tiles, each with a counter of its own.
//
// Source: the ring and the words bypassing L1 are SAM's (Maleki, Yang, Burtscher, PLDI 2016, section
// 2.2); values packed with what validates them are LightScan's (Liu, Aluru, 2016, section III).
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
  std::uint32_t window;  // D
  std::uint32_t epoch;   // E, a power of two; 4 D <= epochs x E
};

/// Words that a slot needs: for a local and for a total.
template <class Traits, class T>
inline constexpr int words_of_slot = 2 * Traits::Q * Traits::S * words_of<T>;

/// One warp's end of an exchange, used by all its lanes together: the carry_mailbox that schemes see.
/// States lie across the lanes; summaries are combined in groups of as many tiles as a warp holds runs,
/// aligned at multiples of that, each as a fixed tree, and the groups from left to right: so the bits
/// depend on the tiles alone.
template <class Device, class T, class Pass, class Tables>
class mailbox {
  using traits = pass_traits<Device, T, Pass>;
  using lanes_type = lane_states<Device, T, Pass>;
  using values = typename traits::state;
  static constexpr int Q = traits::Q;
  static constexpr int S = traits::S;
  static constexpr int group = traits::runs;
  static constexpr int words = words_of<T>;
  static constexpr int batch = Q * words <= 2 ? 4 : Q * words <= 4 ? 2 : 1;  // groups read at a time

 public:
  /// Everything before some tile.
  struct state {
    values base;    // of `tiles` tiles, if there is anything before them
    values before;  // of all before the tile asked for
    values total;   // and of that tile as well
    index_t tiles;
    bool counted;  // whether `total` is of this tile
  };

  SAM_DEVICE mailbox(exchange const& e, lanes_type const& lanes, Tables const& tables,
                     std::uint32_t base)
      : e_(e), lanes_(lanes), tables_(tables), base_(base) {}

  /// The summary of this warp's tile, to be published.
  values local;

  static SAM_DEVICE index_t folded(state const& known) { return known.tiles; }
  SAM_DEVICE index_t floor(index_t tile) const {
    return max_of(0, div_up(tile - index_t(e_.window) + 1, group) * group);
  }

  SAM_DEVICE void publish_local(index_t tile) const { write(0, tile, local); }

  SAM_DEVICE void read_total(index_t tile, state& known) const {
    while (!Device::all_lanes(lanes_.run >= group || try_read(1, tile, known.base)))
      Device::pause();
    known.tiles = tile + 1;
    lanes_type::copy(known.base, known.before);
    known.counted = false;
  }

  SAM_DEVICE void append_locals(index_t tile, state& known) const {
    index_t const aligned = tile / group * group;
    while (known.tiles < aligned)
      if (known.tiles + batch * group <= aligned)
        append_groups<batch>(known);
      else
        append_groups<1>(known);
    int const rest = int(tile - aligned);
    lanes_type::copy(known.base, known.before);
    known.counted = rest > 0;
    if (rest == 0)
      return;
    values part;
    lanes_type::copy(local, part);
    while (!Device::all_lanes(lanes_.run >= rest || try_read(0, aligned + lanes_.run, part)))
      Device::pause();
    lanes_.scan_runs(part, lanes_.run <= rest, [&](int d) -> auto& { return tables_.tiles(d); });
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
      bool const there = mine > floor && is_there(1, mine - 1);
      int const found = Device::first_lane_where(there);
      if (found < Device::warp_size)
        return aligned - index_t(found) * group;
      // Within a warp's reach of groups one is finished, or all that is missing are locals.
      if (aligned - index_t(Device::warp_size) * group <= floor)
        return floor;
    }
  }

  /// Waits until the slot of a tile is free; before either of its words is written.
  SAM_DEVICE void make_room(index_t tile) {
    if (tile < index_t(e_.window))
      return;
    std::uint32_t const epoch = (base_ + std::uint32_t(tile) - e_.window) / e_.epoch;
    if (finished_ > epoch)
      return;
    for (std::uint32_t k = base_ / e_.epoch > finished_ ? base_ / e_.epoch : finished_; k <= epoch; ++k)
      while (Device::load(e_.shared->finished + k % control::epochs) <
             e_.epoch * (1 + k / control::epochs))
        Device::pause();
    finished_ = epoch + 1;
  }

  SAM_DEVICE void publish_total(index_t tile, state& known) const {
    if (!known.counted) {
      lanes_type::copy(known.base, known.total);
      add(known.total, known.tiles > 0, local, 1);
    }
    write(1, tile, known.total);
  }

  /// This warp reads nothing more for the tile.
  SAM_DEVICE void finish(index_t tile) const {
    Device::sync_warp();
    if (Device::lane() == 0)
      Device::add(e_.shared->finished + (base_ + std::uint32_t(tile)) / e_.epoch % control::epochs, 1);
  }

 private:
  SAM_DEVICE carry_word* word(int kind, int q, int w, index_t tile) const {
    std::uint32_t const slot = (base_ + std::uint32_t(tile)) % e_.slots;
    return e_.words + (index_t((kind * Q + q) * words + w) * e_.slots + slot) * S + lanes_.component;
  }
  SAM_DEVICE std::uint32_t sequence(index_t tile) const { return base_ + std::uint32_t(tile) + 1; }

  SAM_DEVICE void write(int kind, index_t tile, values const& from) const {
    if (lanes_.run != 0)
      return;
    for (int q = 0; q < Q; ++q)
      to_words(from.at[q], [&](int w, std::uint32_t bits) {
        Device::store(word(kind, q, w, tile), carry_word{bits, sequence(tile)});
      });
  }
  /// Whether the words of a tile were there.
  SAM_DEVICE bool try_read(int kind, index_t tile, values& to) const {
    bool ready = true;
    for (int q = 0; q < Q; ++q)
      to.at[q] = from_words<T>([&](int w) {
        carry_word const read = Device::load(word(kind, q, w, tile));
        ready &= read.sequence == sequence(tile);
        return read.value;
      });
    return ready;
  }
  SAM_DEVICE bool is_there(int kind, index_t tile) const {
    bool ready = true;
    for (int q = 0; q < Q; ++q)
      for (int w = 0; w < words; ++w)
        for (int c = 0; c < S; ++c)
          ready = ready && Device::load(word(kind, q, w, tile) - lanes_.component + c).sequence ==
                               sequence(tile);
    return ready;
  }

  /// Appends what `tiles` tiles hold to a state that may yet be of none.
  SAM_DEVICE void add(values& to, bool known, values const& later, int tiles) const {
    if (known || traits::starts_known)
      lanes_.append(to, later, tables_.tiles(tiles));
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
        for (int b = 0; b < N; ++b)
          ready &= try_read(0, known.tiles + b * group + lanes_.run, part[b]);
    }
#pragma unroll
    for (int b = 0; b < N; ++b)
      lanes_.scan_runs(part[b], mine, [&](int d) -> auto& { return tables_.tiles(d); });
#pragma unroll
    for (int b = 0; b < N; ++b) {
      values last;
      lanes_.from_run(part[b], group - 1, last);
      add(known.base, known.tiles > 0, last, group);
      known.tiles += group;
    }
  }

  exchange const& e_;
  lanes_type const& lanes_;
  Tables const& tables_;
  std::uint32_t base_;
  std::uint32_t finished_ = 0;  // epochs known to be complete
};

}  // namespace sam::gpu
