// SPDX-License-Identifier: MIT
// Runs scans, reductions, compactions and set operations by the GPU kernels on fibers, as jobs that
// compute their items, or what and where they store.
#include <sam/compact.hpp>
#include <sam/inputs.hpp>
#include <sam/outputs.hpp>
#include <sam/partition.hpp>
#include <sam/reduce.hpp>
#include <sam/segmented_reduce.hpp>
#include <sam/segmented_scan.hpp>
#include <sam/set_operations.hpp>
#include <sam/unique.hpp>

#include "items.hpp"
#include "simt/context.hpp"
#include "simt/scans.hpp"
#include <catch2/catch_template_test_macros.hpp>

namespace {

using sam::index_t;

struct multiplied {
  template <class Z>
  std::uint32_t operator()(Z const& z) const {
    return z.first * static_cast<std::uint32_t>(z.second);
  }
};
struct by_index {
  template <class I>
  test::affine operator()(I const& x) const {
    return {static_cast<std::uint32_t>(2 * x.index + 1), x.value};
  }
};
struct squared {
  std::uint32_t operator()(index_t i) const { return static_cast<std::uint32_t>(i * i); }
};
struct is_odd {
  bool operator()(std::uint32_t x) const { return x % 2 != 0; }
};

/// Checks the scan, the reduction and the compaction of an input whose items are `items`.
template <class Context, class Policy, class Input, class T>
void check_scan(Context& context, Input const& input, std::vector<T> const& items) {
  Policy const policy;
  simt::fenced<T> out(std::vector<T>(items.size()), 1);
  sam::inclusive_scan(context, input, out, policy);
  auto const wanted = sam::reference::inclusive_scan(items, policy);
  for (std::size_t i = 0; i < items.size(); ++i)
    REQUIRE(out[i] == wanted[i]);
  REQUIRE(out.intact());
}
template <class Context, class Input>
void check_rest(Context& context, Input const& input, std::vector<std::uint32_t> const& items) {
  std::uint32_t sum = 0;
  std::vector<std::uint32_t> odd;
  for (auto const x : items) {
    sum += x;
    if (x % 2 != 0)
      odd.push_back(x);
  }
  REQUIRE(sam::reduce(context, input) == sum);
  std::vector<std::uint32_t> kept(items.size());
  REQUIRE(sam::compact(context, input, kept, is_odd{}) == static_cast<index_t>(odd.size()));
  kept.resize(odd.size());
  REQUIRE(kept == odd);
}

}  // namespace

TEMPLATE_TEST_CASE("computed inputs are read on fibers", "", simt::context<32>, simt::context<64>) {
  constexpr auto back = sam::direction::backward;
  using sums = sam::scan_policy<sam::plus>;
  using tuples = sam::scan_policy<sam::plus, 2, 3, sam::carry::decoupled, back>;
  using maps = sam::scan_policy<test::compose, 1, 1, sam::carry::decoupled, back>;
  for (int const n : {1, 63, 1000, 3001}) {
    TestType context(3, test::seed_for(n));
    auto const size = static_cast<std::size_t>(n);
    auto const a = test::random_items<std::uint32_t>(n, test::seed_for(n));
    auto const b = test::random_items<std::uint8_t>(n, test::seed_for(n) + 1);
    std::vector<int> indices(size);
    std::vector<std::uint32_t> squares, products, permuted, third;
    std::vector<test::affine> indexed;
    for (std::size_t i = 0; i < size; ++i) {
      indices[i] = static_cast<int>((i * 7919 + 5) % size);
      squares.push_back(squared{}(static_cast<index_t>(i)));
      products.push_back(a[i] * b[i]);
      permuted.push_back(a[static_cast<std::size_t>(indices[i])]);
      indexed.push_back({static_cast<std::uint32_t>(2 * i + 1), a[i]});
      if (i % 3 == 0)
        third.push_back(a[i]);
    }
    auto const zip = sam::transformed(sam::zipped(a, b), multiplied{});
    check_scan<TestType, sums>(context, sam::generated(n, squared{}), squares);
    check_scan<TestType, tuples>(context, zip, products);
    check_scan<TestType, sums>(context, sam::permuted(a, indices), permuted);
    check_scan<TestType, maps>(context, sam::transformed(sam::indexed(a), by_index{}), indexed);
    check_scan<TestType, sums>(context, sam::strided(a, 3), third);
    check_rest(context, sam::generated(n, squared{}), squares);
    check_rest(context, zip, products);
    check_rest(context, sam::permuted(a, indices), permuted);
  }
}

