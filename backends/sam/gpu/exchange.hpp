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
  using memory = exchange;
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
      while (!has_finished(finished_))
        Device::pause();
  }

  /// Learns, without waiting, of as much room as there is: so that make_room need not ask.
  SAM_DEVICE void look_for_room(index_t tile) {
    std::uint32_t const first = base_ / e_.epoch;
    finished_ = first > finished_ ? first : finished_;
    while (finished_ < (base_ + std::uint32_t(tile)) / e_.epoch && has_finished(finished_))
      ++finished_;
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
  /// Whether all tiles of an epoch have; then what they wrote to their slots has taken effect.
  SAM_DEVICE bool has_finished(std::uint32_t epoch) const {
    return Device::load_acquire(e_.shared->finished + epoch % control::epochs) >=
           e_.epoch * (1 + epoch / control::epochs);
  }

  std::uint32_t finished_ = 0;  // the first epoch that is not known to be complete
};

}  // namespace sam::gpu
