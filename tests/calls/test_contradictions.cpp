// SPDX-License-Identifier: MIT
// Tests callables that contradict themselves, and segments and lengths that make no sense. Results
// are unspecified then, but nothing may be written outside the outputs.
#include <sam/sam.hpp>

#include "support.hpp"

#include <algorithm>
#include <atomic>
#include <limits>

namespace {

using sam::index_t;

/// Returns numbers that differ from call to call, in all threads, which share the state.
std::uint32_t anything() {
  static std::atomic<std::uint32_t> state{1};
  std::uint32_t x = state.fetch_add(0x9e3779b9, std::memory_order_relaxed);
  x = (x ^ (x >> 16)) * 0x85ebca6b;
  x = (x ^ (x >> 13)) * 0xc2b2ae35;
  return x ^ (x >> 16);
}
struct unsure {
  bool operator()(int) const { return anything() % 2 == 0; }
  bool operator()(int, int) const { return anything() % 2 == 0; }
};
struct any_digit {
  std::uint32_t operator()(int) const { return anything(); }
};
struct any_bin {
  index_t operator()(int) const { return static_cast<index_t>(anything() % 300) - 100; }
};

index_t const sizes[] = {1, 63, 64, 65, 1000, 20'000, 300'000, 2'000'000};

/// Calls f(context, n, in, out, other) for every size, with arrays of n items, on all contexts of
/// the host engine. Checks that nothing outside the outputs changes.
template <class F>
void with_arrays(F f) {
  if constexpr (test::backend_bytes::on_host) {
    auto context = test::each_context();
    auto const check = [&](auto& c, index_t n) {
      CAPTURE(n);
      auto const in = test::on_backend(test::random_items<int>(n, test::seed_for(n)), 1);
      test::fenced_array<int> out(n, 1), other(n, 2);
      f(c, n, in, out, other);
      c.wait();
      REQUIRE((out.fences_intact() && other.fences_intact()));
    };
    for (index_t const n : sizes) {
      check(context, n);
      test::also_on_threads(context, [&](auto& crowd) { check(crowd, n); });
    }
  }
}

TEST_CASE("predicates that contradict themselves write nothing outside the outputs",
          "[contradictions]") {
  with_arrays([](auto& c, index_t n, auto const& in, auto& out, auto& other) {
    test::fenced_array<index_t> count(2);
    auto const half = test::as_span(out).first(static_cast<std::size_t>(n / 2));
    sam::compact(c, in, out, unsure{});
    sam::compact(c, in, half, unsure{});
    sam::compact_indices(c, in, out, unsure{});
    sam::partition(c, in, out, unsure{});
    sam::three_way_partition(c, in, out, unsure{}, unsure{}, count);
    sam::unique(c, in, out, unsure{});
    sam::unique(c, in, half, unsure{});
    sam::unique_by_key(c, in, in, out, other, unsure{});
    sam::run_length_encode(c, in, out, other, unsure{});
    sam::run_length_encode(c, in, half, other, unsure{});
    sam::find_runs(c, in, half, other, unsure{});
    c.wait();
    REQUIRE(count.fences_intact());
  });
}

TEST_CASE("nor does a partition of so many items that it asks about each twice",
          "[contradictions]") {
  if constexpr (test::backend_bytes::on_host) {
    auto context = test::each_context();
    index_t const n = 8 * sam::host::tuning::kept_answers_bytes + 1003;
    auto const in = test::on_backend(test::random_items<std::int8_t>(n, test::seed_for(n)), 1);
    test::fenced_array<std::int8_t> out(n, 1);
    test::fenced_array<index_t> count(2);
    sam::partition(context, in, out, unsure{});
    sam::three_way_partition(context, in, out, unsure{}, unsure{}, count);
    context.wait();
    REQUIRE((out.fences_intact() && count.fences_intact()));
  }
}

TEST_CASE("keys that contradict themselves write nothing outside the outputs", "[contradictions]") {
  with_arrays([](auto& c, index_t n, auto const& in, auto& out, auto& other) {
    auto const by_keys = sam::by_keys(in, unsure{});
    auto const half = test::as_span(out).first(static_cast<std::size_t>(n / 2));
    sam::segmented_inclusive_scan(c, in, by_keys, out);
    sam::segmented_exclusive_scan(c, in, by_keys, out);
    sam::segmented_reduce(c, in, by_keys, out);
    sam::segmented_reduce(c, in, by_keys, half);
    sam::reduce_by_key(c, in, in, other, half, sam::plus{}, unsure{});
    sam::segmented_radix_sort(c, in, by_keys, out);
    sam::segmented_radix_argsort(c, in, by_keys, out);
  });
}

TEST_CASE("digits and bins that contradict themselves write nothing outside the outputs",
          "[contradictions]") {
  with_arrays([](auto& c, index_t n, auto const& in, auto& out, auto& other) {
    sam::radix_sort(c, in, out, any_digit{});
    sam::radix_sort_pairs(c, in, in, out, other, any_digit{});
    sam::radix_argsort(c, in, out, any_digit{});
    sam::segmented_radix_sort(c, in, sam::by_length(1000), out, any_digit{});
    sam::segmented_radix_sort_pairs(c, in, in, sam::by_length(n / 2 + 1), out, other, any_digit{});
    {  // In any order, the output has only keys of the input.
      c.wait();
      auto keys = in.to_host();
      std::sort(keys.begin(), keys.end());
      for (int const key : out.to_host())
        if (!std::binary_search(keys.begin(), keys.end(), key))
          FAIL("a key was not the caller's");
    }
    sam::histogram(c, in, out, any_bin{});
    sam::cumulative_histogram(c, in, out, any_bin{});
  });
}

TEST_CASE("offsets that make no sense write nothing outside the outputs", "[contradictions]") {
  with_arrays([](auto& c, index_t n, auto const& in, auto& out, auto& other) {
    // The offsets are n unsorted numbers, from far below 0 to far above n.
    auto const by = sam::by_offsets(in);
    auto const totals = test::as_span(out).first(static_cast<std::size_t>(n - 1));
    sam::segmented_inclusive_scan(c, in, by, out);
    sam::segmented_exclusive_scan(c, in, by, other);
    sam::segmented_reduce(c, in, by, totals);
    sam::segmented_reduce(c, in, by, totals, 5, sam::maximum{});
    sam::segmented_radix_sort(c, in, by, out);
    sam::segmented_radix_argsort(c, in, by, out);
  });
}

TEST_CASE("lengths that make no sense write nothing outside the outputs", "[contradictions]") {
  with_arrays([](auto& c, index_t, auto const& in, auto& out, auto&) {
    REQUIRE(sam::run_length_decode(c, in, in, out) >= 0);
  });
}

TEST_CASE("negative lengths count as 0, and sums stay below 2^63", "[contradictions]") {
  auto context = test::each_context();
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  auto const values = test::on_backend(std::vector<int>{1, 2, 3, 4});
  auto const decode = [&](std::vector<std::int64_t> const& lengths) {
    auto const on_backend = test::on_backend(lengths);
    test::fenced_array<int> out(5);
    index_t const total = sam::run_length_decode(context, values, on_backend, out);
    REQUIRE(out.fences_intact());
    auto items = out.to_host();
    items.resize(static_cast<std::size_t>(std::min<index_t>(total, 5)));
    return std::pair(total, items);
  };
  REQUIRE(decode({2, -7, 1, 0}) == std::pair(index_t{3}, std::vector<int>{1, 1, 3}));
  REQUIRE(decode({-1, 2, -1, 1}) == std::pair(index_t{3}, std::vector<int>{2, 2, 4}));
  REQUIRE(decode({1, most, most, 5}) == std::pair(index_t{most}, std::vector<int>{1, 2, 2, 2, 2}));
  auto const large = test::on_backend(std::vector<std::uint64_t>{1, ~std::uint64_t{0}, 1, 1});
  REQUIRE(sam::run_length_decode(context, values, large, test::fenced_array<int>(0)) == most);
}

TEST_CASE("checked lengths are refused if they make no sense", "[contradictions]") {
  auto context = test::each_context();
  auto const values = test::on_backend(std::vector<int>{1, 2, 3});
  test::fenced_array<int> out(5), count(1);
  auto const decode = [&](std::vector<std::int64_t> const& lengths) {
    auto const on_backend = test::on_backend(lengths);
    sam::run_length_decode(context, values, sam::checked_lengths(on_backend), out, count);
  };
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  test::fails(
      [&] {
        decode({1, 1, -3});
      },
      "sam::run_length_decode", "lengths", "is negative at item 2 of 3");
  test::fails(
      [&] {
        decode({most, most, most});
      },
      "sam::run_length_decode", "lengths",
      "sums to more than 2147483647, which is all that count holds");
  REQUIRE((out.untouched() && count.untouched()));
  decode({1, 0, 3});
  context.wait();
  REQUIRE(out.fences_intact());
  REQUIRE(count.to_host()[0] == 4);
}

TEST_CASE("sizes that make no sense are refused", "[contradictions]") {
  sam::default_context context;
  std::vector<std::uint32_t> const words(4);
  constexpr index_t most = std::numeric_limits<index_t>::max();
  test::fails([&] { sam::packed_bits(words, most); }, "sam::packed_bits", "words",
              "holds 4 words but should hold 9223372036854775807 flags, 32 to a word");
  test::fails([&] { sam::packed_bits(words, -1); }, "sam::packed_bits", "words",
              "holds 4 words but should hold -1 flags, 32 to a word");
  for (index_t const n : {index_t{-5}, most}) {
    auto const problem =
        "is " + std::to_string(n) + "; it must be from 0 to " + std::to_string(index_t{1} << 48);
    auto const rows = sam::by_length(10);
    test::fails([&] { sam::radix_sort_workspace<int>(context, n); }, "sam::radix_sort_workspace",
                "n", problem);
    test::fails([&] { sam::radix_argsort_workspace<int, int>(context, n); },
                "sam::radix_argsort_workspace", "n", problem);
    test::fails([&] { sam::segmented_radix_sort_workspace<int>(context, n, rows); },
                "sam::segmented_radix_sort_workspace", "n", problem);
  }
}

}  // namespace
