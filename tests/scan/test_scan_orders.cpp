// SPDX-License-Identifier: MIT
// Tests scans of higher orders.
#include "support.hpp"

#include <tuple>

namespace {

using test::form;
using test::scan_case;

template <class Operator, int Order, sam::direction Direction = sam::direction::forward>
using policy = sam::scan_policy<Operator, Order, 1, sam::carry::decoupled, Direction>;
constexpr auto back = sam::direction::backward;
using sam::plus;

// Orders 2 to 8 with at least two widths and both bounds. Order 11 is too high to be unrolled.
// Order 3 of doubles is exact: small integers whose sums stay below 2^53.
using sums = std::tuple<scan_case<std::int32_t, policy<plus, 2>>,  //
                        scan_case<std::uint8_t, policy<plus, 2>, form::exclusive>,
                        scan_case<double, policy<plus, 2, back>, form::inclusive_from>,
                        scan_case<std::uint16_t, policy<plus, 3>>,
                        scan_case<std::int64_t, policy<plus, 3, back>, form::exclusive>,
                        scan_case<double, policy<plus, 3>, form::exclusive>,
                        scan_case<std::uint8_t, policy<plus, 4, back>, form::inclusive_from>,
                        scan_case<std::int32_t, policy<plus, 4>, form::exclusive>,
                        scan_case<std::int16_t, policy<plus, 5>, form::exclusive>,
                        scan_case<std::uint64_t, policy<plus, 5, back>>,
                        scan_case<std::int32_t, policy<plus, 6>, form::inclusive_from>,
                        scan_case<std::int8_t, policy<plus, 6, back>, form::exclusive>,
                        scan_case<std::uint32_t, policy<plus, 7, back>, form::exclusive>,
                        scan_case<std::int8_t, policy<plus, 7>>,  //
                        scan_case<std::int32_t, policy<plus, 8>>,
                        scan_case<std::uint64_t, policy<plus, 8>, form::exclusive>,
                        scan_case<std::int16_t, policy<plus, 8, back>, form::inclusive_from>,
                        scan_case<std::int32_t, policy<plus, 11>, form::exclusive>,
                        scan_case<std::int64_t, policy<plus, 11>>>;

TEMPLATE_LIST_TEST_CASE("a sum of any order equals its reference", "[scan]", sums) {
  test::check_scan_at_every_edge<TestType>();
}

// The other kinds of operators: of a module, but not a sum; idempotent, where an inclusive scan of
// any order equals order 1 and an exclusive one does not; and others, which need one carry per
// order. With and without identity, commutative and not.
using others =
    std::tuple<scan_case<std::uint8_t, policy<sam::bit_xor, 2>>,
               scan_case<std::int32_t, policy<sam::bit_xor, 5, back>, form::exclusive>,
               scan_case<std::uint64_t, policy<sam::bit_xor, 8>, form::inclusive_from>,
               scan_case<test::pair_of_sums, policy<test::add_pairs, 4>>,
               scan_case<test::pair_of_sums, policy<test::add_pairs, 3, back>, form::exclusive>,
               scan_case<float, policy<sam::minimum, 3>>,
               scan_case<std::int16_t, policy<sam::maximum, 3>, form::exclusive>,
               scan_case<std::uint32_t, policy<sam::bit_or, 2, back>, form::exclusive>,
               scan_case<std::int32_t, policy<test::rightmost, 2>, form::exclusive>,
               scan_case<std::uint32_t, policy<sam::multiplies, 2>, form::inclusive_from>,
               scan_case<test::affine, policy<test::compose, 2>>,
               scan_case<test::affine, policy<test::compose, 3, back>, form::exclusive>,
               scan_case<test::matrix, policy<test::matrix_product, 3>, form::inclusive_from>,
               scan_case<test::falls, policy<test::join_runs, 2, back>>,
               scan_case<test::falls, policy<test::join_runs, 3>, form::exclusive>>;

TEMPLATE_LIST_TEST_CASE("any order under any operator equals its reference", "[scan]", others) {
  test::check_scan_at_every_edge<TestType>();
}

TEST_CASE("an order-q sum of a single one is a row of Pascal's triangle", "[scan]") {
  sam::default_context context;
  std::vector<std::int64_t> one(50);
  one[0] = 1;
  auto const in = test::on_backend(one);
  test::fenced_array<std::int64_t> out(50);
  sam::inclusive_scan(context, in, out, sam::scan_policy<plus, 4>{});
  context.wait();
  auto const inclusive = out.to_host();  // binomial coefficients (i + 3 choose 3)
  sam::exclusive_scan(context, in, out, sam::scan_policy<plus, 4>{});
  context.wait();
  auto const exclusive = out.to_host();  // binomial coefficients (i - 1 choose 3)
  for (std::int64_t i = 0; i < 50; ++i) {
    REQUIRE(inclusive[std::size_t(i)] == (i + 3) * (i + 2) * (i + 1) / 6);
    REQUIRE(exclusive[std::size_t(i)] == (i < 1 ? 0 : (i - 1) * (i - 2) * (i - 3) / 6));
  }
}

}  // namespace
