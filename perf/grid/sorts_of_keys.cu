// SPDX-License-Identifier: MIT
// Adds radix sorts of keys of 32 bits to the grid.
#include "sort_keys.hpp"

namespace grid {

void add_sorts_of_keys(families& all) {
  add_sort<std::uint32_t>(all, "uint32");
  add_sort<float>(all, "float");
}

}  // namespace grid
