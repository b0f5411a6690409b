// SPDX-License-Identifier: MIT
// Tests that carry schemes do not change results.
#include "support.hpp"

#include <tuple>

namespace {

using test::form;
using test::scan_case;

template <class Operator, int Order, int TupleSize, class Carry,
          sam::direction Direction = sam::direction::forward>
using policy = sam::scan_policy<Operator, Order, TupleSize, Carry, Direction>;
constexpr auto back = sam::direction::backward;
constexpr int any = sam::run_time_tuple;

// Tests every scheme except decoupled, which all other tests use. Multi-pass schemes have an engine
// of their own. So they are tested with each kind of carry: values with and without identity, one
// round and several, with and without an algebra. Each kernel of the host, form and direction
// occurs as well.
template <class Carry>
using in_several_passes = std::tuple<
    scan_case<std::int32_t, policy<sam::plus, 1, 1, Carry>>,
    scan_case<std::uint8_t, policy<sam::plus, 3, 1, Carry, back>, form::exclusive>,
    scan_case<std::int32_t, policy<sam::plus, 8, 2, Carry>, form::inclusive_from>,
    scan_case<float, policy<sam::minimum, 1, 4, Carry>, form::exclusive>,
    scan_case<double, policy<sam::plus, 2, 3, Carry>, form::exclusive>,
    scan_case<test::affine, policy<test::compose, 1, 1, Carry>>,
    scan_case<test::affine, policy<test::compose, 2, 1, Carry, back>, form::exclusive>,
    scan_case<test::falls, policy<test::join_runs, 3, 5, Carry>>,
    scan_case<test::heisenberg<std::uint64_t>, policy<test::heisenberg_product, 1, 1, Carry>,
              form::exclusive>,
    scan_case<test::pair_of_sums, policy<test::add_pairs, 2, 33, Carry>, form::exclusive>,
    scan_case<std::int16_t, policy<sam::plus, 2, any, Carry, back>>,
    scan_case<test::falls, policy<test::join_runs, 2, any, Carry>, form::exclusive>>;

// The engine leaves to a single-pass scheme only the choice of which tile descriptors to read. This
// does not depend on types, operators, forms or directions. So these schemes are tested with each
// kind of carry once.
template <class Carry>
using in_one_pass = std::tuple<
    scan_case<std::int32_t, policy<sam::plus, 1, 1, Carry>>,
    scan_case<std::uint8_t, policy<sam::plus, 3, 1, Carry, back>, form::exclusive>,
    scan_case<test::affine, policy<test::compose, 2, 1, Carry, back>, form::exclusive>,
    scan_case<test::falls, policy<test::join_runs, 3, 5, Carry>>,
    scan_case<test::heisenberg<std::uint64_t>, policy<test::heisenberg_product, 1, 1, Carry>,
              form::inclusive_from>,
    scan_case<test::pair_of_sums, policy<test::add_pairs, 2, 33, Carry>, form::exclusive>,
    scan_case<std::int16_t, policy<sam::plus, 2, any, Carry, back>>>;

template <class Case>
void check() {
  typename Case::policy policy;
  if (Case::policy::tuple_size == any)
    policy.components = 77;
  test::check_scan_at_every_edge<typename Case::item, Case::kind>(policy);
}

TEMPLATE_LIST_TEST_CASE("scans under chained equal their reference", "[scan]",
                        in_one_pass<sam::carry::chained>) {
  check<TestType>();
}
TEMPLATE_LIST_TEST_CASE("scans under lookback equal their reference", "[scan]",
                        in_one_pass<sam::carry::lookback>) {
  check<TestType>();
}
TEMPLATE_LIST_TEST_CASE("scans under reduce_then_scan equal their reference", "[scan]",
                        in_several_passes<sam::carry::reduce_then_scan>) {
  check<TestType>();
}
TEMPLATE_LIST_TEST_CASE("scans under scan_then_propagate equal their reference", "[scan]",
                        in_several_passes<sam::carry::scan_then_propagate>) {
  check<TestType>();
}

}  // namespace
