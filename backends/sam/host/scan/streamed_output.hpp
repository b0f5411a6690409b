// SPDX-License-Identifier: MIT
// Scan values on their way past the caches: they lie in the first-level cache until whole lines of
// them go to memory.
#pragma once

#include <sam/host/scan/job_io.hpp>

#include <algorithm>

namespace sam::host {

/// The most outputs that a cache line holds.
inline constexpr index_t line = 64;

/// `items`, of which a target in memory holds as many, in the order of that.
template <job Job>
auto in_order_of_target(scanned_of<Job>* items, index_t count) {
  if constexpr (stores_reversed<Job>)
    return reversed_array<scanned_of<Job>>{items + count};
  else
    return items;
}

/// Some items over and over, a power of two of them: there are many divisions by it.
template <class Items>
struct cyclic {
  Items items;
  index_t size;

  index_t place(index_t i) const { return i & (size - 1); }
  Items operator+(index_t i) const { return items + place(i); }
  auto& operator[](index_t i) const { return items[place(i)]; }
};

/// A tile's scan values, in a ring. They leave a few lines at a time, so that memory has as much to
/// write all the while, and a quarter of the ring later than they come: what is loaded would else
/// wait for stores to it, which queue behind those to memory.
template <job Job>
class outgoing {
 public:
  /// Of the tile that begins with item `begin`; `memory` holds `size` values and a line.
  outgoing(Job const& job, index_t begin, scanned_of<Job>* memory, index_t size)
      : job_(job),
        begin_(begin), ring_{host::in_order_of_target<Job>(memory, size + line) + line, size} {}

  auto const& ring() const { return ring_; }

  /// Sends those a quarter of the ring before item `end`. It is to be told of all `end`s at which
  /// the ring's end is due.
  void send(index_t end) {
    index_t const due = end - ring_.size / 4;
    if (due > 0)
      send_before(due - host::past_line(job_, begin_ + due));
  }
  /// The rest of so many in all, which are half of the ring behind such an item at most.
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
    if (from + (end - sent_) > ring_.size) {  // a line begins where the ring ends
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
