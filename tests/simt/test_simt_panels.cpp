// SPDX-License-Identifier: MIT
// Tests of scans of tuples of a size known only at run time, by GPU kernels on fibers. Such scans
// work on column panels, of which there may be more than rings.
#include "items.hpp"
#include "simt/context.hpp"
#include "simt/scans.hpp"
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <tuple>

namespace {

using sam::index_t;
using sam::plus;
using sam::scan_policy;
using sam::carry::chained;
using sam::carry::decoupled;
using sam::carry::lookback;
using simt::fenced;
using test::form;
constexpr auto backward = sam::direction::backward;

template <class T, class Policy, form Kind = form::inclusive, int Warp = 32,
          class Config = simt::block_config<2, 3, 2>>
struct scan_case {
  using item = T;
  using policy = Policy;
  using context = simt::context<Warp, Config>;
  static constexpr form kind = Kind;
  static constexpr int warp_size = Warp;
  static constexpr int rows = Config::warps * Config::items;  // rows of a tile with one run
};

template <class Op, int Order = 1, class Carry = decoupled,
          sam::direction Heading = sam::direction::forward, int TupleSize = sam::run_time_tuple>
using policy = scan_policy<Op, Order, TupleSize, Carry, Heading>;
using maps = test::heisenberg<std::uint32_t>;
using product = test::heisenberg_product;

using cases = std::tuple<
    scan_case<std::int32_t, policy<plus>>,
    scan_case<std::int8_t, policy<plus, 2, decoupled, backward>, form::exclusive>,
    scan_case<std::int64_t, policy<plus, 3>, form::inclusive_from, 32, simt::block_config<3, 2, 3>>,
    scan_case<maps, policy<product, 1, decoupled, backward>, form::exclusive>,
    scan_case<maps, policy<product, 2, lookback>>,
    scan_case<std::int32_t, policy<plus, 2, chained, backward>>,
    scan_case<std::int16_t, policy<sam::maximum>, form::inclusive, 64>,
    scan_case<std::int32_t, policy<plus, 2>, form::exclusive, 64>>;

constexpr int sizes[] = {1, 2, 5, 7, 16, 31, 32, 33, 40, 64, 100};

/// Scans in place or out of place. Every second out-of-place scan uses arrays of different
/// alignment.
template <class Case>
void check(typename Case::context& context, typename Case::policy const& p, index_t n,
           bool in_place) {
  using T = typename Case::item;
  auto const seed = test::seed_for(context.launches());
  CAPTURE(n, p.components, seed);
  auto const items = test::random_items<T, typename Case::policy::op_type>(n, seed);
  auto const init = test::random_items<T, typename Case::policy::op_type>(4, seed)[3];
  auto const wanted = test::expected_scan<Case::kind>(items, p, init);
  fenced<T> in(items, 1);
  if (in_place) {
    test::scan<Case::kind>(context, in, in, p, init);
    REQUIRE(test::differences(in, wanted) == "");
    REQUIRE(in.intact());
  } else {
    fenced<T> out(std::vector<T>(items.size(), init), n % 2);
    test::scan<Case::kind>(context, in, out, p, init);
    REQUIRE(test::differences(out, wanted) == "");
    REQUIRE(out.intact());
  }
  REQUIRE(context.is_at_rest());
}

/// Returns the number of rows of a tile for a tuple size.
template <class Case>
index_t rows_of_tile(index_t components) {
  index_t const runs = components > Case::warp_size ? 1 : Case::warp_size / components;
  return Case::rows * sam::engine::min_of(runs, Case::warp_size / 2);
}

TEMPLATE_LIST_TEST_CASE("tuples of any size equal their reference on fibers", "[simt]", cases) {
  for (int const blocks : {1, 3, 7}) {
    CAPTURE(blocks);
    typename TestType::context context(blocks, test::seed_for(blocks));
    int turn = blocks / 2;
    for (index_t const s : sizes) {
      typename TestType::policy p;
      p.components = s;
      index_t const tile = rows_of_tile<TestType>(s) * s;
      if (blocks == 7) {  // more tiles than a ring has slots
        check<TestType>(context, p, (70 / sam::engine::div_up(s, 32) + 3) * tile + s / 2,
                        s % 2 == 0);
        continue;
      }
      check<TestType>(context, p, sam::engine::max_of(1, s - 1), true);
      for (index_t const n : {tile - 1, tile, tile + 1, 2 * tile + s / 2, 5 * tile + s + 1})
        if (++turn % 2 == 0)  // each size occurs with one of two numbers of blocks
          check<TestType>(context, p, n, n % 2 == 0);
    }
  }
}

TEST_CASE("launches over panels follow one another, past the last number", "[simt]") {
  constexpr std::uint32_t last = std::uint32_t{1} << 31;
  using sums = std::tuple_element_t<0, cases>;
  using products = std::tuple_element_t<3, cases>;
  for (std::uint32_t const ahead : {1u, 40u, 4096u}) {
    CAPTURE(ahead);
    simt::context<32> context(5, test::seed_for(ahead));
    context.start_rings_from(last - ahead);
    for (index_t const s : {33, 5, 100, 200, 2, 64, 500}) {
      sums::policy p;
      products::policy q;
      p.components = q.components = s;
      check<sums>(context, p, 31 * rows_of_tile<sums>(s) * s / 2, false);
      check<products>(context, q, 31 * rows_of_tile<products>(s) * s / 2, true);
      // The last tile has a single row, which half of the panels have no part of.
      check<sums>(context, p, rows_of_tile<sums>(s) * s + s / 2, true);
      check<products>(context, q, 10 * rows_of_tile<products>(s) * s + s / 2, false);
    }
    REQUIRE(context.base_of_rings() < last);
    REQUIRE((ahead == 4096 || context.base_of_rings() < 4096));
  }
}

TEST_CASE("tuples of more than a warp are scanned if their size is known, too", "[simt]") {
  using known = scan_case<std::int32_t, policy<plus, 2, decoupled, backward, 33>>;
  known::context context(3, test::seed_for(0));
  for (index_t const n : {5, 33, 6 * 33, 7 * 33 + 1, 1000})
    check<known>(context, {}, n, true);
}

TEMPLATE_TEST_CASE("no bit of a float in a panel depends on blocks, or on delays", "[simt]",
                   decoupled, chained, lookback) {
  index_t const n = 20000;
  auto const items = test::random_reals<float>(n, test::seed_for(n));
  for (index_t const s : {3, 50, 130}) {
    auto const scanned = [&](int blocks) {
      simt::context<std::is_same_v<TestType, lookback> ? 64 : 32> context(blocks,
                                                                          test::seed_for(blocks));
      std::vector<float> out(items.size());
      policy<plus, 2, TestType> p;
      p.components = s;
      sam::inclusive_scan(context, items, out, p);
      return out;
    };
    auto const wanted = scanned(1);
    for (int const blocks : {2, 3, 7})
      REQUIRE(test::differences(scanned(blocks), wanted) == "");
  }
}

struct shifted {
  std::int32_t operator()(std::int16_t x) const { return 3 * x - 1; }
};

TEMPLATE_TEST_CASE("a transform is fused into the load of panels", "[simt]", simt::context<32>,
                   simt::context<64>) {
  TestType context(3, test::seed_for(0));
  for (index_t const s : {3, 32, 70})
    for (index_t const n : {1, 700, 5003}) {
      CAPTURE(s, n);
      auto const items = test::random_items<std::int16_t>(n, test::seed_for(n));
      std::vector<std::int32_t> transformed(items.size()), out(items.size());
      std::transform(items.begin(), items.end(), transformed.begin(), shifted{});
      policy<plus, 2, decoupled, backward> p;
      p.components = s;
      sam::transform_inclusive_scan(context, items, out, shifted{}, p);
      REQUIRE(test::differences(out, sam::reference::inclusive_scan(transformed, p)) == "");
      policy<sam::maximum> q;
      q.components = s;
      sam::transform_exclusive_scan(context, items, out, shifted{}, q, 7);
      REQUIRE(test::differences(out, sam::reference::exclusive_scan(transformed, q, 7)) == "");
    }
}

}  // namespace
