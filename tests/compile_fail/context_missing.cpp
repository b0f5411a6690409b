// expect: sam: the first argument must be a back end's context
// SPDX-License-Identifier: MIT
#include <sam/backend.hpp>
#include <sam/sam.hpp>

#include <vector>

struct stream {};

void scan(stream& context, std::vector<int> const& in, std::vector<int>& out) {
  sam::inclusive_scan(context, in, out);
}
