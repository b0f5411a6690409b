// SPDX-License-Identifier: MIT
// Tests linear recurrences and recursive filters against plain loops: types, orders, initial
// values, sizes.
#include <sam/linear_recurrence.hpp>

#include "support.hpp"

#include <cmath>
#include <limits>
#include <tuple>

namespace {

using sam::index_t;
using test::part;

/// Returns the edges of the engine's scan of aggregates.
template <class S, class Op>
std::set<index_t> sizes_for(Op const& op) {
  auto const pass = sam::detail::inclusive_pass(op, sam::engine::from_nothing{});
  auto sizes = test::sizes_at_every_edge<S>(pass);
  test::backend_bytes::add_edges<S>(pass, sizes);
  return sizes;
}

/// Returns these sizes and, if the host engine has a recurrence kernel for the filter, its edges.
template <class T, class B, int Q, class Op>
std::set<index_t> filter_sizes_for(sam::engine::filter_ring<T, Q> const& ring, Op const& op) {
  using job_type = sam::detail::filter_job<B, T, Q>;
  auto sizes = sizes_for<typename job_type::accumulator>(op);
  if constexpr (sam::host::fits_filter<job_type>) {
    test::edges at{1, sam::host::lanes<T>, sam::host::tuning::parallel_bytes / index_t{sizeof(T)}};
    auto const pass = sam::detail::inclusive_pass(op, sam::engine::from_nothing{});
    using kernel = sam::host::recurrence_kernel<job_type, std::remove_const_t<decltype(pass)>>;
    test::add_kernel_edges<T>(kernel({nullptr, nullptr, ring}, pass), at);
    sizes.merge(at.sizes());
  }
  return sizes;
}

/// Returns odd factors, so that products keep all their bits. One in 1000 is 0 and restarts the
/// recurrence.
template <class A>
std::vector<A> random_factors(index_t n, std::uint64_t seed) {
  test::generator bits{seed + 1};
  std::vector<A> a(static_cast<std::size_t>(n));
  for (A& x : a)
    x = static_cast<A>(bits() % 1000 == 0 ? 0 : bits() | 1);
  return a;
}

template <class T, class Context, class Call>
void check(Context& context, std::vector<T> const& wanted, Call call) {
  test::fenced_array<T> out(static_cast<index_t>(wanted.size()), 1);
  call(context, out);
  context.wait();
  REQUIRE(test::differences(out.to_host(), wanted) == "");
  REQUIRE(out.fences_intact());
}
template <class T, class Context, class Call>
void check_in_place(Context& context, std::vector<T> const& items, std::vector<T> const& wanted,
                    Call call) {
  auto in_place = test::on_backend(items, 1);
  call(context, in_place);
  context.wait();
  REQUIRE(test::differences(in_place.to_host(), wanted) == "");
  REQUIRE(in_place.fences_intact());
}

/// The types of out, a and b.
template <class T, class A = T, class B = T>
struct recurrence_case {
  using item = T;
  using factor = A;
  using term = B;
};
using recurrences = std::tuple<recurrence_case<std::uint32_t>, recurrence_case<std::int64_t>,
                               recurrence_case<std::int16_t, std::uint8_t, std::int8_t>>;

TEMPLATE_LIST_TEST_CASE("linear recurrences equal a plain loop", "[linear_recurrence]",
                        recurrences) {
  using T = typename TestType::item;
  using A = typename TestType::factor;
  using B = typename TestType::term;
  auto context = test::each_context();
  for (index_t const n : sizes_for<sam::affine_map<T>>(sam::compose_maps{})) {
    auto const seed = test::seed_for(n);
    CAPTURE(n, seed, sizeof(T));
    auto const factors = random_factors<A>(n, seed);
    auto const terms = test::random_items<B>(n, seed);
    auto const from_nothing = sam::reference::linear_recurrence(factors, terms, T(0));
    auto const init = static_cast<T>(-77);
    auto const from_value = sam::reference::linear_recurrence(factors, terms, init);
    auto const a = test::on_backend(factors, 1);
    auto const b = test::on_backend(terms, 2);
    check(context, from_nothing, [&](auto& c, auto& out) { sam::linear_recurrence(c, a, b, out); });
    check(context, from_value,
          [&](auto& c, auto& out) { sam::linear_recurrence(c, a, b, out, init); });
    if constexpr (std::is_same_v<T, A> && std::is_same_v<T, B>) {
      check_in_place(context, factors, from_nothing,
                     [&](auto& c, auto& out) { sam::linear_recurrence(c, out, b, out); });
      check_in_place(context, terms, from_value,
                     [&](auto& c, auto& out) { sam::linear_recurrence(c, a, out, out, init); });
    }
    test::also_on_threads(context, [&](auto& crowd) {
      check(crowd, from_value,
            [&](auto& c, auto& out) { sam::linear_recurrence(c, a, b, out, init); });
    });
  }
}

/// A filter, with its coefficients in a type, for lists of cases.
template <class T, class In, int... C>
struct filter_case {
  using item = T;
  using term = In;
  static constexpr std::array<T, sizeof...(C)> coefficients{static_cast<T>(C)...};
};
using filters = std::tuple<filter_case<std::int32_t, std::int32_t, 3>,
                           filter_case<std::uint32_t, std::uint32_t, 1, 1>,
                           filter_case<std::uint16_t, std::uint8_t, 5, 0, 7>,
                           filter_case<std::int64_t, std::int64_t, -1, 2, -30, 40>,
                           filter_case<std::int64_t, std::int32_t, 1, -2, 3, -4, 5, -6, 7, 8>>;

TEMPLATE_LIST_TEST_CASE("recursive filters equal a plain loop", "[linear_recurrence]", filters) {
  using T = typename TestType::item;
  using B = typename TestType::term;
  constexpr auto c = TestType::coefficients;
  constexpr int order = int(c.size());
  sam::engine::filter_ring<T, order> const ring(c);
  auto const join = [&] {
    if constexpr (order == 1)
      return sam::compose_maps{};
    else
      return sam::detail::join_filter_runs<T, order>{ring};
  }();
  auto context = test::each_context();
  for (index_t const n : filter_sizes_for<T, B>(ring, join)) {
    auto const seed = test::seed_for(n);
    CAPTURE(n, seed, c.size());
    auto const items = test::random_items<B>(n, seed);
    auto before = c;
    std::copy_n(test::random_items<T>(index_t(c.size()), seed + 1).begin(), c.size(),
                before.begin());
    auto const from_nothing = sam::reference::linear_filter(items, c, {});
    auto const from_values = sam::reference::linear_filter(items, c, before);
    auto const in = test::on_backend(items, 1);
    check(context, from_nothing,
          [&](auto& where, auto& out) { sam::linear_filter(where, in, c, out); });
    check(context, from_values,
          [&](auto& where, auto& out) { sam::linear_filter(where, in, c, out, before); });
    if constexpr (std::is_same_v<T, B>)
      check_in_place(context, items, from_values, [&](auto& where, auto& out) {
        sam::linear_filter(where, out, c, out, before);
      });
    test::also_on_threads(context, [&](auto& crowd) {
      check(crowd, from_values,
            [&](auto& where, auto& out) { sam::linear_filter(where, in, c, out, before); });
    });
  }
}

/// Calls use(begin, count, turn) for consecutive pieces of n items: some empty, some short.
template <class Use>
void for_each_piece(index_t n, Use const& use) {
  index_t begin = 0, turn = 0;
  for (index_t const count : {index_t{2}, index_t{0}, n / 3, index_t{1}, n})
    if (index_t const some = std::min(count, n - begin); some >= 0)
      use(begin, some, turn++), begin += some;
}
TEST_CASE("recurrences go on from array to array", "[linear_recurrence]") {
  auto context = test::each_context();
  auto const on = [](auto& where, index_t n) {
    CAPTURE(n);
    auto const factors = random_factors<std::uint8_t>(n, test::seed_for(n));
    auto const terms = test::random_items<std::int32_t>(n, test::seed_for(n + 1));
    auto const wanted = sam::reference::linear_recurrence(factors, terms, std::int32_t{-77});
    std::int32_t at = -77;
    std::vector<std::int32_t> const first{at};
    std::array memory{test::on_backend(first), test::on_backend(first)};
    for_each_piece(n, [&](index_t begin, index_t count, index_t turn) {
      auto const a = test::on_backend(part(factors, begin, count), 1);
      auto b = test::on_backend(part(terms, begin, count), 2);
      test::fenced_array<std::int32_t> out(count);
      auto const& before = memory[std::size_t(turn % 2)];
      auto& after = memory[std::size_t((turn + 1) % 2)];
      sam::linear_recurrence(where, a, b, out, at, at);
      sam::linear_recurrence(where, a, b, b, before, after);
      where.wait();
      index_t const done = begin + count;
      REQUIRE(test::differences(out.to_host(), part(wanted, begin, count)) == "");
      REQUIRE(test::differences(b.to_host(), part(wanted, begin, count)) == "");
      REQUIRE(at == (done == 0 ? -77 : wanted[std::size_t(done - 1)]));
      REQUIRE(after.to_host()[0] == at);
      REQUIRE((out.fences_intact() && after.fences_intact()));
    });
  };
  for (index_t const n : {0, 1, 7, 1000, 30'011})
    on(context, n);
  test::also_on_threads(context, [&](auto& crowd) { on(crowd, 300'007); });
}

template <class Case, class Context>
void check_filter_in_pieces(Context& context, index_t n) {
  using T = typename Case::item;
  constexpr auto c = Case::coefficients;
  CAPTURE(n, c.size());
  auto const items = test::random_items<typename Case::term>(n, test::seed_for(n));
  auto before = c;
  std::copy_n(test::random_items<T>(index_t(c.size()), 5).begin(), c.size(), before.begin());
  auto const wanted = sam::reference::linear_filter(items, c, before);
  std::vector<T> behind(before.rbegin(), before.rend());  // all outputs, in order
  std::vector<T> const first(before.begin(), before.end());
  std::array memory{test::on_backend(first), test::on_backend(first)};
  for_each_piece(n, [&](index_t begin, index_t count, index_t turn) {
    auto const in = test::on_backend(part(items, begin, count), 1);
    auto const piece = part(wanted, begin, count);
    test::fenced_array<T> out(count), again(count, 1);
    sam::linear_filter(context, in, c, out, before, before);
    auto& after = memory[std::size_t((turn + 1) % 2)];
    sam::linear_filter(context, in, c, again, memory[std::size_t(turn % 2)], after);
    context.wait();
    REQUIRE(test::differences(out.to_host(), piece) == "");
    REQUIRE(test::differences(again.to_host(), piece) == "");
    behind.insert(behind.end(), piece.begin(), piece.end());
    std::vector<T> const last(behind.rbegin(), behind.rbegin() + std::ptrdiff_t(c.size()));
    REQUIRE(std::vector<T>(before.begin(), before.end()) == last);
    REQUIRE(after.to_host() == last);
    REQUIRE((out.fences_intact() && again.fences_intact() && after.fences_intact()));
  });
}

using carried_filters = std::tuple<filter_case<std::int32_t, std::int32_t, 3>,
                                   filter_case<std::uint16_t, std::uint8_t, 5, 0, 7>>;

TEMPLATE_LIST_TEST_CASE("filters go on from array to array", "[linear_recurrence]",
                        carried_filters) {
  auto context = test::each_context();
  for (index_t const n : {0, 1, 7, 1000, 30'011})
    check_filter_in_pieces<TestType>(context, n);
  test::also_on_threads(context,
                        [](auto& crowd) { check_filter_in_pieces<TestType>(crowd, 300'007); });
}

using large_filters = std::tuple<filter_case<std::int32_t, std::int32_t, 1, 1>,
                                 filter_case<std::int64_t, std::int16_t, 3>>;

TEMPLATE_LIST_TEST_CASE("filtered items that bypass the caches arrive whole", "[linear_recurrence]",
                        large_filters) {
  using T = typename TestType::item;
  constexpr auto c = TestType::coefficients;
  auto context = test::each_context();
  for (index_t const extra : {-1, 0, 4711}) {
    index_t const n = sam::host::tuning::streaming_bytes / index_t{sizeof(T)} + extra;
    auto const seed = test::seed_for(n);
    CAPTURE(n, seed);
    auto const items = test::random_items<typename TestType::term>(n, seed);
    auto const in = test::on_backend(items, 1);
    check(context, sam::reference::linear_filter(items, c, c),
          [&](auto& where, auto& out) { sam::linear_filter(where, in, c, out, c); });
  }
}

/// Checks that every item is within the documented error bound, which allows `roundings` per item
/// so far. Products of small factors may also underflow; this is negligible beside terms of at
/// least 1/2.
template <class T>
void check_bound(std::vector<T> const& got, std::vector<long double> const& exact,
                 std::vector<long double> const& magnitude, double roundings) {
  double const unit = std::numeric_limits<T>::epsilon() / 2;
  for (std::size_t i = 0; i < got.size(); ++i) {
    auto const bound =
        std::expm1(roundings * static_cast<double>(i + 1) * unit * 1.001) * magnitude[i];
    auto const error = std::fabs(static_cast<long double>(got[i]) - exact[i]);
    if (!(error <= bound)) {
      CAPTURE(i, error, bound);
      FAIL("an item is further off than it may be");
    }
  }
}

TEMPLATE_TEST_CASE("recurrences of floats are as near as is said", "[linear_recurrence]", float,
                   double) {
  using T = TestType;
  auto context = test::each_context();
  index_t const n = 100'003;
  auto const seed = test::seed_for(n);
  CAPTURE(seed);
  auto terms = test::random_reals<T>(n, seed), factors = test::random_reals<T>(n, seed + 1);
  for (T& x : terms)
    x = x < 0 ? x / 2 - T(0.5) : x / 2 + T(0.5);
  auto const wide = [](std::vector<T> const& items, bool positive) {
    std::vector<long double> all(items.begin(), items.end());
    for (auto& x : all)
      x = positive ? std::fabs(x) : x;
    return all;
  };
  auto const b = test::on_backend(terms);
  test::fenced_array<T> out(n);

  auto const a = test::on_backend(factors);
  sam::linear_recurrence(context, a, b, out, T(3));
  context.wait();
  check_bound(out.to_host(),
              sam::reference::linear_recurrence(wide(factors, false), wide(terms, false), 3.0L),
              sam::reference::linear_recurrence(wide(factors, true), wide(terms, true), 3.0L), 2);

  // The magnitudes of the coefficients sum to less than 1. Otherwise the error bound would grow
  // without limit.
  auto const check_filter = [&]<std::size_t Q>(std::array<double, Q> const& coefficients) {
    std::array<T, Q> c{}, before{};
    std::array<long double, Q> exact{}, magnitude{}, exact_before{}, magnitude_before{};
    for (std::size_t k = 0; k < Q; ++k) {
      exact[k] = c[k] = static_cast<T>(coefficients[k]);
      exact_before[k] = before[k] = static_cast<T>(k % 2 == 0 ? 3 : -2);
      magnitude[k] = std::fabs(exact[k]);
      magnitude_before[k] = std::fabs(exact_before[k]);
    }
    sam::linear_filter(context, b, c, out, before);
    context.wait();
    auto const got = out.to_host();
    check_bound(got, sam::reference::linear_filter(wide(terms, false), exact, exact_before),
                sam::reference::linear_filter(wide(terms, true), magnitude, magnitude_before),
                3.0 * static_cast<double>(Q) - 1);
    test::also_on_threads(context, [&](auto& crowd) {
      check(crowd, got,
            [&](auto& where, auto& to) { sam::linear_filter(where, b, c, to, before); });
    });
  };
  check_filter(std::array{-0.9921875});
  check_filter(std::array{0.75, -0.125});
  check_filter(std::array{0.5, -0.25, 0.125, -0.0625});
  test::also_on_threads(context, [&](auto& crowd) {
    std::vector<T> alone(terms.size()), together(terms.size());
    sam::linear_recurrence(context, factors, terms, alone);
    sam::linear_recurrence(crowd, factors, terms, together);
    REQUIRE(test::differences(together, alone) == "");
  });
}

TEST_CASE("filters may grow until numbers overflow", "[linear_recurrence]") {
  auto context = test::each_context();
  std::vector<float> in(1000);
  in[0] = 1;
  auto const impulse = test::on_backend(in);
  test::fenced_array<float> powers(1000);
  sam::linear_filter(context, impulse, std::array{2.0f}, powers);
  context.wait();
  auto got = powers.to_host();
  for (int i = 0; i < 128; ++i)
    in[static_cast<std::size_t>(i)] = std::ldexp(1.0f, i);
  in.resize(128), got.resize(128);
  REQUIRE(test::differences(got, in) == "");
}

TEST_CASE("recurrences of arrays that do not fit are an error, and nothing is written",
          "[linear_recurrence]") {
  auto c = test::each_context();
  auto const a = test::on_backend(std::vector<int>(100, 1));
  test::fenced_array<int> out(100);
  auto const ours = test::as_span(out);
  std::span const items(a.data(), 100);
  using test::fails;
  std::string const recurrence = "sam::linear_recurrence", filter = "sam::linear_filter";
  fails([&] { sam::linear_recurrence(c, items.first(99), a, out); }, recurrence, "a",
        "holds 99 items but out holds 100; both must hold the same number");
  fails([&] { sam::linear_recurrence(c, a, items.first(99), out, 1); }, recurrence, "b",
        "holds 99 items but out holds 100; both must hold the same number");
  fails([&] { sam::linear_recurrence(c, a, a, ours.first(99), 1); }, recurrence, "out",
        "holds 99 items but a holds 100; both must hold the same number");
  std::string const overlaps = " without being the same array; pass the same items to work in "
                               "place, or memory apart from ";
  fails([&] { sam::linear_recurrence(c, items.first(50), ours.subspan(1, 50), ours.first(50)); },
        recurrence, "out", "overlaps b" + overlaps + "b");
  fails(
      [&] {
        sam::linear_filter(c, ours.subspan(1, 50), std::array{1, 2}, ours.first(50));
      },
      filter, "out", "overlaps in" + overlaps + "in");
  auto two = test::on_backend(std::vector<int>(2));
  fails([&] { sam::linear_recurrence(c, a, a, out, two, two); }, recurrence, "before",
        "holds 2 items but must hold 1, the last output");
  fails(
      [&] {
        sam::linear_filter(c, a, std::array{1, 2}, out, two, two);
      },
      filter, "after", "overlaps before; the two must lie apart");
  fails(
      [&] {
        sam::linear_filter(c, a, std::array{1, 2}, out, std::array{1, 2}, ours.first(2));
      },
      filter, "after", "overlaps out; the two must lie apart");
  std::span<int const> const nowhere(static_cast<int const*>(nullptr), 100);
  fails([&] { sam::linear_recurrence(c, a, nowhere, out); }, recurrence, "b",
        "is a null pointer but should hold 100 items");
  REQUIRE(out.untouched());
}

}  // namespace
