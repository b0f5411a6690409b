// SPDX-License-Identifier: MIT
// This file implements the descriptor ring, through which the blocks of a kernel exchange the
// aggregates and inclusive prefixes of their tiles.
//
// A descriptor word packs four bytes of a value with the sequence number of its tile and is read
// and written atomically. A reader that sees the expected number therefore has the bytes. Readers
// need no fence, and the ring is never cleared: tile t of a launch has sequence number base + t +
// 1, and base advances from launch to launch.
//
// Tile t uses slot (base + t) mod 2 D, where D is the ring depth. A block publishes tile u only
// after all tiles up to u - D have finished, which means that they do no more reads. Tile t reads
// nothing older than tile t - D, whose slot is next written by tile t + D, after t has finished. So
// no word is overwritten before it is read, however late a block is. The oldest unfinished tile
// belongs to a running block and never waits for a free slot, so the ring cannot deadlock.
//
// Finished tiles are counted in epochs of E <= D tiles with one counter each. If a single block
// combines all aggregates (reduce_epilogue.hpp), only that block reads descriptors, in order, and
// it counts the tiles that it has read. Everything else is unchanged.
//
// Sources: the ring and the words that bypass L1 are from SAM (Maleki, Yang, Burtscher, PLDI 2016,
// section 2.2). Packing a value with its validity flag is from LightScan (Liu, Aluru, 2016, section
// III).
#pragma once

#include <sam/carry_scheme.hpp>
#include <sam/gpu/carry/descriptor_memory.hpp>
#include <sam/gpu/warp/warp_state.hpp>

namespace sam::gpu {

/// Computes the layout of the words of a slot. By default the words of a tile are contiguous and
/// share no L2 sector with another tile: sectors that are written while they are read move back and
/// forth between the two L2 partitions. If a lane has more than five words, its words are
/// interleaved instead: first the first words of all slots, then the second words, and so on. The
/// lanes of a warp, which read neighbouring tiles, then access contiguous memory.
template <class Traits, class T>
struct slot_layout {
  static constexpr int sector = 32 / int(sizeof(descriptor_word));
  static constexpr int of_lane = Traits::Q * words_of<T>;
  static constexpr bool together = of_lane <= 5;
  static constexpr int all = of_lane * Traits::S;
  static constexpr int words = together ? (all + sector - 1) / sector * sector : all;
};

/// Number of words per slot: those of an aggregate and of an inclusive prefix.
template <class Traits, class T>
inline constexpr int words_of_slot = 2 * slot_layout<Traits, T>::words;

/// Rounds up to multiples of `step`. Calls must have ascending arguments, so that most need no
/// division.
struct multiples {
  int step;
  int last = 0;
  SAM_FUNCTION explicit multiples(index_t s) : step(int(s)) {}

  /// Returns the smallest multiple that is at least x and at least the previous result.
  SAM_FUNCTION index_t at_least(index_t x) {
    if (last < x)
      last = (int(x) + step - 1) / step * step;
    return last;
  }
};

/// Base class of both kinds of look-back: reads and writes descriptor words and tracks finished
/// epochs. All lanes of a warp call its functions together.
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

  /// Continues with another panel, whose ring holds `tiles_before` tiles of earlier panels.
  SAM_DEVICE void enter(std::uint32_t tiles_before, bool of_other_ring) {
    base_ += tiles_before - earlier_;
    earlier_ = tiles_before;
    if (of_other_ring)
      finished_ = 0;
  }

 public:
  using memory = std::conditional_t<traits::fixed, descriptor_ring, panel_rings>;
  /// The aggregate of this warp's current tile, which publish_aggregate writes.
  values aggregate;

  /// Writes the aggregate of a tile to its slot.
  SAM_DEVICE void publish_aggregate(index_t tile) const {
    if (lanes_.run == 0)
      write(at(0, tile), tile, aggregate);
  }

  /// Writes two values in place of the aggregate and the inclusive prefix; used by
  /// reduce_epilogue.hpp.
  SAM_DEVICE void publish_two(index_t tile, values const& one, values const& other) const {
    if (lanes_.run == 0) {
      write(at(0, tile), tile, one);
      write(at(1, tile), tile, other);
    }
  }
  /// Reads the two values of publish_two. Returns true if both were present.
  SAM_DEVICE bool try_read_two(index_t tile, values& one, values& other) const {
    bool const first = try_read(at(0, tile), tile, one);
    return try_read(at(1, tile), tile, other) && first;
  }

