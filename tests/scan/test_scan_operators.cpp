// SPDX-License-Identifier: MIT
// Tests scans with all operators of the library and with user-defined ones.
#include "support.hpp"

#include <functional>
#include <tuple>

namespace {

using test::form;
using test::scan_case;

template <class Operator, sam::direction Direction = sam::direction::forward>
using policy = sam::scan_policy<Operator, 1, 1, sam::carry::decoupled, Direction>;
constexpr auto back = sam::direction::backward;

// test_scan.cpp tests sums. Here are all other operators with a narrow and a wide type, minimum and
// maximum also with floats, whose identity is infinite. Direction and form alternate.
using built_in =
    std::tuple<scan_case<std::uint8_t, policy<sam::multiplies>>,  //
               scan_case<std::int32_t, policy<sam::multiplies, back>, form::exclusive>,
               scan_case<std::int64_t, policy<sam::multiplies>, form::inclusive_from>,
               scan_case<float, policy<sam::multiplies>, form::exclusive>,
               scan_case<std::int8_t, policy<sam::minimum>, form::inclusive_from>,
               scan_case<std::uint32_t, policy<sam::minimum, back>>,
               scan_case<double, policy<sam::minimum>, form::exclusive>,
               scan_case<std::uint16_t, policy<sam::maximum>>,
               scan_case<std::int64_t, policy<sam::maximum>, form::exclusive>,
               scan_case<float, policy<sam::maximum, back>, form::inclusive_from>,
               scan_case<std::uint8_t, policy<sam::bit_and>>,
               scan_case<std::int64_t, policy<sam::bit_and, back>, form::exclusive>,
               scan_case<std::int16_t, policy<sam::bit_or>, form::exclusive>,
               scan_case<std::uint32_t, policy<sam::bit_or, back>, form::inclusive_from>,
               scan_case<std::uint16_t, policy<sam::bit_xor, back>>,
               scan_case<std::int32_t, policy<sam::bit_xor>, form::exclusive>,
               scan_case<std::uint8_t, policy<sam::logical_and>>,
               scan_case<std::int32_t, policy<sam::logical_and, back>, form::exclusive>,
               scan_case<std::int8_t, policy<sam::logical_or>, form::inclusive_from>,
               scan_case<std::int64_t, policy<sam::logical_or, back>>>;

TEMPLATE_LIST_TEST_CASE("every built-in operator equals its reference", "[scan]", built_in) {
  test::check_scan_at_every_edge<TestType>();
}

// Operators that do not commute, on items of 8 to 24 bytes, with and without identity, forward and
// backward. Also a sum that the library cannot recognise, and an idempotent operator.
using from_users = std::tuple<
    scan_case<test::affine, policy<test::compose>>,
    scan_case<test::affine, policy<test::compose, back>, form::exclusive>,
    scan_case<test::heisenberg<std::uint32_t>, policy<test::heisenberg_product>, form::exclusive>,
    scan_case<test::heisenberg<std::uint32_t>, policy<test::heisenberg_product, back>>,
    scan_case<test::heisenberg<std::uint64_t>, policy<test::heisenberg_product>>,
    scan_case<test::matrix, policy<test::matrix_product, back>, form::inclusive_from>,
    scan_case<test::matrix, policy<test::matrix_product>, form::exclusive>,
    scan_case<test::falls, policy<test::join_runs>>,
    scan_case<test::falls, policy<test::join_runs, back>, form::inclusive_from>,
    scan_case<test::pair_of_sums, policy<test::add_pairs>, form::exclusive>,
    scan_case<std::uint32_t, policy<test::saturating_plus>>,
    scan_case<std::uint8_t, policy<test::leftmost, back>>,
    scan_case<std::int64_t, policy<test::rightmost>, form::exclusive>>;

TEMPLATE_LIST_TEST_CASE("operators of users equal their reference", "[scan]", from_users) {
  test::check_scan_at_every_edge<TestType>();
}

TEST_CASE("an operator may have a state", "[scan]") {
  sam::scan_policy<test::plus_modulo> policy;
  policy.op.modulus = 99991;
  test::check_scan_at_every_edge<std::uint32_t, form::inclusive>(policy);
  policy.op.modulus = 7919;
  test::check_scan_at_every_edge<std::uint32_t, form::exclusive>(policy);
}

// These function objects are not marked for device code.
TEST_CASE("function objects of the standard library are operators", "[scan]") {
  if constexpr (test::backend_bytes::on_host) {
    test::check_scan_at_every_edge<scan_case<int, sam::scan_policy<std::bit_xor<>, 1, 3>>>();
    test::check_scan_at_every_edge<
        scan_case<unsigned, policy<std::plus<unsigned>>, form::exclusive>>();
  }
}

struct is_nonzero {
  SAM_FUNCTION bool operator()(unsigned char x) const { return x != 0; }
};

TEST_CASE("logical operators over bool equal those over bytes", "[scan]") {
  test::engine_context context;
  for (sam::index_t const n : {0, 1, 130, 1000, 700000}) {
    auto const seed = test::seed_for(n);
    CAPTURE(n, seed);
    auto const check = [&]<class Op>(Op op) {
      std::vector<unsigned char> bytes;
      for (int const x : test::random_items<int, Op>(n, seed))
        bytes.push_back(x != 0);
      auto const wanted = sam::reference::exclusive_scan(
          bytes, sam::scan_policy<Op>{}, static_cast<unsigned char>(sam::identity_of<bool>(op)));
      test::fenced_array<bool> items(n);
      auto raw = test::on_backend(bytes);
      sam::transform_exclusive_scan(context, raw, items, is_nonzero{}, op);
      context.wait();
      auto const flags = items.to_host();
      REQUIRE(std::vector<unsigned char>(flags.begin(), flags.end()) == wanted);
      REQUIRE(items.fences_intact());
    };
    check(sam::logical_and{});
    check(sam::logical_or{});
  }
}

// A list of types cannot name a lambda, and device code needs a special kind of lambda.
template <class Bytes>
void check_lambdas() {
  if constexpr (Bytes::on_host) {
    test::engine_context context;
    unsigned mask = 0xffff;
    auto const longest = [mask](unsigned l, unsigned r) { return (r & mask) == 0 ? l : r; };
    for (sam::index_t const n : {0, 1, 70, 5000, 200000}) {
      auto const seed = test::seed_for(n);
      CAPTURE(n, seed);
      auto items = test::random_items<unsigned>(n, seed);
      for (unsigned& x : items)
        x = x % 3 == 0 ? x & ~mask : x;
      sam::scan_policy<decltype(longest), 2, 3> const policy{longest};
      test::check_scan<form::inclusive>(context, items,
                                        sam::reference::inclusive_scan(items, policy), policy, 0U);
      std::vector<unsigned> out(items.size());
      sam::inclusive_scan(context, items, out, longest);
      REQUIRE(test::differences(
                  out, sam::reference::inclusive_scan(items, sam::as_policy(longest))) == "");
    }
  }
}

TEST_CASE("a lambda is an operator, also one that captures", "[scan]") {
  check_lambdas<test::backend_bytes>();
}

}  // namespace
