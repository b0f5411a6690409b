// SPDX-License-Identifier: MIT
// Implements write combining in software, for items that are scattered to many output ranges, each
// filled in order. A buffer of 128 bytes per range collects items and is then written whole, with
// streaming stores if requested. A buffer has two cache lines: with one, nearly every write-out
// would cost a branch misprediction.
#pragma once

#include <sam/host/memory/streaming.hpp>
#include <sam/host/memory/workspace.hpp>

#include <type_traits>

namespace sam::inline v0_1::host {

/// Buffers the items of each output range and writes them in whole lines of 128 bytes.
template <class T>
class write_combining_stores {
 public:
  /// Gives the number of items in a line. It is 1 if the item size does not divide a line; such
  /// items are stored without buffering.
  static constexpr index_t line =
      cache_line % sizeof(T) == 0 ? static_cast<index_t>(cache_line / sizeof(T)) : 1;
  static constexpr index_t capacity(index_t places) { return line == 1 ? 0 : places * line; }

  /// Prepares stores to `out`. `lines` has capacity(places) items; begins[p] is the index in `out`
  /// at which range p begins. Without `streaming` the lines are written with plain stores.
  write_combining_stores(T* out, T* lines, index_t const* begins, bool streaming)
      : out_(out), lines_(lines), begins_(begins), streaming_(streaming) {
    auto const address = reinterpret_cast<std::uintptr_t>(out);
    if (address % sizeof(T) == 0)
      past_ = static_cast<index_t>(address / sizeof(T)) % line;
    else
      streaming_ = false;  // items straddle cache lines
  }

  /// Stores item x to out[at]. The items of a range must arrive in order.
  void put(index_t place, index_t at, T const& x) const {
    if constexpr (line == 1) {
      out_[at] = x;
    } else {
      T* const own = lines_ + place * line;
      index_t const slot = in_line(at);
      own[slot] = x;
      if (slot == line - 1)
        store(own, begins_[place], at + 1);
    }
  }
  /// Writes the buffered items of a range. All its items before out[end] must have been put.
  void finish(index_t place, index_t end) const {
    if constexpr (line > 1)
      if (in_line(end) != 0)
        store(lines_ + place * line, begins_[place], end);
  }

 private:
  static_assert((line & (line - 1)) == 0);
  index_t in_line(index_t at) const { return (at + past_) & (line - 1); }

  void store(T const* own, index_t begin, index_t end) const {
    index_t const first = end - 1 - in_line(end - 1);  // the first item of the line
    if (first >= begin && end - first == line) {
      if (streaming_)
        host::streaming_copy(out_ + first, own, cache_line);
      else
        std::memcpy(static_cast<void*>(out_ + first), own, cache_line);
    } else if (begin < end) {
      index_t const from = first < begin ? begin : first;
      std::memcpy(static_cast<void*>(out_ + from), own + (from - first),
                  static_cast<std::size_t>(end - from) * sizeof(T));
    }
  }

  T* out_;
  T* lines_;
  index_t const* begins_;
  index_t past_ = 0;
  bool streaming_;
};

}  // namespace sam::inline v0_1::host
