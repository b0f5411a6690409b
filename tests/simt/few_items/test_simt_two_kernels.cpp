// SPDX-License-Identifier: MIT
// Tests of the two kernels that run few items, on fibers.
#include <sam/compact.hpp>
#include <sam/find_by_key.hpp>
#include <sam/reference.hpp>
#include <sam/run_length.hpp>
#include <sam/scan.hpp>
#include <sam/segmented_extremes.hpp>
#include <sam/segmented_reduce.hpp>
#include <sam/segmented_scan.hpp>
#include <sam/unique.hpp>

#include "items.hpp"
#include "job_kinds.hpp"
#include "simt/cluster_context.hpp"
#include "simt/runner.hpp"
#include "simt/scans.hpp"
#include "simt/two_kernel_context.hpp"
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <random>
#include <span>
#include <tuple>
#include <vector>

namespace {

using sam::index_t;
using sam::plus, sam::scan_policy;
using sam::gpu::few_items_config;
using simt::fenced;
using test::form;
using maps = test::heisenberg<std::uint32_t>;
using product = test::heisenberg_product;

/// A test case: the item type, policy, warp size and config that are compiled.
template <class T, class Policy, int Warp = 32, class Config = few_items_config<3, 4, 256>>
struct scan_case {
  using item = T;
  using policy = Policy;
  using context = simt::two_kernel_context<Warp, Config>;
  static constexpr int tile =
      Warp / Policy::tuple_size * Policy::tuple_size * Config::warps * Config::items;
};
using cases = std::tuple<
    scan_case<std::int32_t, scan_policy<plus>>, scan_case<std::int32_t, scan_policy<plus>, 64>,
    scan_case<std::int8_t, scan_policy<plus>, 32, few_items_config<2, 16, 256>>,
    scan_case<std::uint64_t, scan_policy<plus>, 32, few_items_config<1, 1, 64>>,
    scan_case<std::int32_t, scan_policy<plus, 1, 2>>,
    scan_case<std::int16_t, scan_policy<plus, 1, 5>>, scan_case<maps, scan_policy<product>>,
    scan_case<maps, scan_policy<product, 1, 2>>, scan_case<std::int32_t, scan_policy<sam::maximum>>,
    scan_case<maps, decltype(sam::backward(product{}))>>;

template <class Case, form Kind>
void check(typename Case::context& context, index_t n, int shift, bool in_place) {
  using T = typename Case::item;
  typename Case::policy const p;
  auto const items = test::random_items<T, product>(n, test::seed_for(int(n)));
  T const init = test::random_items<T, product>(3, 7)[2];
  auto const expected = test::expected_scan<Kind>(items, p, init);
  CAPTURE(n, shift, in_place, Kind);
  fenced<T> in(items, shift);
  fenced<T> out(std::vector<T>(items.size(), init), in_place ? 0 : shift / 2);
  int const before = context.pairs();
  if (in_place)
    test::scan<Kind>(context, in, in, p, init);
  else
    test::scan<Kind>(context, in, out, p, init);
  REQUIRE(context.pairs() == before + 1);
  REQUIRE(test::differences(in_place ? in : out, expected) == "");
  REQUIRE((in.intact() && out.intact()));
}

/// Segments of few items and of many, as items with keys.
struct segments {
  explicit segments(std::size_t n, std::size_t many) {
    std::mt19937 random(5);
    for (std::size_t i = 0, left = 0; i < n; ++i, --left) {
      if (left == 0) {
        left = 1 + random() % (random() % 20 == 0 ? many : 12);
        begins.push_back(i);
      }
      keys.push_back(static_cast<std::uint32_t>(begins.back()));
      numbers.push_back(static_cast<std::int32_t>(random() % 7));
    }
    begins.push_back(n);
  }
  /// Returns of(first, last) of the numbers of each segment.
  template <class Of>
  auto each(Of const& of) const {
    std::vector<decltype(of(numbers.begin(), numbers.begin()))> results;
    for (std::size_t s = 0; s + 1 < begins.size(); ++s)
      results.push_back(of(numbers.begin() + static_cast<std::ptrdiff_t>(begins[s]),
                           numbers.begin() + static_cast<std::ptrdiff_t>(begins[s + 1])));
    return results;
  }
  std::vector<std::uint32_t> keys;
  std::vector<std::int32_t> numbers;
  std::vector<std::size_t> begins;
};

}  // namespace

