// SPDX-License-Identifier: MIT
// Hands out parts of a workspace.
#pragma once

#include <sam/portable.hpp>

#include <cstddef>

namespace sam::inline v0_1::detail {

/// Hands out parts of a workspace, or adds up their sizes if it begins at null.
class workspace_parts {
 public:
  explicit workspace_parts(std::byte* begin) : begin_(begin) {}
  template <class T>
  T* take(index_t n) {
    constexpr index_t unit = engine::max_of(16, alignof(T));
    index_t const at = engine::div_up(bytes_, unit) * unit;
    bytes_ = at + n * index_t{sizeof(T)};
    return begin_ == nullptr ? nullptr : reinterpret_cast<T*>(begin_ + at);
  }
  index_t bytes() const { return bytes_; }

 private:
  std::byte* begin_;
  index_t bytes_ = 0;
};

}  // namespace sam::inline v0_1::detail
