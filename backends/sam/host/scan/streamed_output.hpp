// SPDX-License-Identifier: MIT
// Buffers scan values in the first-level cache until whole cache lines can be written to memory
// with streaming stores.
#pragma once

#include <sam/host/scan/job_io.hpp>

#include <algorithm>

namespace sam::host {

/// The largest number of outputs that a cache line holds.
inline constexpr index_t line = 64;

/// Returns `items`, a buffer of `count` values, in the order of the job's target: reversed if the
/// target is.
template <job Job>
auto in_order_of_target(scanned_of<Job>* items, index_t count) {
  if constexpr (stores_reversed<Job>)
    return reversed_array<scanned_of<Job>>{items + count};
  else
    return items;
}

/// Accesses `size` items cyclically. The size is a power of two, because every access takes the
/// index modulo the size.
template <class Items>
struct cyclic {
  Items items;
  index_t size;

  index_t place(index_t i) const { return i & (size - 1); }
  Items operator+(index_t i) const { return items + place(i); }
  auto& operator[](index_t i) const { return items[place(i)]; }
};

/// Buffers the scan values of one tile in a ring. Values leave it a few lines at a time, so that
/// memory writes are spread evenly. They leave a quarter of the ring after they enter. If they were
/// loaded earlier, the loads would wait for the stores to the ring, which queue behind those to
/// memory.
template <job Job>
class outgoing {
 public:
  /// Constructs the ring of the tile that begins with item `begin`. `memory` holds `size` values
  /// and one cache line more.
  outgoing(Job const& job, index_t begin, scanned_of<Job>* memory, index_t size)
      : job_(job),
        begin_(begin), ring_{host::in_order_of_target<Job>(memory, size + line) + line, size} {}

  auto const& ring() const { return ring_; }

  /// Stores all values up to a quarter of the ring before item `end`. The calls must include each
  /// `end` that is a quarter of the ring past a multiple of the ring's size.
  void send(index_t end) {
    index_t const due = end - ring_.size / 4;
    if (due > 0)
      send_before(due - host::past_line(job_, begin_ + due));
  }
  /// Stores the rest of the tile's `count` values. `count` is at most half of the ring's size past
  /// the last `end` that was sent.
  void send_all(index_t count) {
    index_t const turn = sent_ - ring_.place(sent_) + ring_.size;
    if (count > turn)
      send_before(turn - host::past_line(job_, begin_ + turn));
    send_before(count);
  }

 private:
  void send_before(index_t end) {
    if (end <= sent_)
      return;
    index_t from = ring_.place(sent_);
    if (from + (end - sent_) >
        ring_.size) {  // move the part line at the ring's end before its start
      for (index_t k = from; k < ring_.size; ++k)
        ring_.items[k - ring_.size] = ring_.items[k];
      from -= ring_.size;
    }
    host::store(job_, begin_ + sent_, end - sent_, ring_.items + from, true);
    sent_ = end;
  }

  Job const& job_;
  index_t begin_;
  cyclic<decltype(host::in_order_of_target<Job>(nullptr, 0))> ring_;
  index_t sent_ = 0;
};

}  // namespace sam::host
