// expect: sam: differences are exact for integers only
// SPDX-License-Identifier: MIT
#include <sam/backend.hpp>
#include <sam/sam.hpp>

#include <vector>

void encode(sam::default_context& context, std::vector<float> const& in, std::vector<float>& out) {
  sam::delta_encode(context, in, out);
}
