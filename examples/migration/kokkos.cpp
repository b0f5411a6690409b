// SPDX-License-Identifier: MIT
// Prefix sums of a View, once by Kokkos::parallel_scan and once by sam: both give the same.
#include <sam/backend.hpp>
#include <sam/scan.hpp>

#include <Kokkos_Core.hpp>

#include <cstdio>

namespace {

using space = Kokkos::DefaultHostExecutionSpace;
using view = Kokkos::View<int*, Kokkos::HostSpace>;

int run() {
  int const n = 1000;
  view in("in", n), by_kokkos("by_kokkos", n), out("out", n);
  Kokkos::deep_copy(in, 3);

  Kokkos::parallel_scan(
      "sums", Kokkos::RangePolicy<space>(0, n), KOKKOS_LAMBDA(int i, int& sum, bool is_final) {
        sum += in(i);
        if (is_final)
          by_kokkos(i) = sum;
      });

  sam::kokkos::basic_context<space> context{space{}};
  // [inclusive_scan]
  sam::inclusive_scan(context, in, out);
  // [/inclusive_scan]
  context.wait();

  int differences = 0;
  for (int i = 0; i < n; ++i)
    differences += out(i) != by_kokkos(i);
  std::printf("the last sums are %d and %d\n", by_kokkos(n - 1), out(n - 1));
  return differences;
}

}  // namespace

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const guard(argc, argv);
  return run() == 0 ? 0 : 1;
}
