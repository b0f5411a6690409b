// expect: sam: keep must say of an item: bool keep\(x\) const
// SPDX-License-Identifier: MIT
#include <sam/backend.hpp>
#include <sam/sam.hpp>

#include <vector>

struct forgets_const {
  bool operator()(int x) { return x > 0; }
};

void keep(sam::default_context& context, std::vector<int>& items) {
  sam::compact(context, items, items, forgets_const{});
}
