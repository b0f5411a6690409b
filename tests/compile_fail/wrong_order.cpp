// expect: sam::scan_policy: order must be at least 1 \(1 is the ordinary scan\)
// SPDX-License-Identifier: MIT
#include <sam/backend.hpp>
#include <sam/sam.hpp>

#include <vector>

void scan(sam::default_context& context, std::vector<int> const& in, std::vector<int>& out) {
  sam::inclusive_scan(context, in, out, sam::scan_policy<sam::plus, 0>{});
}
