// SPDX-License-Identifier: MIT
// Where the blocks of a pass leave the aggregates and totals of their tiles for one another.
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
// of its own. Where one block follows all others (reduce_epilogue.hpp), it alone reads, in order,
// and counts the tiles it has read; the rest is the same.
//
// Source: the ring and the words bypassing L1 are SAM's (Maleki, Yang, Burtscher, PLDI 2016,
// section 2.2); values packed with what validates them are LightScan's (Liu, Aluru, 2016, section
// III).
#pragma once

#include <sam/carry_scheme.hpp>
#include <sam/gpu/carry/descriptor_memory.hpp>
#include <sam/gpu/warp/warp_state.hpp>

namespace sam::gpu {

/// Where the words of a slot lie. A tile's are together, and share no sector of L2 with another's:
/// sectors that blocks write while others read go back and forth between the halves of L2. But
/// where a lane has many words, lanes read neighbouring tiles' together, so the first words of all
/// slots are together, then the second ones, and so on.
template <class Traits, class T>
struct slot_layout {
  static constexpr int sector = 32 / int(sizeof(descriptor_word));
  static constexpr int of_lane = Traits::Q * words_of<T>;
  static constexpr bool together = of_lane <= 5;
  static constexpr int all = of_lane * Traits::S;
  static constexpr int words = together ? (all + sector - 1) / sector * sector : all;
};

/// Words that a slot needs: for an aggregate and for a total.
template <class Traits, class T>
inline constexpr int words_of_slot = 2 * slot_layout<Traits, T>::words;

/// The multiples of a number of tiles, asked for in ascending order: so that few are divided for.
struct multiples {
  int step;
  int last = 0;
  SAM_FUNCTION explicit multiples(index_t s) : step(int(s)) {}

  /// The smallest that is at least x, and not less than before.
  SAM_FUNCTION index_t at_least(index_t x) {
    if (last < x)
      last = (int(x) + step - 1) / step * step;
    return last;
  }
};

/// What both kinds of descriptors share: the words of a descriptor_ring, and who has finished. A
/// warp's lanes use it together.
template <class Device, class T, class Policy>
class descriptor_words {
 protected:
  using traits = policy_traits<Device, T, Policy>;
  using lanes_type = warp_state<Device, T, Policy>;
  using values = typename traits::state;
  static constexpr int Q = traits::Q;
  static constexpr int S = traits::S;
  static constexpr int words = words_of<T>;
  using layout = slot_layout<traits, T>;

  SAM_DEVICE descriptor_words(descriptor_ring const& e, lanes_type const& lanes, std::uint32_t base)
      : e_(e), lanes_(lanes), base_(base), finished_(traits::fixed ? base >> e.epoch_bits : 0) {}

  /// Goes on with another panel, whose tiles come behind so many in its ring.
  SAM_DEVICE void enter(std::uint32_t tiles_before, bool of_other_ring) {
    base_ += tiles_before - earlier_;
    earlier_ = tiles_before;
    if (of_other_ring)
      finished_ = 0;
  }

 public:
  using memory = std::conditional_t<traits::fixed, descriptor_ring, panel_rings>;
  /// The aggregate of this warp's tile, to be published.
  values aggregate;

  SAM_DEVICE void publish_aggregate(index_t tile) const {
    if (lanes_.run == 0)
      write(at(0, tile), tile, aggregate);
  }

  /// Two values in place of the aggregate and the total: see reduce_epilogue.hpp.
  SAM_DEVICE void publish_two(index_t tile, values const& one, values const& other) const {
    if (lanes_.run == 0) {
      write(at(0, tile), tile, one);
      write(at(1, tile), tile, other);
    }
  }
  /// Whether they were there.
  SAM_DEVICE bool try_read_two(index_t tile, values& one, values& other) const {
    bool const first = try_read(at(0, tile), tile, one);
    return try_read(at(1, tile), tile, other) && first;
  }

