// expect: the operator needs T operator\(\)\(T, T\) const, T being out's item type; see
// docs/extending.md SPDX-License-Identifier: MIT
#include <sam/backend.hpp>
#include <sam/sam.hpp>

#include <vector>

struct negate {
  int operator()(int x) const { return -x; }
};

void scan(sam::default_context& context, std::vector<int> const& in, std::vector<int>& out) {
  sam::inclusive_scan(context, in, out, negate{});
}