  /// Waits until the slot of a tile is free. Must be called before any of its words is written.
  SAM_DEVICE void make_room(index_t tile) {
    if (tile + index_t(earlier()) < index_t(e_.window))
      return;
    std::uint32_t const epoch = (number(tile) - e_.window) >> e_.epoch_bits;
    for (; finished_ <= epoch; ++finished_)
      while (!has_finished(finished_))
        Device::pause();
  }

  /// Advances the known free space without waiting if little is known to be left. Polling is slow,
  /// and this call spares a later make_room from it.
  SAM_DEVICE void look_for_room(index_t tile) {
    std::uint32_t const at = number(tile);
    if ((finished_ << e_.epoch_bits) + e_.window > at + e_.window / 4)
      return;
    while (finished_ < at >> e_.epoch_bits && has_finished(finished_))
      ++finished_;
  }

  /// Counts the tile as finished: this warp reads no more descriptors for it.
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
  /// Returns the address of the first word of a tile's component. `kind` is 0 for aggregates and 1
  /// for inclusive prefixes. Consecutive words are `step()` apart.
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
  /// Returns the number of tiles of this launch's earlier panels in this ring.
  SAM_DEVICE std::uint32_t earlier() const { return traits::fixed ? 0 : earlier_; }
  /// Returns the number of a tile in the count of finished tiles. The count runs over all launches
  /// or, in a kernel over panels, over this launch.
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
  /// Reads the words of a tile. Returns true if all of them were present.
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
  std::uint32_t base_;  // sequence number of the state before the panel's tile 0

 private:
  /// Returns true if all tiles of an epoch have finished. The acquire load orders their accesses to
  /// descriptors before this block's later writes.
  SAM_DEVICE bool has_finished(std::uint32_t epoch) const {
    return Device::load_acquire(e_.shared->finished + epoch % control::epochs) >=
           (1 + epoch / control::epochs) << e_.epoch_bits;
  }

  std::uint32_t earlier_ = 0;
  std::uint32_t finished_;  // first epoch not known to be complete
};

// --- The end of a kernel -------------------------------------------------------------------------

// A block has finished with the ring when its first look-back warp has, since the other warps no
// longer use it. The last block to leave prepares the ring for the next launch. One warp of each
// block calls these functions. Sequence numbers restart at 0, with cleared words, long before they
// could wrap around to a number that is still in the ring.

/// Default of the work that a block does while it waits for the result of the atomic in
/// is_last_to_leave.
struct do_nothing {
  SAM_FUNCTION void operator()() const {}
};
/// Returns true if this block is the last to leave among all that have claimed tiles.
template <class Device, class F = do_nothing>
SAM_DEVICE bool is_last_to_leave(control& shared, bool has_counted, F const& meanwhile = {}) {
  std::uint32_t left = 0;
  if (Device::lane() == 0) {
    if (has_counted)
      // Orders this block's counts of finished tiles before the last block's clearing of the
      // counters.
      Device::fence();
    left = Device::add(&shared.left, 1) + 1;
  }
  meanwhile();
  if (Device::shuffle_from(left, 0) != std::uint32_t(Device::blocks()))
    return false;
  if (has_counted)
    // Orders all other blocks' counts before the clearing of the counters.
    Device::fence();
  return true;
}
/// Clears all words of the ring.
template <class Device>
SAM_DEVICE void clear_words(descriptor_ring const& e) {
  for (index_t k = Device::lane(); k < e.capacity; k += Device::warp_size)
    Device::store(e.words + k, descriptor_word{0, 0});
}
/// Limit of the base: if it is reached, sequence numbers restart at 0.
inline constexpr std::uint32_t enough_numbers = std::uint32_t{1} << 31;

/// Leaves a kernel that uses the ring only to claim tiles.
template <class Device>
SAM_DEVICE void leave_claims(control& shared) {
  if (gpu::is_last_to_leave<Device>(shared, false) && Device::lane() == 0) {
    Device::store(&shared.claims, 0);
    Device::store(&shared.left, 0);
  }
}

/// Leaves a kernel over `tiles` tiles that began with the base `base`.
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

/// Leaves a kernel over panels: advances the common base and clears the counters of every ring.
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