  /// Waits until the slot of a tile is free; before any of its words is written.
  SAM_DEVICE void make_room(index_t tile) {
    if (tile + index_t(earlier()) < index_t(e_.window))
      return;
    std::uint32_t const epoch = (number(tile) - e_.window) >> e_.epoch_bits;
    for (; finished_ <= epoch; ++finished_)
      while (!has_finished(finished_))
        Device::pause();
  }

  /// Learns, without waiting, of as much room as there is, when little is known of: asking takes
  /// long, and make_room need not.
  SAM_DEVICE void look_for_room(index_t tile) {
    std::uint32_t const at = number(tile);
    if ((finished_ << e_.epoch_bits) + e_.window > at + e_.window / 4)
      return;
    while (finished_ < at >> e_.epoch_bits && has_finished(finished_))
      ++finished_;
  }

  /// This warp reads nothing more for the tile.
  SAM_DEVICE void finish(index_t tile) const {
    Device::sync_warp();
    if (Device::lane() == 0)
      Device::add(e_.shared->finished + (number(tile) >> e_.epoch_bits) % control::epochs, 1);
  }
  /// Nor for any of the tiles [from, to).
  SAM_DEVICE void finish(index_t from, index_t to) const {
    Device::sync_warp();
    std::uint32_t const end = number(to);
    for (std::uint32_t at = number(from); at != end;) {
      std::uint32_t const epoch = at >> e_.epoch_bits;
      std::uint32_t const next = min_of(end, (epoch + 1) << e_.epoch_bits);
      if (Device::lane() == 0)
        Device::add(e_.shared->finished + epoch % control::epochs, next - at);
      at = next;
    }
  }

 protected:
  /// Where the words of a tile's component begin, of aggregates (0) and of totals (1); each next
  /// word of it lies `step()` further on.
  SAM_DEVICE descriptor_word* at(int kind, index_t tile) const {
    return at(kind, tile, lanes_.component);
  }
  SAM_DEVICE descriptor_word* at(int kind, index_t tile, int component) const {
    std::uint32_t const slot = (base_ + std::uint32_t(tile)) & (e_.slots - 1);
    descriptor_word* const words_of_kind =
        e_.words + std::uint32_t(kind * layout::words) * e_.slots;
    if constexpr (layout::together)
      return words_of_kind + slot * std::uint32_t(layout::words) + component * layout::of_lane;
    else
      return words_of_kind + slot * std::uint32_t(S) + component;
  }
  SAM_DEVICE std::uint32_t step() const {
    return layout::together ? 1 : e_.slots * std::uint32_t(S);
  }
  SAM_DEVICE std::uint32_t sequence(index_t tile) const { return base_ + std::uint32_t(tile) + 1; }
  /// Tiles of this launch's earlier panels in this ring.
  SAM_DEVICE std::uint32_t earlier() const { return traits::fixed ? 0 : earlier_; }
  /// How many tiles are counted before this one: in all launches or, in a pass over panels, in
  /// this.
  SAM_DEVICE std::uint32_t number(index_t tile) const {
    return (traits::fixed ? base_ : earlier_) + std::uint32_t(tile);
  }

  SAM_DEVICE void write(descriptor_word* to, index_t tile, values const& from) const {
    for (int q = 0; q < Q; ++q)
      gpu::to_words(from.at[q], [&](int w, std::uint32_t bits) {
        Device::store(to + std::uint32_t(q * words + w) * step(),
                      descriptor_word{bits, sequence(tile)});
      });
  }
  /// Whether the words of a tile were there.
  SAM_DEVICE bool try_read(descriptor_word const* from, index_t tile, values& to) const {
    bool ready = true;
    for (int q = 0; q < Q; ++q)
      to.at[q] = gpu::from_words<T>([&](int w) {
        descriptor_word const read = Device::load(from + std::uint32_t(q * words + w) * step());
        ready &= read.sequence == sequence(tile);
        return read.value;
      });
    return ready;
  }

  descriptor_ring const& e_;
  lanes_type const& lanes_;
  std::uint32_t base_;  // the sequence number of what lies before the panel's tile 0

