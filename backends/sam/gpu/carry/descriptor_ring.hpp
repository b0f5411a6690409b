// SPDX-License-Identifier: MIT
// Implements the ring of tile descriptors, in which the blocks of a single-pass scan publish the
// aggregates and inclusive prefixes of their tiles. docs/concepts/progress.md has the proof.
//
// Descriptor words: a word holds four bytes of a value and the sequence number of their tile. Both
// are written and read by one access, so a reader that sees the number sees the bytes, without a
// fence. Tile t of a launch has the number base + t + 1, and the base grows from launch to launch.
// So nothing is cleared between launches.
//
// Slots: tile t has slot (base + t) mod 2 D, where D is the ring depth. A tile is finished when its
// block will read no more descriptors for it. Tile u is published only after all tiles up to u - D
// have finished. Tile t reads nothing older than tile t - D, whose slot tile t + D reuses. Tile
// t + D is published after t has finished, so no word is overwritten before its last reader.
//
// Progress: the block of the oldest unfinished tile is running, and never waits for a slot.
//
// Finished tiles are counted in epochs of E <= D tiles, each with its own counter. In a reduction
// (reduce_epilogue.hpp) only one block reads descriptors, in tile order, and it counts the tiles
// that it has read. The other rules are the same.
//
// Source: the ring is SAM's (Maleki, Yang, Burtscher, PLDI 2016, section 2.2). Accesses that bypass
// L1, and words that pack a value with its flag, are LightScan's (Liu, Aluru, 2016, section 4.3).
#pragma once

#include <sam/carry_scheme.hpp>
#include <sam/gpu/carry/descriptor_memory.hpp>
#include <sam/gpu/warp/warp_state.hpp>

namespace sam::inline v0_1::gpu {

/// Defines the layout of the words of a slot.
///
/// With up to five words per lane, the words of a slot are contiguous, and no two slots share a
/// sector of L2. A sector that one block writes while another reads it moves back and forth between
/// the halves of L2. With more words per lane, the first words of all slots are contiguous, then
/// the second words, and so on, so that lanes that read neighbouring tiles coalesce.
template <class Traits, class T>
struct slot_layout {
  static constexpr int sector = Traits::sector_bytes / int(sizeof(descriptor_word));
  static constexpr int of_lane = Traits::Q * words_of<T>;
  static constexpr bool together = of_lane <= 5;
  static constexpr int all = of_lane * Traits::S;
  static constexpr int words = together ? (all + sector - 1) / sector * sector : all;
};

/// The number of words of a slot, which has an aggregate and an inclusive prefix.
template <class Traits, class T>
inline constexpr int words_of_slot = 2 * slot_layout<Traits, T>::words;

/// Rounds ascending numbers up to multiples of `step`. It keeps the last multiple, and so divides
/// only when a number exceeds it.
struct multiples {
  int step;
  int last = 0;
  SAM_FUNCTION explicit multiples(index_t s) : step(int(s)) {}

  /// Returns the smallest multiple that is at least x and not less than the last one returned.
  SAM_FUNCTION index_t at_least(index_t x) {
    if (last < x)
      last = (int(x) + step - 1) / step * step;
    return last;
  }
};

/// Reads and writes descriptor words of a ring, and counts finished tiles. It is the base class of
/// ordered_lookback and strided_lookback. All lanes of a warp call its functions together.
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

  /// Continues with another panel. `tiles_before` is the number of tiles of earlier panels in its
  /// ring.
  SAM_DEVICE void enter(std::uint32_t tiles_before, bool of_other_ring) {
    base_ += tiles_before - earlier_;
    earlier_ = tiles_before;
    if (of_other_ring)
      finished_ = 0;
  }

 public:
  using memory = std::conditional_t<traits::fixed, descriptor_ring, panel_rings>;
  /// The aggregate of the current tile, which publish_aggregate() writes.
  values aggregate;

  /// Writes the aggregate of a tile to its slot.
  SAM_DEVICE void publish_aggregate(index_t tile) const {
    if (lanes_.run == 0)
      write(at(0, tile), tile, aggregate);
  }

  /// Publishes two values in place of the aggregate and the inclusive prefix, for
  /// reduce_epilogue.hpp.
  SAM_DEVICE void publish_two(index_t tile, values const& one, values const& other) const {
    if (lanes_.run == 0) {
      write(at(0, tile), tile, one);
      write(at(1, tile), tile, other);
    }
  }
  /// Reads the values of publish_two(). True if this lane found both.
  SAM_DEVICE bool try_read_two(index_t tile, values& one, values& other) const {
    bool const first = try_read(at(0, tile), tile, one);
    return try_read(at(1, tile), tile, other) && first;
  }

