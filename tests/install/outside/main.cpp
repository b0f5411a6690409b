// SPDX-License-Identifier: MIT
// Scans an array with a sam found outside its own build.
#include <sam/backend.hpp>
#include <sam/sam.hpp>

#include <iostream>
#include <vector>

int main(int argc, char** argv) {
  sam::default_runtime runtime(argc, argv);
  sam::default_context context;
  std::vector<int> const ones(1000, 1);
  std::vector<int> sums(ones.size());
  sam::inclusive_scan(context, ones, sums);
  context.wait();
  std::cout << "the sum of 1000 ones is " << sums.back() << '\n';
  return sums.back() == 1000 ? 0 : 1;
}
