// SPDX-License-Identifier: MIT
// Tests selections by rank against the references.
#include <sam/segmented_top_k.hpp>
#include <sam/top_k.hpp>

#include "support.hpp"

#include <cmath>
#include <limits>

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

TEST_CASE("few of many keys are found, also where a sample misleads", "[top_k]") {
  auto context = test::each_context();
  for (index_t const n : {262'143, 262'144})
    for (auto const what : {keys_are::random, keys_are::few})
      check(context, make_keys<float>(n, what), {n / 64}, sort_order::descending);
  // Only keys that the sample takes are large, so that it suggests too high a bound.
  std::vector<int> keys(std::size_t{1} << 21);  // a device sorts fewer whole
  for (std::size_t i = 0; i < keys.size(); ++i)
    keys[i] = i % 128 == 0 ? 10'000'000 - static_cast<int>(i) : static_cast<int>(i % 1000);
  check(context, keys, {30'000}, sort_order::descending);
  // None of the large keys is in the sample.
  for (std::size_t i = 0; i < keys.size(); ++i)
    keys[i] = i % 128 == 0 ? 0 : 5;
  check(context, keys, {4000}, sort_order::descending);
}

/// A host's context that is used like a device's: calls wait for nothing, and the work reads the
/// numbers that earlier work has found.
template <class Base>
struct queued_context : Base {
  alignas(std::max_align_t) std::byte results_[sam::engine::most_result_bytes];
  void* results() { return results_; }
  template <class Item, class Count, class Bins>
  void count_bins(sam::engine::histogram_job<Item, Count, Bins> job) {
    job.n = job.items_to_count();
    job.items = job.first_to_count();
    Base::count_bins(job);
  }
};

TEMPLATE_TEST_CASE("searches on devices are narrowed without a wait", "[top_k]", float) {
  using base = std::remove_cvref_t<decltype(test::each_context())>;
  if constexpr (!sam::engine::works_on_device<base>) {
    queued_context<base> context;
    for (index_t const n : {5000, 1'100'000})
      for (auto const what : {keys_are::random, keys_are::few, keys_are::equal}) {
        auto const keys = make_keys<TestType>(n, what);
        auto wanted = sam::reference::top_k_indices<int>(keys, keys.size(), [](auto a, auto b) {
          return order_of<TestType>{}(b) < order_of<TestType>{}(a);
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
