// SPDX-License-Identifier: MIT
// Helpers for tests of scans on fibers.
#pragma once

#include <sam/portable.hpp>

#include "../forms.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <vector>

namespace simt {

using sam::index_t;

/// An array of n items that begins `shift` items past a multiple of 16 bytes. Guard bytes around it
/// must stay unchanged.
template <class T>
class fenced {
 public:
  fenced(std::vector<T> const& items, index_t shift)
      : n_(items.size()), begin_(fence + static_cast<std::size_t>(shift) * sizeof(T)),
        bytes_(begin_ + n_ * sizeof(T) + fence, poison) {
    if (n_ != 0)
      std::memcpy(bytes_.data() + begin_, items.data(), n_ * sizeof(T));
  }
  T* data() { return reinterpret_cast<T*>(bytes_.data() + begin_); }
  T const* data() const { return reinterpret_cast<T const*>(bytes_.data() + begin_); }
  std::size_t size() const { return n_; }
  T const& operator[](std::size_t i) const { return data()[i]; }
  bool intact() const {
    auto const is_poison = [](std::byte b) { return b == poison; };
    auto const end = bytes_.begin() + static_cast<std::ptrdiff_t>(begin_ + n_ * sizeof(T));
    return std::all_of(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(begin_),
                       is_poison) &&
           std::all_of(end, bytes_.end(), is_poison);
  }

 private:
  static constexpr std::size_t fence = 64;  // operator new aligns to 16 bytes
  static constexpr std::byte poison{0x5a};
  std::size_t n_, begin_;
  std::vector<std::byte> bytes_;
};

}  // namespace simt
