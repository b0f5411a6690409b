// expect: sam: the context cannot reach the memory space of in or out
// SPDX-License-Identifier: MIT
#include <sam/backend.hpp>
#include <sam/sam.hpp>

#include <vector>

struct remote {
  void wait() {}
  char const* name() const { return "remote"; }
  template <class Array>
  static constexpr bool reaches = false;
};
static_assert(sam::context<remote>);

void scan(remote& context, std::vector<int> const& in, std::vector<int>& out) {
  sam::inclusive_scan(context, in, out);
}
