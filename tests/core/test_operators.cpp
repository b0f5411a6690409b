// SPDX-License-Identifier: MIT
// Tests the laws that operators claim, on random values and the extreme values of every type.
#include "items.hpp"
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <limits>
#include <tuple>

namespace {

template <class T, class Op>
std::vector<T> values() {
  std::vector<T> values = test::random_items<T, Op>(12, test::seed_for(sizeof(T)));
  if constexpr (std::is_arithmetic_v<T>) {
    using limits = std::numeric_limits<T>;
    for (T const x : {limits::lowest(), limits::max(), limits::min(), T(0), T(1), T(2), T(5)})
      values.push_back(x);
    if constexpr (std::is_signed_v<T>)
      values.push_back(T(-1));
    if constexpr (std::is_floating_point_v<T>)
      for (T const x : {T(-0.0), limits::infinity(), -limits::infinity(), limits::denorm_min(),
                        limits::quiet_NaN(), -limits::quiet_NaN()})
        values.push_back(x);
  }
  return values;
}

/// True if two results are equal, bit for bit. All NaNs are equal.
template <class T>
bool same(T const& a, T const& b) {
  if constexpr (sam::is_floating<T>)
    return std::signbit(a) == std::signbit(b) ? a == b || (a != a && b != b) : a != a && b != b;
  else
    return a == b;
}

/// True if the operator is associative on T. Float sums and products are not, because they round.
template <class T, class Op>
constexpr bool is_associative = !std::is_floating_point_v<T> || sam::is_idempotent<Op>;

template <class T, class Op>
std::string broken_laws(Op op) {
  auto const all = values<T, Op>();
  std::string broken;
  auto const law = [&](bool holds, char const* name, auto const&... of) {
    if (!holds && broken.size() < 1000)
      broken += (std::string(name) + ... + (' ' + test::text_of(of))) + "; ";
  };
  for (T const& a : all) {
    if constexpr (sam::has_identity<Op, T>) {
      T const e = sam::identity_of<T>(op);
      law(same(op(e, a), a), "left identity", a);
      law(same(op(a, e), a), "right identity", a);
    }
    for (T const& b : all) {
      if constexpr (sam::is_commutative<Op>)
        law(same(op(a, b), op(b, a)), "commutative", a, b);
      if constexpr (sam::is_idempotent<Op>) {  // and the mirror image, for backward scans
        law(same(op(a, op(a, b)), op(a, b)), "idempotent", a, b);
        law(same(op(op(b, a), a), op(b, a)), "idempotent from the right", a, b);
      }
      if constexpr (is_associative<T, Op>)
        for (T const& c : all)
          law(same(op(op(a, b), c), op(a, op(b, c))), "associative", a, b, c);
    }
  }
  return broken;
}

template <class T, class Op>
std::string broken_scale_laws(Op op) {
  using ring = typename Op::template coefficient<T>;
  std::string broken;
  auto const law = [&](bool holds, char const* name, T const& x) {
    if (!holds && broken.size() < 1000)
      broken += name + (' ' + test::text_of(x)) + "; ";
  };
  std::vector<ring> factors{0, 1, 2, 3, 5, 255};
  if constexpr (std::is_integral_v<ring>)
    for (ring const a : {std::numeric_limits<ring>::max(), ring(1) << 16})
      factors.push_back(a);
  auto const items = test::random_items<T, Op>(20, test::seed_for(1));
  for (T const& x : items) {
    law(Op::scale(x, 1) == x, "once", x);
    law(Op::scale(x, 0) == sam::identity_of<T>(op), "not at all", x);
    for (ring const a : factors)
      for (ring const b : factors) {
        if (std::is_same_v<Op, sam::bit_xor> && ring(a + b) % 2 != (a % 2 + b % 2) % 2)
          continue;
        law(Op::scale(x, ring(a + b)) == op(Op::scale(x, a), Op::scale(x, b)), "sum", x);
        law(Op::scale(x, ring(a * b)) == Op::scale(Op::scale(x, a), b), "product", x);
        for (T const& y : items)
          law(Op::scale(op(x, y), a) == op(Op::scale(x, a), Op::scale(y, a)), "distributive", x);
      }
  }
  return broken;
}

template <class T>
void check_arithmetic() {
  REQUIRE(broken_laws<T>(sam::plus{}) == "");
  REQUIRE(broken_laws<T>(sam::multiplies{}) == "");
  REQUIRE(broken_laws<T>(sam::minimum{}) == "");
  REQUIRE(broken_laws<T>(sam::maximum{}) == "");
  REQUIRE(broken_laws<T>(sam::minimum_number{}) == "");
  REQUIRE(broken_laws<T>(sam::maximum_number{}) == "");
}

TEMPLATE_TEST_CASE("operators over integers keep their laws at every extreme", "[operators]",
                   std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t,
                   std::uint32_t, std::int64_t, std::uint64_t) {
  using T = TestType;
  check_arithmetic<T>();
  REQUIRE(broken_laws<T>(sam::bit_and{}) == "");
  REQUIRE(broken_laws<T>(sam::bit_or{}) == "");
  REQUIRE(broken_laws<T>(sam::bit_xor{}) == "");
  REQUIRE(broken_laws<T>(sam::logical_and{}) == "");
  REQUIRE(broken_laws<T>(sam::logical_or{}) == "");
  REQUIRE(broken_scale_laws<T>(sam::plus{}) == "");
  REQUIRE(broken_scale_laws<T>(sam::bit_xor{}) == "");
}

TEMPLATE_TEST_CASE("operators over floats keep their laws, NaN, infinities and zeros included",
                   "[operators]", float, double, long double) {
  check_arithmetic<TestType>();
}

/// Checks minimum and maximum of a number and a NaN, and of zeros, against IEEE 754.
template <class T>
void check_extremes_of_floats() {
  T const nan(std::numeric_limits<float>::quiet_NaN()), one(1.0F), zero(0.0F), below(-0.0F);
  auto const is_nan = [](T x) { return x != x; };
  auto const is_negative = [](T x) { return std::signbit(static_cast<float>(x)); };
  for (bool const swapped : {false, true}) {
    auto const of = [&](auto op, T a, T b) { return swapped ? op(b, a) : op(a, b); };
    REQUIRE(is_nan(of(sam::minimum{}, nan, one)));
    REQUIRE(is_nan(of(sam::maximum{}, nan, one)));
    REQUIRE(of(sam::minimum_number{}, nan, one) == one);
    REQUIRE(of(sam::maximum_number{}, nan, one) == one);
    REQUIRE(is_negative(of(sam::minimum{}, zero, below)));
    REQUIRE(!is_negative(of(sam::maximum{}, zero, below)));
    REQUIRE(is_negative(of(sam::minimum_number{}, zero, below)));
    REQUIRE(!is_negative(of(sam::maximum_number{}, zero, below)));
    REQUIRE(of(sam::minimum{}, zero, one) == zero);
    REQUIRE(of(sam::maximum{}, zero, one) == one);
  }
  for (T const x : {-one, zero, one}) {
    REQUIRE(sam::maximum{}(sam::identity_of<T>(sam::maximum{}), x) == x);
    REQUIRE(sam::minimum{}(sam::identity_of<T>(sam::minimum{}), x) == x);
  }
  REQUIRE(is_nan(sam::identity_of<T>(sam::minimum_number{})));
  REQUIRE(is_nan(sam::maximum_number{}(sam::identity_of<T>(sam::maximum_number{}), nan)));
  REQUIRE(is_negative(sam::identity_of<T>(sam::plus{})));
  REQUIRE(!is_negative(sam::empty_of<T>(sam::plus{})));
}

TEMPLATE_TEST_CASE("minimum and maximum are those of IEEE 754", "[operators]", float, double,
                   long double) {
  check_extremes_of_floats<TestType>();
}
#ifdef SAM_HAS_FLOAT16
TEST_CASE("minimum and maximum of half floats are those of IEEE 754", "[operators]") {
  check_extremes_of_floats<sam::detail::float16>();
}
#endif

template <class T>
constexpr bool
    are_constant = sam::maximum{}(T(-0.0), T(0.0)) == 0 && sam::minimum{}(T(3), T(2)) == 2 &&
                   sam::maximum_number{}(sam::identity_of<T>(sam::maximum_number{}), T(-3)) == -3;
static_assert(are_constant<float> && are_constant<double> && are_constant<long double>);

TEST_CASE("operators over bool keep their laws", "[operators]") {
  for (bool const a : {false, true})
    for (bool const b : {false, true}) {
      REQUIRE(sam::logical_and{}(a, b) == (a && b));
      REQUIRE(sam::logical_or{}(a, b) == (a || b));
      REQUIRE(sam::bit_and{}(a, b) == (a && b));
      REQUIRE(sam::bit_xor{}(a, b) == (a != b));
      for (bool const e :
           {sam::identity_of<bool>(sam::logical_and{}), sam::identity_of<bool>(sam::bit_and{})})
        REQUIRE((e && a) == a);
      for (bool const e :
           {sam::identity_of<bool>(sam::logical_or{}), sam::identity_of<bool>(sam::bit_or{}),
            sam::identity_of<bool>(sam::bit_xor{})})
        REQUIRE((e || a) == a);
    }
}

TEST_CASE("operators of the tests are associative, as those of users have to be", "[operators]") {
  using namespace test;
  REQUIRE(broken_laws<affine>(compose{}) == "");
  REQUIRE(broken_laws<heisenberg<std::uint32_t>>(heisenberg_product{}) == "");
  REQUIRE(broken_laws<heisenberg<std::uint64_t>>(heisenberg_product{}) == "");
  REQUIRE(broken_laws<matrix>(matrix_product{}) == "");
  REQUIRE(broken_laws<falls>(join_runs{}) == "");
  REQUIRE(broken_laws<pair_of_sums>(add_pairs{}) == "");
  REQUIRE(broken_scale_laws<pair_of_sums>(add_pairs{}) == "");
  REQUIRE(broken_laws<int>(leftmost{}) == "");
  REQUIRE(broken_laws<int>(rightmost{}) == "");
  REQUIRE(broken_laws<std::uint16_t>(saturating_plus{}) == "");
  REQUIRE(broken_laws<std::uint32_t>(saturating_plus{}) == "");
}

/// The operator a - b, whose failures the checks must detect.
struct minus {
  static constexpr bool commutative = true;
  static constexpr bool idempotent = true;
  int operator()(int a, int b) const { return static_cast<int>(unsigned(a) - unsigned(b)); }
  int identity() const { return 0; }
};

TEST_CASE("the laws notice an operator that keeps none of them", "[operators]") {
  std::string const broken = broken_laws<int>(minus{});
  for (char const* law : {"left identity", "commutative", "idempotent", "associative"}) {
    CAPTURE(law, broken);
    REQUIRE(broken.find(law) != std::string::npos);
  }
  REQUIRE(broken.find("right identity") == std::string::npos);
}

TEST_CASE("sums and products wrap around without overflow", "[operators]") {
  REQUIRE(sam::plus{}(std::int8_t{127}, std::int8_t{1}) == -128);
  REQUIRE(sam::plus{}(std::numeric_limits<int>::max(), 1) == std::numeric_limits<int>::min());
  REQUIRE(sam::multiplies{}(std::uint16_t{65535}, std::uint16_t{65535}) == 1);
  REQUIRE(sam::multiplies{}(std::numeric_limits<std::int64_t>::min(), std::int64_t{-1}) ==
          std::numeric_limits<std::int64_t>::min());
  REQUIRE(sam::plus::scale(std::int16_t{300}, 300U) == std::int16_t(90000));
}

TEST_CASE("extreme values are infinite where a type has infinities", "[operators]") {
  REQUIRE(sam::identity_of<float>(sam::maximum{}) == -std::numeric_limits<float>::infinity());
  REQUIRE(sam::identity_of<double>(sam::minimum{}) == std::numeric_limits<double>::infinity());
  REQUIRE(sam::identity_of<std::int8_t>(sam::maximum{}) == -128);
  REQUIRE(std::signbit(sam::identity_of<float>(sam::plus{})));
#ifdef __SIZEOF_INT128__
  REQUIRE(sam::engine::lowest_of<sam::detail::int128> +
              sam::engine::highest_of<sam::detail::int128> ==
          -1);
  REQUIRE(sam::engine::lowest_of<sam::detail::int128> < 0);
  REQUIRE(sam::engine::highest_of<sam::detail::uint128> + 1 == 0);
#endif
}

struct not_copied {
  not_copied(not_copied const&) {}
};
struct needs_references {
  int operator()(int& a, int& b) const { return a + b; }
};
struct says_no {
  static constexpr bool commutative = false;
  static constexpr bool idempotent = false;
  int operator()(int a, int) const { return a; }
};

// The library believes what a type declares about itself, and nothing else.
using sam::has_identity, sam::lanewise_operator, sam::module_operator, sam::scan_operator;
static_assert(scan_operator<sam::plus, double> && scan_operator<test::compose, test::affine>);
static_assert(!scan_operator<test::compose, int> && !scan_operator<int, int>);
static_assert(!scan_operator<sam::plus, not_copied> && !scan_operator<needs_references, int>);
static_assert(!has_identity<sam::bit_and, float> && !has_identity<sam::logical_or, char>);
static_assert(!has_identity<test::leftmost, int> && has_identity<test::compose, test::affine>);
static_assert(lanewise_operator<sam::plus, char> && !lanewise_operator<sam::plus, bool>);
static_assert(!lanewise_operator<sam::logical_and, bool> &&
              !lanewise_operator<sam::bit_xor, float>);
static_assert(module_operator<sam::bit_xor, int> && !module_operator<sam::bit_xor, bool>);
static_assert(!module_operator<sam::multiplies, int> && !module_operator<sam::minimum, int>);
static_assert(!sam::is_commutative<test::compose> && !sam::is_commutative<says_no>);
static_assert(sam::is_idempotent<sam::maximum> && !sam::is_idempotent<sam::plus>);
static_assert(!sam::is_idempotent<says_no>);
static_assert(sam::is_exact<std::int8_t> && sam::is_exact<bool> && !sam::is_exact<float>);
static_assert(!sam::is_exact<test::affine>);

}  // namespace
