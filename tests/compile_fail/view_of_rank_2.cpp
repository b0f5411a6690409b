// expect: does not satisfy 'array'|constraints not satisfied.*rank_is_one
// SPDX-License-Identifier: MIT
#include <sam/backend.hpp>
#include <sam/sam.hpp>

#include <vector>

struct matrix_view {
  static constexpr int rank() { return 2; }
  int* data() const;
  int size() const;
};

void scan(sam::default_context& context, matrix_view in, std::vector<int>& out) {
  sam::inclusive_scan(context, in, out);
}
