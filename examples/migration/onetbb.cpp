// SPDX-License-Identifier: MIT
// Prefix sums, as tbb::parallel_scan computes them, and their total.
#include <sam/backend.hpp>
#include <sam/scan.hpp>

#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
  sam::default_runtime const runtime(argc, argv);
  sam::default_context context;
  std::vector<int> const in{3, 1, 4, 1, 5};
  std::vector<int> out(in.size());
  // [inclusive_scan]
  sam::inclusive_scan(context, in, out);
  context.wait();
  int const sum = out.back();
  // [/inclusive_scan]
  std::printf("the sum of all items is %d\n", sum);
  return sum == 14 && out == std::vector{3, 4, 8, 9, 14} ? 0 : 1;
}
