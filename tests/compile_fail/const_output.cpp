// expect: does not satisfy 'output_array'|constraints not satisfied.*output_array
// SPDX-License-Identifier: MIT
#include <sam/backend.hpp>
#include <sam/sam.hpp>

#include <vector>

void scan(sam::default_context& context, std::vector<int> const& in, std::vector<int> const& out) {
  sam::inclusive_scan(context, in, out);
}
