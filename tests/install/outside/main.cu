// SPDX-License-Identifier: MIT
// Scans an array on a GPU with a sam found outside its own build.
#include <sam/backend.hpp>
#include <sam/sam.hpp>

#include <iostream>
#include <span>

int main(int argc, char** argv) {
  sam::default_runtime runtime(argc, argv);
  sam::default_context context;
  int* items = nullptr;
  if (cudaMallocManaged(&items, 1000 * sizeof(int)) != cudaSuccess)
    return 1;
  std::span<int> const ones(items, 1000);
  for (int& one : ones)
    one = 1;
  sam::inclusive_scan(context, ones, ones);
  context.wait();
  std::cout << "the sum of 1000 ones is " << ones.back() << '\n';
  return ones.back() == 1000 ? 0 : 1;
}
