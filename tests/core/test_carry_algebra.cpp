// SPDX-License-Identifier: MIT
// Tests the algebra of states of order-q scans against scans that process one item at a time.
#include <sam/algebra/carry_algebra.hpp>
#include <sam/host/simd/high_order_reduce.hpp>
#include <sam/reference.hpp>

#include "items.hpp"
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <array>

namespace {

using sam::index_t;
using sam::engine::bound;

/// Calls f(integral_constant) for every order that back ends unroll, and for a higher one.
template <class F>
void for_each_order(F f) {
  [&]<int... Q>(std::integer_sequence<int, Q...>) {
    (f(std::integral_constant<int, Q + 1>{}), ...);
  }
  (std::make_integer_sequence<int, 8>{});
  f(std::integral_constant<int, 12>{});
}

template <class T, int Q>
using state_of = std::array<T, std::size_t(Q)>;

template <class T, int Q>
state_of<T, Q> random_state(std::uint64_t seed) {
  state_of<T, Q> state{};
  auto const items = test::random_items<T>(Q, seed);
  std::copy(items.begin(), items.end(), state.begin());
  return state;
}

/// Returns the state after stepping through `items`.
template <class Op, bound Kind, class T, int Q>
state_of<T, Q> after(state_of<T, Q> state, std::vector<T> const& items) {
  for (T const x : items)
    sam::engine::step<Q, Kind>(Op{}, state.data(), x);
  return state;
}

template <class Op, bound Kind, class T, int Q>
state_of<T, Q> appended(state_of<T, Q> state, state_of<T, Q> const& run, index_t length) {
  sam::engine::append<Q>(Op{}, state.data(), run.data(),
                         sam::engine::zero_items<sam::engine::power_of<Op, T, Q>>(Kind, length));
  return state;
}

/// The case for which a law is checked. One function reports all failures, because there are many
/// checks.
struct where {
  int order;
  std::size_t item_size;
  bound kind;
};
void expect(bool holds, char const* law, where const& at, index_t length) {
  if (holds)
    return;
  CAPTURE(at.order, at.item_size, static_cast<int>(at.kind), length, Catch::getSeed());
  FAIL(law);
}

template <class Op, bound Kind, class T, int Q>
void check_laws() {
  using power = sam::engine::power_of<Op, T, Q>;
  where const at{Q, sizeof(T), Kind};
  state_of<T, Q> zero{};
  zero.fill(sam::identity_of<T>(Op{}));
  auto const a = random_state<T, Q>(test::seed_for(1)), b = random_state<T, Q>(test::seed_for(2)),
             c = random_state<T, Q>(test::seed_for(3));
  auto const same = [](power const& x, power const& y) { return std::equal(x.at, x.at + Q, y.at); };
  power one;
  one.at[0] = 1;

  for (index_t const m : {0, 1, 2, 3, 17, 255, 256, 1000, 65537}) {
    std::vector<T> const nothing(static_cast<std::size_t>(m), zero[0]);
    expect(appended<Op, Kind, T, Q>(a, zero, m) == after<Op, Kind, T, Q>(a, nothing),
           "appending items of identity is stepping through them", at, m);
    auto const forth = sam::engine::zero_items<power>(Kind, m);
    auto const back = sam::engine::zero_items<power>(Kind, -m);
    if constexpr (!std::is_same_v<Op, sam::bit_xor>) {  // its coefficients are modulo 2
      expect(same(forth * back, one), "a power and that of its negative cancel", at, m);
      expect(same(forth * sam::engine::zero_items<power>(Kind, 1000),
                  sam::engine::zero_items<power>(Kind, m + 1000)),
             "the product of powers is the power of the sum", at, m);
    }
    for (index_t const k : {index_t{0}, index_t{1}, index_t{4097}, index_t{1} << 40}) {
      auto const left = appended<Op, Kind, T, Q>(appended<Op, Kind, T, Q>(a, b, m), c, k);
      auto const right = appended<Op, Kind, T, Q>(a, appended<Op, Kind, T, Q>(b, c, k), m + k);
      expect(left == right, "appending is associative", at, m + k);
    }
  }

  auto const items = test::random_items<T>(3000, test::seed_for(4));
  for (std::size_t const cut : {0, 1, 1234, 2999, 3000}) {
    std::vector<T> const head(items.begin(), items.begin() + index_t(cut));
    std::vector<T> const tail(items.begin() + index_t(cut), items.end());
    auto const accumulator = after<Op, Kind, T, Q>(zero, tail);
    expect(appended<Op, Kind, T, Q>(after<Op, Kind, T, Q>(a, head), accumulator,
                                    index_t(tail.size())) == after<Op, Kind, T, Q>(a, items),
           "appending a run's aggregate is stepping through the run", at, index_t(cut));
  }
  SUCCEED("all laws hold");
}

TEMPLATE_TEST_CASE("runs are appended as if item by item, associatively, for every width and order",
                   "[algebra]", std::int8_t, std::uint8_t, std::int16_t, std::uint16_t,
                   std::int32_t, std::uint32_t, std::int64_t, std::uint64_t) {
  for_each_order([](auto q) {
    check_laws<sam::plus, bound::inclusive, TestType, q>();
    check_laws<sam::plus, bound::exclusive, TestType, q>();
  });
}

TEMPLATE_TEST_CASE("exclusive or has the same algebra", "[algebra]", std::uint8_t, std::int64_t) {
  for_each_order([](auto q) {
    check_laws<sam::bit_xor, bound::inclusive, TestType, q>();
    check_laws<sam::bit_xor, bound::exclusive, TestType, q>();
  });
}

TEST_CASE("powers are binomials", "[algebra]") {
  using power = sam::engine::series<std::int64_t, 6>;
  auto const binomial = [](index_t n, index_t k) {
    index_t product = 1;
    for (index_t i = 0; i < k; ++i)
      product = product * (n - i) / (i + 1);
    return product;
  };
  for (index_t m = 0; m < 500; ++m)
    for (index_t k = 0; k < 6; ++k) {
      CAPTURE(m, k);
      REQUIRE(sam::engine::zero_items<power>(bound::inclusive, m).at[k] == binomial(m + k - 1, k));
      REQUIRE(sam::engine::zero_items<power>(bound::exclusive, m).at[k] == binomial(m, k));
    }
  static_assert(sam::engine::zero_items<power>(bound::inclusive, 10).at[2] == 55);
  static_assert(sam::engine::zero_items<power>(bound::exclusive, -10).at[1] == -10);
}

TEST_CASE("stepping through items yields their scan", "[algebra]") {
  for_each_order([](auto q) {
    auto const items = test::random_items<int>(300, test::seed_for(q));
    sam::scan_policy<sam::plus, q> const policy;
    state_of<int, q> inclusive{}, exclusive{};
    std::vector<int> outputs[2];
    for (int const x : items) {
      outputs[0].push_back(
          sam::engine::step<q, bound::inclusive>(sam::plus{}, inclusive.data(), x));
      outputs[1].push_back(
          sam::engine::step<q, bound::exclusive>(sam::plus{}, exclusive.data(), x));
    }
    CAPTURE(q(), Catch::getSeed());
    REQUIRE(outputs[0] == sam::reference::inclusive_scan(items, policy));
    REQUIRE(outputs[1] == sam::reference::exclusive_scan(items, policy, 0));
  });
}

TEST_CASE("states of interleaved components lie apart by the stride", "[algebra]") {
  constexpr int q = 3, s = 4;
  using power = sam::engine::power_of<sam::plus, int, q>;
  auto const states = test::random_items<int>(q * s, test::seed_for(1));
  auto const runs = test::random_items<int>(q * s, test::seed_for(2));
  auto const by = sam::engine::zero_items<power>(bound::inclusive, 77);
  for (index_t c = 0; c < s; ++c) {
    auto together = states;
    sam::engine::append<q>(sam::plus{}, together.data() + c, runs.data() + c, by, s);
    sam::engine::step<q, bound::inclusive>(sam::plus{}, together.data() + c, 5, s);
    int state[q], run[q];
    for (index_t j = 0; j < q; ++j)
      state[j] = states[std::size_t(j * s + c)], run[j] = runs[std::size_t(j * s + c)];
    sam::engine::append<q>(sam::plus{}, state, run, by);
    sam::engine::step<q, bound::inclusive>(sam::plus{}, state, 5);
    for (index_t i = 0; i < q * s; ++i)
      REQUIRE(together[std::size_t(i)] == (i % s == c ? state[i / s] : states[std::size_t(i)]));
  }
}

template <class T, class Op, int Q, int S, bound Kind>
void check_moments() {
  using lane = typename sam::host::lane_type<T, Op>::type;
  using policy = sam::engine::resolved_policy<Op, Q, S, sam::carry::decoupled, Kind,
                                              sam::engine::from_value<T>>;
  constexpr index_t period = S / std::gcd(S, sam::host::lanes<T>) * sam::host::lanes<T>;
  for (index_t const periods : {1, 2, 100}) {
    auto const seed = test::seed_for(periods);
    auto const items = test::random_items<T, Op>(periods * period, seed);
    state_of<T, Q * S> got{}, wanted{};
    wanted.fill(sam::identity_of<T>(Op{}));
    for (index_t i = 0; i < periods * period; ++i)
      sam::engine::step<Q, Kind>(Op{}, wanted.data() + i % S, items[std::size_t(i)], S);
    sam::host::high_order_aggregate<lane, policy>{Op{}}.reduce(items.data(), periods * period,
                                                               got.data());
    CAPTURE(sizeof(T), Q, S, periods, seed);
    REQUIRE((got == wanted));  // except for the sign of a zero
  }
}

// All widths are tested, with tuples that divide a vector and others. Sums of doubles are exact
// here.
TEST_CASE("moments per lane add up to the state that stepping yields", "[algebra]") {
  for_each_order([](auto q) {
    check_moments<std::int8_t, sam::plus, q, 1, bound::inclusive>();
    check_moments<std::uint16_t, sam::plus, q, 3, bound::exclusive>();
    check_moments<std::int32_t, sam::plus, q, 4, bound::exclusive>();
    check_moments<std::uint64_t, sam::plus, q, 2, bound::inclusive>();
    check_moments<std::uint8_t, sam::bit_xor, q, 5, bound::inclusive>();
  });
  check_moments<double, sam::plus, 2, 1, bound::inclusive>();
  check_moments<double, sam::plus, 3, 2, bound::exclusive>();
  check_moments<float, sam::plus, 2, 3, bound::exclusive>();
}

}  // namespace
