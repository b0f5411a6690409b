// SPDX-License-Identifier: MIT
// Tests scans that continue from a state, and numbers of items in memory, by the GPU kernels on
// fibers.
#include <sam/compact.hpp>
#include <sam/reduce.hpp>
#include <sam/reference.hpp>
#include <sam/scan.hpp>

#include "items.hpp"
#include "simt/cluster_context.hpp"
#include "simt/scans.hpp"
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <tuple>

namespace {

using sam::index_t;
using sam::engine::bound;

template <class Op, int Order = 1, int TupleSize = 1,
          sam::direction Heading = sam::direction::forward, class Carry = sam::carry::decoupled>
using policy = sam::scan_policy<Op, Order, TupleSize, Carry, Heading>;

template <class Context, class T, class Policy, bound Bound = bound::inclusive>
struct state_case {
  using context = Context;
  using item = T;
  using policy = Policy;
  using state = sam::scan_state<T, Policy, Bound>;
};
using tiles32 = simt::context<32>;
using tiles64 = simt::context<64>;
using cluster = simt::cluster_context<32>;

template <class Case>
void check(typename Case::context& context, index_t n, index_t number) {
  using T = typename Case::item;
  using state = typename Case::state;
  CAPTURE(n, number);
  typename Case::policy const p;
  auto const items = test::random_items<T, typename Case::policy::op_type>(n, test::seed_for(n));
  auto const taken = std::min(n, number);
  std::vector<T> const some(items.begin(), items.begin() + taken);
  auto wanted_state = state::starting_from(
      test::random_items<T, typename Case::policy::op_type>(4, test::seed_for(1))[3]);
  std::vector<state> const before{wanted_state};
  std::vector<state> after(1);
  std::vector<index_t> const counts{number};
  auto const wanted = sam::reference::continue_scan(some, p, wanted_state);
  auto const scan = [&](auto const& in, auto& out, auto const& from, auto& to) {
    if constexpr (state::kind == bound::inclusive)
      sam::inclusive_scan(context, in, out, p, from, to);
    else
      sam::exclusive_scan(context, in, out, p, from, to);
  };
  simt::fenced<T> out(items, 1);
  scan(sam::counted(out, counts), out, before, after);
  std::vector<T> const got(out.data(), out.data() + taken);
  REQUIRE(test::differences(got, wanted) == "");
  REQUIRE(out.intact());
  std::vector<T> again(some.size(), some[0]);
  auto variable = before[0];
  if constexpr (sizeof(state) <= sam::engine::most_result_bytes) {
    scan(some, again, variable, variable);
    REQUIRE(test::differences(again, wanted) == "");
  } else {
    scan(some, again, before, after);
    variable = after[0];
  }
  for (state const& is : {after[0], variable}) {
    REQUIRE(is.items == wanted_state.items);
    for (index_t k = 0; k < state::components; ++k)
      REQUIRE(test::differences(std::vector<T>{is.value(k)},
                                std::vector<T>{wanted_state.value(k)}) == "");
  }
}

using cases = std::tuple<
    state_case<tiles32, std::int32_t, policy<sam::plus>>,
    state_case<tiles64, std::uint8_t, policy<sam::plus, 2, 3, sam::direction::backward>,
               bound::exclusive>,
    state_case<tiles32, test::affine, policy<test::compose, 1, 5>, bound::exclusive>,
    state_case<tiles32, test::heisenberg<std::uint64_t>, policy<test::heisenberg_product>,
               bound::exclusive>,
    state_case<tiles32, std::int32_t,
               policy<sam::plus, 1, 3, sam::direction::forward, sam::carry::scan_then_propagate>>,
    state_case<tiles32, std::int16_t, policy<sam::maximum, 1, 40>>,
    state_case<cluster, std::int32_t, policy<sam::plus, 1, 2>, bound::exclusive>>;

TEMPLATE_LIST_TEST_CASE("scans on fibers continue from a state", "[simt]", cases) {
  typename TestType::context context = [] {
    if constexpr (std::is_same_v<typename TestType::context, cluster>)
      return cluster(test::seed_for(3));
    else
      return typename TestType::context(3, test::seed_for(3));
  }();
  for (index_t const n : {1, 2, 97, 1000})
    for (index_t const number : {index_t{1}, n / 2 + 1, n + 3})
      check<TestType>(context, n, number);
}

struct is_odd {
  bool operator()(std::int32_t x) const { return x % 2 != 0; }
};

TEMPLATE_TEST_CASE("selections and reductions on fibers count in memory", "[simt]", tiles32,
                   tiles64) {
  TestType context(3, test::seed_for(5));
  for (index_t const n : {1, 97, 1000})
    for (index_t const number : {index_t{0}, index_t{1}, n / 2, n}) {
      CAPTURE(n, number);
      auto const items = test::random_items<std::int32_t, sam::plus>(n, test::seed_for(n));
      std::vector<std::int32_t> const some(items.begin(), items.begin() + number);
      std::vector<std::int32_t> odd;
      for (std::int32_t const x : some)
        if (is_odd{}(x))
          odd.push_back(x);
      std::vector<index_t> const counts{number};
      std::vector<std::int32_t> out(items.size()), sums(3);
      std::vector<index_t> count(1);
      sam::compact(context, sam::counted(items, counts), out, is_odd{}, count);
      REQUIRE(count[0] == static_cast<index_t>(odd.size()));
      REQUIRE(std::equal(odd.begin(), odd.end(), out.begin()));
      sam::scan_policy<sam::plus, 1, 3> const p;
      sam::reduce(context, sam::counted(items, counts), sums, p);
      REQUIRE(sums == sam::reference::reduce(some, p, 0));
    }
}

}  // namespace
