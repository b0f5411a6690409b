// SPDX-License-Identifier: MIT
// Measures how much memory calls would make a context allocate, without making them.
#pragma once

#include <sam/portable.hpp>

#include <algorithm>
#include <array>
#include <cstddef>

namespace sam::inline v0_1::engine {

/// Growth of the memory that a context keeps for one purpose, by calls that are measured.
class measured_memory {
 public:
  bool is_on() const { return is_on_; }
  void begin() {
    is_on_ = true;
    size_ = allocated_ = 0;
  }
  void end() { is_on_ = false; }

  /// Returns how many bytes there would be, of which `held` are there.
  std::size_t size(std::size_t held) const { return std::max(held, size_); }
  /// Notes that another buffer, of so many bytes, would be allocated.
  void grow_to(std::size_t bytes) {
    size_ = bytes;
    allocated_ += bytes;
  }
  std::size_t allocated() const { return allocated_; }

 private:
  bool is_on_ = false;
  std::size_t size_ = 0;
  std::size_t allocated_ = 0;
};

/// Calls calls() while all these memories are measured, and returns how many bytes they would
/// allocate.
template <class Calls, std::size_t N>
index_t bytes_measured(Calls const& calls, std::array<measured_memory*, N> const& all) {
  struct measuring {
    std::array<measured_memory*, N> const& all;
    explicit measuring(std::array<measured_memory*, N> const& memories) : all(memories) {
      for (measured_memory* const memory : all)
        memory->begin();
    }
    measuring(measuring const&) = delete;
    measuring& operator=(measuring const&) = delete;
    ~measuring() {
      for (measured_memory* const memory : all)
        memory->end();
    }
  } const until_the_end(all);
  calls();
  std::size_t bytes = 0;
  for (measured_memory const* const memory : all)
    bytes += memory->allocated();
  return static_cast<index_t>(bytes);
}

}  // namespace sam::inline v0_1::engine
