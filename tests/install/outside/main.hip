// SPDX-License-Identifier: MIT
// Scans an array on a HIP device with a sam found outside its own build. Passes where there is no
// device, since compiling and linking are what is tested.
#include <sam/backend.hpp>
#include <sam/sam.hpp>

#include <iostream>
#include <span>

int main() {
  try {
    sam::default_context context;
    int* items = nullptr;
    sam::hip::check(hipMalloc(reinterpret_cast<void**>(&items), 1000 * sizeof(int)), "get memory");
    sam::hip::check(hipMemset(items, 0, 1000 * sizeof(int)), "clear memory");
    sam::inclusive_scan(context, std::span<int const>(items, 1000), std::span(items, 1000));
    context.wait();
    sam::hip::check(hipFree(items), "free memory");
  } catch (sam::device_error const& e) {
    std::cout << e.what() << '\n';
  }
}
