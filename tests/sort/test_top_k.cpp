// SPDX-License-Identifier: MIT
// Tests selections by rank against the references.
#include <sam/inputs.hpp>
#include <sam/partial_sort.hpp>
#include <sam/segmented_top_k.hpp>

#include "support.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

namespace {

using sam::index_t, sam::sort_order;

template <class T>
using order_of = sam::number_digits<T>;

enum class keys_are { random, few, equal, in_low_bits };

template <class T>
std::vector<T> make_keys(index_t n, keys_are what) {
  std::vector<T> keys;
  test::generator bits(test::seed_for(n));
  for (index_t i = 0; i < n; ++i) {
    auto x = bits();
    if (what == keys_are::few)
      x = x % 5 * 0x1111'1111'1111'1111u;
    else if (what == keys_are::equal)
      x = 42;
    else if (what == keys_are::in_low_bits)
      x %= 100;
    keys.push_back(order_of<T>::key_of(static_cast<typename order_of<T>::ordered_key>(x)));
  }
  return keys;
}
template <class T>
bool same_bits(std::vector<T> const& a, std::vector<T> const& b) {
  if (a.size() != b.size())
    return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (order_of<T>{}(a[i]) != order_of<T>{}(b[i]))
      return false;
  return true;
}

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
    test::fenced_array<std::int32_t> indices(k, 1);
    sam::top_k(context, in, out, order);
    sam::top_k_pairs(context, in, in_values, keys_out, values_out, order);
    sam::top_k_indices(context, in, indices, order);
    context.wait();
    REQUIRE(same_bits(out.to_host(), sam::reference::in_order(keys, wanted)));
    REQUIRE(same_bits(keys_out.to_host(), out.to_host()));
    REQUIRE(values_out.to_host() == sam::reference::in_order(values, wanted));
    REQUIRE(indices.to_host() == std::vector<std::int32_t>(wanted.begin(), wanted.end()));
    REQUIRE((out.fences_intact() && keys_out.fences_intact() && values_out.fences_intact()));
    test::fenced_array<T> some(k), some_keys(k, 1);
    test::fenced_array<std::int32_t> some_indices(k);
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
    REQUIRE(places == std::vector<std::int32_t>(all.begin(), all.end()));
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

TEMPLATE_TEST_CASE("selections by rank equal their references", "[top_k]", std::uint8_t,
                   std::int16_t, std::int32_t, float, double) {
  auto context = test::each_context();
  for (index_t const n : {0, 1, 2, 100, 2047, 5000, 30'001})
    for (auto const what :
         {keys_are::random, keys_are::few, keys_are::equal, keys_are::in_low_bits}) {
      auto const keys = make_keys<TestType>(n, what);
      std::vector<index_t> ks{n};  // in descending order
      for (index_t const k : {n - 1, n / 3, index_t{7}, index_t{1}, index_t{0}})
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

/// Returns the indices of the first k items of each segment, and -1 for those that it lacks.
template <class T>
std::vector<int> top_k_of_segments(std::vector<T> const& keys, std::vector<int> const& offsets,
                                   index_t k, sort_order order) {
  std::vector<int> all;
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
    std::vector<T> const own(keys.begin() + offsets[s], keys.begin() + offsets[s + 1]);
    auto const found = sam::reference::top_k_indices<int>(
        own, std::min(own.size(), static_cast<std::size_t>(k)), [&](T a, T b) {
          order_of<T> const digits;
          return order == sort_order::ascending ? digits(a) < digits(b) : digits(b) < digits(a);
        });
    for (std::size_t i = 0; i < static_cast<std::size_t>(k); ++i)
      all.push_back(i < found.size() ? found[i] + offsets[s] : -1);
  }
  return all;
}

template <class T, class Context, class Segments>
void check_segments(Context& context, std::vector<T> const& keys, std::vector<int> const& offsets,
                    Segments const& segments, index_t k, sort_order order) {
  CAPTURE(keys.size(), offsets.size(), k, static_cast<int>(order));
  auto const wanted = top_k_of_segments(keys, offsets, k, order);
  auto const size = static_cast<index_t>(wanted.size());
  auto const n = static_cast<index_t>(keys.size());
  auto const values = test::random_items<std::int16_t>(n, test::seed_for(n));
  auto const in = test::on_backend(keys, 1);
  auto const in_values = test::on_backend(values);
  test::fenced_array<T> out(size, 1), keys_out(size);
  test::fenced_array<std::int16_t> values_out(size, 1);
  auto indices = test::on_backend(std::vector<int>(wanted.size(), -1));
  auto keys_wanted = out.to_host(), keys_beside = keys_out.to_host();
  auto values_wanted = values_out.to_host();
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (wanted[i] >= 0) {
      keys_wanted[i] = keys_beside[i] = keys[static_cast<std::size_t>(wanted[i])];
      values_wanted[i] = values[static_cast<std::size_t>(wanted[i])];
    }
  sam::segmented_top_k(context, in, segments, k, out, order);
  sam::segmented_top_k_pairs(context, in, in_values, segments, k, keys_out, values_out, order);
  sam::segmented_top_k_indices(context, in, segments, k, indices, order);
  context.wait();
  REQUIRE(same_bits(out.to_host(), keys_wanted));
  REQUIRE(same_bits(keys_out.to_host(), keys_beside));
  REQUIRE(values_out.to_host() == values_wanted);
  REQUIRE(indices.to_host() == wanted);
  REQUIRE((out.fences_intact() && keys_out.fences_intact() && values_out.fences_intact()));
  REQUIRE(indices.fences_intact());
}

TEST_CASE("selections by rank in segments equal their references", "[top_k]") {
  auto context = test::each_context();
  for (int const n : {0, 1, 100, 5000, 40'001}) {
    auto const keys = make_keys<float>(n, n == 100 ? keys_are::few : keys_are::random);
    test::generator bits(test::seed_for(n));
    std::vector<int> offsets{0, 0};
    while (offsets.back() < n)
      offsets.push_back(
          std::min(n, offsets.back() + static_cast<int>(bits() % (bits() % 8 == 0 ? 3000 : 20))));
    auto const there = test::on_backend(offsets);
    for (index_t const k : {0, 1, 5, 200}) {
      if (k == 200 && n > 10'000)
        continue;
      auto const order = k == 1 ? sort_order::ascending : sort_order::descending;
      check_segments(context, keys, offsets, sam::by_checked_offsets(there), k, order);
      if (n > 10'000)
        test::also_on_threads(context, [&](auto& crowd) {
          check_segments(crowd, keys, offsets, sam::by_offsets(there), k, order);
        });
      for (int const length : {1, 64, 3000}) {
        std::vector<int> rows{0};
        while (rows.back() < n)
          rows.push_back(std::min(n, rows.back() + length));
        check_segments(context, keys, rows, sam::by_length(length), k, order);
      }
    }
  }
}

struct by_last_two_digits {
  SAM_FUNCTION bool operator()(int a, int b) const { return a % 100 < b % 100; }
};
struct halved {
  SAM_FUNCTION int operator()(int x) const { return x / 2; }
};

template <class Context>
void check_rows(Context& context) {
  for (int const n : {0, 1, 100, 7003}) {
    auto keys = test::random_items<int>(n, test::seed_for(n));
    for (int& key : keys)
      key = key / 2 % 100'000 & 0x7fff'ffff;
    std::vector<int> offsets{0, 0}, computed;
    while (offsets.back() < n)
      offsets.push_back(std::min(n, offsets.back() + offsets.back() % 7 * 100 + 1));
    for (int const key : keys)
      computed.push_back(key / 2);
    auto const there = test::on_backend(keys), at = test::on_backend(offsets);
    auto const halves = sam::transformed(there, halved{});
    int const number = n - n / 3;  // the last segments are shorter, or empty
    auto const counts = test::on_backend(std::vector<int>{number});
    auto const in = sam::counted(halves, counts);
    auto limits = offsets;
    for (int& limit : limits)
      limit = std::min(limit, number);
    auto const segments = sam::by_offsets(at);
    for (index_t const k : {1, 9}) {
      CAPTURE(n, k);
      auto const rows = static_cast<index_t>(offsets.size()) - 1;
      std::vector<int> wanted(static_cast<std::size_t>(k * rows), -1), items = wanted;
      for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
        std::vector<int> order;
        for (int i = limits[s]; i < limits[s + 1]; ++i)
          order.push_back(i);
        std::stable_sort(order.begin(), order.end(), [&](int i, int j) {
          auto const of = [&](int x) { return computed[static_cast<std::size_t>(x)]; };
          return by_last_two_digits{}(of(j), of(i));
        });
        for (std::size_t i = 0; i < order.size() && i < static_cast<std::size_t>(k); ++i) {
          wanted[s * static_cast<std::size_t>(k) + i] = order[i];
          items[s * static_cast<std::size_t>(k) + i] = computed[static_cast<std::size_t>(order[i])];
        }
      }
      std::vector<int> const empty(wanted.size(), -1);
      auto out = test::on_backend(empty, 1), keys_out = test::on_backend(empty);
      auto values = test::on_backend(empty), indices = test::on_backend(empty, 1);
      by_last_two_digits const less;
      sam::segmented_top_k(context, in, segments, k, out, less);
      sam::segmented_top_k_pairs(context, in, halves, segments, k, keys_out, values, less);
      sam::segmented_top_k_indices(context, in, segments, k, indices, less);
      context.wait();
      for (auto const* const got : {&out, &keys_out, &values})
        REQUIRE(test::differences(got->to_host(), items) == "");
      REQUIRE(test::differences(indices.to_host(), wanted) == "");
      REQUIRE((out.fences_intact() && indices.fences_intact()));
      // By digits; the order of the library is one of digits, too.
      auto largest = test::on_backend(empty), again = test::on_backend(empty);
      sam::segmented_top_k(context, in, segments, k, largest);
      sam::segmented_top_k(context, in, segments, k, again, sam::less{});
      context.wait();
      auto const by_digits = top_k_of_segments(computed, limits, k, sort_order::descending);
      for (std::size_t i = 0; i < by_digits.size(); ++i)
        items[i] = by_digits[i] < 0 ? -1 : computed[static_cast<std::size_t>(by_digits[i])];
      REQUIRE(largest.to_host() == items);
      REQUIRE(again.to_host() == items);
    }
  }
}

TEST_CASE("selections by rank in segments take computed and counted items and comparisons",
          "[top_k]") {
  test::engine_context context;
  check_rows(context);
  if constexpr (test::backend_bytes::on_host) {
    test::like_a_device device;
    check_rows(device);
  }
}

TEST_CASE("few of many keys are found, also where a sample misleads", "[top_k]") {
  auto context = test::each_context();
  for (index_t const n : {262'143, 262'144})
    for (auto const what : {keys_are::random, keys_are::few})
      check(context, make_keys<float>(n, what), {n / 64}, sort_order::descending);
  // Only keys that the sample takes are large, so that it suggests too high a bound.
  constexpr int log_size = test::backend_bytes::on_host ? 19 : 21;  // fewer may be sorted whole
  std::vector<int> keys(std::size_t{1} << log_size);
  auto const most = static_cast<index_t>(keys.size()) / 64;
  for (std::size_t i = 0; i < keys.size(); ++i)
    keys[i] = i % 128 == 0 ? 10'000'000 - static_cast<int>(i) : static_cast<int>(i % 1000);
  check(context, keys, {most - most / 16}, sort_order::descending);
  // None of the large keys is in the sample.
  for (std::size_t i = 0; i < keys.size(); ++i)
    keys[i] = i % 128 == 0 ? 0 : 5;
  check(context, keys, {most / 8}, sort_order::descending);
}

TEST_CASE("searches on devices are narrowed without a wait", "[top_k]") {
  if constexpr (test::backend_bytes::on_host) {
    test::like_a_device context;
    for (index_t const n : {5000, 1'100'000})
      for (auto const what : {keys_are::random, keys_are::few, keys_are::equal}) {
        auto const keys = make_keys<float>(n, what);
        auto wanted = sam::reference::top_k_indices<int>(keys, keys.size(), [](auto a, auto b) {
          return order_of<float>{}(b) < order_of<float>{}(a);
        });
        for (index_t const k : {n / 64, index_t{1}}) {
          CAPTURE(n, k, static_cast<int>(what));
          std::vector<int> indices(static_cast<std::size_t>(k));
          sam::top_k_indices(context, keys, indices);
          wanted.resize(indices.size());
          REQUIRE(indices == wanted);
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
    items order(taken.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t i, std::uint32_t j) { return less(taken[i], taken[j]); });
    return order;
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
    sam::top_k(context, in_array, unsorted, sam::sort_order::descending,
               sam::result_order::unsorted);
    context.wait();
    auto some = first(unsorted.to_host(), std::ssize(best)), wanted = at(best);
    std::sort(some.begin(), some.end());
    std::sort(wanted.begin(), wanted.end());
    REQUIRE(some == wanted);
    expect(context, at(least), k,
           [&](auto& out) { sam::partial_sort(context, in, out, by_last_digit{}); });
    expect(context, at(least, 2), k, [&](auto& values) {
      expect(context, at(least), k, [&](auto& keys) {
        sam::top_k_pairs(context, in_array, twice, keys, values, by_first_digit{});
      });
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

TEST_CASE("NaN is larger than all numbers, and -0 is smaller than +0", "[top_k]") {
  auto context = test::each_context();
  float const nan = std::numeric_limits<float>::quiet_NaN();
  float const infinity = std::numeric_limits<float>::infinity();
  auto const in = test::on_backend(std::vector<float>{0.0F, nan, -0.0F, infinity, -1.0F, nan});
  test::fenced_array<int> largest(4), smallest(3);
  sam::top_k_indices(context, in, largest);
  sam::top_k_indices(context, in, smallest, sort_order::ascending);
  context.wait();
  REQUIRE(largest.to_host() == std::vector{1, 5, 3, 0});
  REQUIRE(smallest.to_host() == std::vector{4, 2, 0});
  REQUIRE(std::isnan(sam::nth_element(context, in, 5)));
}

TEST_CASE("selections refuse ranks that do not exist", "[top_k]") {
  auto context = test::each_context();
  auto const three = test::on_backend(std::vector<int>{1, 2, 3});
  auto const many = test::on_backend(std::vector<int>(300));
  test::fenced_array<int> four(4), two(2);
  test::fenced_array<std::int8_t> small(1);
  test::fails([&] { sam::top_k(context, three, four); }, "sam::top_k", "out",
              "holds 4 items, but in holds only 3");
  test::fails([&] { sam::top_k_pairs(context, three, three, two, four); }, "sam::top_k_pairs",
              "values_out", "holds 4 items but keys_out holds 2; both must hold the same number");
  test::fails([&] { sam::top_k_indices(context, many, small); }, "sam::top_k_indices", "out",
              "holds integers of up to 127 but may have to hold 299");
  test::fails([&] { sam::nth_element(context, three, 3); }, "sam::nth_element", "rank",
              "is 3; it must be in [0, 3), as in holds 3 items");
  auto const offsets = test::on_backend(std::vector<int>{0, 2, 1});
  test::fails([&] { sam::segmented_top_k(context, three, sam::by_length(2), 1, four); },
              "sam::segmented_top_k", "out",
              "holds 4 items but must hold 1 for each of 2 segments");
  test::fails([&] { sam::segmented_top_k_indices(context, three, sam::by_length(2), -1, two); },
              "sam::segmented_top_k_indices", "k", "is -1; it must be at least 0");
  test::fails(
      [&] {
        sam::segmented_top_k_pairs(context, three, three, sam::by_checked_offsets(offsets), 1, two,
                                   two);
      },
      "sam::segmented_top_k_pairs", "values_out", "overlaps keys_out; the two must lie apart");
  test::fails(
      [&] { sam::segmented_top_k(context, three, sam::by_checked_offsets(offsets), 1, two); },
      "sam::segmented_top_k", "offsets",
      "is wrong at item 2 of 3; it must begin with 0, never fall, and end with 3");
  REQUIRE((four.untouched() && two.untouched() && small.untouched()));
}

}  // namespace
