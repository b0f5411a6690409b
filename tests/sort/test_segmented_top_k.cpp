// SPDX-License-Identifier: MIT
// Tests selections by rank in segments against the references.
#include <sam/inputs.hpp>
#include <sam/segmented_top_k.hpp>

#include "selected_keys.hpp"

#include <algorithm>

namespace {

using sam::index_t, sam::sort_order, test::keys_are, test::make_keys, test::order_of,
    test::same_bits;

template <class T>
std::vector<int> top_k_of_segments(std::vector<T> const& keys, std::vector<int> const& offsets,
                                   index_t k, sort_order order) {
  return sam::reference::segmented_top_k_indices<int>(
      keys, offsets, static_cast<std::size_t>(k), [&](T a, T b) {
        order_of<T> const digits;
        return order == sort_order::ascending ? digits(a) < digits(b) : digits(b) < digits(a);
      });
}

template <class T, class Context, class Segments>
void check_segments(Context& context, std::vector<T> const& keys, std::vector<int> const& offsets,
                    Segments const& segments, index_t k, sort_order order) {
  CAPTURE(keys.size(), offsets.size(), k, static_cast<int>(order));
  auto const wanted = top_k_of_segments(keys, offsets, k, order);
  auto const size = static_cast<index_t>(wanted.size());
  auto const n = static_cast<index_t>(keys.size());
  auto const values = test::random_items<T>(n, test::seed_for(n));
  auto const in = test::on_backend(keys, 1);
  auto const in_values = test::on_backend(values);
  test::fenced_array<T> out(size, 1), keys_out(size);
  test::fenced_array<T> values_out(size, 1);
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
  for (int const n : {0, 1, 100, 5000, 50'001}) {
    auto const keys = make_keys<float>(n, n == 100 || n == 5000 ? keys_are::few : keys_are::random);
    test::generator bits(test::seed_for(n));
    std::vector<int> offsets{0, 0};
    while (offsets.back() < n)
      offsets.push_back(
          std::min(n, offsets.back() + static_cast<int>(bits() % (bits() % 8 == 0 ? 3000 : 20))));
    auto const there = test::on_backend(offsets);
    for (index_t const k : {0, 1, 5, 200}) {
      bool const are_many = k == 200 && n > 10'000;
      auto const order = k == 1 ? sort_order::ascending : sort_order::descending;
      if (!are_many)
        check_segments(context, keys, offsets, sam::by_checked_offsets(there), k, order);
      if (n > 10'000 && !are_many)
        test::also_on_threads(context, [&](auto& crowd) {
          check_segments(crowd, keys, offsets, sam::by_offsets(there), k, order);
        });
      for (int const length : {1, 64, 3000, 9000}) {  // the longer ones are not sorted on GPUs
        if (are_many && length < 3000)
          continue;
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
struct same_as_less {
  SAM_FUNCTION bool operator()(int a, int b) const { return a < b; }
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
      offsets.push_back(std::min(n, offsets.back() + offsets.back() % 7 * 300 + 1));
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
      // A number of items for each segment, of at most k
      std::vector<int> numbers(static_cast<std::size_t>(rows));
      for (std::size_t s = 0; s < numbers.size(); ++s)
        numbers[s] = static_cast<int>(s * 5 % 13) - 1;
      auto const ks = test::on_backend(numbers);
      auto by_k = items, order_by_k = wanted;
      for (std::size_t i = 0; i < by_k.size(); ++i)
        if (static_cast<int>(i % static_cast<std::size_t>(k)) >=
            numbers[i / static_cast<std::size_t>(k)])
          by_k[i] = order_by_k[i] = -1;
      auto each = test::on_backend(empty), each_key = test::on_backend(empty);
      auto each_value = test::on_backend(empty), each_index = test::on_backend(empty);
      sam::segmented_top_k(context, in, segments, ks, each);
      sam::segmented_top_k_pairs(context, in, halves, segments, ks, each_key, each_value);
      sam::segmented_top_k_indices(context, in, segments, ks, each_index, less);
      context.wait();
      for (auto const* const got : {&each, &each_key, &each_value})
        REQUIRE(got->to_host() == by_k);
      REQUIRE(each_index.to_host() == order_by_k);
      // The first segments, by their number
      auto some = test::on_backend(empty), some_indices = test::on_backend(empty);
      auto const number_of_rows = test::on_backend(std::vector<int>{static_cast<int>(rows / 2)});
      auto const first = sam::by_offsets(sam::counted(at, number_of_rows));
      sam::segmented_top_k(context, in, first, k, some);
      sam::segmented_top_k_indices(context, in, first, k, some_indices, less);
      context.wait();
      for (auto i = static_cast<std::size_t>(rows / 2 * k); i < items.size(); ++i)
        items[i] = wanted[i] = -1;
      REQUIRE(some.to_host() == items);
      REQUIRE(some_indices.to_host() == wanted);
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

/// Selects from ranges with items between them, of which all or the first ones count.
template <class Context>
void check_ranges(Context& context, int n, int length) {
  CAPTURE(n, length);
  auto const keys = test::random_items<int>(n, test::seed_for(n));
  std::vector<int> offsets{0}, begins, ends;  // ranges are every second segment of the offsets
  for (int row = 0, at = 3; at < n; ++row, at += length + row % 3) {
    begins.push_back(at);
    ends.push_back(std::min(n, at + (row % 5 == 4 ? 0 : length)));
    offsets.push_back(begins.back());
    offsets.push_back(ends.back());
  }
  offsets.push_back(n);
  auto const rows = begins.size(), k = std::size_t{5}, some = rows - rows / 4;
  auto const of_all = top_k_of_segments(keys, offsets, index_t{k}, sort_order::descending);
  std::vector<int> wanted, items;
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t i = 0; i < k; ++i) {
      wanted.push_back(of_all[(2 * row + 1) * k + i]);
      items.push_back(wanted.back() < 0 ? -1 : keys[static_cast<std::size_t>(wanted.back())]);
    }
  auto const in = test::on_backend(keys), from = test::on_backend(begins);
  auto const to = test::on_backend(ends);
  std::vector<int> const empty(rows * k, -1);
  auto out = test::on_backend(empty, 1), keys_out = test::on_backend(empty);
  auto values = test::on_backend(empty, 1), indices = test::on_backend(empty, 1);
  auto const size = static_cast<index_t>(k);
  sam::segmented_top_k(context, in, sam::by_checked_ranges(from, to), size, out);
  sam::segmented_top_k_indices(context, in, sam::by_ranges(from, to), size, indices,
                               same_as_less{});
  context.wait();
  REQUIRE(test::differences(out.to_host(), items) == "");
  REQUIRE(test::differences(indices.to_host(), wanted) == "");
  // Begins and ends behind the first ranges are none.
  std::fill(begins.begin() + static_cast<index_t>(some), begins.end(), -9);
  std::fill(ends.begin() + static_cast<index_t>(some), ends.end(), n + 9);
  auto const first = test::on_backend(begins), past = test::on_backend(ends);
  auto const number = test::on_backend(std::vector<int>{static_cast<int>(some)});
  auto some_indices = test::on_backend(empty, 1);
  auto const counted = sam::counted(first, number);
  sam::segmented_top_k_pairs(context, in, in, sam::by_checked_ranges(counted, past), size, keys_out,
                             values);
  sam::segmented_top_k_indices(context, in, sam::by_ranges(counted, past), size, some_indices,
                               same_as_less{});
  context.wait();
  std::fill(items.begin() + static_cast<index_t>(some * k), items.end(), -1);
  std::fill(wanted.begin() + static_cast<index_t>(some * k), wanted.end(), -1);
  REQUIRE(test::differences(keys_out.to_host(), items) == "");
  REQUIRE(test::differences(values.to_host(), items) == "");
  REQUIRE(test::differences(some_indices.to_host(), wanted) == "");
  REQUIRE((out.fences_intact() && values.fences_intact()));
  REQUIRE((indices.fences_intact() && some_indices.fences_intact()));
}

TEST_CASE("selections by rank in ranges pass over the items between them", "[top_k]") {
  auto context = test::each_context();
  for (auto const& [n, length] : {std::pair(2, 10), std::pair(7003, 9), std::pair(50'001, 900)}) {
    check_ranges(context, n, length);
    test::also_like_a_device(context, [&](auto& device) { check_ranges(device, n, length); });
  }
  auto const in = test::on_backend(std::vector<int>{3, 1, 4, 1, 5});
  auto const from = test::on_backend(std::vector<int>{0, 2}),
             to = test::on_backend(std::vector<int>{3, 5});
  test::fenced_array<int> out(2), three(3);
  test::fails(
      [&] { sam::segmented_top_k(context, in, sam::by_checked_ranges(from, to), 1, out); },
      "sam::segmented_top_k", "begins",
      "is wrong at item 1 of 2; a range must begin behind the one before, not end before it "
      "begins, and end by 5");
  test::fails([&] { sam::segmented_top_k(context, in, sam::by_ranges(from, to), 1, three); },
              "sam::segmented_top_k", "out",
              "holds 3 items but must hold 1 for each of 2 segments");
  test::fails([&] { sam::segmented_top_k(context, in, sam::by_ranges(from, out), 1, out); },
              "sam::segmented_top_k", "out", "overlaps ends; the two must lie apart");
  REQUIRE((out.untouched() && three.untouched()));
}

TEST_CASE("selections by rank in segments refuse what does not fit", "[top_k]") {
  auto context = test::each_context();
  auto const three = test::on_backend(std::vector<float>{1, 2, 3});
  test::fenced_array<float> four(4), two(2);
  test::fenced_array<int> places(2);
  auto const offsets = test::on_backend(std::vector<int>{0, 2, 1});
  test::fails([&] { sam::segmented_top_k(context, three, sam::by_length(2), 1, four); },
              "sam::segmented_top_k", "out",
              "holds 4 items but must hold 1 for each of 2 segments");
  test::fails([&] { sam::segmented_top_k_indices(context, three, sam::by_length(2), -1, places); },
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
  auto const few = test::on_backend(std::vector<int>{1});
  test::fails([&] { sam::segmented_top_k(context, three, sam::by_length(2), few, two); },
              "sam::segmented_top_k", "k", "holds 1 items but must hold 2, one for each segment");
  test::fails(
      [&] { sam::segmented_top_k_indices(context, three, sam::by_length(1), offsets, places); },
      "sam::segmented_top_k_indices", "out",
      "holds 2 items but must hold as many for each of 3 segments");
  test::fails(
      [&] {
        sam::segmented_top_k(context, three, sam::by_offsets(sam::counted(offsets, few)), 1, four);
      },
      "sam::segmented_top_k", "out", "holds 4 items but must hold 1 for each of 2 segments");
  REQUIRE((four.untouched() && two.untouched() && places.untouched()));
}

}  // namespace
