// expect: sam: items must be trivially copyable
// SPDX-License-Identifier: MIT
#include <sam/backend.hpp>
#include <sam/sam.hpp>

#include <string>
#include <vector>

void scan(sam::default_context& context, std::vector<std::string> const& in,
          std::vector<std::string>& out) {
  sam::inclusive_scan(context, in, out);
}
