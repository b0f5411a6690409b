// SPDX-License-Identifier: MIT
// Segments by their lengths, for tests of the kernels that take offsets.
#pragma once

#include <sam/portable.hpp>

#include <vector>

namespace test {

/// More blocks than the arrays of all lengths have tiles, and more than look for a segment each.
inline constexpr int most_blocks = 20;

/// Returns the offsets of segments of these lengths.
template <class Offset>
std::vector<Offset> offsets_of(std::vector<sam::index_t> const& lengths) {
  std::vector<Offset> offsets{0};
  for (sam::index_t const length : lengths)
    offsets.push_back(static_cast<Offset>(offsets.back() + static_cast<Offset>(length)));
  return offsets;
}

}  // namespace test
