// SPDX-License-Identifier: MIT
// Adds radix sorts of pairs to the grid.
#include "sort_pairs.hpp"

namespace grid {

void add_sorts_of_pairs(families& all) {
  add_sort_of_pairs<std::uint32_t, std::uint32_t>(all, "uint32, uint32");
  add_sorts_of_wide_pairs(all);
}

}  // namespace grid
