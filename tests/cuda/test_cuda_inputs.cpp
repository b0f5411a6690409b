// SPDX-License-Identifier: MIT
// Tests Thrust's iterators and floats of 16 bits as inputs of scans and reductions.
#include <sam/inputs.hpp>
#include <sam/reduce.hpp>

#include "support.hpp"
#include <cuda_bf16.h>
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

TEMPLATE_TEST_CASE("sums of floats of 16 bits are accumulated in float", "[inputs]", __half,
                   __nv_bfloat16) {
  auto const rounded = [](float x) { return static_cast<float>(static_cast<TestType>(x)); };
  sam::default_context context;
  for (sam::index_t const n : {1, 1000, 30000}) {
    CAPTURE(n);
    std::vector<TestType> const items(static_cast<std::size_t>(n), static_cast<TestType>(0.5f));
    auto const in = test::on_backend(items, 1);
    test::fenced_array<TestType> out(n, 1);
    sam::inclusive_scan(context, in, out, sam::accumulate_in<float>(sam::plus{}));
    context.wait();
    auto const sums = out.to_host();
    for (std::size_t i = 0; i < sums.size(); ++i)
      REQUIRE(static_cast<float>(sums[i]) == rounded(0.5f * static_cast<float>(i + 1)));
    REQUIRE(out.fences_intact());
    auto const sum = sam::reduce(context, in, sam::accumulate_in<float>(sam::plus{}));
    REQUIRE(static_cast<float>(sum) == rounded(0.5f * static_cast<float>(n)));
    auto const policy = sam::accumulate_in<float>(sam::plus{});
    auto const number = test::on_backend(std::vector<sam::index_t>{n / 2});
    auto const first_half = sam::counted(in, number);
    test::fenced_array<TestType> counted(n, 1), total(1);
    auto at = sam::scan_state<float>::starting_from(0.25f);
    sam::inclusive_scan(context, first_half, counted, policy, 0.5f);
    sam::reduce(context, first_half, total, policy);
    sam::inclusive_scan(context, first_half, out, policy, at, at);
    context.wait();
    REQUIRE(static_cast<float>(total.to_host()[0]) == rounded(0.5f * static_cast<float>(n / 2)));
    REQUIRE(at.value() == 0.25f + 0.5f * static_cast<float>(n / 2));
    auto const later_sums = counted.to_host(), state_sums = out.to_host();
    for (sam::index_t i = 0; i < n / 2; ++i) {
      auto const k = static_cast<std::size_t>(i);
      REQUIRE(static_cast<float>(later_sums[k]) == rounded(0.5f * static_cast<float>(i + 2)));
      REQUIRE(static_cast<float>(state_sums[k]) ==
              rounded(0.25f + 0.5f * static_cast<float>(i + 1)));
    }
    REQUIRE((counted.fences_intact() && total.fences_intact() && out.fences_intact()));
  }
}

}  // namespace
