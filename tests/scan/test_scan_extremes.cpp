// SPDX-License-Identifier: MIT
// Tests minimum, maximum and sums of floats in cases that IEEE 754 decides: NaN, signed zeros,
// infinities, and sums without items.
#include <sam/reduce.hpp>
#include <sam/segmented_reduce.hpp>
#include <sam/segmented_scan.hpp>

#include "extremes.hpp"
#include "support.hpp"

#include <cmath>
#include <tuple>

namespace {

using sam::index_t;
using test::form;
using test::scan_case;
constexpr auto ahead = sam::direction::forward;
constexpr auto back = sam::direction::backward;
constexpr int any = sam::run_time_tuple;

template <class Op, int Order = 1, int TupleSize = 1, sam::direction Direction = ahead,
          class Carry = sam::carry::decoupled>
using policy = sam::scan_policy<Op, Order, TupleSize, Carry, Direction>;

// SIMD kernels (transposed and not), scalar kernels and row kernels, several rounds, and schemes
// that regroup items.
using cases =
    std::tuple<scan_case<float, policy<sam::maximum>>,
               scan_case<double, policy<sam::minimum, 1, 3, back>, form::exclusive>,
               scan_case<float, policy<sam::maximum_number, 2, 2>, form::exclusive>,
               scan_case<double, policy<sam::minimum_number>>,
               scan_case<float, policy<sam::minimum, 1, any>>,
               scan_case<float, policy<sam::minimum, 1, 1, ahead, sam::carry::scan_then_propagate>>
#ifdef SAM_HAS_FLOAT16
               ,
               scan_case<sam::detail::float16, policy<sam::maximum>>
#endif
               >;

template <class Context, class Case>
void check_scan(Context& context, Case, index_t n) {
  using T = typename Case::item;
  typename Case::policy policy;
  if (Case::policy::tuple_size == any)
    policy.components = 37;
  T const init = sam::empty_of<T>(policy.op);
  for (int kind = 0; kind < test::kinds_of_extremes; ++kind) {
    auto const seed = test::seed_for(n);
    CAPTURE(n, kind, seed);
    auto const items = test::extreme_items<T>(n, kind, seed);
    auto const wanted = test::expected_scan<Case::kind>(items, policy, init);
    test::fenced_array<T> out(items, 1);
    test::scan<Case::kind>(context, out, out, policy, init);
    context.wait();
    REQUIRE(test::unlike(out.to_host(), wanted) == "");
    auto const in = test::on_backend(items);
    test::scan<Case::kind>(context, in, out, policy, init);
    context.wait();
    REQUIRE(test::unlike(out.to_host(), wanted) == "");
  }
}

TEMPLATE_LIST_TEST_CASE("minimum and maximum treat NaN and zeros as IEEE 754 does, at any place",
                        "[scan]", cases) {
  test::engine_context context;
  for (index_t const n : {1, 100, 3001, 200'000})
    check_scan(context, TestType{}, n);
}

template <class T, class Op>
void check_reductions(test::engine_context& context, index_t n, int kind) {
  auto const seed = test::seed_for(n);
  CAPTURE(n, kind, seed);
  Op const op;
  sam::scan_policy<Op> const policy;
  auto const items = test::extreme_items<T>(n, kind, seed);
  auto const in = test::on_backend(items);
  test::fenced_array<T> out(n), total(1);
  sam::reduce(context, in, total, op);
  context.wait();
  REQUIRE(test::unlike(total.to_host(),
                       sam::reference::reduce(items, policy, sam::identity_of<T>(op))) == "");

  std::vector<std::uint8_t> flags(items.size());
  test::generator bits{seed};
  for (auto& flag : flags)
    flag = bits() % 100 == 0;
  auto const heads = test::on_backend(flags);
  sam::segmented_inclusive_scan(context, in, sam::by_heads(heads), out, op);
  context.wait();
  REQUIRE(test::unlike(out.to_host(),
                       sam::reference::segmented_inclusive_scan(items, flags, policy)) == "");

  auto offsets = sam::reference::offsets_of(flags);
  offsets.push_back(offsets.back());  // an empty segment
  auto const ends = test::on_backend(offsets);
  test::fenced_array<T> totals(static_cast<index_t>(offsets.size()) - 1);
  sam::segmented_reduce(context, in, sam::by_offsets(ends), totals, op);
  context.wait();
  REQUIRE(test::unlike(totals.to_host(),
                       sam::reference::segmented_reduce(items, offsets, policy,
                                                        sam::identity_of<T>(op))) == "");
}

TEST_CASE("reductions and segments treat NaN and zeros as IEEE 754 does", "[scan]") {
  test::engine_context context;
  for (index_t const n : {1, 100, 3001, 200'000})
    for (int kind = 0; kind < test::kinds_of_extremes; ++kind) {
      check_reductions<float, sam::maximum>(context, n, kind);
      check_reductions<double, sam::minimum_number>(context, n, kind);
    }
}

template <class T>
std::vector<bool> signs(std::vector<T> const& items) {
  std::vector<bool> signs;
  for (T const x : items)
    signs.push_back(std::signbit(x));
  return signs;
}

TEST_CASE("a sum of nothing is 0, not -0", "[scan]") {
  test::engine_context context;
  for (index_t const n : {1, 100, 100'000}) {
    CAPTURE(n);
    std::vector<float> const zeros(static_cast<std::size_t>(n), -0.0F);
    std::vector<bool> const positive(zeros.size(), false), negative(zeros.size(), true);
    auto const in = test::on_backend(zeros);
    test::fenced_array<float> out(n), total(2);
    sam::exclusive_scan(context, in, out);
    context.wait();
    REQUIRE(signs(out.to_host()) == positive);
    sam::exclusive_scan(context, in, out, policy<sam::plus, 2, 3, back>{});
    context.wait();
    REQUIRE(signs(out.to_host()) == positive);
    sam::inclusive_scan(context, in, out);
    context.wait();
    REQUIRE(signs(out.to_host()) == negative);
    sam::segmented_exclusive_scan(context, in, sam::by_length(7), out);
    context.wait();
    REQUIRE(signs(out.to_host()) == positive);

    std::vector<index_t> const offsets{0, 0, n};
    auto const ends = test::on_backend(offsets);
    sam::segmented_reduce(context, in, sam::by_offsets(ends), total);
    context.wait();
    REQUIRE(signs(total.to_host()) == std::vector{false, true});
  }
}

TEST_CASE("components without items sum up to 0, not -0", "[scan]") {
  test::engine_context context;
  auto const in = test::on_backend(std::vector<float>{-0.0F});
  test::fenced_array<float> totals(2);
  sam::reduce(context, in, totals, sam::scan_policy<sam::plus, 1, 2>{});
  context.wait();
  REQUIRE(signs(totals.to_host()) == std::vector{true, false});
  auto const nothing = test::on_backend(std::vector<float>{});
  sam::reduce(context, nothing, totals, sam::scan_policy<sam::maximum_number, 1, 2>{});
  context.wait();
  REQUIRE(std::isnan(totals.to_host()[0]));
}

}  // namespace
