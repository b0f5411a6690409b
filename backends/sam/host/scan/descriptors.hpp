// SPDX-License-Identifier: MIT
// Where the workers of one scan leave the aggregates and totals of their tiles for one another.
//
// A ring of 2 D slots, slot = tile mod 2 D. A worker publishes a tile u only after every tile up to
// u - D has published its total, which a tile does when it will read no more. A tile t reads
// nothing older than tile t - D, and the slot of tile t - D or later is reused first by tile t + D:
// after t's own total. So no slot is overwritten before its last reader, however late a worker is,
// and the oldest unfinished tile, which a running worker holds, never waits for room.
#pragma once

#include <sam/carry_scheme.hpp>
#include <sam/host/memory/pool.hpp>
#include <sam/host/memory/workspace.hpp>

#include <atomic>
#include <thread>

namespace sam::host {

/// Waits until `ready()`: spinning while the answer is near, then letting other threads run. Gives
/// up by an exception once another worker has failed, since what it waits for may never come.
template <class Ready>
void wait_until(Ready ready) {
  for (int spins = 0; !ready(); ++spins)
    if (spins > 1000) {
      give_up_if_failed();
      std::this_thread::yield();
    }
}

/// A slot's sequence numbers say whose values it holds: tile + 1, and 0 for nobody's.
struct alignas(cache_line) slot {
  std::atomic<index_t> local{0};
  std::atomic<index_t> total{0};
};

/// So many slots, in memory for them, that hold nobody's values.
inline slot* empty_slots(slot* slots, index_t count) {
  for (index_t k = 0; k < count; ++k)
    std::construct_at(slots + k);
  return slots;
}

/// The ring of one exchange. Values of a state lie behind the slots, 2 x width of them for each.
template <class T>
struct ring {
  slot* slots;
  T* values;
  index_t width;   // values in a state
  index_t window;  // D

  slot& of(index_t tile) const { return slots[tile % (2 * window)]; }
  T* local(index_t tile) const { return values + tile % (2 * window) * 2 * width; }
  T* total(index_t tile) const { return local(tile) + width; }

  static index_t window_for(index_t workers) { return 2 * workers + 2; }
};

/// One worker's end of a ring: the tile_descriptors that schemes see.
template <class T, class Kernel>
class descriptors {
 public:
  /// Everything before some tile. Without a start there is nothing to hold until tile 0 is known.
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
      host::wait_until([&] { return poll_aggregate(tile - 1); });  // there before its total is
    return tile;
  }

  /// Where the aggregate of a tile is to be written before publish_aggregate; waits until it is
  /// free.
  T* buffer_for(index_t tile) {
    host::wait_until([&] { return finished_up_to(tile - ring_.window); });
    return ring_.local(tile);
  }
  void publish_aggregate(index_t tile) {
    ring_.of(tile).local.store(tile + 1, std::memory_order_release);
  }
  /// The total of a tile: what is known before it, and its own aggregate. Known moves past the
  /// tile.
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
  // A slot that a later tile has taken over was finished before: sequence numbers only rise.
  bool finished_up_to(index_t tile) {
    while (finished_ <= tile &&
           ring_.of(finished_).total.load(std::memory_order_acquire) > finished_)
      ++finished_;
    return finished_ > tile;
  }

  ring<T> ring_;
  Kernel const& kernel_;
  index_t finished_ = 0;  // tiles known to have published their totals
};

}  // namespace sam::host
