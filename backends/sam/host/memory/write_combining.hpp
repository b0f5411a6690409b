// SPDX-License-Identifier: MIT
// Combines the stores of items that go to many places, each place being filled in order. Items are
// gathered and written as whole lines, past the caches if requested. A line is two cache lines of
// the processor: shorter lines would mispredict a branch at nearly every item.
#pragma once

#include <sam/host/memory/streaming.hpp>
#include <sam/host/memory/workspace.hpp>

#include <type_traits>

namespace sam::host {

template <class T>
class write_combining_stores {
 public:
  /// The number of items per line; 1 if items do not divide a line, in which case each is stored at
  /// once.
  static constexpr index_t line =
      cache_line % sizeof(T) == 0 ? static_cast<index_t>(cache_line / sizeof(T)) : 1;
  static constexpr index_t capacity(index_t places) { return line == 1 ? 0 : places * line; }

  /// Constructs the stores to `out`. `lines` has capacity(places) items; `begins` holds the first
  /// item of each place.
  write_combining_stores(T* out, T* lines, index_t const* begins, bool streaming)
      : out_(out), lines_(lines), begins_(begins), streaming_(streaming) {
    auto const address = reinterpret_cast<std::uintptr_t>(out);
    if (address % sizeof(T) == 0)
      past_ = static_cast<index_t>(address / sizeof(T)) % line;
    else
      streaming_ = false;  // out is misaligned, so there are no whole lines
  }

  /// Stores x to out[at]. The items of each place must come in order.
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
  /// Stores the remaining items of a place, after all its items before out[end] were put.
  void finish(index_t place, index_t end) const {
    if constexpr (line > 1)
      if (in_line(end) != 0)
        store(lines_ + place * line, begins_[place], end);
  }

 private:
  static_assert((line & (line - 1)) == 0);
  index_t in_line(index_t at) const { return (at + past_) & (line - 1); }

  void store(T const* own, index_t begin, index_t end) const {
    index_t const first = end - 1 - in_line(end - 1);  // first item of the line
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

}  // namespace sam::host
