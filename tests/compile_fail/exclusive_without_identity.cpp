// expect: this operator has no identity over out's item type; give exclusive_scan an initial value
// SPDX-License-Identifier: MIT
#include <sam/backend.hpp>
#include <sam/sam.hpp>

#include <vector>

struct left {
  int operator()(int a, int) const { return a; }
};

void scan(sam::default_context& context, std::vector<int> const& in, std::vector<int>& out) {
  sam::exclusive_scan(context, in, out, left{});
}
