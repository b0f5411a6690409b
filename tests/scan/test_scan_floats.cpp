// SPDX-License-Identifier: MIT
// Tests the error bounds of float scans, and that their bits never vary.
#include "support.hpp"

#include <limits>
#include <tuple>

namespace {

using sam::index_t;
using test::form;
using test::scan_case;

template <int Order = 1, int TupleSize = 1, sam::direction Direction = sam::direction::forward,
          class Operator = sam::plus>
using policy = sam::scan_policy<Operator, Order, TupleSize, sam::carry::decoupled, Direction>;
constexpr auto back = sam::direction::backward;

/// Checks the error of a scan. A scan of order q is a sum of items with nonnegative coefficients.
/// In a plain loop, an item passes at most one addition per row, and one more for each round after
/// the first. These are k = rows + q - 1 factors of 1 + d, |d| <= u = epsilon / 2.
///
/// So the error is at most (1 + u)^k - 1 times the scan of the absolute values (Higham, "Accuracy
/// and Stability of Numerical Algorithms", section 4.2). For random items it hardly ever exceeds 8
/// sqrt(k) u times that scan: the chance is 2 exp(-32) (Higham, Mary, "A New Approach to
/// Probabilistic Rounding Error Analysis", 2019, theorem 2.4).
///
/// No scan may exceed these bounds. Tiles make chains of additions shorter, which leaves a margin
/// for the rounding of coefficients.
template <class T, class Policy>
void check_error_bound(std::vector<T> const& got, std::vector<T> const& items, Policy policy) {
  auto const as = [&](auto convert) {
    std::vector<long double> exact;
    for (T const x : items)
      exact.push_back(convert(static_cast<long double>(x)));
    return sam::reference::inclusive_scan(exact, policy);
  };
  auto const wanted = as([](long double x) { return x; });
  auto const magnitude = as([](long double x) { return std::fabs(x); });
  auto const n = static_cast<index_t>(items.size());
  double const unit = std::numeric_limits<T>::epsilon() / 2;
  for (index_t i = 0; i < n; ++i) {
    index_t const rows =
        (Policy::heading == sam::direction::forward ? i : n - 1 - i) / policy.components + 1;
    auto const at = static_cast<std::size_t>(i);
    auto const error = std::fabs(static_cast<long double>(got[at]) - wanted[at]);
    auto const k = static_cast<double>(rows + Policy::order - 1);
    auto const bound = std::expm1(std::min(k, 8 * std::sqrt(k)) * unit * 1.0001) * magnitude[at];
    if (!(error <= bound)) {
      CAPTURE(i, rows, error, bound);
      FAIL("an item is further off than a plain loop may be");
    }
  }
}

// Orders up to 8, with and without tuples. Order-8 sums of 100000 floats are still finite.
using sums =
    std::tuple<scan_case<float, policy<>>, scan_case<float, policy<1, 1, back>>,
               scan_case<double, policy<>>, scan_case<float, policy<2>>,
               scan_case<double, policy<3, 1, back>>, scan_case<float, policy<5>>,
               scan_case<float, policy<8>>, scan_case<double, policy<8>>,
               scan_case<float, policy<1, 3>>, scan_case<double, policy<2, 5>>,
               scan_case<float, policy<4, 20>>, scan_case<float, policy<2, sam::run_time_tuple>>>;

TEMPLATE_LIST_TEST_CASE("a scan of floats is no further off than a plain loop may be", "[scan]",
                        sums) {
  using T = typename TestType::item;
  auto context = test::each_context();
  typename TestType::policy policy;
  if (TestType::policy::tuple_size == sam::run_time_tuple)
    policy.components = 64;
  for (index_t const n : {1, 17, 1000, 20000, 100000}) {
    auto const seed = test::seed_for(n);
    CAPTURE(n, seed);
    auto const items = test::random_reals<T>(n, seed);
    auto const in = test::on_backend(items);
    test::fenced_array<T> out(n);
    sam::inclusive_scan(context, in, out, policy);
    context.wait();
    check_error_bound(out.to_host(), items, policy);
    test::also_on_threads(context, [&](auto& crowd) {
      std::vector<T> on_threads(items.size());
      sam::inclusive_scan(crowd, items, on_threads, policy);
      check_error_bound(on_threads, items, policy);
    });
  }
}

/// A map x -> a x + b over floats. Composition rounds and does not commute.
struct real_map {
  float a, b;
  static real_map random(test::generator& bits) {
    return {0.5F + static_cast<float>(bits() % 1000) / 1000, test::small_number<float>(bits) / 3};
  }
};
struct compose_real {
  SAM_FUNCTION constexpr real_map operator()(real_map l, real_map r) const {
    return {r.a * l.a, r.a * l.b + r.b};
  }
};

template <class T, class Operator>
std::vector<T> rounding_items(index_t n, std::uint64_t seed) {
  if constexpr (!std::is_floating_point_v<T>)
    return test::random_items<T>(n, seed);
  else if constexpr (sam::is_idempotent<Operator>) {
    // The sign of a zero must not vary either. The first zero decides, and it is not in the first
    // lane.
    std::vector<T> zeros(static_cast<std::size_t>(n), T(-0.0));
    for (std::size_t const at : {std::size_t(0), zeros.size() - 1})
      zeros[at] = std::is_same_v<Operator, sam::minimum> ? T(1) : T(-1);
    zeros[1] = zeros[zeros.size() - 2] = T(0);
    return zeros;
  } else {
    std::vector<T> items = test::random_reals<T>(n, seed);
    if constexpr (std::is_same_v<Operator, sam::multiplies>)
      for (T& x : items)
        x = 1 + x / 16;
    return items;
  }
}

constexpr int any = sam::run_time_tuple;
constexpr auto ahead = sam::direction::forward;
// All kernels of the host: SIMD with and without an algebra, scalar with and without streams, and
// row kernels. Operators that choose an operand are included, because 0.0 and -0.0 compare equal.
using all_kernels =
    std::tuple<scan_case<float, policy<>>, scan_case<double, policy<1, 3, back>, form::exclusive>,
               scan_case<float, policy<3>, form::exclusive>, scan_case<float, policy<2, 20>>,
               scan_case<double, policy<2, any, back>>,
               scan_case<float, policy<1, 1, ahead, sam::multiplies>>,
               scan_case<real_map, policy<1, 1, ahead, compose_real>>,
               scan_case<real_map, policy<2, 5, back, compose_real>>,
               scan_case<float, policy<1, 1, ahead, sam::minimum>>,
               scan_case<double, policy<1, 2, back, sam::maximum>, form::exclusive>>;

TEMPLATE_LIST_TEST_CASE("bits do not depend on the number of threads, nor on the scheme", "[scan]",
                        all_kernels) {
  using T = typename TestType::item;
  typename TestType::policy policy;
  if (TestType::policy::tuple_size == any)
    policy.components = 100;
  index_t const n = 20 * sam::host::tuning::tile_bytes / index_t{sizeof(T)} + 77;
  auto const seed = test::seed_for(n);
  CAPTURE(seed);
  auto const items = rounding_items<T, typename TestType::policy::op_type>(n, seed);
  T const init = items[0];
  auto context = test::each_context();
  std::vector<T> wanted, wanted_regrouped;
  for (int const workers : {1, 2, 3, 7}) {
    CAPTURE(workers);
    auto const check_bits = [&](auto& crowd) {
      auto const check = [&]<class Scheme>(Scheme, std::vector<T>& as_wanted) {
        std::vector<T> out(items);
        test::scan<TestType::kind>(crowd, out, out, sam::carried_by<Scheme>(policy), init);
        if (as_wanted.empty())
          as_wanted = out;
        REQUIRE(test::differences(out, as_wanted) == "");
      };
      check(sam::carry::decoupled{}, wanted);
      check(sam::carry::chained{}, wanted);
      check(sam::carry::lookback{}, wanted);
      check(sam::carry::reduce_then_scan{}, wanted);
      check(sam::carry::scan_then_propagate{}, wanted_regrouped);
    };
    test::also_on_threads(context, check_bits, workers);
  }

  auto const in = test::on_backend(items);
  for (int repeat = 0; repeat < 3; ++repeat) {
    test::fenced_array<T> out(n, repeat);  // results do not depend on addresses either
    test::scan<TestType::kind>(context, in, out, policy, init);
    context.wait();
    if (wanted.empty())
      wanted = out.to_host();
    REQUIRE(test::differences(out.to_host(), wanted) == "");
  }
}

TEST_CASE("a sum of negative zeros is negative", "[scan]") {
  test::engine_context context;
  for (index_t const n : {1, 100, 100000}) {
    std::vector<float> const zeros(static_cast<std::size_t>(n), -0.0F);
    test::check_scan<form::inclusive>(context, zeros, zeros, sam::scan_policy<>{}, 0.0F);
    test::check_scan<form::exclusive>(context, zeros, zeros, sam::scan_policy<>{}, -0.0F);
  }
}

// From order 11 on, a float coefficient for the tile of zeros before the ones is infinite.
TEMPLATE_TEST_CASE("orders of floats are as many rounds where numbers end", "[scan]", policy<7>,
                   policy<8>, (policy<8, 1, back>), policy<11>, (policy<12, 3>),
                   (policy<11, sam::run_time_tuple>)) {
  test::engine_context context;
  index_t const n = 400'000;
  TestType whole;
  whole.components = TestType::tuple_size == sam::run_time_tuple ? 5 : TestType::tuple_size;
  std::vector<float> items(static_cast<std::size_t>(n));
  items[TestType::heading == sam::direction::forward ? items.size() - 17 : 16] = 1.0F;
  auto const wanted = sam::reference::inclusive_scan(items, whole);
  test::check_scan<form::inclusive>(context, items, wanted, whole, 0.0F);
}

TEMPLATE_TEST_CASE("an infinite item makes what follows it infinite, and nothing else", "[scan]",
                   policy<>, policy<2>, (policy<3, 2, back>),
                   (policy<1, 1, sam::direction::forward, sam::maximum>),
                   (policy<1, 1, sam::direction::forward, sam::minimum>)) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  test::engine_context context;
  for (index_t const n : {30, 100000})
    for (index_t const place : {index_t{0}, n / 2, n - 1}) {
      auto items = test::random_items<double>(n, test::seed_for(n));
      items[static_cast<std::size_t>(place)] =
          std::is_same_v<typename TestType::op_type, sam::minimum> ? -infinity : infinity;
      CAPTURE(n, place);
      auto const wanted = sam::reference::inclusive_scan(items, TestType{});
      test::check_scan<form::inclusive>(context, items, wanted, TestType{}, 0.0);
    }
}

}  // namespace
