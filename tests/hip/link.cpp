// SPDX-License-Identifier: MIT
// A program whose kernels clang compiles as HIP, and which the compiler of C++ links.
#include <sam/hip/backend.hpp>
#include <sam/sam.hpp>

#include <cstdio>
#include <exception>
#include <vector>

int main() {
  try {
    sam::hip::context context;
    int* items = nullptr;
    sam::hip::check(hipMalloc(reinterpret_cast<void**>(&items), 1000 * sizeof(int)), "get memory");
    sam::inclusive_scan(context, std::span<int const>(items, 1000), std::span(items, 1000));
    context.wait();
    sam::hip::check(hipFree(items), "free memory");
  } catch (std::exception const& e) {
    std::printf("%s\n", e.what());
    return 1;
  }
}