  /// Waits until the slot of a tile is free. Called before any of its words is written.
  SAM_DEVICE void wait_for_slot(index_t tile) {
    if (tile + index_t(earlier()) < index_t(e_.depth))
      return;
    std::uint32_t const epoch = (number(tile) - e_.depth) >> e_.epoch_bits;
    for (; finished_ <= epoch; ++finished_)
      while (!has_finished(finished_))
        Device::pause();
  }

  /// Polls the counters of finished tiles, without waiting, if fewer than D / 4 slots are known to
  /// be free. Loading a counter takes long; after this, wait_for_slot() rarely has to.
  SAM_DEVICE void poll_for_slots(index_t tile) {
    std::uint32_t const at = number(tile);
    if ((finished_ << e_.epoch_bits) + e_.depth > at + e_.depth / 4)
      return;
    while (finished_ < at >> e_.epoch_bits && has_finished(finished_))
      ++finished_;
  }

  /// Counts the tile as finished. This warp reads no more descriptors for it.
  SAM_DEVICE void finish(index_t tile) const {
    Device::sync_warp();
    if (Device::lane() == 0)
      Device::add(e_.shared->finished + (number(tile) >> e_.epoch_bits) % control::epochs, 1);
  }
  /// Counts the tiles [from, to) as finished.
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
  /// Returns the first word of a tile's aggregate (kind 0) or inclusive prefix (kind 1), for this
  /// lane's component. The following words are `step()` apart.
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
  /// Returns the distance between consecutive words of one component of a tile.
  SAM_DEVICE std::uint32_t step() const {
    return layout::together ? 1 : e_.slots * std::uint32_t(S);
  }
  /// Returns the sequence number of a tile.
  SAM_DEVICE std::uint32_t sequence(index_t tile) const { return base_ + std::uint32_t(tile) + 1; }
  /// Returns the number of tiles of earlier panels of this launch in this ring.
  SAM_DEVICE std::uint32_t earlier() const { return traits::fixed ? 0 : earlier_; }
  /// Returns the number of tiles that are counted before this one. A pass over panels counts those
  /// of this launch, any other pass those of all launches.
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
  /// Reads the words of a tile into `to`. True if all of them have the tile's sequence number.
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
  std::uint32_t base_;  // the sequence number of the panel's tile 0 is base_ + 1

 private:
  /// True if all tiles of an epoch have finished. Their writes to the ring then come before all
  /// writes that follow this call.
  SAM_DEVICE bool has_finished(std::uint32_t epoch) const {
    return Device::load_acquire(e_.shared->finished + epoch % control::epochs) >=
           (1 + epoch / control::epochs) << e_.epoch_bits;
  }

  std::uint32_t earlier_ = 0;
  std::uint32_t finished_;  // the first epoch that is not known to have finished
};

// --- The end of a launch -------------------------------------------------------------------------

// A block needs the ring no more when its first look-back warp has ended. One warp of each block
// then calls one of these functions. The last block to do so prepares the counters for the next
// launch. Sequence numbers restart from zero after 2^31, when all words are cleared, so that no old
// word looks valid.

/// Does nothing when called.
struct do_nothing {
  SAM_FUNCTION void operator()() const {}
};
/// True for the last block of the grid that calls this. Calls meanwhile() while lane 0's increment
/// of the counter of blocks is in flight. If `has_counted` is set, orders the counts of finished
/// tiles by all blocks before the accesses that follow in the last block.
template <class Device, class F = do_nothing>
SAM_DEVICE bool is_last_to_leave(control& shared, bool has_counted, F const& meanwhile = {}) {
  std::uint32_t left = 0;
  if (Device::lane() == 0) {
    if (has_counted)
      Device::order();  // orders this block's counts before its increment of `left`
    left = Device::add(&shared.left, 1) + 1;
  }
  meanwhile();
  if (Device::shuffle_from(left, 0) != std::uint32_t(Device::blocks()))
    return false;
  if (has_counted)
    Device::order();  // orders the last block's clearing after the increments of `left`
  return true;
}
/// Clears all words of the ring, by one warp.
template <class Device>
SAM_DEVICE void clear_words(descriptor_ring const& e) {
  for (index_t k = Device::lane(); k < e.capacity; k += Device::warp_size)
    Device::store(e.words + k, descriptor_word{0, 0});
}
/// The sequence number from which the next launch restarts at zero.
inline constexpr std::uint32_t enough_numbers = std::uint32_t{1} << 31;

/// Ends a pass that used only the claim counter: the last block resets it.
template <class Device>
SAM_DEVICE void leave_claims(control& shared) {
  if (gpu::is_last_to_leave<Device>(shared, false) && Device::lane() == 0) {
    Device::store(&shared.claims, 0);
    Device::store(&shared.left, 0);
  }
}

/// Ends a pass over `tiles` tiles that began with `base`. The last block moves the base on to the
/// next multiple of an epoch, and counts the tiles in between as finished.
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

/// Ends a pass over panels. The last block moves on the common base and clears the counters of all
/// rings.
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

}  // namespace sam::inline v0_1::gpu
