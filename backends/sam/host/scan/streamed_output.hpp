// SPDX-License-Identifier: MIT
// Implements a ring buffer in the first-level cache that collects scan values until whole cache
// lines of them can be stored to memory past the caches.
#pragma once

#include <sam/host/scan/job_io.hpp>

#include <algorithm>

namespace sam::inline v0_1::host {

/// Gives the largest number of outputs in a cache line of 64 bytes.
inline constexpr index_t line = 64;

/// Returns the buffer of `count` items at `items` as an array in the order of the job's target.
template <job Job>
auto in_order_of_target(scanned_of<Job>* items, index_t count) {
  if constexpr (stores_reversed<Job>)
    return reversed_array<scanned_of<Job>>{items + count};
  else
    return items;
}

/// Presents a buffer as a ring: index i refers to item i mod size. `size` is a power of two, so
/// that the many divisions by it are bit operations.
template <class Items>
struct cyclic {
  Items items;
  index_t size;

  index_t place(index_t i) const { return i & (size - 1); }
  Items operator+(index_t i) const { return items + place(i); }
  auto& operator[](index_t i) const { return items[place(i)]; }
};

/// Collects the scan values of a tile in a ring and stores them to memory a few lines at a time, so
/// that the rate of memory writes stays even. A value leaves a quarter of the ring after it
/// arrives. Otherwise the loads from the ring would wait for recent stores to it, which queue
/// behind the stores to memory.
template <job Job>
class streamed_output {
 public:
  /// Begins a ring for the tile at item `begin`. `memory` has `size + line` values.
  streamed_output(Job const& job, index_t begin, scanned_of<Job>* memory, index_t size)
      : job_(job),
        begin_(begin), ring_{host::in_order_of_target<Job>(memory, size + line) + line, size} {}

  auto const& ring() const { return ring_; }

  /// Stores the values up to a quarter of the ring before item `end`. The caller must call it for
  /// every `end` at which values up to the end of the ring are due.
  void send(index_t end) {
    index_t const due = end - ring_.size / 4;
    if (due > 0)
      send_before(due - host::past_line(job_, begin_ + due));
  }
  /// Stores the remaining values of a tile of `count` items. At most half of the ring may have
  /// arrived since the last call of `send`.
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
    if (from + (end - sent_) > ring_.size) {  // a cache line begins at the end of the ring
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

}  // namespace sam::inline v0_1::host
