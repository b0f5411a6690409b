// SPDX-License-Identifier: MIT
// Tests that states of scans form a monoid.
#include <sam/reference.hpp>

#include "items.hpp"
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <tuple>

namespace {

using sam::index_t;
using sam::engine::bound;
constexpr auto back = sam::direction::backward;

template <class Operator, int Order = 1, int TupleSize = 1,
          sam::direction Direction = sam::direction::forward>
using policy = sam::scan_policy<Operator, Order, TupleSize, sam::carry::decoupled, Direction>;

using states = std::tuple<sam::scan_state<std::int32_t>,
                          sam::scan_state<std::uint8_t, policy<sam::plus, 3, 2>>,
                          sam::exclusive_scan_state<std::uint32_t, policy<sam::plus, 3, 2>>,
                          sam::exclusive_scan_state<std::int64_t, policy<sam::plus, 5, 1, back>>,
                          sam::scan_state<std::uint64_t, policy<sam::bit_xor, 4, 3>>,
                          sam::scan_state<test::affine, policy<test::compose, 1, 3>>,
                          sam::scan_state<test::falls, policy<test::join_runs, 1, 2, back>>>;

template <class State>
bool same(State const& a, State const& b) {
  bool all = a.items == b.items && a.phase() == b.phase();
  for (index_t k = 0; k < State::components; ++k)
    for (int r = 0; a.has(k) && r < State::order; ++r)
      all = all && a.values.at[r * State::components + k] == b.values.at[r * State::components + k];
  return all;
}

TEMPLATE_LIST_TEST_CASE("combined states are those of one scan", "[state]", states) {
  using T = typename TestType::value_type;
  using policy = typename TestType::policy_type;
  policy const p;
  auto const run_of = [&](index_t n) {
    return test::random_items<T, typename policy::op_type>(n, test::seed_for(n));
  };
  auto const state_of = [&](TestType state, std::vector<T> const& run) {
    // An exclusive scan without a start needs the identity, which the listed operators have.
    sam::reference::continue_scan(run, p, state);
    return state;
  };
  for (index_t const a : {0, 1, 2, 5, 30})
    for (index_t const b : {0, 1, 3, 4, 29})
      for (index_t const c : {0, 2, 7}) {
        CAPTURE(a, b, c);
        auto const first = state_of({}, run_of(a));
        auto const second = state_of({}, run_of(b));
        auto const third = state_of({}, run_of(c));
        auto const all = state_of(state_of(first, run_of(b)), run_of(c));
        REQUIRE(same(all, TestType::combined(p, TestType::combined(p, first, second), third)));
        REQUIRE(same(all, TestType::combined(p, first, TestType::combined(p, second, third))));
        REQUIRE(same(first, TestType::combined(p, first, TestType{})));
        REQUIRE(same(first, TestType::combined(p, TestType{}, first)));
      }
}

TEST_CASE("a state can begin with an initial value", "[state]") {
  auto state = sam::scan_state<int, policy<sam::plus, 2, 2>>::starting_from(7);
  REQUIRE(state.phase() == 0);
  auto const out =
      sam::reference::continue_scan(std::vector<int>{1, 2, 3}, policy<sam::plus, 2, 2>{}, state);
  REQUIRE(out == std::vector<int>{15, 16, 26});
  REQUIRE(state.phase() == 1);
  REQUIRE(state.value(0) == 16);
  REQUIRE(state.value(1) == 26);
}

}  // namespace