TEMPLATE_LIST_TEST_CASE("scans by two kernels on fibers are those of a plain loop", "[simt]",
                        cases) {
  using Case = TestType;
  typename Case::context context(test::seed_for(1));
  constexpr index_t tile = Case::tile, s = Case::policy::tuple_size;
  int turn = 0;
  for (index_t const n : {tile + s, tile + s + 1, 2 * tile - s, 2 * tile, 2 * tile + 1,
                          5 * tile - 3, 32 * tile, 33 * tile + 1, 64 * tile}) {
    check<Case, form::inclusive_from>(context, n, turn % 4, turn % 3 == 0);
    check<Case, form::exclusive>(context, n, turn % 5 == 0 ? 1 : 0, turn % 2 == 0);
    check<Case, form::inclusive>(context, n, 0, turn % 2 == 1);
    ++turn;
  }
}

TEMPLATE_TEST_CASE("the smallest job of every kind runs by two kernels on fibers", "[simt]",
                   simt::two_kernel_context<32>, simt::two_kernel_context<64>) {
  for (int const n : {1, 500, 1400, 4003}) {
    TestType context(test::seed_for(n));
    auto const in = test::some_integers(n);
    simt::runner<TestType> with(context, in);
    test::check_every_kind(with, in);
    REQUIRE((n < 800 || context.pairs() > 0));
  }
}

