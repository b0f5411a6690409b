// SPDX-License-Identifier: MIT
// A scan by an operator, as rocPRIM's inclusive_scan computes it.
#include <sam/backend.hpp>
#include <sam/scan.hpp>

#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
  sam::default_runtime const runtime(argc, argv);
  sam::default_context context;
  std::vector<int> const in{3, 1, 4, 1, 5};
  std::vector<int> out(5);
  auto const op = sam::maximum{};
  // [inclusive_scan]
  sam::inclusive_scan(context, in, out, op);
  // [/inclusive_scan]
  context.wait();
  std::printf("the last item is %d\n", out[4]);
  return out == std::vector{3, 3, 4, 4, 5} ? 0 : 1;
}
