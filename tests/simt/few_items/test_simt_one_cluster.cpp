// SPDX-License-Identifier: MIT
// Tests of the kernel that runs few items in one block or one cluster, on fibers.
#include <sam/compact.hpp>
#include <sam/extremes.hpp>
#include <sam/find.hpp>
#include <sam/partition.hpp>
#include <sam/reduce.hpp>
#include <sam/reference.hpp>
#include <sam/segmented_scan.hpp>
#include <sam/unique.hpp>

#include "items.hpp"
#include "job_kinds.hpp"
#include "simt/cluster_context.hpp"
#include "simt/runner.hpp"
#include "simt/scans.hpp"
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <functional>
#include <numeric>
#include <tuple>

namespace {

using sam::index_t;
using sam::plus;
using sam::scan_policy;
using sam::gpu::few_items_config;
using simt::fenced;
using test::form;

using maps = test::heisenberg<std::uint32_t>;
using product = test::heisenberg_product;

/// A test case: the item type, policy, warp size and config that are compiled.
template <class T, class Policy, int Warp = 32, class Config = few_items_config<4, 4, 3>>
struct scan_case {
  using item = T;
  using policy = Policy;
  using context = simt::cluster_context<Warp, Config>;
  static constexpr int run_items = Policy::tuple_size * Config::items;
  static constexpr int warp_items = Warp / Policy::tuple_size * run_items;
  static constexpr int block_items = Config::warps * warp_items;
  static constexpr int most = Config::blocks * block_items;
};

using cases = std::tuple<
    scan_case<std::int32_t, scan_policy<plus>>,
    scan_case<std::int8_t, scan_policy<plus>, 32, few_items_config<2, 16, 2>>,
    scan_case<std::uint64_t, scan_policy<plus>, 32, few_items_config<3, 2, 8>>,
    scan_case<std::int32_t, scan_policy<plus, 2>>, scan_case<std::int32_t, scan_policy<plus, 3, 3>>,
    scan_case<std::int32_t, scan_policy<plus, 1, 5>>,
    scan_case<std::int16_t, scan_policy<plus, 1, 32>>, scan_case<maps, scan_policy<product>>,
    scan_case<maps, scan_policy<product, 1, 3>, 32, few_items_config<16, 1, 2>>,
    scan_case<maps, scan_policy<product, 2>>, scan_case<std::int32_t, scan_policy<plus, 2, 2>, 64>,
    scan_case<maps, scan_policy<product>, 64>,
    scan_case<std::int32_t, decltype(sam::backward(plus{}))>>;

/// Sizes at which runs, warps, blocks and clusters begin to be, or just are, full.
template <class Case>
std::vector<index_t> sizes() {
  std::vector<index_t> all{1, 2};
  for (int const edge :
       {Case::run_items, Case::warp_items, Case::block_items, 2 * Case::block_items, Case::most})
    for (int const n : {edge - Case::policy::tuple_size, edge - 1, edge, edge + 1})
      if (n > 0 && n <= Case::most)
        all.push_back(n);
  return all;
}

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
  int const before = context.clusters();
  if (in_place)
    test::scan<Kind>(context, in, in, p, init);
  else
    test::scan<Kind>(context, in, out, p, init);
  REQUIRE(context.clusters() > before);
  REQUIRE(test::differences(in_place ? in : out, expected) == "");
  REQUIRE((in.intact() && out.intact()));
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("scans in one cluster on fibers are those of a plain loop", "[simt]",
                        cases) {
  using Case = TestType;
  typename Case::context context(test::seed_for(1));
  int turn = 0;
  for (index_t const n : sizes<Case>()) {
    check<Case, form::inclusive_from>(context, n, turn % 4, turn % 3 == 0);
    check<Case, form::exclusive>(context, n, turn % 5 == 0 ? 1 : 0, turn % 2 == 0);
    check<Case, form::inclusive>(context, n, 0, turn % 2 == 1);
    ++turn;
  }
}

TEMPLATE_TEST_CASE("reductions in one cluster on fibers have the bits of a scan's last values",
                   "[simt]", (scan_case<float, scan_policy<plus>>),
                   (scan_case<float, scan_policy<plus, 1, 3>>),
                   (scan_case<double, scan_policy<plus>, 64>)) {
  using T = typename TestType::item;
  constexpr int s = TestType::policy::tuple_size;
  typename TestType::context context(test::seed_for(2));
  for (index_t const n : sizes<TestType>()) {
    CAPTURE(n);
    auto const items = test::random_reals<T>(n, test::seed_for(int(n)));
    fenced<T> in(items, n % 2);
    std::vector<T> scanned(items.size()), last(s, T(0)), out(s, T(5));
    sam::inclusive_scan(context, in, scanned, typename TestType::policy{});
    for (std::size_t i = scanned.size() < s ? 0 : scanned.size() - s; i < scanned.size(); ++i)
      last[i % s] = scanned[i];
    sam::reduce(context, in, out, typename TestType::policy{});
    REQUIRE(test::differences(out, last) == "");
  }
}

TEMPLATE_TEST_CASE("the smallest job of every kind runs in one cluster on fibers", "[simt]",
                   simt::cluster_context<32>, simt::cluster_context<64>) {
  for (int const n : {1, 63, 500, 1400}) {
    TestType context(test::seed_for(n));
    auto const in = test::some_integers(n);
    simt::runner<TestType> with(context, in);
    test::check_every_kind(with, in);
    REQUIRE(context.clusters() > 0);
  }
}

namespace {
struct three_times {
  SAM_FUNCTION std::uint32_t operator()(std::uint8_t x) const { return 3u * x; }
};

/// Returns the sum of the first items, at most all.
template <class T>
T sum_of(std::vector<T> const& items, index_t number) {
  auto const size = std::min(number, static_cast<index_t>(items.size()));
  return std::accumulate(items.begin(), items.begin() + size, T{}, plus{});
}

/// Checks sums of items that begin `shift` items past a multiple of 16 bytes.
template <class T, class Context>
void check_sums(Context& context, index_t n, index_t shift) {
  CAPTURE(n, shift, context.reduce_blocks);
  auto const items = test::random_items<T, product>(n, test::seed_for(int(n)));
  fenced<T> in(items, shift);
  T const sum = sum_of(items, n), least = *std::min_element(items.begin(), items.end());
  std::vector<T> out(1);
  sam::reduce(context, in, out);
  REQUIRE(out[0] == sum);
  sam::reduce(context, in, out, plus{}, T(100));
  REQUIRE(out[0] == plus{}(T(100), sum));
  sam::reduce(context, in, out, sam::minimum{});
  REQUIRE(out[0] == least);
  for (index_t const number : {index_t{0}, n / 2, n - 1, n, n + 1}) {
    std::vector<index_t> const counts{number};
    CAPTURE(number);
    sam::reduce(context, sam::counted(in, counts), out);
    REQUIRE(out[0] == sum_of(items, number));
  }
  std::vector<index_t> where{-1};
  sam::argmin(context, in, where);
  REQUIRE(where[0] == std::min_element(items.begin(), items.end()) - items.begin());
  sam::argmax(context, in, where);
  REQUIRE(where[0] == std::max_element(items.begin(), items.end()) - items.begin());
  if constexpr (std::is_same_v<T, std::uint8_t>) {
    std::vector<std::uint32_t> all(1);
    sam::transform_reduce(context, in, all, three_times{});
    std::uint32_t expected = 0;
    for (T const x : items)
      expected += 3u * x;
    REQUIRE(all[0] == expected);
  }
}
/// Finds the first of no, one, a few and all items.
template <class Context>
void check_finds(Context& context, index_t n, index_t shift) {
  CAPTURE(n, shift, context.reduce_blocks);
  for (index_t const matching : {index_t{0}, index_t{1}, n / 100 + 2, n}) {
    std::vector<std::uint8_t> items(static_cast<std::size_t>(n), matching == n ? 1 : 0);
    auto const where = test::random_items<std::uint32_t, product>(n, test::seed_for(int(n)));
    for (index_t k = 0; k < std::min(matching, n); ++k)
      items[where[static_cast<std::size_t>(k)] % items.size()] = 1;
    auto const first = std::find(items.begin(), items.end(), 1) - items.begin();
    fenced<std::uint8_t> in(items, shift);
    std::vector<index_t> out{-1};
    auto const is_one = [](std::uint8_t x) { return x == 1; };
    sam::find_if(context, in, is_one, out);
    REQUIRE(out[0] == first);
    std::vector<std::uint8_t> any{2};
    sam::any_of(context, in, is_one, any);
    REQUIRE(any[0] == (first < n ? 1 : 0));
  }
}
}  // namespace

TEMPLATE_TEST_CASE("reductions in any order on fibers have the results of a plain loop", "[simt]",
                   simt::cluster_context<32>, simt::cluster_context<64>) {
  TestType context(test::seed_for(4));
  context.words.launches = std::uint32_t(-9);  // numbers begin again at 0
  for (int const blocks : {1, 2, 5}) {
    context.reduce_blocks = blocks;
    for (index_t const n : {1, 3, 4, 95, 96, 97, 383, 384, 1537, 7001}) {
      check_sums<std::int32_t>(context, n, n % 4);
      check_sums<std::uint8_t>(context, n, n % 2 == 0 ? 0 : 3);
      check_sums<std::int64_t>(context, n, n % 3 == 0 ? 1 : 0);
      check_finds(context, n, n % 2 == 0 ? 0 : 3);
    }
  }
  REQUIRE(context.clusters() == 0);
}

namespace {
/// Checks the extremes of numbers and where they are, if some numbers occur often, and of floats
/// some are NaNs.
template <class T, class Context>
void check_extremes(Context& context, index_t n, index_t shift) {
  CAPTURE(n, shift);
  test::generator bits(test::seed_for(n + shift));
  std::vector<T> items(static_cast<std::size_t>(n));
  for (T& x : items)
    x = static_cast<T>(static_cast<int>(bits() % 200) - 100);
  auto const is_less = [](T a, T b) { return a < b; };
  for (bool const has_nans : {false, true}) {
    if (has_nans) {
      if constexpr (!std::is_floating_point_v<T>)
        break;
      else
        for (std::size_t i = items.size() / 3; i < items.size(); i += 7)
          items[i] = std::numeric_limits<T>::quiet_NaN();
    }
    fenced<T> in(items, shift);
    auto const nan = std::find_if(items.begin(), items.end(), [](T x) { return x != x; });
    auto const least =
        nan != items.end() ? nan : std::min_element(items.begin(), items.end(), is_less);
    auto const greatest =
        nan != items.end() ? nan : std::max_element(items.begin(), items.end(), is_less);
    std::vector<index_t> where(1, -1);
    sam::argmin(context, in, where);
    REQUIRE(where[0] == least - items.begin());
    sam::argmax(context, in, where);
    REQUIRE(where[0] == greatest - items.begin());
    if constexpr (std::is_integral_v<T>) {
      std::vector<T> out(1);
      sam::reduce(context, in, out, sam::minimum{});
      REQUIRE(out[0] == *least);
      sam::reduce(context, in, out, sam::maximum{});
      REQUIRE(out[0] == *greatest);
      sam::reduce(context, in, out, sam::maximum{}, T(99));
      REQUIRE(out[0] == std::max(*greatest, T(99)));
      T sum = 0;
      for (T const x : items)
        sum = plus{}(sum, x);
      sam::reduce(context, in, out);
      REQUIRE(out[0] == sum);
    }
    REQUIRE(in.intact());
  }
}
}  // namespace

TEMPLATE_TEST_CASE("one block on fibers reduces few items by as many warps as they need", "[simt]",
                   (simt::cluster_context<32, sam::gpu::few_items_config<4, 4, 3>, 16>),
                   (simt::cluster_context<64, sam::gpu::few_items_config<4, 4, 3>, 8>)) {
  TestType context(test::seed_for(5));
  context.reduce_blocks = 1;
  index_t shift = 0;
  for (index_t const n : {1,   2,   31,  32,   33,   127,  128,  129,  255,    256,   257,
                          511, 512, 513, 1000, 1025, 2048, 4097, 8192, 16'383, 16'384}) {
    shift = (shift + 1) % 4;
    for (index_t const s : {index_t{0}, shift})
      if (n < 5000 || s != 0) {
        check_extremes<std::int32_t>(context, n, s);
        check_extremes<std::int8_t>(context, n, s);
        check_extremes<float>(context, n, s);
        if (n < 3000) {
          check_extremes<std::uint16_t>(context, n, s);
          check_extremes<std::int64_t>(context, n, s);
          check_extremes<double>(context, n, s);
          check_finds(context, n, s);
        }
      }
  }
  REQUIRE(context.words.launches == 0);
  REQUIRE(context.clusters() == 0);
}

namespace {
/// Partitions n items, which begin `shift` items past a multiple of 16 bytes, into three and two.
template <class T, class Context>
void check_partitions(Context& context, index_t n, index_t shift) {
  CAPTURE(n, shift, context.split_blocks, context.held);
  auto const first = [](T x) { return x % 3 == 0; };
  auto const second = [](T x) { return x % 3 == 1; };
  auto items = test::random_items<T, product>(n, test::seed_for(int(n)));
  for (T& x : items)
    x &= 127;
  std::vector<T> expected = items;
  auto const middle = std::stable_partition(expected.begin(), expected.end(), first);
  auto const last = std::stable_partition(middle, expected.end(), second);
  fenced<T> in(items, shift), out(std::vector<T>(items.size()), shift / 2);
  std::vector<int> counts(2);
  sam::three_way_partition(context, in, out, first, second, counts);
  REQUIRE(test::differences(out, expected) == "");
  REQUIRE(counts == std::vector{int(middle - expected.begin()), int(last - middle)});
  expected = items;
  auto const end = std::stable_partition(expected.begin(), expected.end(), second);
  REQUIRE(sam::partition(context, in, out, second) == end - expected.begin());
  REQUIRE(test::differences(out, expected) == "");
  // The first items only, of as many as memory says: those past them in out stay.
  for (index_t const number : {index_t{0}, n / 3, n - 1, n}) {
    std::vector<T> first_parted = items;
    auto const of_first =
        std::stable_partition(first_parted.begin(), first_parted.begin() + number, second);
    std::copy(items.begin(), items.end(), out.data());
    std::vector<index_t> const numbers{number};
    std::vector<int> count(1);
    sam::partition(context, sam::counted(in, numbers), out, second, count);
    REQUIRE(count[0] == of_first - first_parted.begin());
    REQUIRE(test::differences(out, first_parted) == "");
    sam::three_way_partition(context, sam::counted(in, numbers), out, first, second, counts);
    auto const two = std::stable_partition(items.begin(), items.begin() + number, first);
    auto const three = std::stable_partition(two, items.begin() + number, second);
    REQUIRE(counts == std::vector{int(two - items.begin()), int(three - two)});
    REQUIRE(test::differences(out, items) == "");
    std::copy(in.data(), in.data() + n, items.begin());
  }
  REQUIRE((in.intact() && out.intact()));
}
}  // namespace

TEMPLATE_TEST_CASE("partitions by blocks that run together, or by two kernels, are stable",
                   "[simt]", simt::cluster_context<32>, simt::cluster_context<64>) {
  TestType context(test::seed_for(7));
  for (int const blocks : {1, 2, 5})
    for (int const held : {TestType::counts_first, 0, 1, 3}) {
      context.split_blocks = blocks;
      context.held = held;
      for (index_t const n : {1, 3, 97, 768, 1537, 4000, 9001}) {
        check_partitions<std::int32_t>(context, n, n % 4);
        check_partitions<std::uint8_t>(context, n, n % 2 == 0 ? 0 : 3);
        check_partitions<std::int64_t>(context, n, n % 3 == 0 ? 1 : 0);
      }
    }
  REQUIRE(context.clusters() == 0);
}

TEMPLATE_TEST_CASE("partitions in one cluster on fibers are stable", "[simt]",
                   simt::cluster_context<32>, simt::cluster_context<64>) {
  TestType context(test::seed_for(5));
  for (index_t const n : {1, 2, 127, 129, 512, 513, 1100, 1536})
    check_partitions<std::int32_t>(context, n, n % 4);
  REQUIRE(context.clusters() == 8 * 10);  // both kinds of plain calls, and of four numbers
}

namespace {
/// Returns offsets of segments of up to `length` rows, of which some are empty.
std::vector<int> some_offsets(index_t n, int length) {
  test::generator bits{test::seed_for(length)};
  std::vector<int> offsets{0};
  while (offsets.back() < n)
    offsets.push_back(int(std::min(n, offsets.back() + index_t(bits() % (length + 1)))));
  offsets.push_back(int(n));
  return offsets;
}
/// The value of each item's segment up to the item.
template <class T, class Op>
std::vector<T> scan_segments(std::vector<T> out, std::vector<int> const& offsets, Op op) {
  for (std::size_t k = 0; k + 1 < offsets.size(); ++k)
    for (auto i = std::size_t(offsets[k]) + 1; i < std::size_t(offsets[k + 1]); ++i)
      out[i] = op(out[i - 1], out[i]);
  return out;
}
}  // namespace

TEST_CASE("segments by offsets in one cluster on fibers are those of a plain loop", "[simt]") {
  simt::cluster_context<32> context(test::seed_for(6));
  simt::cluster_context<64> wide(test::seed_for(7));
  for (index_t const n : {1, 31, 32, 33, 500, 512, 513, 1100, 1536})
    for (int const length : {1, 3, 40, 700}) {
      CAPTURE(n, length);
      auto const items = test::random_items<maps, product>(n, test::seed_for(int(n)));
      auto const offsets = some_offsets(n, length);
      auto const expected = scan_segments(items, offsets, product{});
      std::vector<maps> out(items.size());
      sam::segmented_inclusive_scan(context, items, sam::by_offsets(offsets), out, product{});
      REQUIRE(test::differences(out, expected) == "");

      std::vector<int> numbers(items.size(), 3), backward(items.size()), reversed_offsets;
      for (int const at : offsets)
        reversed_offsets.insert(reversed_offsets.begin(), int(n) - at);
      sam::segmented_inclusive_scan(wide, numbers, sam::by_offsets(offsets), backward,
                                    sam::backward(plus{}));
      std::reverse(backward.begin(), backward.end());
      REQUIRE(backward == scan_segments(numbers, reversed_offsets, plus{}));
    }
}

struct kind_of_item {
  static constexpr int kinds = 3;
  int operator()(int x) const { return x; }
};

TEST_CASE("2^16 items of one kind are counted in halves of a word", "[simt]") {
  using job = sam::gpu::split_in_cluster<sam::engine::split_job<int, int, kind_of_item>>;
  index_t const n = job::most_items;
  for (int const kind : {0, 1, 2}) {
    CAPTURE(kind);
    std::vector<int> const in(std::size_t(n), kind);
    std::vector<int> out(in.size(), 7), counts(2, 7);
    job const j{{n, in.data(), out.data(), counts.data(), {}}};
    std::uint32_t total = 0;
    for (int const x : in)
      total += j.to_accumulator(x);
    std::uint32_t before = 0;
    for (index_t i = 0; i < n; ++i) {
      j.store(i, kind, before, total);
      before += j.to_accumulator(kind);
    }
    REQUIRE(out == in);
    REQUIRE(counts == std::vector<int>{kind == 0 ? int(n) : 0, kind == 1 ? int(n) : 0});
  }
}

TEST_CASE("selections in one cluster on fibers may overwrite their input", "[simt]") {
  simt::cluster_context<32> context(test::seed_for(3));
  simt::cluster_context<64> wide(test::seed_for(4));
  auto const is_odd = [](int x) { return x % 2 != 0; };
  for (index_t const n : {1, 127, 128, 513, 1500}) {
    CAPTURE(n);
    auto const items = test::random_items<int, product>(n, test::seed_for(int(n)));
    std::vector<int> kept, in = items;
    for (int const x : items)
      if (is_odd(x))
        kept.push_back(x);
    index_t const count = sam::compact(context, in, in, is_odd);
    in.resize(static_cast<std::size_t>(count));
    REQUIRE(in == kept);
    std::vector<int> runs = items, firsts;
    for (int& x : runs)
      x = x % 2;
    for (std::size_t i = 0; i < runs.size(); ++i)
      if (i == 0 || runs[i] != runs[i - 1])
        firsts.push_back(runs[i]);
    runs.resize(static_cast<std::size_t>(sam::unique(wide, runs, runs)));
    REQUIRE(runs == firsts);
    std::vector<int> keys = items;
    std::vector<std::int64_t> places(items.size());
    std::iota(places.begin(), places.end(), 0);
    for (int& x : keys)
      x = x % 2;
    auto const wanted = sam::reference::unique_by_key(keys, places, std::equal_to<>{});
    auto const pairs =
        static_cast<std::size_t>(sam::unique_by_key(wide, keys, places, keys, places));
    keys.resize(pairs);
    places.resize(pairs);
    REQUIRE((keys == wanted.first && places == wanted.second));
  }
  REQUIRE((context.clusters() == 5 && wide.clusters() == 10));
}