TEST_CASE("two kernels on fibers select items apart from the input, and not in place", "[simt]") {
  simt::two_kernel_context<32> context(5);
  auto const is_odd = [](std::int32_t x) { return x % 2 != 0; };
  for (index_t const n : {385, 768, 5000, 30'001}) {
    CAPTURE(n);
    auto items = test::random_items<std::int32_t>(n, test::seed_for(int(n)));
    for (std::int32_t& x : items)
      x = x % 3;
    std::vector<std::int32_t> expected, out(items.size());
    std::copy_if(items.begin(), items.end(), std::back_inserter(expected), is_odd);
    int const before = context.pairs();
    auto count = static_cast<std::size_t>(sam::compact(context, items, out, is_odd));
    REQUIRE(std::vector(out.begin(), out.begin() + std::ptrdiff_t(count)) == expected);
    REQUIRE(context.pairs() == before + 1);
    auto unique = items;
    unique.erase(std::unique(unique.begin(), unique.end()), unique.end());
    count = static_cast<std::size_t>(sam::unique(context, items, out));
    REQUIRE(std::vector(out.begin(), out.begin() + std::ptrdiff_t(count)) == unique);
    REQUIRE(context.pairs() == before + 2);
    count = static_cast<std::size_t>(sam::compact(context, items, items, is_odd));
    REQUIRE(std::vector(items.begin(), items.begin() + std::ptrdiff_t(count)) == expected);
    REQUIRE(context.pairs() == before + 2);
  }
}

TEMPLATE_TEST_CASE("segments reduced by two kernels on fibers are those of a plain loop", "[simt]",
                   (simt::two_kernel_context<32>), (simt::two_kernel_context<64>),
                   (simt::two_kernel_context<32, few_items_config<1, 1, 1024>>)) {
  TestType context(7);
  constexpr int tile = TestType::tile_items;
  for (int const n : {1, tile - 1, tile, tile + 1, 2 * tile, 5 * tile - 3, 32 * tile + 1, 33 * tile,
                      std::min(TestType::most_items, 20000), TestType::most_items + 1}) {
    CAPTURE(n);
    auto const size = static_cast<std::size_t>(n);
    segments const in(size, 1500);
    auto const runs = static_cast<index_t>(in.begins.size()) - 1;
    std::span<std::uint32_t const> const by(in.keys);
    std::span<std::int32_t const> const numbers(in.numbers);
    std::vector<std::uint32_t> firsts(size), places(size);
    auto const first_keys = in.each(
        [&](auto begin, auto) { return static_cast<std::uint32_t>(begin - in.numbers.begin()); });
    auto const expect = [&](index_t count, auto found, auto const& expected) {
      REQUIRE(count == runs);
      found.resize(expected.size());
      REQUIRE(found == expected);
      firsts.resize(first_keys.size());
      REQUIRE(firsts == first_keys);
      firsts.assign(size, 0);
    };
    int const before = context.pairs();
    index_t count = sam::argmax_by_key(context, by, numbers, std::span(firsts), std::span(places));
    expect(count, places, in.each([&](auto begin, auto end) {
      return static_cast<std::uint32_t>(std::max_element(begin, end) - in.numbers.begin());
    }));
    std::vector<std::int32_t> sums(size);
    count = sam::reduce_by_key(context, by, numbers, std::span(firsts), std::span(sums));
    expect(count, sums, in.each([](auto begin, auto end) {
      return std::accumulate(begin, end, std::int32_t{0});
    }));
    std::vector<std::int32_t> lengths(size);
    count = sam::run_length_encode(context, by, std::span(firsts), std::span(lengths));
    expect(count, lengths,
           in.each([](auto begin, auto end) { return static_cast<std::int32_t>(end - begin); }));
    std::vector<std::uint8_t> sorted(size);
    count = sam::is_sorted_by_key(context, by, numbers, std::span(firsts), std::span(sorted));
    expect(count, sorted, in.each([](auto begin, auto end) {
      return static_cast<std::uint8_t>(std::is_sorted(begin, end));
    }));
    REQUIRE(context.pairs() == before + (n > tile && n <= TestType::most_items ? 4 : 0));
  }
}

TEST_CASE("two kernels on fibers combine the items of segments in order", "[simt]") {
  simt::two_kernel_context<32> context(3);
  auto const items = test::random_items<maps>(3001, test::seed_for(3001));
  segments const in(items.size(), 1500);
  std::vector<maps> found(items.size()), expected;
  std::vector<std::uint32_t> firsts(items.size());
  for (std::size_t i = 0; i < items.size(); ++i)
    if (in.keys[i] == i)
      expected.push_back(items[i]);
    else
      expected.back() = product{}(expected.back(), items[i]);
  index_t const count = sam::reduce_by_key(context, std::span<std::uint32_t const>(in.keys),
                                           std::span<maps const>(items), std::span(firsts),
                                           std::span(found), product{});
  REQUIRE(context.pairs() == 1);
  REQUIRE(count == static_cast<index_t>(expected.size()));
  found.resize(expected.size());
  REQUIRE(found == expected);
}

TEST_CASE("two kernels on fibers take a number of items from memory", "[simt]") {
  simt::two_kernel_context<32> context(3);
  segments const in(3001, 1500);
  for (int const first : {0, 1, 384, 385, 2000, 3000, 3001}) {
    CAPTURE(first);
    std::vector<int> const number{first};
    std::vector<std::int32_t> sums(in.numbers.size()), expected;
    std::vector<std::uint32_t> firsts(in.numbers.size());
    std::vector<int> runs(1);
    for (std::size_t i = 0; i < static_cast<std::size_t>(first); ++i)
      if (in.keys[i] == i)
        expected.push_back(in.numbers[i]);
      else
        expected.back() += in.numbers[i];
    sam::reduce_by_key(context, sam::counted(in.keys, number), in.numbers, firsts, sums, runs);
    REQUIRE(runs[0] == static_cast<int>(expected.size()));
    sums.resize(expected.size());
    REQUIRE(sums == expected);
  }
}

TEST_CASE("two kernels on fibers scan and select as many items as memory says", "[simt]") {
  simt::two_kernel_context<32> context(9);
  constexpr index_t tile = simt::two_kernel_context<32>::tile_items, n = 5 * tile + 7;
  auto const is_odd = [](std::int32_t x) { return x % 2 != 0; };
  auto items = test::random_items<std::int32_t>(n, test::seed_for(int(n)));
  for (index_t const number : {index_t{0}, index_t{1}, tile - 1, tile, tile + 1, 2 * tile,
                               2 * tile + 1, 4 * tile, n - 1, n}) {
    CAPTURE(number);
    std::vector<index_t> const numbers{number};
    auto const end = items.begin() + number;
    int const before = context.pairs();
    std::vector<std::int32_t> sums(items.size(), -1), expected(items.size(), -1),
        kept(items.size());
    std::partial_sum(items.begin(), end, expected.begin(), plus{});
    sam::inclusive_scan(context, sam::counted(items, numbers), sums);
    REQUIRE(sums == expected);
    std::vector<index_t> count(1, -1);
    sam::compact(context, sam::counted(items, numbers), kept, is_odd, count);
    expected.clear();
    std::copy_if(items.begin(), end, std::back_inserter(expected), is_odd);
    REQUIRE(count[0] == static_cast<index_t>(expected.size()));
    REQUIRE(std::equal(expected.begin(), expected.end(), kept.begin()));
    REQUIRE(context.pairs() == before + 2);
  }
}

namespace {
/// Runs floats by two kernels of three warps with the groups of clusters of blocks of 12 warps.
using grouped = sam::gpu::grouped_config<3, 4, 12, 12>;
using clusters = sam::gpu::few_items_config<12, 4, 3>;
}  // namespace

TEMPLATE_TEST_CASE("two kernels on fibers give floats the bits of a cluster", "[simt]", float,
                   double) {
  simt::two_kernel_context<32, grouped> two(4);
  simt::cluster_context<32, clusters> one(5);
  constexpr index_t tile = 3 * 4 * 32, block = 4 * tile;
  for (index_t const n : {tile + 1, block - 1, block, block + 1, block + tile, block + tile + 77,
                          2 * block, 2 * block + 1, 3 * block - 1, 3 * block}) {
    CAPTURE(n);
    auto const items = test::random_reals<TestType>(n, test::seed_for(int(n)));
    std::vector<TestType> by_two(items.size()), by_one(items.size());
    sam::inclusive_scan(two, items, by_two);
    sam::inclusive_scan(one, items, by_one);
    REQUIRE(test::differences(by_two, by_one) == "");
    sam::exclusive_scan(two, items, by_two, TestType(0.1));
    sam::exclusive_scan(one, items, by_one, TestType(0.1));
    REQUIRE(test::differences(by_two, by_one) == "");
    auto in_place = items;
    sam::inclusive_scan(two, in_place, in_place, sam::maximum{});
    sam::inclusive_scan(one, items, by_one, sam::maximum{});
    REQUIRE(test::differences(in_place, by_one) == "");
  }
  REQUIRE(two.pairs() == 30);
}

namespace {
/// A number with a mark that no other memory has, and sums that note operands without it.
struct marked_number {
  std::uint32_t number, mark;
  static constexpr std::uint32_t right = 0x5a3c96e1;
  friend bool operator==(marked_number const&, marked_number const&) = default;
};
bool saw_another = false;
struct marked_sum {
  marked_number operator()(marked_number const& a, marked_number const& b) const {
    if (a.mark != marked_number::right || b.mark != marked_number::right)
      saw_another = true;
    return {a.number + b.number, marked_number::right};
  }
};
}  // namespace

TEST_CASE("kernels of few items on fibers show operators nothing but items", "[simt]") {
  simt::two_kernel_context<32> two(4);
  simt::two_kernel_context<32, grouped> groups(6);
  simt::cluster_context<32, clusters> one(5);
  saw_another = false;
  for (index_t const n : {1, 5, 33, 300, 385, 500, 1535, 1537, 1700, 3073, 4607}) {
    CAPTURE(n);
    std::vector<marked_number> in, sums(static_cast<std::size_t>(n)), expected;
    std::uint32_t sum = 0;
    for (index_t i = 0; i < n; ++i) {
      in.push_back({static_cast<std::uint32_t>(i * i), marked_number::right});
      sum += in.back().number;
      expected.push_back({sum, marked_number::right});
    }
    auto const check = [&](auto& context) {
      sums.assign(sums.size(), {});
      sam::inclusive_scan(context, in, sums, marked_sum{});
      REQUIRE(sums == expected);
      REQUIRE_FALSE(saw_another);
    };
    check(two);
    check(groups);
    check(one);
    std::vector<index_t> const number{n / 2};
    sam::inclusive_scan(groups, sam::counted(in, number), sums, marked_sum{});
    REQUIRE(std::equal(expected.begin(), expected.begin() + number[0], sums.begin()));
    REQUIRE_FALSE(saw_another);
  }
}
