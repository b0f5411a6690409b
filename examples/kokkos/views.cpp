// SPDX-License-Identifier: MIT
// Kokkos Views as arrays: of a host space, const and subviews among them, between kernels of
// Kokkos.
#include <sam/backend.hpp>
#include <sam/sam.hpp>

#include <Kokkos_Core.hpp>

#include <cstdio>
#include <utility>

namespace {

using space = Kokkos::DefaultHostExecutionSpace;
using view = Kokkos::View<int*, Kokkos::HostSpace>;

// [kernel]
struct is_large {
  int limit;
  KOKKOS_FUNCTION bool operator()(int x) const { return x >= limit; }
};
// [/kernel]

int run() {
  int const n = 1000;
  // [views]
  sam::kokkos::basic_context<space> context{space{}};  // sam::kokkos::context for the default space
  view in("in", n), sums("sums", n);
  Kokkos::parallel_for(
      Kokkos::RangePolicy<space>(0, n), KOKKOS_LAMBDA(int i) { in(i) = i % 10; });
  Kokkos::View<int const*, Kokkos::HostSpace> const read_only = in;
  sam::inclusive_scan(context, read_only, sums);
  // [/views]

  // [subviews]
  auto const first_half = Kokkos::subview(in, std::pair(0, n / 2));
  int const sum = sam::reduce(context, first_half);

  view large("large", n);
  Kokkos::View<int, Kokkos::HostSpace> count("count");  // of rank 0: one item
  sam::compact(context, in, large, is_large{8}, count);
  // [/subviews]
  context.wait();

  bool const right = sums(n - 1) == 4500 && sum == 2250 && count() == 200 && large(0) == 8 &&
                     large(1) == 9 && large(2) == 8;
  std::printf("the sum of all items is %d\n", sums(n - 1));
  return right ? 0 : 1;
}

}  // namespace

// [main]
int main(int argc, char** argv) {
  Kokkos::ScopeGuard const guard(argc, argv);  // or sam::kokkos::runtime, which may be used with it
  return run();                                // contexts must end before Kokkos does
}
// [/main]
