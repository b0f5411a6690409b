// SPDX-License-Identifier: MIT
// Tests compaction, partition and unique against their references.
#include <sam/compact.hpp>
#include <sam/inputs.hpp>
#include <sam/partition.hpp>
#include <sam/unique.hpp>

#include "compaction.hpp"

#include <atomic>
#include <cmath>
#include <limits>

namespace {

using sam::index_t;
using test::check_apart, test::check_in_place, test::random_bytes, test::share, test::shares;
using test::first_byte_below, test::same_first_byte, test::limit;
using test::three_bytes, test::sixteen_bytes, test::twenty_four_bytes;

template <class Context, class T>
void check_compact(Context& context, std::vector<T> const& items) {
  first_byte_below<T> const keep{limit};
  auto const n = static_cast<index_t>(items.size());
  auto const kept = sam::reference::compact(items, keep);
  auto const exactly = static_cast<index_t>(kept.size());
  auto const in = test::on_backend(items, 1);
  auto const call = [&](auto const& from, auto& out, auto& count) {
    sam::compact(context, from, out, keep, count);
    context.wait();
  };
  auto const from_in = [&](auto& out, auto& count) { call(in, out, count); };
  check_apart<index_t>(kept, n, 0, from_in);
  check_apart<index_t>(kept, n + 3, 1, from_in);
  check_apart<index_t>(kept, exactly, 3, from_in);
  check_apart<index_t>(kept, exactly / 2, 1, from_in);
  check_apart<index_t>(kept, 0, 0, from_in);
  check_in_place<Context>(items, kept, 0, call);
  check_in_place<Context>(items, kept, 1, call);

  test::fenced_array<T> out(n);
  REQUIRE(sam::compact(context, in, out, keep) == exactly);
  REQUIRE(out.fences_intact());
}

struct is_set {
  SAM_FUNCTION bool operator()(std::uint8_t x) const { return x > 0; }
};

template <class Flag, class Context, class T>
void check_compact_flagged(Context& context, std::vector<T> const& items) {
  first_byte_below<T> const keep{limit};
  auto const n = static_cast<index_t>(items.size());
  std::vector<Flag> flags(items.size());
  // Not all ones, because any value but 0 keeps an item.
  for (std::size_t i = 0; i < items.size(); ++i)
    flags[i] =
        keep(items[i]) ? static_cast<Flag>(std::uint64_t{1} << i % (8 * sizeof(Flag))) : Flag(0);
  auto const kept = sam::reference::compact_flagged(items, flags);
  auto const in = test::on_backend(items, 1);
  if constexpr (std::is_same_v<Flag, std::uint8_t>) {
    auto const stencil = test::on_backend(flags, 1);
    auto const by_stencil = [&](auto const& from, auto& out, auto& count) {
      sam::compact_by_stencil(context, from, stencil, out, is_set{}, count);
      context.wait();
    };
    auto const from_in = [&](auto& out, auto& count) { by_stencil(in, out, count); };
    REQUIRE(test::differences(kept, sam::reference::compact_by_stencil(items, flags, is_set{})) ==
            "");
    check_apart<index_t>(kept, n, 1, from_in);
    check_apart<index_t>(kept, static_cast<index_t>(kept.size()) / 2, 0, from_in);
    check_in_place<Context>(items, kept, 1, by_stencil);
  }
  auto const marks = test::on_backend(flags, 1);
  auto const call = [&](auto const& from, auto& out, auto& count) {
    sam::compact_flagged(context, from, marks, out, count);
    context.wait();
  };
  auto const from_in = [&](auto& out, auto& count) { call(in, out, count); };
  check_apart<index_t>(kept, n, 1, from_in);
  check_apart<index_t>(kept, static_cast<index_t>(kept.size()) / 3, 0, from_in);
  check_in_place<Context>(items, kept, 1, call);
  REQUIRE(test::differences(marks.to_host(), flags) == "");
}

/// Returns packed flags of the kept items. Bits behind the last flag are set.
template <class T>
std::vector<std::uint32_t> packed(std::vector<T> const& items) {
  std::vector<std::uint32_t> words((items.size() + 31) / 32, ~std::uint32_t{0});
  for (std::size_t i = 0; i < items.size(); ++i)
    if (!first_byte_below<T>{limit}(items[i]))
      words[i / 32] &= ~(std::uint32_t{1} << i % 32);
  return words;
}

template <class Context, class T>
void check_compact_packed(Context& context, std::vector<T> const& items) {
  first_byte_below<T> const keep{limit};
  auto const n = static_cast<index_t>(items.size());
  auto const kept = sam::reference::compact(items, keep);
  auto const in = test::on_backend(items, 1);
  auto const words = test::on_backend(packed(items), 1);
  auto const call = [&](auto const& from, auto& out, auto& count) {
    sam::compact_flagged(context, from, sam::packed_bits{words}, out, count);
    context.wait();
  };
  auto const from_in = [&](auto& out, auto& count) { call(in, out, count); };
  check_apart<index_t>(kept, n, 1, from_in);
  check_apart<index_t>(kept, static_cast<index_t>(kept.size()) / 3, 0, from_in);
  check_in_place<Context>(items, kept, 1, call);

  auto const indices = sam::reference::compact_indices<std::int32_t>(items, keep);
  check_apart<index_t>(indices, n, 1, [&](auto& out, auto& count) {
    sam::compact_indices_flagged(context, sam::packed_bits(words, n), out, count);
    context.wait();
  });
}

template <class Index, class Context, class T>
void check_compact_indices(Context& context, std::vector<T> const& items) {
  first_byte_below<T> const keep{limit};
  auto const n = static_cast<index_t>(items.size());
  auto const kept = sam::reference::compact_indices<Index>(items, keep);
  auto const in = test::on_backend(items, 1);
  auto const from_in = [&](auto& out, auto& count) {
    sam::compact_indices(context, in, out, keep, count);
    context.wait();
  };
  check_apart<index_t>(kept, n, 1, from_in);
  check_apart<index_t>(kept, static_cast<index_t>(kept.size()) / 2, 0, from_in);
}

/// Checks a three-way partition by two predicates that overlap.
template <class Context, class T>
void check_three_way_partition(Context& context, std::vector<T> const& items) {
  first_byte_below<T> const first{limit / 2}, second{limit};
  auto const wanted = sam::reference::three_way_partition(items, first, second);
  auto const in = test::on_backend(items, 1);
  test::fenced_array<T> out(static_cast<index_t>(items.size()), 3);
  test::fenced_array<index_t> counts(2);
  sam::three_way_partition(context, in, out, first, second, counts);
  context.wait();
  REQUIRE(test::differences(out.to_host(), wanted) == "");
  auto const of_first = std::count_if(items.begin(), items.end(), first);
  auto const of_either = std::count_if(items.begin(), items.end(), second);
  REQUIRE(counts.to_host() == std::vector<index_t>{of_first, of_either - of_first});
  REQUIRE((out.fences_intact() && counts.fences_intact()));
}

/// Sorts items into five kinds, which are counted and then placed.
struct kind_of_five {
  static constexpr int kinds = 5;
  template <class T>
  SAM_FUNCTION int operator()(T const& x) const {
    return reinterpret_cast<unsigned char const&>(x) % 5;
  }
};
template <class Sum, class Context, class T>
void check_placed_kinds(Context& context, std::vector<T> const& items) {
  kind_of_five const kind;
  std::vector<T> wanted = items;
  std::stable_sort(wanted.begin(), wanted.end(),
                   [=](T const& a, T const& b) { return kind(a) < kind(b); });
  std::vector<std::int32_t> numbers(4);
  for (T const& x : items)
    if (int const k = kind(x); k < 4)
      ++numbers[static_cast<std::size_t>(k)];
  auto const in = test::on_backend(items, 1);
  test::fenced_array<T> out(static_cast<index_t>(items.size()), 3);
  test::fenced_array<std::int32_t> counts(4);
  sam::detail::place_kinds<Sum>(
      context, sam::engine::split_job<T, std::int32_t, kind_of_five>{
                   static_cast<index_t>(items.size()), in.data(), out.data(), counts.data(), kind});
  context.wait();
  REQUIRE(test::differences(out.to_host(), wanted) == "");
  REQUIRE(counts.to_host() == numbers);
  REQUIRE((out.fences_intact() && counts.fences_intact()));
}

template <class Context, class T>
void check_partition(Context& context, std::vector<T> const& items) {
  first_byte_below<T> const keep{limit};
  auto const wanted = sam::reference::partition(items, keep);
  auto const in = test::on_backend(items, 1);
  test::fenced_array<T> out(static_cast<index_t>(items.size()), 3);
  test::fenced_array<index_t> count(1);
  sam::partition(context, in, out, keep, count);
  context.wait();
  REQUIRE(test::differences(out.to_host(), wanted) == "");
  REQUIRE(count.to_host()[0] == std::count_if(items.begin(), items.end(), keep));
  REQUIRE((out.fences_intact() && count.fences_intact()));
}

template <class Context, class T>
void check_unique(Context& context, std::vector<T> const& items) {
  same_first_byte<T> const equal;
  auto const n = static_cast<index_t>(items.size());
  auto const kept = sam::reference::unique(items, equal);
  auto const in = test::on_backend(items, 1);
  auto const call = [&](auto const& from, auto& out, auto& count) {
    sam::unique(context, from, out, count, equal);
    context.wait();
  };
  auto const from_in = [&](auto& out, auto& count) { call(in, out, count); };
  check_apart<index_t>(kept, n, 1, from_in);
  check_apart<index_t>(kept, static_cast<index_t>(kept.size()) / 2, 0, from_in);
  check_in_place<Context>(items, kept, 0, call);
  check_in_place<Context>(items, kept, 1, call);
}

template <class Context, class T>
void check_all(Context& context, std::vector<T> const& items) {
  check_compact(context, items);
  check_compact_flagged<std::uint8_t>(context, items);
  check_compact_packed(context, items);
  check_compact_indices<std::int64_t>(context, items);
  check_partition(context, items);
  check_unique(context, items);
}

TEMPLATE_TEST_CASE("compact, partition and unique equal their references", "[compact]",
                   std::uint8_t, std::int16_t, three_bytes, std::int32_t, std::int64_t,
                   sixteen_bytes, twenty_four_bytes) {
  using T = TestType;
  auto context = test::each_context();
  auto const sizes = test::sizes_when_packed<T>();
  for (index_t const n : sizes)
    for (share const kept : shares) {
      bool const is_long = n > 1000 && (n % 2 == 0 || n == *sizes.rbegin());
      bool const is_longer = n > 20'000 && kept != share::half && kept != share::runs;
      if ((is_long && kept != share::half) || is_longer)
        continue;
      auto const seed = test::seed_for(n);
      CAPTURE(n, static_cast<int>(kept), seed, sizeof(T));
      check_all(context, random_bytes<T>(n, kept, seed));
    }
}

TEST_CASE("compact, partition and unique equal their references on several threads", "[compact]") {
  auto const context = test::each_context();
  test::also_on_threads(context, [](auto& crowd) {
    for (share const kept : shares) {
      index_t const n = 200'003;
      auto const seed = test::seed_for(n);
      CAPTURE(static_cast<int>(kept), seed);
      check_all(crowd, random_bytes<std::int32_t>(n, kept, seed));
      if (kept == share::half)
        check_all(crowd, random_bytes<three_bytes>(n, kept, seed));
      if (kept == share::runs)
        check_all(crowd, random_bytes<twenty_four_bytes>(n / 2, kept, seed));
    }
  });
}

TEMPLATE_TEST_CASE("flags are integers of any width, of which only zero drops an item", "[compact]",
                   std::int8_t, std::uint16_t, std::int32_t, std::int64_t) {
  auto context = test::each_context();
  for (index_t const n : {1, 1000, 70'001})
    check_compact_flagged<TestType>(context,
                                    random_bytes<std::int32_t>(n, share::half, test::seed_for(n)));
}

TEST_CASE("flags may be packed bits", "[compact]") {
  auto context = test::each_context();
  for (index_t const n : {1, 31, 32, 33, 63, 64, 65, 127, 128, 129, 1000, 70'001})
    for (share const kept : {share::half, share::all})
      check_compact_packed(context, random_bytes<std::int32_t>(n, kept, test::seed_for(n)));
}

TEST_CASE("three_way_partition equals its reference", "[compact]") {
  auto context = test::each_context();
  for (index_t const n : {1, 2, 100, 1000, 32'767, 32'768, 32'769, 200'001})
    for (share const kept : shares) {
      auto const seed = test::seed_for(n);
      CAPTURE(n, static_cast<int>(kept), seed);
      check_three_way_partition(context, random_bytes<std::int8_t>(n, kept, seed));
      check_three_way_partition(context, random_bytes<twenty_four_bytes>(n, kept, seed));
      test::also_on_threads(context, [&](auto& crowd) {
        check_three_way_partition(crowd, random_bytes<std::int8_t>(n, kept, seed));
      });
    }
}

TEST_CASE("partitions are the same where a back end compacts each kind", "[compact]") {
  std::conditional_t<test::backend_bytes::on_host, test::plain_threads, sam::default_context>
      context;
  for (index_t const n : {1, 1000, 200'001})
    for (share const kept : shares) {
      auto const seed = test::seed_for(n);
      CAPTURE(n, static_cast<int>(kept), seed);
      auto const items = random_bytes<std::int32_t>(n, kept, seed);
      check_partition(context, items);
      check_three_way_partition(context, items);
    }
}

TEMPLATE_TEST_CASE("kinds are counted, then placed", "[compact]", std::int8_t, std::int32_t,
                   twenty_four_bytes) {
  std::conditional_t<test::backend_bytes::on_host, test::plain_threads, sam::default_context>
      context;
  for (index_t const n : {1, 2, 31, 33, 1000, 32'769, 200'001})
    for (share const kept : shares) {
      auto const seed = test::seed_for(n);
      CAPTURE(n, static_cast<int>(kept), seed);
      auto const items = random_bytes<TestType>(n, kept, seed);
      check_placed_kinds<std::uint32_t>(context, items);
      check_placed_kinds<index_t>(context, items);
    }
}

TEMPLATE_TEST_CASE("what is too large for a cache is written past it", "[compact]", std::int32_t,
                   twenty_four_bytes) {
  auto context = test::each_context();
  index_t const n = sam::host::tuning::streaming_bytes / sizeof(TestType) + 1003;
  auto const items = random_bytes<TestType>(n, share::half, test::seed_for(n));
  check_compact_flagged<std::uint8_t>(context, items);
  check_partition(context, items);
  check_three_way_partition(context, items);
  test::also_on_threads(context, [&](auto& crowd) {
    check_compact_flagged<std::uint8_t>(crowd, items);
    check_partition(crowd, items);
  });
}

TEST_CASE("a partition asks about an item once, or twice if there are many", "[compact]") {
  if constexpr (test::backend_bytes::on_host) {
    auto context = test::each_context();
    index_t const most = 8 * sam::host::tuning::kept_answers_bytes;
    for (index_t const n : {index_t{0}, index_t{63}, index_t{6400}, most, most + 64}) {
      CAPTURE(n);
      auto const items = random_bytes<std::int8_t>(n, share::half, test::seed_for(n));
      check_partition(context, items);
      std::atomic<index_t> asked{0};
      test::fenced_array<std::int8_t> out(n);
      sam::partition(context, test::on_backend(items, 1), out, [&asked](std::int8_t x) {
        asked.fetch_add(1, std::memory_order_relaxed);
        return x > 3;
      });
      REQUIRE(asked == (n % 64 == 0 && n <= most ? n : 2 * n));
    }
  }
}

struct negation {
  SAM_FUNCTION bool operator()(std::uint8_t flag) const { return flag == 0; }
};

TEST_CASE("a call without a count waits and returns it", "[compact]") {
  auto context = test::each_context();
  std::vector<std::int32_t> const items{5, 5, 300, 7, 7, 7, 255};
  std::vector<std::uint8_t> const marks{1, 0, 0, 1, 1, 1, 0};
  auto const in = test::on_backend(items);
  auto const flags = test::on_backend(marks);
  test::fenced_array<std::int32_t> out(7);
  auto const begins_with = [&](index_t count, std::vector<std::int32_t> const& wanted) {
    auto all = out.to_host();
    all.resize(wanted.size());
    return count == static_cast<index_t>(wanted.size()) && all == wanted;
  };
  first_byte_below<std::int32_t> const keep{7};
  REQUIRE(begins_with(sam::compact(context, in, out, keep), {5, 5}));
  REQUIRE(begins_with(sam::compact_flagged(context, in, flags, out), {5, 7, 7, 7}));
  REQUIRE(begins_with(sam::compact_indices(context, in, out, keep), {0, 1}));
  REQUIRE(begins_with(sam::compact_indices_flagged(context, flags, out), {0, 3, 4, 5}));
  auto const computed = sam::transformed(flags, negation{});
  auto const number = test::on_backend(std::vector<index_t>{4});
  auto const few = sam::counted(flags, number);
  auto const few_computed = sam::counted(computed, number);
  REQUIRE(begins_with(sam::compact_flagged(context, in, computed, out), {5, 300, 255}));
  REQUIRE(begins_with(sam::compact_indices_flagged(context, computed, out), {1, 2, 6}));
  REQUIRE(begins_with(sam::compact_indices_flagged(context, few, out), {0, 3}));
  REQUIRE(begins_with(sam::compact_indices_flagged(context, few_computed, out), {1, 2}));
  REQUIRE(begins_with(sam::unique(context, in, out), {5, 300, 7, 255}));
  REQUIRE(begins_with(sam::unique(context, in, out, same_first_byte<std::int32_t>{}),
                      {5, 300, 7, 255}));
  REQUIRE(sam::partition(context, in, out, keep) == 2);
  REQUIRE(out.to_host() == sam::reference::partition(items, keep));
  first_byte_below<std::int32_t> const also{10};
  REQUIRE(sam::three_way_partition(context, in, out, keep, also) == std::array<index_t, 2>{2, 3});
  REQUIRE(out.to_host() == sam::reference::three_way_partition(items, keep, also));
}

#ifndef SAM_TEST_ENGINE_ALONE  // the rest is about calls, which are the same on all engines

TEMPLATE_TEST_CASE("a count is an integer of any width that holds it", "[compact]", std::uint8_t,
                   std::int16_t, std::uint32_t, std::uint64_t) {
  auto context = test::each_context();
  index_t const n = 255;
  first_byte_below<std::int32_t> const keep{limit};
  auto const items = random_bytes<std::int32_t>(n, share::all, test::seed_for(n));
  auto const in = test::on_backend(items);
  check_apart<TestType>(items, n, 1, [&](auto& out, auto& count) {
    sam::compact(context, in, out, keep, count);
    context.wait();
  });
}

TEST_CASE("flags may be bools", "[compact]") {
  auto context = test::each_context();
  auto const in = test::on_backend(std::vector<int>{5, 6, 7, 8});
  auto const flags = test::on_backend(std::vector<std::uint8_t>{1, 0, 0, 1});
  test::fenced_array<int> out(2), count(1);
  std::span<bool const> const bools(reinterpret_cast<bool const*>(flags.data()), 4);
  sam::compact_flagged(context, in, bools, out, count);
  context.wait();
  REQUIRE(out.to_host() == std::vector<int>{5, 8});
  REQUIRE(count.to_host()[0] == 2);
}

TEMPLATE_TEST_CASE("indices are integers of any width that holds them", "[compact]", std::uint16_t,
                   std::int32_t, std::uint64_t) {
  auto context = test::each_context();
  for (index_t const n : {1, 1000, 65'536})
    check_compact_indices<TestType>(context,
                                    random_bytes<std::int32_t>(n, share::half, test::seed_for(n)));
}

TEST_CASE("unique compares by == unless it is told how", "[compact]") {
  auto context = test::each_context();
  auto items = test::on_backend(std::vector<float>{1, 1, 2, 2, 2, 1, -0.0f, 0.0f, 3});
  test::fenced_array<float> out(9);
  test::fenced_array<int> count(1);
  sam::unique(context, items, out, count);
  context.wait();
  REQUIRE(count.to_host()[0] == 5);
  auto all = out.to_host();
  all.resize(5);
  REQUIRE(all == std::vector<float>{1, 2, 1, -0.0f, 3});
}

TEST_CASE("unique takes all NaNs for equal if it is told so", "[compact]") {
  auto context = test::each_context();
  double const nan = std::numeric_limits<double>::quiet_NaN();
  auto const items = test::on_backend(std::vector<double>{1, 1, nan, -nan, nan, 2, nan});
  test::fenced_array<double> out(7);
  REQUIRE(sam::unique(context, items, out) == 6);
  REQUIRE(sam::unique(context, items, out, sam::equal_nan{}) == 4);
  auto const all = out.to_host();
  REQUIRE((all[0] == 1 && std::isnan(all[1]) && all[2] == 2 && std::isnan(all[3])));
}

TEST_CASE("a stencil holds an item for each item", "[compact]") {
  auto context = test::each_context();
  auto const in = test::on_backend(std::vector<int>{5, 6, 7});
  auto const stencil = test::on_backend(std::vector<std::uint8_t>{1, 0, 1});
  test::fenced_array<int> out(3), untouched(3);
  test::fenced_array<std::uint8_t> four(4), one(1);
  REQUIRE(sam::compact_by_stencil(context, in, stencil, out, is_set{}) == 2);
  test::fails([&] { sam::compact_by_stencil(context, in, four, untouched, is_set{}, one); },
              "sam::compact_by_stencil", "stencil",
              "holds 4 items but in holds 3; both must hold the same number");
  auto const of_count = test::as_span(four).first(1);
  test::fails(
      [&] {
        sam::compact_by_stencil(context, in, test::as_span(four).first(3), untouched, is_set{},
                                of_count);
      },
      "count", "overlaps stencil; the two must lie apart");
  REQUIRE((untouched.untouched() && four.untouched()));
}

TEST_CASE("of no items nothing is kept, and count says so", "[compact]") {
  auto context = test::each_context();
  test::fenced_array<int> none(0), out(3);
  test::fenced_array<std::uint8_t> flags(0), count(1);
  auto const counts_nothing = [&](auto const& call) {
    auto const one = std::vector<std::uint8_t>{1};
    count = test::on_backend(one);
    call();
    context.wait();
    REQUIRE(count.to_host()[0] == 0);
    REQUIRE((count.fences_intact() && out.untouched()));
  };
  first_byte_below<int> const keep{limit};
  counts_nothing([&] { sam::compact(context, none, out, keep, count); });
  counts_nothing([&] { sam::compact_flagged(context, none, flags, out, count); });
  counts_nothing([&] { sam::compact_indices(context, none, out, keep, count); });
  counts_nothing([&] { sam::compact_indices_flagged(context, flags, out, count); });
  counts_nothing([&] { sam::partition(context, none, none, keep, count); });
  counts_nothing([&] { sam::unique(context, none, out, count); });
  REQUIRE(sam::compact(context, none, out, keep) == 0);
  test::fenced_array<std::uint32_t> words(0);
  REQUIRE(sam::compact_flagged(context, none, sam::packed_bits{words}, out) == 0);
  test::fenced_array<index_t> counts(2);
  REQUIRE(sam::three_way_partition(context, none, none, keep, keep) == std::array<index_t, 2>{});
  sam::three_way_partition(context, none, none, keep, keep, counts);
  context.wait();
  REQUIRE(counts.to_host() == std::vector<index_t>{0, 0});
}

#endif

}  // namespace
