// SPDX-License-Identifier: MIT
// Implements the tile descriptors of a CPU scan: a ring through which workers pass each other the
// aggregates and inclusive prefixes of their tiles.
//
// The ring has depth D and 2 D slots; tile t uses slot t mod 2 D. A worker publishes the aggregate
// of tile u only after all tiles up to u - D have published their inclusive prefixes. A tile
// publishes its inclusive prefix after its last read of the ring.
//
// Tile t reads nothing older than tile t - D. The slot of tile t - D or of a later one is reused by
// tile t + D at the earliest, so after t has published its inclusive prefix. Hence no slot is
// overwritten before its last reader, however late a worker is. The oldest unfinished tile always
// belongs to a running worker, and it never waits for a free slot.
#pragma once

#include <sam/carry_scheme.hpp>
#include <sam/host/memory/pool.hpp>
#include <sam/host/memory/workspace.hpp>

#include <atomic>
#include <thread>

namespace sam::host {

/// Waits until `ready()` is true: spins at first, then yields to other threads. Throws once another
/// worker has failed, since the awaited tile may never be published.
template <class Ready>
void wait_until(Ready ready) {
  for (int spins = 0; !ready(); ++spins)
    if (spins > 1000) {
      give_up_if_failed();
      std::this_thread::yield();
    }
}

/// Holds the sequence numbers of the tile whose values are in the slot: tile + 1, or 0 if the slot
/// is empty.
struct alignas(cache_line) slot {
  std::atomic<index_t> local{0};
  std::atomic<index_t> total{0};
};

/// Constructs `count` empty slots in the memory at `slots` and returns it.
inline slot* empty_slots(slot* slots, index_t count) {
  for (index_t k = 0; k < count; ++k)
    std::construct_at(slots + k);
  return slots;
}

/// Holds the descriptors of one scan round. `values` has two states per slot: the aggregate, then
/// the inclusive prefix.
template <class T>
struct ring {
  slot* slots;
  T* values;
  index_t width;   // values per state
  index_t window;  // ring depth D

  slot& of(index_t tile) const { return slots[tile % (2 * window)]; }
  T* local(index_t tile) const { return values + tile % (2 * window) * 2 * width; }
  T* total(index_t tile) const { return local(tile) + width; }

  static index_t window_for(index_t workers) { return 2 * workers + 2; }
};

/// One worker's view of a ring; models the concept tile_descriptors that the carry schemes use.
template <class T, class Kernel>
class descriptors {
 public:
  /// Holds the combined state of the first `tiles` tiles. It is not `known` before tile 0 is added
  /// if the scan has neither an identity nor an initial value.
  struct state {
    T* values;
    index_t tiles = 0;
    bool known = false;
  };

  descriptors(ring<T> ring, Kernel const& kernel) : ring_(ring), kernel_(kernel) {}

  index_t tiles_covered(state const& known) const { return known.tiles; }
  index_t oldest_readable(index_t tile) const { return sam::max_of(0, tile - ring_.window + 1); }
  bool poll_aggregate(index_t tile) const {
    return ring_.of(tile).local.load(std::memory_order_acquire) == tile + 1;
  }
  bool poll_inclusive_prefix(index_t tile) const {
    return ring_.of(tile).total.load(std::memory_order_acquire) == tile + 1;
  }

  void read_inclusive_prefix(index_t tile, state& known) const {
    host::wait_until([&] { return poll_inclusive_prefix(tile); });
    copy(ring_.total(tile), known.values);
    known.tiles = tile + 1;
    known.known = true;
  }
  void accumulate_aggregates(index_t tile, state& known) const {
    for (index_t t = known.tiles; t < tile; ++t) {
      host::wait_until([&] { return poll_aggregate(t); });
      append(ring_.local(t), t, known);
    }
  }
  index_t latest_inclusive_prefix(index_t oldest, index_t tile) const {
    for (; tile > oldest && !poll_inclusive_prefix(tile - 1); --tile)
      host::wait_until([&] { return poll_aggregate(tile - 1); });  // published before its prefix
    return tile;
  }

  /// Returns the buffer for the aggregate of a tile, to be filled before publish_aggregate. Waits
  /// until the slot is free.
  T* buffer_for(index_t tile) {
    host::wait_until([&] { return finished_up_to(tile - ring_.window); });
    return ring_.local(tile);
  }
  void publish_aggregate(index_t tile) {
    ring_.of(tile).local.store(tile + 1, std::memory_order_release);
  }
  /// Publishes the inclusive prefix of a tile: `known`, which covers all earlier tiles, combined
  /// with the tile's aggregate. Afterwards `known` covers the tile as well.
  void publish_inclusive_prefix(index_t tile, state& known) {
    append(ring_.local(tile), tile, known);
    copy(known.values, ring_.total(tile));
    ring_.of(tile).total.store(tile + 1, std::memory_order_release);
  }

 private:
  void append(T const* accumulator, index_t tile, state& known) const {
    if (known.known)
      kernel_.append(known.values, accumulator);
    else
      copy(accumulator, known.values);
    known.tiles = tile + 1;
    known.known = true;
  }
  void copy(T const* from, T* to) const {
    for (index_t k = 0; k < ring_.width; ++k)
      to[k] = from[k];
  }
  // True if all tiles up to `tile` have published their inclusive prefixes. Sequence numbers only
  // rise, so a slot that a later tile has taken over counts as published.
  bool finished_up_to(index_t tile) {
    while (finished_ <= tile &&
           ring_.of(finished_).total.load(std::memory_order_acquire) > finished_)
      ++finished_;
    return finished_ > tile;
  }

  ring<T> ring_;
  Kernel const& kernel_;
  index_t finished_ = 0;  // tiles known to have published their inclusive prefixes
};

}  // namespace sam::host
