// SPDX-License-Identifier: MIT
// Defines the tile descriptors of a single-pass scan: a ring through which workers publish the
// aggregate and the inclusive prefix of each tile.
//
// The ring has depth D and 2 D slots; tile t uses slot t mod 2 D. A worker publishes the aggregate
// of tile u only after every tile up to u - D has published its inclusive prefix. A tile reads no
// other descriptor after it has published its inclusive prefix. Tile t reads no descriptor older
// than that of tile t - D. The first tile to reuse a slot of tile t - D or later is t + D, which
// waits for the inclusive prefix of t. So no slot is overwritten before its last reader, however
// late a worker is. The oldest unfinished tile belongs to a running worker and never waits for a
// free slot.
#pragma once

#include <sam/carry_scheme.hpp>
#include <sam/host/memory/pool.hpp>
#include <sam/host/memory/workspace.hpp>

#include <atomic>
#include <thread>

namespace sam::inline v0_1::host {

/// Waits until `ready()` returns true: spins about 1,000 times, then yields to other threads.
/// Throws abandoned_wait once another worker has failed, because the condition may never hold.
template <class Ready>
void wait_until(Ready ready) {
  for (int spins = 0; !ready(); ++spins)
    if (spins > 1000) {
      give_up_if_failed();
      std::this_thread::yield();
    }
}

/// Holds the two sequence numbers of a descriptor slot. Each is the number of the tile whose value
/// the slot holds, plus 1, or 0 if the slot holds none.
struct alignas(cache_line) slot {
  std::atomic<index_t> aggregate{0};
  std::atomic<index_t> inclusive_prefix{0};
};

/// Constructs `count` empty slots in the memory at `slots` and returns `slots`.
inline slot* empty_slots(slot* slots, index_t count) {
  for (index_t k = 0; k < count; ++k)
    std::construct_at(slots + k);
  return slots;
}

/// Describes the descriptor ring of one scan. `values` has 2 * width values for each slot: the
/// aggregate, then the inclusive prefix.
template <class T>
struct ring {
  slot* slots;
  T* values;
  index_t width;  // values of a state
  index_t depth;  // the depth D

  slot& of(index_t tile) const { return slots[tile % (2 * depth)]; }
  T* aggregate(index_t tile) const { return values + tile % (2 * depth) * 2 * width; }
  T* inclusive_prefix(index_t tile) const { return aggregate(tile) + width; }

  static index_t depth_for(index_t workers) { return 2 * workers + 2; }
};

/// Gives one worker access to a ring, as the tile_descriptors that carry schemes require.
template <class T, class Kernel>
class descriptors {
 public:
  /// Holds the exclusive prefix of tile `tiles`. If a scan has no initial state, `known` is false
  /// until tile 0 is included.
  struct state {
    T* values;
    index_t tiles = 0;
    bool known = false;
  };

  descriptors(ring<T> ring, Kernel const& kernel) : ring_(ring), kernel_(kernel) {}

  index_t tiles_covered(state const& known) const { return known.tiles; }
  index_t oldest_readable(index_t tile) const { return engine::max_of(0, tile - ring_.depth + 1); }
  bool poll_aggregate(index_t tile) const {
    return ring_.of(tile).aggregate.load(std::memory_order_acquire) == tile + 1;
  }
  bool poll_inclusive_prefix(index_t tile) const {
    return ring_.of(tile).inclusive_prefix.load(std::memory_order_acquire) == tile + 1;
  }

  void read_inclusive_prefix(index_t tile, state& known) const {
    host::wait_until([&] { return poll_inclusive_prefix(tile); });
    copy(ring_.inclusive_prefix(tile), known.values);
    known.tiles = tile + 1;
    known.known = true;
  }
  void accumulate_aggregates(index_t tile, state& known) const {
    for (index_t t = known.tiles; t < tile; ++t) {
      host::wait_until([&] { return poll_aggregate(t); });
      append(ring_.aggregate(t), t, known);
    }
  }
  index_t latest_inclusive_prefix(index_t oldest, index_t tile) const {
    for (; tile > oldest && !poll_inclusive_prefix(tile - 1); --tile)
      host::wait_until([&] { return poll_aggregate(tile - 1); });  // published before the prefix
    return tile;
  }

  /// Returns the buffer for the aggregate of a tile, once its slot is free. The caller writes the
  /// aggregate there and then calls publish_aggregate.
  T* buffer_for(index_t tile) {
    host::wait_until([&] { return finished_up_to(tile - ring_.depth); });
    return ring_.aggregate(tile);
  }
  void publish_aggregate(index_t tile) {
    ring_.of(tile).aggregate.store(tile + 1, std::memory_order_release);
  }
  /// Appends the aggregate of a tile to its exclusive prefix `known` and publishes the result as
  /// the inclusive prefix of the tile.
  void publish_inclusive_prefix(index_t tile, state& known) {
    append(ring_.aggregate(tile), tile, known);
    copy(known.values, ring_.inclusive_prefix(tile));
    ring_.of(tile).inclusive_prefix.store(tile + 1, std::memory_order_release);
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
  // rise, so a slot that a later tile reuses counts as finished.
  bool finished_up_to(index_t tile) {
    while (finished_ <= tile &&
           ring_.of(finished_).inclusive_prefix.load(std::memory_order_acquire) > finished_)
      ++finished_;
    return finished_ > tile;
  }

  ring<T> ring_;
  Kernel const& kernel_;
  index_t finished_ = 0;  // every tile below has published its inclusive prefix
};

}  // namespace sam::inline v0_1::host
