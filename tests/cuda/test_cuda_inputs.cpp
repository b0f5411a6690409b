// SPDX-License-Identifier: MIT
// Tests Thrust's iterators and half-precision items as inputs of scans and reductions.
#include <sam/inputs.hpp>
#include <sam/reduce.hpp>

#include "support.hpp"
#include <cuda_fp16.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>

namespace {

struct cubed {
  SAM_FUNCTION int operator()(int x) const { return x * x * x; }
};
struct from_2 {
  SAM_FUNCTION int operator()(int i) const { return 2 - i; }
};

TEST_CASE("iterators of Thrust are inputs", "[inputs]") {
  sam::default_context context;
  auto const cubes = thrust::make_transform_iterator(thrust::counting_iterator<int>(1), cubed{});
  REQUIRE(sam::reduce(context, sam::iterated(cubes, 100)) == 25502500);
  auto const items = test::on_backend(std::vector<int>{1, 2, 3});
  auto const reversed = thrust::make_permutation_iterator(
      items.data(), thrust::make_transform_iterator(thrust::counting_iterator<int>(0), from_2{}));
  test::fenced_array<int> out(3);
  sam::inclusive_scan(context, sam::iterated(reversed, 3), out);
  context.wait();
  REQUIRE(out.to_host() == std::vector{3, 5, 6});
}

TEST_CASE("sums of halves are accumulated in float", "[inputs]") {
  sam::default_context context;
  for (sam::index_t const n : {1, 1000, 30000}) {
    CAPTURE(n);
    std::vector<__half> const items(static_cast<std::size_t>(n), __float2half(0.5f));
    auto const in = test::on_backend(items, 1);
    test::fenced_array<__half> out(n, 1);
    sam::inclusive_scan(context, in, out, sam::accumulate_in<float>(sam::plus{}));
    context.wait();
    auto const sums = out.to_host();
    for (std::size_t i = 0; i < sums.size(); ++i) {
      float const wanted = __half2float(__float2half(0.5f * static_cast<float>(i + 1)));
      REQUIRE(__half2float(sums[i]) == wanted);
    }
    REQUIRE(out.fences_intact());
    auto const sum = sam::reduce(context, in, sam::accumulate_in<float>(sam::plus{}));
    REQUIRE(__half2float(sum) == __half2float(__float2half(0.5f * static_cast<float>(n))));
  }
}

}  // namespace
