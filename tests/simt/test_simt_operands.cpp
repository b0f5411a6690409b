// SPDX-License-Identifier: MIT
// Tests that the GPU kernels, run on fibers, pass only valid operands to an operator: items, or its
// own results. Uninitialised memory is not allowed even if the result is unused, since a user's
// operator may index a table by its operand.
//
// The compiler fills variables with a pattern until they are written, if it supports that: see
// CMakeLists.txt.
#include <sam/reduce.hpp>
#include <sam/reference.hpp>
#include <sam/scan.hpp>
#include <sam/segmented_reduce.hpp>
#include <sam/segmented_scan.hpp>

#include "items.hpp"
#include "simt/context.hpp"
#include "simt/scans.hpp"
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <atomic>
#include <bit>
#include <tuple>

namespace {

using sam::index_t;
using sam::scan_policy;
using sam::carry::chained;
using sam::carry::decoupled;
using sam::carry::lookback;
using sam::carry::reduce_then_scan;
using sam::carry::scan_then_propagate;
using test::form;
constexpr auto backward = sam::direction::backward;

/// Two numbers with a checksum that uninitialised memory does not match. Has no default
/// initialisation.
struct sealed {
  std::uint32_t a, b, seal;

  static constexpr std::uint32_t seal_of(std::uint32_t a, std::uint32_t b) {
    return (a * 0x9e3779b1u ^ std::rotl(b, 15)) + 0x5eed;
  }
  static constexpr sealed of(std::uint32_t a, std::uint32_t b) { return {a, b, seal_of(a, b)}; }
  static sealed random(test::generator& bits) {
    return of(static_cast<std::uint32_t>(bits()) | 1, static_cast<std::uint32_t>(bits()));
  }
  friend bool operator==(sealed const&, sealed const&) = default;
};
/// Counts operands whose checksum is wrong.
std::atomic<int> strangers = 0;
sealed const& seen(sealed const& x) {
  if (x.seal != sealed::seal_of(x.a, x.b))
    ++strangers;
  return x;
}

/// Composes the maps x -> a x + b, the left one first. Declares no identity.
struct compose {
  sealed operator()(sealed const& l, sealed const& r) const {
    return sealed::of(seen(r).a * seen(l).a, r.a * l.b + r.b);
  }
};
struct compose_from_one : compose {
  sealed identity() const { return sealed::of(1, 0); }
};
/// Adds, with the algebra that lets one sweep compute a scan of any order.
struct add {
  static constexpr bool commutative = true;
  template <class T>
  using coefficient = std::uint32_t;
  sealed operator()(sealed const& l, sealed const& r) const {
    return sealed::of(seen(l).a + seen(r).a, l.b + r.b);
  }
  sealed identity() const { return sealed::of(0, 0); }
  static sealed scale(sealed const& x, std::uint32_t times) {
    return sealed::of(seen(x).a * times, x.b * times);
  }
};
static_assert(!sam::has_identity<compose, sealed> && sam::has_identity<compose_from_one, sealed>);
static_assert(sam::module_operator<add, sealed>);

template <class Op, int TupleSize = 1, class Carry = decoupled,
          sam::direction Heading = sam::direction::forward, int Order = 1>
using policy = scan_policy<Op, Order, TupleSize, Carry, Heading>;

template <class Policy, form Kind = form::inclusive, int Warp = 32,
          class Config = simt::block_config<3, 2, 2>>
struct scan_case {
  using policy = Policy;
  using context = simt::context<Warp, Config, 256>;
  static constexpr form kind = Kind;
  static constexpr int tuple_size = Policy::tuple_size;
  static constexpr int runs = Warp / tuple_size;
  static constexpr int warp_items = runs * tuple_size * Config::items;
  static constexpr int tile = Config::warps * warp_items;
};

template <class Carry>
using some_under = std::tuple<scan_case<policy<compose, 3, Carry>, form::exclusive>,
                              scan_case<policy<compose, 1, Carry, backward>, form::exclusive, 64>,
                              scan_case<policy<compose_from_one, 5, Carry>, form::exclusive>,
                              scan_case<policy<add, 3, Carry, backward, 2>>>;
template <class Carry>
using under = decltype(std::tuple_cat(
    some_under<Carry>{},
    std::tuple<scan_case<policy<compose, 1, Carry>>, scan_case<policy<compose, 3, Carry, backward>>,
               scan_case<policy<compose, 11, Carry>, form::inclusive_from, 32,
                         simt::block_config<5, 1, 3>>,
               scan_case<policy<compose_from_one, 1, Carry, backward>>,
               scan_case<policy<add, 1, Carry>, form::exclusive>,
               scan_case<policy<add, 5, Carry, sam::direction::forward, 3>, form::exclusive, 32,
                         simt::block_config<2, 1, 3>>>{}));

/// Runs call() and checks that no operand had a wrong checksum.
template <class Call>
void check_operands(Call call) {
  strangers = 0;
  call();
  REQUIRE(strangers == 0);
}

template <class Case>
void check(typename Case::context& context, index_t n, typename Case::policy const& p = {}) {
  auto const seed = test::seed_for(context.launches());
  CAPTURE(n, p.components, seed);
  auto const items = test::random_items<sealed>(n, seed);
  auto const init = test::random_items<sealed>(4, seed)[3];
  auto const wanted = test::expected_scan<Case::kind>(items, p, init);
  std::vector<sealed> out(items.size());
  check_operands([&] { test::scan<Case::kind>(context, items, out, p, init); });
  REQUIRE(test::differences(out, wanted) == "");
}

template <class Case>
void check_at_every_edge() {
  typename Case::context alone(1, test::seed_for(1)), three(3, test::seed_for(3));
  // Partial warps come first, while shared memory holds nothing from earlier launches.
  index_t const edges[] = {Case::warp_items + 1, Case::tile - 1,   1,         Case::tuple_size + 1,
                           Case::warp_items - 1, Case::warp_items, Case::tile};
  bool is_alone = false;  // alternates
  for (index_t const whole : {0, Case::runs * Case::tile + Case::tile})
    for (index_t const rest : edges)
      check<Case>((is_alone = !is_alone) ? alone : three, whole + rest);
}
TEMPLATE_LIST_TEST_CASE("a scan by decoupled combines nothing but items", "[simt]",
                        under<decoupled>) {
  check_at_every_edge<TestType>();
}
TEMPLATE_LIST_TEST_CASE("a scan by chained combines nothing but items", "[simt]",
                        some_under<chained>) {
  check_at_every_edge<TestType>();
}
TEMPLATE_LIST_TEST_CASE("a scan by lookback combines nothing but items", "[simt]",
                        under<lookback>) {
  check_at_every_edge<TestType>();
}
TEMPLATE_LIST_TEST_CASE("a scan by reduce_then_scan combines nothing but items", "[simt]",
                        some_under<reduce_then_scan>) {
  check_at_every_edge<TestType>();
}
TEMPLATE_LIST_TEST_CASE("a scan by scan_then_propagate combines nothing but items", "[simt]",
                        some_under<scan_then_propagate>) {
  check_at_every_edge<TestType>();
}

template <class Op, int Order, class Carry, sam::direction Heading = sam::direction::forward>
using panels = policy<Op, sam::run_time_tuple, Carry, Heading, Order>;

TEMPLATE_TEST_CASE("a scan of panels combines nothing but items", "[simt]",
                   (scan_case<panels<compose, 1, decoupled>>),
                   (scan_case<panels<compose, 1, lookback, backward>, form::exclusive>),
                   (scan_case<panels<compose_from_one, 1, chained>>),
                   (scan_case<panels<add, 2, decoupled>, form::inclusive, 64>)) {
  constexpr int warp = TestType::context::device_type::warp_size;
  typename TestType::context context(3, test::seed_for(3));
  for (index_t const s : {2, 7, 33}) {
    typename TestType::policy p;
    p.components = s;
    index_t const tile = 6 * sam::engine::max_of(1, sam::engine::min_of(warp / s, warp / 2)) * s;
    for (index_t const tiles : {0, 9})
      for (index_t const rest : {s + 1, tile - 1, tile})
        check<TestType>(context, tiles * tile + rest, p);
  }
}

/// Warps have 64 lanes for one of the operators.
template <class Op>
using other_context =
    simt::context<std::is_same_v<Op, add> ? 64 : 32, simt::block_config<3, 2, 2>, 512>;

TEMPLATE_TEST_CASE("reductions combine nothing but items", "[simt]", compose, compose_from_one,
                   add) {
  for (int const blocks : {1, 3}) {
    other_context<TestType> context(blocks, test::seed_for(blocks));
    for (index_t const n : {5, 96, 97, 191, 192, 1000}) {
      auto const seed = test::seed_for(n);
      CAPTURE(blocks, n, seed);
      auto const items = test::random_items<sealed>(n, seed);
      auto const reduce = [&](auto const& p) {
        auto const scanned = sam::reference::inclusive_scan(items, p);
        std::vector<sealed> out(static_cast<std::size_t>(p.components));
        check_operands([&] { sam::reduce(context, items, out, p); });
        for (std::size_t k = scanned.size() - out.size(); k < scanned.size(); ++k)
          REQUIRE(out[k % out.size()] == scanned[k]);
      };
      reduce(policy<TestType>{});
      reduce(policy<TestType, 3, lookback>{});
      reduce(policy<TestType, 3, chained>{});
      reduce(policy<TestType, 1, reduce_then_scan>{});
    }
  }
}

TEMPLATE_TEST_CASE("segmented scans and reductions combine nothing but items", "[simt]", compose,
                   compose_from_one, add) {
  other_context<TestType> context(3, test::seed_for(3));
  for (index_t const n : {1, 97, 1000})
    for (std::uint64_t const length : {5, 300}) {
      auto const seed = test::seed_for(n);
      CAPTURE(n, length, seed);
      test::generator bits{seed};
      std::vector<std::uint8_t> heads;
      std::vector<std::uint32_t> keys, offsets;
      for (index_t i = 0; i < n; ++i) {
        heads.push_back(i == 0 || bits() % length == 0);
        if (heads.back() != 0)
          offsets.push_back(static_cast<std::uint32_t>(i));
        keys.push_back(static_cast<std::uint32_t>(offsets.size()));
      }
      offsets.push_back(static_cast<std::uint32_t>(n));
      auto const items = test::random_items<sealed>(n, seed);
      auto const init = test::random_items<sealed>(1, seed + 1)[0];
      policy<TestType> const p;
      std::vector<sealed> out(items.size());
      check_operands(
          [&] { sam::segmented_inclusive_scan(context, items, sam::by_keys(keys), out, p); });
      REQUIRE(out == sam::reference::segmented_inclusive_scan(items, heads, p));
      check_operands([&] {
        sam::segmented_exclusive_scan(context, items, sam::by_heads(heads), out, p, init);
      });
      REQUIRE(out == sam::reference::segmented_exclusive_scan(items, heads, p, init));
      for (bool const takes_paths : {false, true}) {
        CAPTURE(takes_paths);
        context.takes_paths = takes_paths;
        out.resize(offsets.size() - 1);
        check_operands(
            [&] { sam::segmented_reduce(context, items, sam::by_offsets(offsets), out, p, init); });
        REQUIRE(out == sam::reference::segmented_reduce(items, offsets, p, init));
      }
    }
}

}  // namespace