 private:
  /// Whether all tiles of an epoch have; then what they wrote to their slots has taken effect.
  SAM_DEVICE bool has_finished(std::uint32_t epoch) const {
    return Device::load_acquire(e_.shared->finished + epoch % control::epochs) >=
           (1 + epoch / control::epochs) << e_.epoch_bits;
  }

  std::uint32_t earlier_ = 0;
  std::uint32_t finished_;  // the first epoch that is not known to be complete
};

// --- The end -------------------------------------------------------------------------------------

// A block is done with the descriptor_ring when its first lookback_warp is: the other warps ask for
// nothing more. The last block makes ready for the next launch; one warp of each calls these.
// Numbers start again long before they could come round to words that are still there.

/// What a block does that is done with the descriptor_ring, while it waits to hear whether it is
/// the last.
struct do_nothing {
  SAM_FUNCTION void operator()() const {}
};
/// Whether this block, of all that have claimed tiles, is the last to leave.
template <class Device, class F = do_nothing>
SAM_DEVICE bool is_last_to_leave(control& shared, bool has_counted, F const& meanwhile = {}) {
  std::uint32_t left = 0;
  if (Device::lane() == 0) {
    if (has_counted)
      Device::fence();  // nobody may count after all has been cleared
    left = Device::add(&shared.left, 1) + 1;
  }
  meanwhile();
  if (Device::shuffle_from(left, 0) != std::uint32_t(Device::blocks()))
    return false;
  if (has_counted)
    Device::fence();  // and nothing is cleared before all have counted
  return true;
}
template <class Device>
SAM_DEVICE void clear_words(descriptor_ring const& e) {
  for (index_t k = Device::lane(); k < e.capacity; k += Device::warp_size)
    Device::store(e.words + k, descriptor_word{0, 0});
}
inline constexpr std::uint32_t enough_numbers = std::uint32_t{1} << 31;

/// Leaves a pass that has only claimed tiles.
template <class Device>
SAM_DEVICE void leave_claims(control& shared) {
  if (gpu::is_last_to_leave<Device>(shared, false) && Device::lane() == 0) {
    Device::store(&shared.claims, 0);
    Device::store(&shared.left, 0);
  }
}

/// Leaves a pass over so many tiles that began with `base`.
template <class Device, class F>
SAM_DEVICE void leave(descriptor_ring const& e, std::uint32_t base, index_t tiles,
                      F const& meanwhile) {
  control& shared = *e.shared;
  std::uint32_t const epoch = std::uint32_t{1} << e.epoch_bits;
  std::uint32_t const end = base + std::uint32_t(tiles);
  std::uint32_t const next = (end + epoch - 1) / epoch * epoch;
  bool const again = next >= enough_numbers;
  if (!gpu::is_last_to_leave<Device>(shared, again, meanwhile))
    return;
  if (again)
    gpu::clear_words<Device>(e);
  if (Device::lane() != 0)
    return;
  Device::store(&shared.claims, 0);
  Device::store(&shared.left, 0);
  Device::store(&shared.base, again ? 0 : next);
  if (!again)
    Device::add(shared.finished + (next - 1) / epoch % control::epochs, next - end);
  else
    for (int k = 0; k < control::epochs; ++k)
      Device::store(shared.finished + k, 0);
}

/// Leaves a pass over panels. All rings have one base; their counts start from zero.
template <class Device>
SAM_DEVICE void leave(panel_rings const& e, std::uint32_t base) {
  control* const shared = e.shared;
  if (!gpu::is_last_to_leave<Device>(*shared, true))
    return;
  std::uint32_t const end = base + e.by.tiles_of(0);
  if (end >= enough_numbers)
    gpu::clear_words<Device>(e);
  for (std::uint32_t r = Device::lane(); r < e.by.rings; r += Device::warp_size) {
    Device::store(&shared[r].claims, 0);
    for (int k = 0; k < control::epochs; ++k)
      Device::store(shared[r].finished + k, 0);
  }
  if (Device::lane() != 0)
    return;
  Device::store(&shared->left, 0);
  Device::store(&shared->base, end >= enough_numbers ? 0 : end);
}

}  // namespace sam::gpu
