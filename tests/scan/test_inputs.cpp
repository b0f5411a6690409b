// SPDX-License-Identifier: MIT
// Tests scans, reductions, compactions, searches and sorts of computed inputs, and accumulate_in.
#include <sam/compact.hpp>
#include <sam/extremes.hpp>
#include <sam/find.hpp>
#include <sam/gather.hpp>
#include <sam/inputs.hpp>
#include <sam/merge_sort.hpp>
#include <sam/minmax.hpp>
#include <sam/reduce.hpp>
#include <sam/scan_state.hpp>

#include "support.hpp"
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <algorithm>
#include <ranges>
#include <tuple>

namespace {

using sam::index_t;
using test::form;

struct hash {
  SAM_FUNCTION std::uint32_t operator()(index_t i) const {
    return static_cast<std::uint32_t>(i) * 2654435761u >> 3;
  }
};
struct multiplied {
  template <class Z>
  SAM_FUNCTION std::int64_t operator()(Z const& z) const {
    return std::int64_t{z.first} * z.second;
  }
};
struct by_index {
  template <class I>
  SAM_FUNCTION test::affine operator()(I const& x) const {
    return {static_cast<std::uint32_t>(2 * x.index + 1), x.value};
  }
};
struct halved {
  SAM_FUNCTION double operator()(std::int16_t x) const { return x * 0.5; }
};
struct is_odd {
  template <class T>
  SAM_FUNCTION bool operator()(T const& x) const {
    return static_cast<std::uint64_t>(x) % 2 != 0;
  }
};

struct plus_to_120 {
  SAM_FUNCTION std::int32_t operator()(std::int32_t a, std::int32_t b) const {
    return a + b > 120 ? 120 : a + b;
  }
};

// Each class has make(arrays), which returns an input of n items, and item(arrays, i), which
// computes item i from the same values on the host. `arrays` has a (int16), b (uint32), large
// (3 n items) and indices (a permutation of its own).

struct from_generated {
  using item = std::uint32_t;
  template <class A>
  static auto make(A const& x) {
    return sam::generated(x.n, hash{});
  }
  template <class A>
  static item at(A const&, index_t i) {
    return hash{}(i);
  }
};
struct from_zip {
  using item = std::int64_t;
  template <class A>
  static auto make(A const& x) {
    return sam::transformed(sam::zipped(x.a, x.b), multiplied{});
  }
  template <class A>
  static item at(A const& x, std::size_t i) {
    return std::int64_t{x.a[i]} * x.b[i];
  }
};
struct from_indexed {
  using item = test::affine;
  template <class A>
  static auto make(A const& x) {
    return sam::transformed(sam::indexed(x.b), by_index{});
  }
  template <class A>
  static item at(A const& x, std::size_t i) {
    return {static_cast<std::uint32_t>(2 * i + 1), x.b[i]};
  }
};
struct from_permuted {
  using item = std::uint32_t;
  template <class A>
  static auto make(A const& x) {
    return sam::permuted(x.b, x.indices);
  }
  template <class A>
  static item at(A const& x, std::size_t i) {
    return x.b[static_cast<std::size_t>(x.indices[i])];
  }
};
struct from_strided {
  using item = std::uint32_t;
  template <class A>
  static auto make(A const& x) {
    return sam::strided(x.large, 3);
  }
  template <class A>
  static item at(A const& x, std::size_t i) {
    return x.large[3 * i];
  }
};
struct from_transformed {
  using item = double;
  template <class A>
  static auto make(A const& x) {
    return sam::transformed(x.a, halved{});
  }
  template <class A>
  static item at(A const& x, std::size_t i) {
    return halved{}(x.a[i]);
  }
};
struct from_constant {
  using item = std::uint8_t;
  template <class A>
  static auto make(A const& x) {
    return sam::constant(x.n, std::uint8_t{3});
  }
  template <class A>
  static item at(A const&, std::size_t) {
    return 3;
  }
};

template <class T>
using in_vector = std::vector<T>;
template <template <class> class Array>
struct arrays {
  index_t n;
  Array<std::int16_t> a;
  Array<std::uint32_t> b, large;
  Array<std::int32_t> indices;
};
arrays<in_vector> random_arrays(index_t n) {
  auto const seed = test::seed_for(n);
  arrays<in_vector> all{n, test::random_items<std::int16_t>(n, seed),
                        test::random_items<std::uint32_t>(n, seed + 1),
                        test::random_items<std::uint32_t>(3 * n, seed + 2),
                        std::vector<std::int32_t>(static_cast<std::size_t>(n))};
  for (index_t i = 0; i < n; ++i)
    all.indices[static_cast<std::size_t>(i)] = static_cast<std::int32_t>((i * 7919 + 5) % n);
  return all;
}
arrays<test::fenced_array> to_backend(arrays<in_vector> const& all) {
  return {all.n, test::on_backend(all.a, 1), test::on_backend(all.b, 1),
          test::on_backend(all.large, 3), test::on_backend(all.indices)};
}
template <class Source>
std::vector<typename Source::item> items_of(arrays<in_vector> const& all) {
  std::vector<typename Source::item> items;
  for (index_t i = 0; i < all.n; ++i)
    items.push_back(Source::at(all, static_cast<std::size_t>(i)));
  return items;
}

template <class Source, class Policy, form Kind>
struct input_case {
  using source = Source;
  using policy = Policy;
  static constexpr form kind = Kind;
};
constexpr auto back = sam::direction::backward;
using sam::carry::decoupled;

using cases = std::tuple<
    input_case<from_generated, sam::scan_policy<sam::plus>, form::inclusive>,
    input_case<from_zip, sam::scan_policy<sam::plus, 3, 5, decoupled, back>, form::exclusive>,
    input_case<from_indexed, sam::scan_policy<test::compose, 2, 1, decoupled, back>,
               form::inclusive_from>,
    input_case<from_permuted, sam::scan_policy<sam::maximum>, form::exclusive>,
    input_case<from_strided, sam::scan_policy<sam::plus, 2, 1, sam::carry::scan_then_propagate>,
               form::inclusive>,
    input_case<from_transformed, sam::scan_policy<sam::plus>, form::inclusive>,
    input_case<from_constant, sam::scan_policy<sam::plus, 2, 33>, form::inclusive>>;

TEMPLATE_LIST_TEST_CASE("a scan of a computed input is that of its items", "[inputs]", cases) {
  using source = typename TestType::source;
  using T = typename source::item;
  typename TestType::policy const policy;
  auto context = test::each_context();
  T const init = test::random_items<T>(1, test::seed_for(-1))[0];
  auto const pass = sam::engine::resolve_policy<sam::engine::bound::exclusive>(
      policy, sam::engine::from_value<T>{init});
  for (index_t const n : test::sizes_at_every_edge<T>(pass)) {
    auto const on_host = random_arrays(n);
    CAPTURE(n, test::seed_for(n));
    auto const wanted =
        test::expected_scan<TestType::kind>(items_of<source>(on_host), policy, init);
    auto const there = to_backend(on_host);
    test::fenced_array<T> out(n, 1);
    test::scan<TestType::kind>(context, source::make(there), out, policy, init);
    REQUIRE(test::differences(out.to_host(), wanted) == "");
    REQUIRE(out.fences_intact());
    test::also_on_threads(context, [&](auto& crowd) {
      test::fenced_array<T> again(n);
      test::scan<TestType::kind>(crowd, source::make(there), again, policy, init);
      REQUIRE(test::differences(again.to_host(), wanted) == "");
    });
  }
}

using reductions =
    std::tuple<std::tuple<from_generated, sam::plus>, std::tuple<from_zip, sam::plus>,
               std::tuple<from_indexed, test::compose>, std::tuple<from_permuted, sam::minimum>,
               std::tuple<from_strided, sam::bit_xor>>;

TEMPLATE_LIST_TEST_CASE("a reduction of a computed input is that of its items", "[inputs]",
                        reductions) {
  using source = std::tuple_element_t<0, TestType>;
  using op = std::tuple_element_t<1, TestType>;
  using T = typename source::item;
  auto context = test::each_context();
  for (index_t const n : {1, 2, 63, 1000, 5000, 100000, 300001}) {
    auto const on_host = random_arrays(n);
    CAPTURE(n);
    auto const wanted =
        sam::reference::inclusive_scan(items_of<source>(on_host), sam::scan_policy<op>{}).back();
    auto const there = to_backend(on_host);
    REQUIRE(sam::reduce(context, source::make(there), op{}) == wanted);
    test::fenced_array<T> out(1);
    sam::reduce(context, source::make(there), out, op{});
    context.wait();
    REQUIRE(out.to_host()[0] == wanted);
  }
}

using compactions = std::tuple<from_generated, from_zip, from_permuted, from_strided>;

TEMPLATE_LIST_TEST_CASE("a compaction of a computed input keeps its items", "[inputs]",
                        compactions) {
  using T = typename TestType::item;
  auto context = test::each_context();
  for (index_t const n : {0, 1, 63, 1000, 5000, 100000, 300001}) {
    auto const on_host = random_arrays(n);
    CAPTURE(n);
    std::vector<T> wanted;
    std::vector<index_t> wanted_indices;
    for (index_t i = 0; auto const& x : items_of<TestType>(on_host)) {
      if (is_odd{}(x)) {
        wanted.push_back(x);
        wanted_indices.push_back(i);
      }
      ++i;
    }
    auto const there = to_backend(on_host);
    test::fenced_array<T> out(n);
    test::fenced_array<index_t> indices(n);
    auto const kept = sam::compact(context, TestType::make(there), out, is_odd{});
    REQUIRE(kept == static_cast<index_t>(wanted.size()));
    REQUIRE(sam::compact_indices(context, TestType::make(there), indices, is_odd{}) == kept);
    auto items = out.to_host();
    items.resize(wanted.size());
    REQUIRE(items == wanted);
    auto at = indices.to_host();
    at.resize(wanted.size());
    REQUIRE(at == wanted_indices);
    REQUIRE((out.fences_intact() && indices.fences_intact()));
  }
}

struct is_equal_pair {
  template <class Z>
  SAM_FUNCTION bool operator()(Z const& z) const {
    return z.first == z.second;
  }
};
struct by_last_digit {
  SAM_FUNCTION bool operator()(std::uint32_t a, std::uint32_t b) const { return a % 10 < b % 10; }
};
TEST_CASE("computed inputs are searched, and stored to be sorted", "[inputs]") {
  auto context = test::each_context();
  for (index_t const n : {0, 1, 1000, 70'001}) {
    CAPTURE(n);
    auto const a = test::random_items<std::int16_t>(n, test::seed_for(n));
    auto b = a;
    for (std::size_t i = 0; i < b.size(); ++i)
      b[i] = static_cast<std::int16_t>(i % 3 == 2 ? b[i] : b[i] ^ 1);
    auto const on_a = test::on_backend(a, 1), on_b = test::on_backend(b);
    auto const pairs = sam::zipped(on_a, on_b);
    REQUIRE(sam::find_if(context, pairs, is_equal_pair{}) == std::min<index_t>(n, 2));
    REQUIRE(sam::count_if(context, pairs, is_equal_pair{}) == n / 3);
    REQUIRE(sam::any_of(context, pairs, is_equal_pair{}) == (n > 2));
    REQUIRE(sam::all_of(context, sam::generated(n, hash{}), is_odd{}) == (n == 0));
    std::vector<std::uint32_t> made;
    for (index_t i = 0; i < n; ++i)
      made.push_back(hash{}(i));
    test::fenced_array<std::uint32_t> out(n, 1), by_digit(n), keys(n), halves(n), first(n);
    test::fenced_array<std::int64_t> values(n);
    auto const number = test::on_backend(std::vector<index_t>{n / 2});
    sam::merge_sort(context, sam::counted(sam::generated(n, hash{}), number), first,
                    by_last_digit{});
    sam::radix_sort_pairs(context, sam::generated(n, hash{}),
                          sam::transformed(sam::zipped(on_a, on_b), multiplied{}), halves, values);
    sam::merge_sort(context, sam::generated(n, hash{}), out);
    sam::merge_sort(context, sam::generated(n, hash{}), by_digit, by_last_digit{});
    sam::radix_sort(context, sam::generated(n, hash{}), keys,
                    {.order = sam::sort_order::descending});
    context.wait();
    auto const [smallest, largest] = sam::reference::minmax(made);
    REQUIRE(sam::minmax(context, sam::generated(n, hash{})) ==
            sam::min_and_max<std::uint32_t>{smallest, largest});
    if (n > 0) {
      REQUIRE(sam::argmin(context, sam::generated(n, hash{})) ==
              std::min_element(made.begin(), made.end()) - made.begin());
      auto const both = sam::find_minmax(context, sam::transformed(on_a, halved{}));
      auto const least = std::min_element(a.begin(), a.end());
      auto const greatest = std::max_element(a.begin(), a.end());
      REQUIRE((both.min.value == 0.5 * *least && both.min.index == least - a.begin()));
      REQUIRE((both.max.value == 0.5 * *greatest && both.max.index == greatest - a.begin()));
    }
    auto wanted = made;
    wanted.resize(static_cast<std::size_t>(n / 2));
    std::stable_sort(wanted.begin(), wanted.end(), by_last_digit{});
    auto begin = first.to_host();
    begin.resize(wanted.size());
    REQUIRE(begin == wanted);
    std::vector<std::pair<std::uint32_t, std::int64_t>> pairs_wanted, pairs_got;
    auto const sorted_keys = halves.to_host();
    auto const sorted_values = values.to_host();
    for (std::size_t i = 0; i < made.size(); ++i) {
      pairs_wanted.emplace_back(made[i], std::int64_t{a[i]} * b[i]);
      pairs_got.emplace_back(sorted_keys[i], sorted_values[i]);
    }
    std::stable_sort(pairs_wanted.begin(), pairs_wanted.end(),
                     [](auto const& x, auto const& y) { return x.first < y.first; });
    REQUIRE(pairs_got == pairs_wanted);
    wanted = made;
    std::stable_sort(wanted.begin(), wanted.end(), by_last_digit{});
    REQUIRE(by_digit.to_host() == wanted);
    std::sort(wanted.begin(), wanted.end());
    REQUIRE(out.to_host() == wanted);
    std::reverse(wanted.begin(), wanted.end());
    REQUIRE(keys.to_host() == wanted);
    REQUIRE((out.fences_intact() && by_digit.fences_intact() && keys.fences_intact()));
  }
  test::fails([&] { sam::argmax(context, sam::generated(0, hash{})); }, "sam::argmax", "in",
              "holds no items, of which one could be the smallest or the largest");
  test::fenced_array<std::uint32_t> ten(10);
  test::fails([&] { sam::radix_sort(context, sam::generated(9, hash{}), ten); }, "sam::radix_sort",
              "out", "holds 10 items but in holds 9; both must hold the same number");
  REQUIRE(ten.untouched());
}

TEST_CASE("accumulate_in combines items in another type than they have", "[inputs]") {
  auto context = test::each_context();
  for (index_t const n : {1, 100, 5000, 200000}) {
    CAPTURE(n);
    std::vector<float> const items(static_cast<std::size_t>(n), 0.1f);
    std::vector<double> wide(items.begin(), items.end());
    auto const in = test::on_backend(items, 1);
    test::fenced_array<float> out(n, 1);
    auto const check = [&](auto policy, std::vector<double> sums) {
      sam::inclusive_scan(context, in, out, sam::accumulate_in<double>(policy), 1e-3);
      context.wait();
      REQUIRE(out.fences_intact());
      auto const got = out.to_host();
      for (std::size_t i = 0; i < sums.size(); ++i)
        REQUIRE(std::abs(got[i] - sums[i]) <= 1e-7 * sums[i]);
    };
    sam::scan_policy<sam::plus> const sums;
    check(sums, sam::reference::inclusive_scan(wide, sums, std::optional(1e-3)));
    auto const reversed = sam::backward(sam::scan_policy<sam::plus, 2, 3>{});
    check(reversed, sam::reference::inclusive_scan(wide, reversed, std::optional(1e-3)));
    float const sum = sam::reduce(context, in, sam::accumulate_in<double>(sam::plus{}));
    REQUIRE(std::abs(sum - 0.1f * static_cast<double>(n)) <= 1e-7 * sum);
  }
  // Sums of two bytes do not fit in a byte.
  std::vector<std::int8_t> const bytes(1000, 100);
  auto const in = test::on_backend(bytes);
  REQUIRE(sam::reduce<std::int32_t>(context, in) == 100000);
  test::fenced_array<std::int8_t> out(1000);
  sam::inclusive_scan(context, in, out, sam::accumulate_in<std::int32_t>(plus_to_120{}));
  context.wait();
  REQUIRE(out.to_host()[0] == 100);
  REQUIRE(out.to_host()[999] == 120);
}

TEST_CASE("computed inputs are counted in memory, and continue from states", "[inputs]") {
  auto context = test::each_context();
  for (index_t const n : {1, 63, 1000, 5000, 200000}) {
    CAPTURE(n);
    auto const on_host = random_arrays(n);
    auto const there = to_backend(on_host);
    auto const products = items_of<from_zip>(on_host);
    auto const some = static_cast<std::size_t>(n - n / 3);
    auto const first =
        std::vector<std::int64_t>(products.begin(), products.begin() + static_cast<index_t>(some));
    auto const number = test::on_backend(std::vector<std::int32_t>{static_cast<int>(some)});
    auto const counted = [&](auto const& in) { return sam::counted(in, number); };

    auto const backward = sam::backward(sam::plus{});
    test::fenced_array<std::int64_t> out(n), odd(n);
    sam::inclusive_scan(context, counted(from_zip::make(there)), out, backward);
    std::int64_t sum = 0;
    sam::reduce(context, counted(from_zip::make(there)), sum);
    index_t const kept = sam::compact(context, counted(from_zip::make(there)), odd, is_odd{});
    context.wait();
    auto sums = out.to_host();
    sums.resize(some);
    REQUIRE(sums == sam::reference::inclusive_scan(first, backward));
    REQUIRE(sum == sums[0]);
    REQUIRE(kept == std::count_if(first.begin(), first.end(), is_odd{}));

    sam::scan_state<std::int64_t> state;
    test::fenced_array<std::int64_t> again(n);
    sam::inclusive_scan(context, from_zip::make(there), out, sam::plus{}, state, state);
    sam::exclusive_scan(context, from_zip::make(there), again, sam::plus{}, state, state);
    sam::reduce(context, sam::constant(n, std::int64_t{1}), sam::plus{}, state, state);
    context.wait();
    auto const all = sam::reference::inclusive_scan(products, sam::scan_policy<>{});
    REQUIRE(out.to_host() == all);
    REQUIRE(again.to_host() ==
            sam::reference::exclusive_scan(products, sam::scan_policy<>{}, all.back()));
    REQUIRE(state.value() == 2 * all.back() + n);
  }
}

template <class Call>
void refuses(Call const& call, std::string const& part) {
  REQUIRE_THROWS_MATCHES(call(), sam::invalid_argument,
                         Catch::Matchers::MessageMatches(Catch::Matchers::ContainsSubstring(part)));
}

TEST_CASE("computed inputs that cannot be read are refused", "[inputs]") {
  auto context = test::each_context();
  auto const five = test::on_backend(std::vector<int>{1, 2, 3, 4, 5});
  auto const four = test::on_backend(std::vector<int>{1, 2, 3, 4});
  auto const none = test::on_backend(std::vector<int>{});
  test::fenced_array<int> out(5);
  auto const scan = [&](auto const& in) {
    return [&context, &out, in] { sam::inclusive_scan(context, in, out); };
  };
  refuses(scan(sam::transformed(sam::zipped(five, four), multiplied{})),
          "in zips inputs of 5 and of 4 items");
  refuses(scan(sam::permuted(none, five)), "in permutes no items, but indices holds 5");
  refuses(scan(sam::permuted(four, sam::checked_indices(five))),
          "indices are not all in [0, 4): the first one that is not is at 3");
  refuses(scan(sam::strided(five, 0)), "in has a step of 0");
  refuses(scan(sam::constant(-1, 2)), "in has a size of -1");
  refuses(scan(sam::constant(4, 2)), "out holds 5 items but in holds 4");
  refuses(scan(sam::permuted(out, five)), "out overlaps in");
  REQUIRE(out.untouched());
}

/// Checks inputs that only the host can read. A template, so that other compilers do not see it.
template <class Context>
void check_ranges(Context& context) {
  REQUIRE(sam::reduce(context, sam::iterated(std::views::iota(0, 1000))) == 499500);
  std::vector<int> const items{1, 2, 3};
  auto const squares = items | std::views::transform([](int x) { return x * x; });
  REQUIRE(sam::reduce(context, sam::iterated(squares)) == 14);
  REQUIRE(sam::reduce(context, sam::iterated(items.rbegin(), 2), sam::minimum{}) == 2);
}

TEST_CASE("random-access ranges and iterators are inputs", "[inputs]") {
  auto context = test::each_context();
  [](auto& where) {
    if constexpr (test::backend_bytes::on_host)
      check_ranges(where);
  }(context);
}

}  // namespace
