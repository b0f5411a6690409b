// SPDX-License-Identifier: MIT
// Tests that the contexts of execution space instances are freed when Kokkos is finalised.
#include <sam/kokkos/backend.hpp>
#include <sam/radix_sort.hpp>
#include <sam/scan.hpp>

#include <cstdio>
#include <string_view>

namespace {

using space = Kokkos::DefaultExecutionSpace;

bool is_ours(std::string_view label) { return label.starts_with("sam"); }

void call() {
  Kokkos::View<int*, space> const in("in", 100'000), out("out", 100'000);
  sam::inclusive_scan(space(), in, out);
  sam::radix_sort(space(), in, out);
  space().fence();
}

}  // namespace

int main(int argc, char** argv) {
  static int allocations = 0;
  Kokkos::initialize(argc, argv);
  Kokkos::Tools::Experimental::set_allocate_data_callback(
      [](Kokkos_Profiling_SpaceHandle, char const* label, void const*, std::uint64_t) {
        allocations += is_ours(label);
      });
  Kokkos::Tools::Experimental::set_deallocate_data_callback(
      [](Kokkos_Profiling_SpaceHandle, char const* label, void const*, std::uint64_t) {
        allocations -= is_ours(label);
      });
  call();
  bool const was_kept = sam::kokkos::context_pool<space>::kept() == 1;
  Kokkos::finalize();
  bool const is_kept = sam::kokkos::context_pool<space>::kept() != 0;
  if (!was_kept || is_kept || allocations != 0) {
    std::fprintf(stderr, "kept before: %d, after: %d; %d allocations are left\n", was_kept, is_kept,
                 allocations);
    return 1;
  }
}
