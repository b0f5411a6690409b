// SPDX-License-Identifier: MIT
// Tests gather, scatter and apply_permutation against the references.
#include <sam/gather.hpp>

#include "support.hpp"

#include <numeric>

namespace {

using sam::index_t;

constexpr index_t sizes[] = {0, 1, 2, 31, 32, 127, 128, 129, 4097, 20'000, 100'003};

/// An item of 12 bytes without a default constructor.
struct record {
  int a, b, c;
  record(int x, int y, int z) : a(x), b(y), c(z) {}
  bool operator==(record const&) const = default;
};

template <class Index>
std::vector<Index> random_permutation(index_t n, std::uint64_t seed) {
  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index(0));
  test::generator bits(seed);
  for (std::size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[bits() % i]);
  return order;
}

TEMPLATE_TEST_CASE("gather and scatter equal their references", "[gather]", std::int32_t,
                   std::uint32_t, std::uint64_t) {
  auto context = test::each_context();
  for (index_t const n : sizes) {
    auto const seed = test::seed_for(n);
    CAPTURE(n, seed);
    index_t const m = n / 2 + 1;
    auto const items = test::random_items<std::int16_t>(m, seed);
    std::vector<TestType> indices(static_cast<std::size_t>(n));
    test::generator bits(seed);
    for (auto& i : indices)
      i = static_cast<TestType>(bits() % static_cast<std::uint64_t>(m));
    auto const in = test::on_backend(items, 1);
    auto const by = test::on_backend(indices, 1);
    auto const order = random_permutation<TestType>(n, seed);
    auto const from = test::random_items<std::int16_t>(n, seed + 1);
    auto const on_order = test::on_backend(order);
    auto const on_from = test::on_backend(from);
    std::vector<TestType> apart(order);
    for (auto& i : apart)
      i = static_cast<TestType>(2 * i);
    auto const on_apart = test::on_backend(apart);
    auto const check = [&](auto& where) {
      test::fenced_array<std::int16_t> gathered(n), checked(n, 1), permuted(n);
      sam::gather(where, in, by, gathered);
      sam::gather(where, in, sam::checked_indices(by), checked);
      sam::scatter(where, on_from, sam::checked_indices(on_order), permuted);
      std::vector<std::int16_t> before(static_cast<std::size_t>(2 * n), std::int16_t{-1});
      auto spread = test::on_backend(before);
      sam::scatter(where, on_from, on_apart, spread);
      where.wait();
      REQUIRE(gathered.to_host() == sam::reference::in_order(items, indices));
      REQUIRE(checked.to_host() == gathered.to_host());
      sam::reference::scatter(from, apart, before);
      REQUIRE(spread.to_host() == before);
      std::vector<std::int16_t> scattered(from);
      sam::reference::scatter(from, order, scattered);
      REQUIRE(permuted.to_host() == scattered);
      REQUIRE((gathered.fences_intact() && permuted.fences_intact() && spread.fences_intact()));
    };
    check(context);
    test::also_on_threads(context, check);
  }
}

TEST_CASE("about as many items as GPUs move by a thread each are moved", "[gather]") {
  auto context = test::each_context();
  for (index_t const n : {(index_t{1} << 18) + 1, index_t{1} << 20, (index_t{1} << 20) + 1}) {
    CAPTURE(n);
    auto const seed = test::seed_for(n);
    auto const items = test::random_items<std::uint32_t>(n, seed);
    auto const order = random_permutation<std::uint32_t>(n, seed);
    auto const in = test::on_backend(items, 1);
    auto const by = test::on_backend(order, n % 2);
    test::fenced_array<std::uint32_t> gathered(n, 1), scattered(n);
    sam::gather(context, in, by, gathered);
    sam::scatter(context, in, by, scattered);
    context.wait();
    REQUIRE(gathered.to_host() == sam::reference::in_order(items, order));
    std::vector<std::uint32_t> wanted(items);
    sam::reference::scatter(items, order, wanted);
    REQUIRE(scattered.to_host() == wanted);
    REQUIRE((gathered.fences_intact() && scattered.fences_intact()));
  }
}

