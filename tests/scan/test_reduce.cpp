// SPDX-License-Identifier: MIT
// Tests reductions against the references.
#include <sam/reduce.hpp>

#include "support.hpp"

namespace {

using sam::bit_xor, sam::index_t, sam::maximum, sam::plus, sam::scan_policy;

index_t sizes_around_tiles(std::size_t item_bytes, std::size_t k) {
  index_t const tile = sam::host::tuning::tile_bytes / static_cast<index_t>(item_bytes);
  return std::vector<index_t>{0, 1, 2, 7, 1000, tile - 1, tile, tile + 1, 9 * tile + 5}.at(k);
}

/// Checks all forms of a reduction of n items, with and without initial value.
template <class T, class Policy, class Context>
void check(Context& context, index_t n, Policy policy) {
  using op = typename Policy::op_type;
  auto const seed = test::seed_for(n);
  CAPTURE(n, policy.components, sizeof(T), seed);
  auto const init = test::random_items<T, op>(4, seed)[3];
  auto const items = test::random_items<T, op>(n, seed);
  auto const in = test::on_backend(items, 1);
  auto const s = policy.components;

  test::fenced_array<T> from_init(s, 1);
  sam::reduce(context, in, from_init, policy, init);
  context.wait();
  REQUIRE(test::differences(from_init.to_host(), sam::reference::reduce(items, policy, init)) ==
          "");
  REQUIRE(from_init.fences_intact());

  if constexpr (sam::has_identity<op, T>) {
    test::fenced_array<T> out(s);
    sam::reduce(context, in, out, policy);
    context.wait();
    auto const wanted = sam::reference::reduce(items, policy, sam::identity_of<T>(policy.op));
    REQUIRE(test::differences(out.to_host(), wanted) == "");
    REQUIRE(out.fences_intact());
  }
}

template <class T, class Policy>
struct reduce_case {
  using item = T;
  using policy = Policy;
};
using cases = std::tuple<
    reduce_case<std::int8_t, scan_policy<plus>>, reduce_case<std::int32_t, scan_policy<plus, 1, 3>>,
    reduce_case<std::uint64_t, scan_policy<bit_xor>>, reduce_case<double, scan_policy<maximum>>,
    reduce_case<std::uint32_t, scan_policy<plus, 1, 1, sam::carry::scan_then_propagate>>,
    reduce_case<std::int32_t, scan_policy<plus, 1, 1, sam::carry::lookback>>,
    reduce_case<test::matrix, scan_policy<test::matrix_product>>,
    reduce_case<std::int16_t, scan_policy<plus, 1, sam::run_time_tuple>>>;

TEMPLATE_LIST_TEST_CASE("a reduction equals its reference", "[reduce]", cases) {
  using T = typename TestType::item;
  auto context = test::each_context();
  for (std::size_t k = 0; k < 9; ++k) {
    auto policy = typename TestType::policy{};
    if constexpr (TestType::policy::tuple_size != sam::run_time_tuple) {
      check<T>(context, sizes_around_tiles(sizeof(T), k), policy);
    } else {
      for (index_t const s : {1, 4, 5, 100}) {
        policy.components = s;
        check<T>(context, sizes_around_tiles(sizeof(T), k), policy);
      }
    }
  }
}

/// Returns n floats whose sum depends on the order of addition.
std::vector<float> some_floats(index_t n) {
  std::vector<float> items(static_cast<std::size_t>(n));
  test::generator bits(test::seed_for(n));
  for (float& x : items)
    x = static_cast<float>(bits() % 1000) / 7.0f - 70.0f;
  return items;
}
template <class T>
std::vector<T> last_row(std::vector<T> const& scanned, std::size_t s) {
  std::vector<T> row(s);
  for (std::size_t i = scanned.size() - s; i < scanned.size(); ++i)
    row[i % s] = scanned[i];
  return row;
}

TEST_CASE("a reduction has the bits of the scan's last value, on every run", "[reduce]") {
  auto context = test::each_context();
  index_t const n = 1'000'003;
  auto const in = test::on_backend(some_floats(n));
  test::fenced_array<float> scanned(n), once(1), twice(1);
  sam::inclusive_scan(context, in, scanned);
  sam::reduce(context, in, once);
  sam::reduce(context, in, twice);
  context.wait();
  REQUIRE(once.to_host() == twice.to_host());
  REQUIRE(once.to_host()[0] == scanned.to_host().back());
  for (int const threads : {2, 5})
    test::also_on_threads(
        context,
        [&](auto& crowd) {
          test::fenced_array<float> there(1);
          sam::reduce(crowd, in, there);
          REQUIRE(there.to_host() == once.to_host());
        },
        threads);
}

struct a_third {
  SAM_FUNCTION float operator()(std::int16_t x) const { return static_cast<float>(x) / 3; }
};
// A GPU uses small tiles for few items and larger ones for many.
TEST_CASE("reductions of tuples and of transformed items have the bits of a scan's last row",
          "[reduce]") {
  auto context = test::each_context();
  scan_policy<plus, 1, 3> const threes;
  for (index_t const n : {9'001, 1'200'001, 2'100'000, 5'000'000}) {
    CAPTURE(n);
    auto const floats = some_floats(n);
    auto const in = test::on_backend(floats);
    test::fenced_array<float> scanned(n), one(1), row(3);
    sam::inclusive_scan(context, in, scanned);
    sam::reduce(context, in, one);
    context.wait();
    REQUIRE(one.to_host() == last_row(scanned.to_host(), 1));
    sam::inclusive_scan(context, in, scanned, threes);
    sam::reduce(context, in, row, threes);
    context.wait();
    REQUIRE(row.to_host() == last_row(scanned.to_host(), 3));
    auto const shorts = test::on_backend(std::vector<std::int16_t>(floats.begin(), floats.end()));
    sam::transform_inclusive_scan(context, shorts, scanned, a_third{});
    sam::transform_reduce(context, shorts, one, a_third{});
    context.wait();
    REQUIRE(one.to_host() == last_row(scanned.to_host(), 1));
  }
}

struct square {
  SAM_FUNCTION int operator()(std::int8_t x) const { return x * x; }
};
struct last_not_zero {
  SAM_FUNCTION int operator()(int a, int b) const { return b != 0 ? b : a; }
};
TEST_CASE("a transform is fused into the load of a reduction", "[reduce]") {
  auto context = test::each_context();
  auto const in = test::on_backend(std::vector<std::int8_t>{100, -100, 100, 3});
  test::fenced_array<std::int32_t> out(1), from(1);
  sam::transform_reduce(context, in, out, square{});
  sam::transform_reduce(context, in, from, square{}, maximum{}, 20000);
  context.wait();
  REQUIRE(out.to_host()[0] == 30009);
  REQUIRE(from.to_host()[0] == 20000);
  for (std::size_t k = 0; k < 9; ++k) {
    index_t const n = sizes_around_tiles(sizeof(std::int8_t), k);
    auto const seed = test::seed_for(n);
    CAPTURE(n, seed);
    auto const items = test::random_items<std::int8_t>(n, seed);
    auto const there = test::on_backend(items, 1);
    sam::transform_reduce(context, there, out, square{}, plus{}, 7);
    context.wait();
    REQUIRE(out.to_host() == sam::reference::transform_reduce(items, square{}, scan_policy<>{}, 7));
    sam::transform_reduce(context, there, out, square{}, last_not_zero{}, 7);
    context.wait();
    REQUIRE(out.to_host() ==
            sam::reference::transform_reduce(items, square{}, scan_policy<last_not_zero>{}, 7));
  }
}

// Compilers make vector code of the first transform, branches or vector code of the second, and
// scalar code of the third.
struct negation {
  template <class T>
  SAM_FUNCTION T operator()(T x) const {
    return static_cast<T>(-x);
  }
};
struct grade {
  template <class T>
  SAM_FUNCTION std::int64_t operator()(T x) const {
    if (x < 50)
      return 1;
    if (x < 100)
      return -2;
    return 3;
  }
};
struct remainder_by_7 {
  template <class T>
  SAM_FUNCTION std::int64_t operator()(T x) const {
    return x % 7;
  }
};
TEMPLATE_TEST_CASE("a transformed reduction of tuples gives the combination of each component",
                   "[reduce]", std::int16_t, std::int32_t, std::int64_t) {
  auto context = test::each_context();
  auto const check_size = [&]<class T, int S>(index_t n, auto transform) {
    CAPTURE(n, S, sizeof(T));
    auto const items = test::random_items<TestType>(n, test::seed_for(n));
    auto const in = test::on_backend(items, 1);
    test::fenced_array<T> out(S);
    scan_policy<plus, 1, S> const policy;
    sam::transform_reduce(context, in, out, transform, policy);
    context.wait();
    REQUIRE(out.to_host() == sam::reference::transform_reduce(items, transform, policy, T(0)));
  };
  auto const check_sizes = [&]<int... S>(index_t n, std::integer_sequence<int, S...>) {
    (check_size.template operator()<TestType, S>(n, negation{}), ...);
    (check_size.template operator()<std::int64_t, S>(n, grade{}), ...);
    (check_size.template operator()<std::int64_t, S>(n, remainder_by_7{}), ...);
  };
  for (index_t const n : {60, 1000, 12345, 300000})
    check_sizes(n, std::integer_sequence<int, 1, 3, 5>{});
}

TEST_CASE("a reduction that makes no sense is refused by the name of the argument", "[reduce]") {
  auto context = test::each_context();
  auto const in = test::on_backend(std::vector<std::int32_t>{1, 2, 3});
  test::fenced_array<std::int32_t> two(2), one(1);
  auto const refused = [&](std::string const& argument, auto call) {
    try {
      call();
    } catch (sam::invalid_argument const& e) {
      return std::string(e.what()).find(argument) != std::string::npos;
    }
    return false;
  };
  REQUIRE(refused("out", [&] { sam::reduce(context, in, two); }));
  REQUIRE(refused("policy", [&] { sam::reduce(context, in, one, sam::tuples_of(0)); }));
  auto array = test::on_backend(std::vector<std::int32_t>{1, 2, 3});
  REQUIRE(refused("out",
                  [&] { sam::reduce(context, array, std::span<std::int32_t>(array.data(), 1)); }));
  auto const none = test::on_backend(std::vector<test::matrix>{});
  test::fenced_array<test::matrix> product(1);
  REQUIRE(refused("in", [&] { sam::reduce(context, none, product, test::matrix_product{}); }));
}

}  // namespace
