// SPDX-License-Identifier: MIT
// Adds radix sorts of keys of 64 bits to the grid.
#include "sort_keys.hpp"

namespace grid {

void add_sorts_of_wide_keys(families& all) { add_sort<std::uint64_t>(all, "uint64"); }

}  // namespace grid