TEST_CASE("a permutation is applied to arrays of several types", "[gather]") {
  auto context = test::each_context();
  for (index_t const n : sizes) {
    auto const seed = test::seed_for(n);
    CAPTURE(n, seed);
    auto const order = random_permutation<std::uint32_t>(n, seed);
    auto const numbers = test::random_items<std::int8_t>(n, seed);
    auto const reals = test::random_reals<double>(n, seed);
    std::vector<record> records;
    for (index_t i = 0; i < n; ++i)
      records.emplace_back(static_cast<int>(i), 2, 3);
    auto const by = test::on_backend(order);
    auto const in1 = test::on_backend(numbers, 1);
    auto const in2 = test::on_backend(records);
    auto const in3 = test::on_backend(reals, 1);
    test::fenced_array<std::int8_t> out1(n);
    test::fenced_array<record> out2(n);
    test::fenced_array<double> out3(n), alone(n);
    sam::apply_permutation(context, sam::checked_indices(by), in1, out1, in2, out2, in3, out3);
    sam::apply_permutation(context, by, in3, alone);
    context.wait();
    REQUIRE(out1.to_host() == sam::reference::in_order(numbers, order));
    REQUIRE(out2.to_host() == sam::reference::in_order(records, order));
    REQUIRE(out3.to_host() == sam::reference::in_order(reals, order));
    REQUIRE(alone.to_host() == out3.to_host());
    REQUIRE((out1.fences_intact() && out2.fences_intact() && out3.fences_intact()));
  }
}

TEST_CASE("indices that lead nowhere write nothing outside of out", "[gather]") {
  auto context = test::each_context();
  auto const in = test::on_backend(std::vector<int>{5, 6, 7});
  auto const by = test::on_backend(std::vector<int>{-1, 1, 3});
  test::fenced_array<int> gathered(3), scattered(3);
  sam::gather(context, in, by, gathered);
  sam::scatter(context, in, by, scattered);
  context.wait();
  REQUIRE(gathered.to_host()[1] == 6);
  REQUIRE(scattered.to_host()[1] == 6);
  REQUIRE((gathered.fences_intact() && scattered.fences_intact()));
}

TEST_CASE("checked indices are refused before anything is written", "[gather]") {
  auto context = test::each_context();
  auto const in = test::on_backend(std::vector<int>(1000, 1));
  test::fenced_array<int> out(1000), other(1000), short_one(999);
  auto const refused = [&](std::vector<std::int64_t> const& indices, char const* by_gather,
                           char const* by_scatter) {
    auto const by = test::on_backend(indices);
    auto const checked = sam::checked_indices(by);
    if (by_gather != nullptr)
      test::fails([&] { sam::gather(context, in, checked, out); }, "sam::gather", "indices",
                  by_gather);
    test::fails([&] { sam::scatter(context, in, checked, out); }, "sam::scatter", "indices",
                by_scatter);
    test::fails([&] { sam::apply_permutation(context, checked, in, out, in, other); },
                "sam::apply_permutation", "indices", by_scatter);
  };
  auto order = random_permutation<std::int64_t>(1000, 1);
  auto const place =
      static_cast<std::size_t>(std::find(order.begin(), order.end(), 500) - order.begin());
  auto twice = order;
  twice[place] = 501;
  refused(twice, nullptr, "are not distinct: some index occurs more than once");
  for (std::int64_t const wrong : {std::int64_t{-1}, std::int64_t{1000}, std::int64_t{1} << 40}) {
    auto broken = order;
    broken[700] = broken[999] = wrong;
    char const* const outside = "are not all in [0, 1000): the first one that is not is at 700";
    refused(broken, outside, outside);
  }
  auto const by = test::on_backend(order);
  test::fails([&] { sam::apply_permutation(context, by, in, out, in, short_one); }, "out2",
              "holds 999 items but indices holds 1000; both must hold the same number");
  test::fails([&] { sam::apply_permutation(context, by, in, out, in, out); }, "out2",
              "overlaps out1; the two must lie apart");
  auto const none = test::on_backend(std::vector<int>{});
  test::fails([&] { sam::gather(context, none, by, out); }, "in",
              "holds no items, but indices holds 1000");
  REQUIRE((out.untouched() && other.untouched() && short_one.untouched()));
}

}  // namespace
