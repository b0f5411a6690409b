// SPDX-License-Identifier: MIT
// An exclusive scan and its total, as parlay::scan returns them: here of n + 1 items, the last of
// which is 0.
#include <sam/backend.hpp>
#include <sam/scan.hpp>

#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
  sam::default_runtime const runtime(argc, argv);
  sam::default_context context;
  // [exclusive_scan]
  std::vector<int> const in{3, 1, 4, 1, 5, 0};  // one item more than there is to scan
  std::vector<int> sums(in.size());
  sam::exclusive_scan(context, in, sums);  // 0 3 4 8 9 14
  context.wait();
  int const total = sums.back();
  // [/exclusive_scan]
  std::printf("the total is %d\n", total);
  return total == 14 && sums == std::vector{0, 3, 4, 8, 9, 14} ? 0 : 1;
}
