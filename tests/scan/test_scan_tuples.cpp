// SPDX-License-Identifier: MIT
// Tests scans of interleaved sequences.
#include <sam/delta.hpp>
#include <sam/segmented_scan.hpp>

#include "support.hpp"

#include <tuple>

namespace {

using test::form;
using test::scan_case;

template <class Operator, int TupleSize, int Order = 1,
          sam::direction Direction = sam::direction::forward>
using policy = sam::scan_policy<Operator, Order, TupleSize, sam::carry::decoupled, Direction>;
constexpr auto back = sam::direction::backward;
using sam::plus;

// Tuple sizes that divide a vector and others, that fill a vector of one type and exceed that of
// another; 17 and 33 are too large to be unrolled. Each has an order and an operator of its own.
using compile_time =
    std::tuple<scan_case<std::int32_t, policy<plus, 2>>,  //
               scan_case<std::uint8_t, policy<plus, 2, 3>, form::exclusive>,
               scan_case<double, policy<plus, 2, 2, back>>,
               scan_case<std::uint8_t, policy<plus, 3>, form::inclusive_from>,
               scan_case<std::int32_t, policy<plus, 3, 2, back>>,
               scan_case<std::int64_t, policy<sam::minimum, 3>, form::exclusive>,
               scan_case<std::uint16_t, policy<plus, 4, 4>, form::inclusive_from>,
               scan_case<float, policy<plus, 4>, form::exclusive>,
               scan_case<std::int32_t, policy<plus, 5, 2>, form::exclusive>,
               scan_case<std::int16_t, policy<sam::maximum, 5, 1, back>>,
               scan_case<test::affine, policy<test::compose, 5>>,
               scan_case<std::uint8_t, policy<plus, 7>>,
               scan_case<test::affine, policy<test::compose, 7, 2, back>, form::exclusive>,
               scan_case<std::uint32_t, policy<plus, 8, 8>, form::exclusive>,
               scan_case<std::int8_t, policy<sam::bit_xor, 8, 2>>,
               scan_case<std::uint8_t, policy<plus, 16, 2>>,
               scan_case<std::int64_t, policy<plus, 16, 3, back>, form::exclusive>,
               scan_case<test::falls, policy<test::join_runs, 16>, form::inclusive_from>,
               scan_case<std::int32_t, policy<plus, 17, 3>>,
               scan_case<test::falls, policy<test::join_runs, 17, 2>>,
               scan_case<std::uint8_t, policy<plus, 33>, form::exclusive>,
               scan_case<std::uint32_t, policy<plus, 33, 2, back>, form::inclusive_from>>;

TEMPLATE_LIST_TEST_CASE("tuples of a size known when compiling equal their reference", "[scan]",
                        compile_time) {
  test::check_scan_at_every_edge<TestType>();
}

constexpr int any = sam::run_time_tuple;
using run_time =
    std::tuple<scan_case<std::int32_t, policy<plus, any>>,  //
               scan_case<std::uint8_t, policy<plus, any, 3>, form::exclusive>,
               scan_case<float, policy<sam::maximum, any, 1, back>, form::inclusive_from>,
               scan_case<std::int64_t, policy<plus, any, 2, back>, form::inclusive_from>,
               scan_case<test::affine, policy<test::compose, any, 1, back>, form::exclusive>,
               scan_case<test::falls, policy<test::join_runs, any, 2>>>;

// Sizes 1 to 5 have kernels of their own. Size 1000 gives tiles an odd size. From 5000 on, tuples
// of items of at least 4 bytes count as wide; then n is less than a tuple for most sizes.
TEMPLATE_LIST_TEST_CASE("tuples of a size known when running equal their reference", "[scan]",
                        run_time) {
  typename TestType::policy policy;
  for (sam::index_t const components : {1, 2, 3, 4, 5, 64, 1000, 5000, 20000}) {
    policy.components = components;
    test::check_scan_at_every_edge<typename TestType::item, TestType::kind>(policy);
  }
}

TEST_CASE("with tuples larger than the array, each item is scanned by itself", "[scan]") {
  sam::default_context context;
  auto const items = test::random_items<int>(100, test::seed_for(100));
  auto const in = test::on_backend(items);
  for (int const power : {7, 31, 32, 58, 62, 63}) {
    auto const size = static_cast<sam::index_t>((std::uint64_t{1} << power) - 1);
    CAPTURE(size);
    auto const expect_items = [&](auto const& call) {
      test::fenced_array<int> out(100);
      call(out);
      context.wait();
      REQUIRE(test::differences(out.to_host(), items) == "");
    };
    auto const policy = sam::tuples_of<2>(size);
    expect_items([&](auto& out) { sam::inclusive_scan(context, in, out, policy); });
    expect_items([&](auto& out) { sam::inclusive_scan(context, in, out, sam::backward(policy)); });
    expect_items([&](auto& out) {
      sam::segmented_inclusive_scan(context, in, sam::by_length(30), out, policy);
    });
    expect_items([&](auto& out) { sam::delta_encode<2>(context, in, out, size); });
    expect_items([&](auto& out) { sam::delta_decode<2>(context, in, out, size); });
  }
}

TEST_CASE("a scan of tuples as wide as an image sums its columns", "[scan]") {
  constexpr int width = 300, height = 200;
  sam::default_context context;
  auto const in = test::on_backend(std::vector<int>(width * height, 1));
  test::fenced_array<int> out(width * height);
  sam::inclusive_scan(context, in, out, sam::tuples_of(width));
  context.wait();
  auto const image = out.to_host();
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      REQUIRE(image[std::size_t(y * width + x)] == y + 1);
}

}  // namespace
