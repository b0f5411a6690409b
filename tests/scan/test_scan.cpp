// SPDX-License-Identifier: MIT
// Tests scans of all arithmetic item types and all kinds of arrays.
#include "support.hpp"

#include <array>
#include <thread>
#include <tuple>

namespace {

using sam::index_t;
using test::form;
using test::scan_case;

template <class Operator, sam::direction Direction = sam::direction::forward>
using policy = sam::scan_policy<Operator, 1, 1, sam::carry::decoupled, Direction>;
constexpr auto back = sam::direction::backward;

// All widths, signed and unsigned; all forms and directions with 1, 4 and 8 bytes. Sums of 8 and 16
// bits wrap around many times. Floats are small integers, whose sums are exact.
using plain_cases =
    std::tuple<scan_case<std::int8_t, policy<sam::plus>>,  //
               scan_case<std::uint8_t, policy<sam::plus, back>, form::exclusive>,
               scan_case<std::int8_t, policy<sam::plus>, form::inclusive_from>,
               scan_case<std::int16_t, policy<sam::plus, back>, form::inclusive_from>,
               scan_case<std::uint16_t, policy<sam::plus>, form::exclusive>,
               scan_case<std::int32_t, policy<sam::plus>>,
               scan_case<std::int32_t, policy<sam::plus, back>, form::exclusive>,
               scan_case<std::uint32_t, policy<sam::plus>, form::inclusive_from>,
               scan_case<std::int64_t, policy<sam::plus, back>>,
               scan_case<std::int64_t, policy<sam::plus, back>, form::inclusive_from>,
               scan_case<std::uint64_t, policy<sam::plus>, form::exclusive>,
               scan_case<float, policy<sam::plus>>,  //
               scan_case<float, policy<sam::plus, back>, form::exclusive>,
               scan_case<double, policy<sam::plus>, form::inclusive_from>>;

TEMPLATE_LIST_TEST_CASE("a scan equals its reference at every size", "[scan]", plain_cases) {
  test::check_scan_at_every_edge<TestType>();
}

#ifdef __SIZEOF_INT128__
TEST_CASE("a scan of 128-bit integers equals its reference", "[scan]") {
  test::check_scan_at_every_edge<scan_case<sam::detail::uint128, sam::scan_policy<sam::plus, 3>>>();
}
#endif

// Outputs of at least streaming_bytes bypass the caches. Their unaligned head and tail are stored
// separately.
using large_cases =
    std::tuple<scan_case<std::uint8_t, policy<sam::plus>, form::exclusive>,  //
               scan_case<std::int32_t, policy<sam::plus, back>>,
               scan_case<test::heisenberg<std::uint64_t>, policy<test::heisenberg_product>>,
               scan_case<std::int16_t, sam::scan_policy<sam::maximum, 1, sam::run_time_tuple>>>;

TEMPLATE_LIST_TEST_CASE("outputs that bypass the caches arrive whole", "[scan]", large_cases) {
  using T = typename TestType::item;
  test::engine_context context;
  typename TestType::policy policy;
  if (TestType::policy::tuple_size == sam::run_time_tuple)
    policy.components = 9000;  // wide tuples, which are scanned in blocks of columns
  T const init = test::random_items<T, typename TestType::policy::op_type>(4, 1)[3];
  for (index_t const extra : {-1, 0, 1, 4711}) {
    index_t const n = sam::host::tuning::streaming_bytes / index_t{sizeof(T)} + extra;
    auto const seed = test::seed_for(n);
    CAPTURE(n, seed);
    auto const items = test::random_items<T, typename TestType::policy::op_type>(n, seed);
    auto const wanted = test::expected_scan<TestType::kind>(items, policy, init);
    test::check_scan<TestType::kind>(context, items, wanted, policy, init);
  }
}

TEST_CASE("any contiguous container is an array", "[scan]") {
  sam::default_context context;
  std::vector<int> const in{3, 1, 4, 1, 5};
  std::vector<int> const wanted{3, 4, 8, 9, 14};

  auto from = test::on_backend(in);
  test::fenced_array<int> to(5);
  sam::inclusive_scan(context, test::as_span(from), test::as_span(to));
  context.wait();
  REQUIRE(to.to_host() == wanted);

  if constexpr (test::backend_bytes::on_host) {
    std::vector<int> vector(5);
    sam::inclusive_scan(context, in, vector);
    REQUIRE(vector == wanted);

    std::array<int, 5> array{};
    sam::inclusive_scan(context, std::span<int const>(in), array);
    REQUIRE(std::vector<int>(array.begin(), array.end()) == wanted);

    int c_array[5] = {3, 1, 4, 1, 5};
    sam::inclusive_scan(context, std::span<int const>(c_array, 5), std::span<int>(c_array, 5));
    REQUIRE(std::vector<int>(c_array, c_array + 5) == wanted);

    std::array<int, 5> const constant{3, 1, 4, 1, 5};
    sam::inclusive_scan(context, constant, std::span(vector));
    REQUIRE(vector == wanted);
  }
}

TEST_CASE("no items need no memory", "[scan]") {
  sam::default_context context;
  std::span<int> const nothing;
  sam::inclusive_scan(context, nothing, nothing);
  sam::exclusive_scan(context, nothing, nothing, sam::scan_policy<sam::plus, 3, 5>{});
  sam::inclusive_scan(context, nothing, nothing, test::leftmost{}, 7);
  context.wait();
  SUCCEED("nobody followed the null pointer");
}

TEST_CASE("an operator, a policy and no policy at all say what is scanned", "[scan]") {
  sam::default_context context;
  auto const in = test::on_backend(std::vector<int>{3, 1, 4, 1, 5});
  test::fenced_array<int> out(5);
  auto const result = [&] {
    context.wait();
    return out.to_host();
  };
  sam::exclusive_scan(context, in, out);
  REQUIRE(result() == std::vector<int>{0, 3, 4, 8, 9});
  sam::inclusive_scan(context, in, out, sam::maximum{});
  REQUIRE(result() == std::vector<int>{3, 3, 4, 4, 5});
  sam::exclusive_scan(context, in, out, sam::multiplies{}, 2);
  REQUIRE(result() == std::vector<int>{2, 6, 6, 24, 24});
  sam::inclusive_scan(context, in, out, sam::scan_policy<sam::plus, 2>{});
  REQUIRE(result() == std::vector<int>{3, 7, 15, 24, 38});
  sam::inclusive_scan(context, in, out, sam::scan_policy<sam::plus, 2>{}, 10);
  REQUIRE(result() == std::vector<int>{23, 37, 55, 74, 98});
  sam::exclusive_scan(context, in, out, sam::backward(sam::tuples_of(2)));
  REQUIRE(result() == std::vector<int>{9, 1, 5, 0, 0});
  sam::inclusive_scan(context, in, out, sam::carried_by<sam::carry::chained>(sam::tuples_of<2>(3)));
  REQUIRE(result() == std::vector<int>{3, 1, 4, 7, 7});
  sam::inclusive_scan(context, in, out, sam::backward(sam::minimum{}));
  REQUIRE(result() == std::vector<int>{1, 1, 1, 1, 5});
  sam::inclusive_scan(context, in, out, sam::carried_by<sam::carry::lookback>(sam::minimum{}));
  REQUIRE(result() == std::vector<int>{3, 1, 1, 1, 1});
}

// Each test case has a context of its own. Here one context serves very different calls.
TEST_CASE("a context serves any sequence of calls", "[scan]") {
  test::engine_context context;
  for (index_t const n : {200000, 10, 1000000, 0, 70000}) {
    auto const sums = test::random_items<int>(n, test::seed_for(n));
    auto const maps = test::random_items<test::affine>(n, test::seed_for(n + 1));
    CAPTURE(n);
    sam::scan_policy<sam::plus, 8, 4> const orders;
    test::check_scan<form::inclusive>(context, sums, sam::reference::inclusive_scan(sums, orders),
                                      orders, 0);
    sam::scan_policy<test::compose, 2> const maps_of;
    test::check_scan<form::inclusive>(context, maps, sam::reference::inclusive_scan(maps, maps_of),
                                      maps_of, {});
  }
}

TEST_CASE("two threads may use two contexts at once", "[scan]") {
  auto const items = test::random_items<int>(300000, test::seed_for(1));
  auto const wanted = sam::reference::inclusive_scan(items, sam::scan_policy<sam::plus, 2>{});
  std::string problems[2];
  {
    std::vector<std::jthread> callers;
    for (std::string& problem : problems)
      callers.emplace_back([&] {
        sam::default_context context;
        auto const in = test::on_backend(items);
        for (int repeat = 0; repeat < 5; ++repeat) {
          test::fenced_array<int> out(static_cast<index_t>(items.size()));
          sam::inclusive_scan(context, in, out, sam::scan_policy<sam::plus, 2>{});
          context.wait();
          problem += test::differences(out.to_host(), wanted);
        }
      });
  }
  REQUIRE(problems[0] == "");
  REQUIRE(problems[1] == "");
}

}  // namespace
