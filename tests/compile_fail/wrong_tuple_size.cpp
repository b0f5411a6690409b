// expect: sam::scan_policy: tuple size must be at least 1, or run_time_tuple
// SPDX-License-Identifier: MIT
#include <sam/backend.hpp>
#include <sam/sam.hpp>

#include <vector>

void scan(sam::default_context& context, std::vector<int> const& in, std::vector<int>& out) {
  sam::inclusive_scan(context, in, out, sam::scan_policy<sam::plus, 1, -3>{});
}
