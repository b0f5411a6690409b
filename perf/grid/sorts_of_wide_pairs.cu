// SPDX-License-Identifier: MIT
// Adds radix sorts of pairs with keys of 64 bits, or values of 16 bytes, to the grid.
#include "sort_pairs.hpp"

namespace grid {

struct alignas(16) wide_value {
  std::uint64_t first, second;
};

void add_sorts_of_wide_pairs(families& all) {
  add_sort_of_pairs<std::uint64_t, std::uint32_t>(all, "uint64, uint32");
  add_sort_of_pairs<std::uint32_t, wide_value>(all, "uint32, 16-byte struct");
}

}  // namespace grid
