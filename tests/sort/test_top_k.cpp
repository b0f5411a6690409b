// SPDX-License-Identifier: MIT
// Tests selections by rank against the references.
#include <sam/inputs.hpp>
#include <sam/partial_sort.hpp>

#include "selected_keys.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

namespace {

using sam::index_t, sam::sort_order, test::keys_are, test::make_keys, test::order_of,
    test::same_bits;

/// Checks all selections of k items.
template <class T, class Context>
void check(Context& context, std::vector<T> const& keys, std::vector<index_t> const& ks,
           sort_order order) {
  auto const n = static_cast<index_t>(keys.size());
  auto const precedes = [&](T a, T b) {
    order_of<T> const digits;
    return order == sort_order::ascending ? digits(a) < digits(b) : digits(b) < digits(a);
  };
  auto wanted = sam::reference::top_k_indices<std::uint32_t>(keys, keys.size(), precedes);
  auto const values = test::random_items<double>(n, test::seed_for(n));
  auto const in = test::on_backend(keys, 1);
  auto const in_values = test::on_backend(values);
  for (index_t const k : ks) {
    CAPTURE(n, k, static_cast<int>(order));
    wanted.resize(static_cast<std::size_t>(k));
    test::fenced_array<T> out(k, 1), keys_out(k);
    test::fenced_array<double> values_out(k);
    test::fenced_array<std::uint32_t> indices(k, 1);
    sam::top_k(context, in, out, order);
    sam::top_k_pairs(context, in, in_values, keys_out, values_out, order);
    sam::top_k_indices(context, in, indices, order);
    context.wait();
    REQUIRE(same_bits(out.to_host(), sam::reference::in_order(keys, wanted)));
    REQUIRE(same_bits(keys_out.to_host(), out.to_host()));
    REQUIRE(values_out.to_host() == sam::reference::in_order(values, wanted));
    REQUIRE(indices.to_host() == wanted);
    REQUIRE((out.fences_intact() && keys_out.fences_intact() && values_out.fences_intact()));
    test::fenced_array<T> some(k), some_keys(k, 1);
    test::fenced_array<std::uint32_t> some_indices(k);
    sam::top_k(context, in, some, order, sam::result_order::unsorted);
    sam::top_k_pairs(context, in, in_values, some_keys, values_out, order,
                     sam::result_order::unsorted);
    sam::top_k_indices(context, in, some_indices, order, sam::result_order::unsorted);
    context.wait();
    auto places = some_indices.to_host();
    REQUIRE(same_bits(some.to_host(), sam::reference::in_order(keys, places)));
    REQUIRE(same_bits(some_keys.to_host(), some.to_host()));
    REQUIRE(values_out.to_host() == sam::reference::in_order(values, places));
    auto all = wanted;
    std::sort(all.begin(), all.end());
    std::sort(places.begin(), places.end());
    REQUIRE(places == all);
    REQUIRE((some.fences_intact() && some_keys.fences_intact() && some_indices.fences_intact()));
    if (k > 0 && order == sort_order::ascending) {
      T const last = keys[wanted.back()];
      REQUIRE(order_of<T>{}(sam::nth_element(context, in, k - 1)) == order_of<T>{}(last));
      test::fenced_array<T> place(1);
      sam::nth_element(context, in, k - 1, place);
      context.wait();
      REQUIRE(same_bits(place.to_host(), {last}));
    }
  }
}

TEMPLATE_TEST_CASE("selections by rank equal their references", "[top_k]", std::int8_t, double) {
  auto context = test::each_context();
  // On CPUs, keys up to 2^14 are compared, and of more a 256th.
  for (index_t const n : {0, 1, 2, 100, 129, 2047, 16'384, 16'385, 30'001})
    for (auto const what :
         {keys_are::random, keys_are::few, keys_are::equal, keys_are::in_low_bits}) {
      auto const keys = make_keys<TestType>(n, what);
      std::vector<index_t> ks{n};  // in descending order
      for (index_t const k :
           {n - 1, n / 3, n / 256 + 1, n / 256, index_t{17}, index_t{16}, index_t{1}, index_t{0}})
        if (k >= 0 && k < ks.back())
          ks.push_back(k);
      check(context, keys, ks, sort_order::descending);
      if (n < 10'000)
        check(context, keys, ks, sort_order::ascending);
      else if (what == keys_are::few)
        test::also_on_threads(context,
                              [&](auto& crowd) { check(crowd, keys, ks, sort_order::descending); });
    }
}

TEST_CASE("few of many keys are found, also where a sample misleads", "[top_k]") {
  auto context = test::each_context();
  for (auto const& [n, what] : {std::pair{index_t{262'143}, keys_are::few},
                                {index_t{262'144}, keys_are::few},
                                {index_t{262'144}, keys_are::random}})
    check(context, make_keys<double>(n, what), {n / 64, 100, 3}, sort_order::descending);
  // Only keys that the sample takes are large, so that it suggests too high a bound.
  constexpr int log_size = test::backend_bytes::on_host ? 19 : 21;  // fewer may be sorted whole
  std::vector<double> keys(std::size_t{1} << log_size);
  auto const most = static_cast<index_t>(keys.size()) / 64;
  for (std::size_t i = 0; i < keys.size(); ++i)
    keys[i] = static_cast<double>(i % 128 == 0 ? 10'000'000 - i : i % 1000);
  check(context, keys, {most - most / 16}, sort_order::descending);
  // None of the large keys is in the sample.
  for (std::size_t i = 0; i < keys.size(); ++i)
    keys[i] = i % 128 == 0 ? 0. : 5.;
  check(context, keys, {most / 8}, sort_order::descending);
}

TEST_CASE("searches on devices are narrowed without a wait", "[top_k]") {
  if constexpr (test::backend_bytes::on_host) {
    test::like_a_device context;
    for (index_t const n : {5000, 1'100'000})
      for (auto const what : {keys_are::random, keys_are::few, keys_are::equal}) {
        auto const keys = make_keys<double>(n, what);
        auto wanted = sam::reference::top_k_indices<int>(keys, keys.size(), [](auto a, auto b) {
          return order_of<double>{}(b) < order_of<double>{}(a);
        });
        for (index_t const k : {std::max(n / 64, std::min(n, index_t{5000})),  // all of few
                                std::min(n / 64, index_t{100}), index_t{1}}) {
          CAPTURE(n, k, static_cast<int>(what));
          std::vector<int> indices(static_cast<std::size_t>(k));
          sam::top_k_indices(context, keys, indices);
          wanted.resize(indices.size());
          REQUIRE(indices == wanted);
          std::vector<double> chosen(indices.size());
          sam::top_k(context, keys, chosen);
          REQUIRE(same_bits(chosen, sam::reference::in_order(keys, wanted)));
          std::vector<int> few(indices.size(), -1);
          int const number = static_cast<int>(k / 3);
          sam::top_k_indices(context, keys, sam::counted(std::span(few), std::span(&number, 1)));
          for (std::size_t i = 0; i < few.size(); ++i)
            REQUIRE(few[i] == (static_cast<int>(i) < number ? wanted[i] : -1));
        }
      }
  }
}

using items = std::vector<std::uint32_t>;
constexpr std::uint32_t rest = 77'777;

/// Items that may only be computed below a limit.
struct below {
  std::size_t limit;
  std::uint32_t const* items;
  SAM_FUNCTION std::uint32_t operator()(index_t i) const {
    return items[static_cast<std::size_t>(i) < limit ? i : -1'000];
  }
};
struct doubled {
  SAM_FUNCTION std::uint32_t operator()(std::uint32_t x) const { return 2 * x; }
};
struct by_last_digit {
  SAM_FUNCTION bool operator()(std::uint32_t a, std::uint32_t b) const { return a % 10 < b % 10; }
};
/// The order in which top_k finds what partial_sort finds by that one.
struct by_first_digit {
  SAM_FUNCTION bool operator()(std::uint32_t a, std::uint32_t b) const { return b % 10 < a % 10; }
};

struct as_index {
  SAM_FUNCTION std::uint32_t operator()(index_t i) const { return static_cast<std::uint32_t>(i); }
};

items random(index_t n, std::uint32_t kinds) {
  auto all = test::random_items<std::uint32_t>(n, test::seed_for(n));
  for (auto& x : all)
    x %= kinds;
  return all;
}
items first(items of, index_t number) {
  of.resize(static_cast<std::size_t>(std::clamp(number, index_t{0}, std::ssize(of))));
  return of;
}

/// A view of an array, as an output within counted is.
template <class Array>
auto span_of(Array& out) {
  return std::span(out.data(), static_cast<std::size_t>(out.size()));
}

/// Calls call(out) with an array of n items, and checks that it begins with the wanted ones and is
/// not changed behind them.
template <class Context, class Call>
void expect(Context& context, items wanted, index_t n, Call const& call) {
  auto out = test::on_backend(items(static_cast<std::size_t>(n), rest), 1);
  call(out);
  context.wait();
  wanted.resize(static_cast<std::size_t>(n), rest);
  REQUIRE(test::differences(out.to_host(), wanted) == "");
  REQUIRE(out.fences_intact());
}

template <class Context>
void check_selections(Context& context, index_t n, index_t number) {
  auto const all = random(n, 50'000);
  auto const taken = first(all, number);
  auto const counts = test::on_backend(std::vector<index_t>{number});
  auto const there = test::on_backend(all, 1);
  auto const limited = sam::generated(n, below{taken.size(), there.data()});
  auto const in = sam::counted(limited, counts);
  auto const in_array = sam::counted(there, counts);
  auto const twice = sam::transformed(there, doubled{});
  auto const order_by = [&](auto less) {
    return sam::reference::merge_argsort<std::uint32_t>(taken, less);
  };
  auto const at = [&](items const& order, std::uint32_t times = 1) {
    items found;
    for (auto const i : order)
      found.push_back(times * taken[i]);
    return found;
  };
  auto const digits = order_by(std::greater<>{}), by_order = order_by(by_last_digit{});
  for (index_t const k : {index_t{0}, index_t{1}, n / 5, n}) {
    if (k > n)
      continue;
    CAPTURE(n, number, k);
    auto const best = first(digits, k), least = first(by_order, k);
    expect(context, at(best), k, [&](auto& out) { sam::top_k(context, in, out); });
    expect(context, at(best, 2), k, [&](auto& values) {
      expect(context, at(best), k,
             [&](auto& keys) { sam::top_k_pairs(context, in_array, twice, keys, values); });
    });
    expect(context, best, k, [&](auto& out) { sam::top_k_indices(context, in, out); });
    auto unsorted = test::on_backend(items(static_cast<std::size_t>(k), rest));
    sam::top_k(context, in_array, unsorted, sam::less{}, sam::result_order::unsorted);
    context.wait();
    auto some = first(unsorted.to_host(), std::ssize(best)), wanted = at(best);
    std::sort(some.begin(), some.end());
    std::sort(wanted.begin(), wanted.end());
    REQUIRE(some == wanted);
    expect(context, at(least), k,
           [&](auto& out) { sam::partial_sort(context, in, out, by_last_digit{}); });
    expect(context, at(least, 2), k, [&](auto& values) {
      expect(context, at(least), k, [&](auto& keys) {
        sam::top_k_pairs(context, in_array, twice, keys, values, by_first_digit{},
                         sam::result_order::unsorted);
      });
    });
    // k in memory, also above the number of items
    auto const ks = test::on_backend(std::vector<std::uint32_t>{static_cast<std::uint32_t>(k)});
    auto const all_digits = sam::reference::top_k_indices<std::uint32_t>(
        all, static_cast<std::size_t>(k), std::greater<>{});
    expect(context, best, n, [&](auto& out) {
      sam::top_k_indices(context, in_array, sam::counted(span_of(out), ks));
    });
    expect(context, all_digits, n,
           [&](auto& out) { sam::top_k_indices(context, there, sam::counted(span_of(out), ks)); });
    expect(context, at(best, 2), n, [&](auto& values) {
      expect(context, at(best), n, [&](auto& keys) {
        sam::top_k_pairs(context, in_array, twice, sam::counted(span_of(keys), ks), values);
      });
    });
    expect(context, sam::reference::in_order(all, all_digits), n,
           [&](auto& out) { sam::top_k(context, there, sam::counted(span_of(out), ks)); });
    expect(context, at(least), n, [&](auto& out) {
      sam::partial_sort(context, in, sam::counted(span_of(out), ks), by_last_digit{});
    });
    if (k == 0)
      continue;
    auto const found = [&](items const& order) {
      return k > std::ssize(taken) ? items{} : items{taken[order[static_cast<std::size_t>(k - 1)]]};
    };
    auto const ascending = order_by(std::less<>{});
    expect(context, found(ascending), 1,
           [&](auto& out) { sam::nth_element(context, in, k - 1, out); });
    expect(context, found(by_order), 1,
           [&](auto& out) { sam::nth_element(context, in_array, k - 1, out, by_last_digit{}); });
    if (k <= std::ssize(taken))
      REQUIRE(sam::nth_element(context, in_array, k - 1) == found(ascending)[0]);
    else
      REQUIRE_THROWS_AS(sam::nth_element(context, in_array, k - 1), sam::invalid_argument);
  }
}

TEST_CASE("selections by rank take computed items, and their number from memory", "[top_k]") {
  test::engine_context context;
  auto const check_numbers = [](auto& where, index_t n) {
    for (index_t const number : {index_t{-1}, index_t{0}, n / 3, n + 5})
      check_selections(where, n, number);
  };
  for (index_t const n : {0, 1, 40, 20'011})
    check_numbers(context, n);
  test::also_on_threads(context, [](auto& crowd) { check_selections(crowd, 100'007, 70'003); });
  if constexpr (test::backend_bytes::on_host) {
    test::like_a_device device;
    for (index_t const n : {0, 1, 40, 20'011})
      check_numbers(device, n);
  }
}

TEST_CASE("many keys whose number lies in memory are chosen from by their digits", "[top_k]") {
  if constexpr (test::backend_bytes::on_host) {
    test::like_a_device device;
    index_t const n = (index_t{1} << 21) + 5, number = n / 5, k = 1000;  // a device sorts fewer
    auto const all = random(n, 100'000);
    auto const counts = test::on_backend(std::vector<index_t>{number});
    auto const there = test::on_backend(all);
    auto const wanted = sam::reference::top_k_indices<std::uint32_t>(
        first(all, number), static_cast<std::size_t>(k), std::greater<>{});
    expect(device, wanted, k,
           [&](auto& out) { sam::top_k_indices(device, sam::counted(there, counts), out); });
  }
}

/// Finds few of the first of many keys, by their number in memory. Each stage of such a search cuts
/// its rows where the keys end.
template <class Context>
void check_few_of_first(Context& context) {
  for (index_t const n : {3000, 20'011, 70'001, 300'007}) {
    auto const all = random(n, 5000);
    auto const there = test::on_backend(all, 1);
    for (index_t const number :
         {index_t{0}, index_t{1}, index_t{99}, index_t{2048}, n / 2, n - 1, n + 5}) {
      auto const counts = test::on_backend(std::vector<index_t>{number});
      auto const in = sam::counted(there, counts);
      auto const taken = first(all, number);
      auto const order = sam::reference::top_k_indices<std::uint32_t>(
          taken, std::min(taken.size(), std::size_t{128}), std::greater<>{});
      for (index_t const k : {1, 16, 17, 128}) {
        CAPTURE(n, number, k);
        auto const best = first(order, k);
        expect(context, sam::reference::in_order(taken, best), k,
               [&](auto& out) { sam::top_k(context, in, out); });
        expect(context, best, k, [&](auto& out) { sam::top_k_indices(context, in, out); });
        expect(context, best, k, [&](auto& values) {
          expect(context, sam::reference::in_order(taken, best), k, [&](auto& keys) {
            sam::top_k_pairs(context, in, sam::generated(n, as_index{}), keys, values);
          });
        });
        auto const ks = test::on_backend(std::vector<int>{static_cast<int>(k / 2)});
        expect(context, first(best, k / 2), k,
               [&](auto& out) { sam::top_k_indices(context, in, sam::counted(span_of(out), ks)); });
      }
    }
  }
}
TEST_CASE("few of many keys whose number lies in memory are found", "[top_k]") {
  auto context = test::each_context();
  check_few_of_first(context);
  test::also_like_a_device(context, [](auto& device) { check_few_of_first(device); });
}

TEST_CASE("NaN is larger than all numbers, and -0 is smaller than +0", "[top_k]") {
  auto context = test::each_context();
  double const nan = std::numeric_limits<double>::quiet_NaN();
  double const infinity = std::numeric_limits<double>::infinity();
  auto const in = test::on_backend(std::vector<double>{0., nan, -0., infinity, -1., nan});
  test::fenced_array<std::uint32_t> largest(4), smallest(3);
  sam::top_k_indices(context, in, largest);
  sam::top_k_indices(context, in, smallest, sort_order::ascending);
  context.wait();
  REQUIRE(largest.to_host() == std::vector{1u, 5u, 3u, 0u});
  REQUIRE(smallest.to_host() == std::vector{4u, 2u, 0u});
  REQUIRE(std::isnan(sam::nth_element(context, in, 5)));
}

TEST_CASE("selections refuse ranks that do not exist", "[top_k]") {
  auto context = test::each_context();
  auto const three = test::on_backend(std::vector<double>{1, 2, 3});
  test::fenced_array<double> four(4), two(2);
  test::fails([&] { sam::top_k(context, three, four); }, "sam::top_k", "out",
              "holds 4 items, but in holds only 3");
  test::fails([&] { sam::top_k_pairs(context, three, three, two, four); }, "sam::top_k_pairs",
              "values_out", "holds 4 items but keys_out holds 2; both must hold the same number");
  auto const numbers = test::on_backend(std::vector<int>{1, 2});
  test::fails([&] { sam::top_k(context, three, sam::counted(span_of(two), numbers)); },
              "sam::top_k", "number", "holds 2 items but must hold 1, the number of items of out");
  test::fails([&] { sam::nth_element(context, three, 3); }, "sam::nth_element", "rank",
              "is 3; it must be in [0, 3), as in holds 3 items");
  REQUIRE((four.untouched() && two.untouched()));
}

}  // namespace