struct tripled {
  std::int64_t operator()(std::uint32_t x) const { return std::int64_t{x} * 3; }
};
struct key_at {
  std::uint32_t operator()(index_t i) const { return static_cast<std::uint32_t>(i / 7 % 5); }
};
TEMPLATE_TEST_CASE("computed outputs are written on fibers", "", simt::context<32>,
                   simt::context<64>) {
  constexpr auto back = sam::direction::backward;
  using tuples = sam::scan_policy<sam::plus, 2, 3, sam::carry::decoupled, back>;
  for (int const n : {1, 63, 1000, 3001}) {
    TestType context(3, test::seed_for(n));
    auto const size = static_cast<std::size_t>(n);
    auto items = test::random_items<std::uint32_t>(n, test::seed_for(n));
    for (auto& x : items)
      x %= 5;
    std::vector<int> places(size);
    for (std::size_t i = 0; i < size; ++i)
      places[i] = static_cast<int>((i * 7919 + 5) % size);
    auto const check = [&](std::vector<std::uint32_t> const& wanted, auto const& call) {
      std::vector<std::int64_t> stored(size, -1);
      simt::fenced<std::int64_t> out(stored, 1);
      call(sam::transformed_to(sam::scattered(out, places), tripled{}));
      for (std::size_t i = 0; i < wanted.size(); ++i)
        stored[static_cast<std::size_t>(places[i])] = tripled{}(wanted[i]);
      for (std::size_t i = 0; i < size; ++i)
        REQUIRE(out[i] == stored[i]);
      REQUIRE(out.intact());
    };
    check(sam::reference::inclusive_scan(items, sam::scan_policy<>{}),
          [&](auto const& out) { sam::inclusive_scan(context, items, out); });
    check(sam::reference::inclusive_scan(items, tuples{}),
          [&](auto const& out) { sam::inclusive_scan(context, items, out, tuples{}); });
    check(sam::reference::compact(items, is_odd{}),
          [&](auto const& out) { sam::compact(context, items, out, is_odd{}); });
    check(sam::reference::unique(items, std::equal_to<>{}),
          [&](auto const& out) { sam::unique(context, items, out); });
    check(sam::reference::partition(items, is_odd{}),
          [&](auto const& out) { sam::partition(context, items, out, is_odd{}); });
    // Keys and items that are computed, in segments
    std::vector<std::uint32_t> keys, firsts(size);
    std::vector<bool> heads;
    for (index_t i = 0; i < n; ++i) {
      keys.push_back(key_at{}(i));
      heads.push_back(i == 0 || key_at{}(i - 1) != key_at{}(i));
    }
    auto const in = sam::strided(items, 1);
    auto const computed_keys = sam::generated(n, key_at{});
    auto const offsets = sam::reference::offsets_of<int>(heads);
    sam::scan_policy<> const sums;
    check(sam::reference::segmented_inclusive_scan(items, heads, sums), [&](auto const& out) {
      sam::segmented_inclusive_scan(context, in, sam::by_keys(computed_keys), out);
    });
    check(sam::reference::reduce_by_key(keys, items, sums, 0u).second,
          [&](auto const& out) { sam::reduce_by_key(context, computed_keys, in, firsts, out); });
    check(sam::reference::unique(keys, std::equal_to<>{}),
          [&](auto const& out) { sam::unique(context, computed_keys, out); });
    std::vector<std::uint32_t> totals(offsets.size() - 1);
    sam::segmented_reduce(context, in, sam::by_offsets(offsets), totals);
    REQUIRE(totals == sam::reference::segmented_reduce(items, offsets, sums, 0u));
  }
}

TEMPLATE_TEST_CASE("set operations run on fibers", "", simt::context<32>, simt::context<64>) {
  for (std::size_t const n : {1, 100, 2001}) {
    TestType context(3, test::seed_for(static_cast<index_t>(n)));
    std::vector<int> a(n), b(n / 2 + 1);
    test::generator bits{n};
    for (auto* const items : {&a, &b}) {
      for (int& x : *items)
        x = static_cast<int>(bits() % (n / 3 + 2));
      std::sort(items->begin(), items->end());
    }
    auto const check = [&](std::vector<int> const& wanted, auto const& call) {
      std::vector<int> out(a.size() + b.size());
      out.resize(static_cast<std::size_t>(call(out)));
      REQUIRE(out == wanted);
    };
    sam::less const less;
    check(sam::reference::set_union(a, b, less),
          [&](auto& out) { return sam::set_union(context, a, b, out); });
    check(sam::reference::set_difference(a, b, less),
          [&](auto& out) { return sam::set_difference(context, a, b, out); });
  }
}

using config = simt::block_config<2, 3, 2>;
// A state of two doubles needs a deeper ring than that of the default context.
TEMPLATE_TEST_CASE("items are accumulated in another type on fibers", "",
                   (simt::context<32, config, 512>), (simt::context<64, config, 512>)) {
  for (int const n : {1, 63, 1000, 3001}) {
    TestType context(3, test::seed_for(n));
    auto const size = static_cast<std::size_t>(n);
    std::vector<float> const items(size, 0.1f);
    std::vector<double> const wide(items.begin(), items.end());
    auto const policy = sam::backward(sam::scan_policy<sam::plus, 2>{});
    auto const sums = sam::reference::inclusive_scan(wide, policy);
    std::vector<float> out(size);
    sam::inclusive_scan(context, items, out, sam::accumulate_in<double>(policy));
    for (std::size_t i = 0; i < size; ++i)
      REQUIRE(std::abs(out[i] - sums[i]) <= 1e-7 * sums[i]);
    double const sum = sam::reduce(context, items, sam::accumulate_in<double>(sam::plus{}));
    REQUIRE(std::abs(sum - 0.1 * n) <= 1e-7 * sum);
  }
}
