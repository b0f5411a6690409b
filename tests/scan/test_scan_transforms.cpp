// SPDX-License-Identifier: MIT
// Tests scans of transformed items, whose type may differ from the output's.
#include "support.hpp"

#include <atomic>
#include <tuple>

namespace {

using sam::index_t;
using test::form;

struct square {
  SAM_FUNCTION std::int64_t operator()(std::uint8_t x) const { return std::int64_t{x} * x; }
};
struct to_heisenberg {
  SAM_FUNCTION test::heisenberg<std::uint64_t> operator()(float x) const {
    auto const k = static_cast<std::uint64_t>(static_cast<std::int64_t>(x));
    return {k, k + 1, 2 * k};
  }
};
struct to_affine {
  std::uint32_t by;
  SAM_FUNCTION test::affine operator()(std::uint16_t x) const { return {2 * x + by, x}; }
};
struct low_byte {
  SAM_FUNCTION std::uint8_t operator()(test::affine x) const {
    return static_cast<std::uint8_t>(x.b);
  }
};
struct is_positive {
  SAM_FUNCTION bool operator()(float x) const { return x > 0; }
};

template <class In, class T, class Policy, class Transform, form Kind>
struct transform_case {
  using in = In;
  using item = T;
  using policy = Policy;
  using transform = Transform;
  static constexpr form kind = Kind;
};

template <class Operator, int Order = 1, int TupleSize = 1,
          sam::direction Direction = sam::direction::forward,
          sam::carry_scheme Carry = sam::carry::decoupled>
using policy = sam::scan_policy<Operator, Order, TupleSize, Carry, Direction>;
constexpr auto back = sam::direction::backward;

// To wider and narrower items and to items of the same size; each kernel of the host (SIMD, scalar,
// rows); each form; and a multi-pass scheme, which transforms items in its first pass only.
using cases = std::tuple<
    transform_case<std::uint8_t, std::int64_t, policy<sam::plus>, square, form::inclusive>,
    transform_case<std::uint8_t, std::int64_t, policy<sam::plus, 3, 5, back>, square,
                   form::exclusive>,
    transform_case<float, test::heisenberg<std::uint64_t>, policy<test::heisenberg_product>,
                   to_heisenberg, form::inclusive>,
    transform_case<std::uint16_t, test::affine, policy<test::compose, 2, 1, back>, to_affine,
                   form::inclusive_from>,
    transform_case<test::affine, std::uint8_t, policy<sam::plus, 2, 33>, low_byte, form::inclusive>,
    transform_case<float, std::int32_t, policy<sam::plus>, is_positive, form::exclusive>,
    transform_case<std::uint16_t, test::affine,
                   policy<test::compose, 2, 1, back, sam::carry::scan_then_propagate>, to_affine,
                   form::exclusive>>;

template <class Case, class Context, class In, class Out>
void transform_scan(Context& context, In const& in, Out& out, typename Case::item init) {
  typename Case::policy const policy;
  typename Case::transform const transform{};
  if constexpr (Case::kind == form::inclusive)
    sam::transform_inclusive_scan(context, in, out, transform, policy);
  else if constexpr (Case::kind == form::inclusive_from)
    sam::transform_inclusive_scan(context, in, out, transform, policy, init);
  else
    sam::transform_exclusive_scan(context, in, out, transform, policy, init);
  context.wait();
}

TEMPLATE_LIST_TEST_CASE("a transform scan is a scan of the transformed items", "[scan]", cases) {
  using T = typename TestType::item;
  typename TestType::policy const policy;
  auto context = test::each_context();
  T const init = test::random_items<T>(1, test::seed_for(-1))[0];
  auto const pass = sam::engine::resolve_policy<sam::engine::bound::exclusive>(
      policy, sam::engine::from_value<T>{init});
  for (index_t const n : test::sizes_at_every_edge<T>(pass)) {
    auto const seed = test::seed_for(n);
    CAPTURE(n, seed);
    auto const items = test::random_items<typename TestType::in>(n, seed);
    std::vector<T> transformed;
    for (auto const& x : items)
      transformed.push_back(static_cast<T>(typename TestType::transform{}(x)));
    auto const wanted = test::expected_scan<TestType::kind>(transformed, policy, init);

    auto const in = test::on_backend(items, 1);
    test::fenced_array<T> out(n, 1);
    transform_scan<TestType>(context, in, out, init);
    REQUIRE(test::differences(out.to_host(), wanted) == "");
    REQUIRE(out.fences_intact());
    test::also_on_threads(context, [&](auto& crowd) {
      test::fenced_array<T> again(n);
      transform_scan<TestType>(crowd, in, again, init);
      REQUIRE(test::differences(again.to_host(), wanted) == "");
    });
  }
}

TEST_CASE("items are converted to the output's type before they are combined", "[scan]") {
  auto context = test::each_context();
  auto const in = test::on_backend(std::vector<std::uint8_t>(300, 200));
  test::fenced_array<std::int64_t> wide(300);
  sam::inclusive_scan(context, in, wide);
  context.wait();
  REQUIRE(wide.to_host()[299] == 300 * 200);

  auto const reals = test::on_backend(std::vector<double>{1.9, -1.9, 2.5});
  test::fenced_array<int> whole(3);
  sam::transform_inclusive_scan(context, reals, whole, sam::converted<int>{});
  context.wait();
  REQUIRE(whole.to_host() == std::vector<int>{1, 0, 2});
}

struct third_plus_one {
  SAM_FUNCTION std::int32_t operator()(std::uint32_t x) const {
    return static_cast<std::int32_t>(x / 3) + 1;
  }
};

TEST_CASE("a transform scan may be in place, also between types of one size", "[scan]") {
  auto context = test::each_context();
  sam::scan_policy<sam::plus, 2> const policy;
  third_plus_one const transform;
  for (index_t const n : {1, 5000, 200000}) {
    auto const items = test::random_items<std::uint32_t>(n, test::seed_for(n));
    std::vector<std::int32_t> transformed;
    for (std::uint32_t const x : items)
      transformed.push_back(transform(x));
    auto array = test::on_backend(items);
    std::span const out(reinterpret_cast<std::int32_t*>(array.data()), array.size());
    sam::transform_inclusive_scan(context, array, out, transform, policy);
    context.wait();
    auto const wanted = sam::reference::inclusive_scan(transformed, policy);
    REQUIRE(test::differences(array.to_host(),
                              std::vector<std::uint32_t>(wanted.begin(), wanted.end())) == "");
  }
}

TEST_CASE("single-pass schemes transform every item once", "[scan]") {
  auto const context = test::each_context();
  test::also_on_threads(context, [](auto& crowd) {
    constexpr index_t n = 500001;
    std::vector<std::int32_t> const items(n, 1);
    std::vector<std::int64_t> out(n);
    std::atomic<index_t> calls{0};
    auto const count = [&calls](std::int32_t x) {
      calls.fetch_add(1, std::memory_order_relaxed);
      return x;
    };
    sam::transform_inclusive_scan(crowd, items, out, count);
    REQUIRE(calls == n);
    sam::transform_exclusive_scan(crowd, items, out, count, sam::scan_policy<sam::minimum, 3>{});
    REQUIRE(calls == 2 * n);
  });
}

}  // namespace
