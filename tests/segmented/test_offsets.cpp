// SPDX-License-Identifier: MIT
// Tests segments by offsets whose number lies in memory, and by begins and ends. Also on the host
// engine as a device.
#include <sam/inputs.hpp>
#include <sam/outputs.hpp>
#include <sam/segmented_extremes.hpp>
#include <sam/segmented_radix_sort.hpp>
#include <sam/segmented_reduce.hpp>
#include <sam/segmented_scan.hpp>

#include "support.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <tuple>

namespace {

using sam::index_t;

struct one_more {
  template <class T>
  SAM_FUNCTION T operator()(T x) const {
    return x + 1;
  }
};
/// Calls `call` with an output that adds 1 to each of `size` results, and checks that it took the
/// wanted ones.
template <class T, class Context, class Call>
void check(Context& context, index_t size, std::vector<T> wanted, Call const& call) {
  auto out = test::on_backend(std::vector<T>(static_cast<std::size_t>(size), T(7)), 1);
  call(sam::transformed_to<T>(out, one_more{}));
  context.wait();
  for (T& x : wanted)
    ++x;
  wanted.resize(static_cast<std::size_t>(size), T(7));
  REQUIRE(test::differences(out.to_host(), wanted) == "");
  REQUIRE(out.fences_intact());
}

template <class Context>
void check_counted_offsets(Context& context) {
  constexpr index_t most = 100;
  for (index_t const n : {1, 1000, 70'001}) {
    auto const items = test::random_items<std::uint32_t>(n, test::seed_for(n));
    auto const in = test::on_backend(items, 1);
    for (index_t const some : {index_t{0}, index_t{1}, index_t{60}, most, most + 1}) {
      CAPTURE(n, some);
      index_t const taken = sam::engine::min_of(some, most);
      // Offsets of three lengths, 0 among them; what lies behind the last one is no offset.
      std::vector<std::int32_t> offsets(std::size_t{most + 1}, -9);
      for (index_t k = 0; k <= taken; ++k)
        offsets[static_cast<std::size_t>(k)] =
            static_cast<std::int32_t>(sam::engine::min_of(n, k / 3 * (n / 40) + k % 3 * (n / 200)));
      std::sort(offsets.begin(), offsets.begin() + taken + 1);
      auto const first = std::vector<std::int32_t>(offsets.begin(), offsets.begin() + taken + 1);
      auto const there = test::on_backend(offsets, 1);
      auto const number = test::on_backend(std::vector<index_t>{some});
      auto const segments = sam::by_offsets(sam::counted(there, number));
      sam::scan_policy<> const sums;
      auto const totals = sam::reference::segmented_reduce(items, first, sums, 0u);
      check(context, most, totals,
            [&](auto const& out) { sam::segmented_reduce(context, in, segments, out); });
      auto out = test::on_backend(std::vector<std::uint32_t>(std::size_t{most}, 7u), 1);
      test::fenced_array<std::uint32_t> scanned(n, 1);
      sam::segmented_reduce(context, in, segments, out);
      sam::segmented_inclusive_scan(context, in, segments, scanned);
      context.wait();
      auto wanted = totals;
      wanted.resize(std::size_t{most}, 7u);
      REQUIRE(out.to_host() == wanted);
      std::vector<bool> heads(items.size());
      for (auto const offset : first)
        if (offset < n)
          heads[static_cast<std::size_t>(offset)] = true;
      auto sums_wanted = sam::reference::segmented_inclusive_scan(items, heads, sums);
      auto got = scanned.to_host();
      sums_wanted.resize(static_cast<std::size_t>(first.back()));
      got.resize(sums_wanted.size());
      REQUIRE(got == sums_wanted);
      REQUIRE((out.fences_intact() && scanned.fences_intact()));
      std::vector<index_t> smallest;
      for (index_t k = 0; k < taken; ++k) {
        auto const begin = items.begin() + first[static_cast<std::size_t>(k)];
        auto const end = items.begin() + first[static_cast<std::size_t>(k) + 1];
        smallest.push_back(begin == end ? n : std::min_element(begin, end) - items.begin());
      }
      check(context, most, smallest, [&](auto const& places) {
        sam::segmented_argmin(context, sam::strided(in, 1), segments, places);
      });
    }
  }
}
/// Reduces and scans n numbers in segments of these lengths, also in place.
void check_few(std::vector<index_t> const& lengths) {
  std::vector<std::int32_t> offsets{0};
  for (index_t const length : lengths)
    offsets.push_back(offsets.back() + static_cast<std::int32_t>(length));
  index_t const n = offsets.back();
  CAPTURE(n, lengths.size());
  auto context = test::each_context();
  auto const items = test::random_items<std::uint32_t>(n, test::seed_for(n));
  auto const in = test::on_backend(items, 1);
  auto const there = test::on_backend(offsets, 1);
  auto const segments = sam::by_offsets(there);
  std::vector<bool> heads(items.size());
  for (auto const offset : offsets)
    if (offset < n)
      heads[static_cast<std::size_t>(offset)] = true;
  sam::scan_policy<> const sums;
  test::fenced_array<std::uint32_t> totals(static_cast<index_t>(lengths.size()), 1), out(n, 1);
  auto in_place = test::on_backend(items, 1);
  sam::segmented_reduce(context, in, segments, totals);
  sam::segmented_inclusive_scan(context, in, segments, out);
  sam::segmented_exclusive_scan(context, in_place, segments, in_place, sums, 5u);
  context.wait();
  REQUIRE(test::differences(totals.to_host(),
                            sam::reference::segmented_reduce(items, offsets, sums, 0u)) == "");
  REQUIRE(test::differences(out.to_host(),
                            sam::reference::segmented_inclusive_scan(items, heads, sums)) == "");
  REQUIRE(test::differences(in_place.to_host(), sam::reference::segmented_exclusive_scan(
                                                    items, heads, sums, 5u)) == "");
  REQUIRE((totals.fences_intact() && out.fences_intact() && in_place.fences_intact()));
}
TEST_CASE("few integers in segments of equal or very different lengths equal their references",
          "[segmented]") {
  for (index_t const n : {1, 33, 512, 513, 2048, 2049, 4096, 4097, 30'011, 65'536, 65'537}) {
    for (index_t const length : {1, 10, 64, 100, 128, 129})
      check_few(std::vector<index_t>(static_cast<std::size_t>(n / length + 1), length));
    std::vector<index_t> one(1000, 0);  // one with all items
    one[400] = n;
    check_few(one);
    std::vector<index_t> power;  // some long ones, some without items
    for (index_t left = n, k = 0; left > 0; left -= power.back(), ++k)
      power.push_back(sam::engine::min_of(left, k % 5 == 0 ? 0 : 1 + n / (2 + k * 37 % 500)));
    check_few(power);
  }
}
/// Scans the first items of segments, by their number in memory. Those past it stay.
template <class Context>
void check_scans_of_first(Context& context) {
  constexpr index_t most = test::backend_bytes::on_host ? 70'001 : 1'100'000;
  for (index_t const n : {1, 1000, 70'001, 300'007, 1'100'000})
    for (index_t const some : {index_t{0}, n / 2 + 1, n - 1, n, n + 5})
      for (index_t const length : {9, 300, 30'000}) {
        if (n > most)  // kernels for more items are those of a GPU
          continue;
        CAPTURE(n, some, length);
        auto const items = test::random_items<std::uint32_t>(n, test::seed_for(n));
        std::vector<std::int32_t> offsets{0};
        while (offsets.back() < n)
          offsets.push_back(static_cast<std::int32_t>(
              sam::engine::min_of(n, offsets.back() + std::ssize(offsets) % 3 * length)));
        auto inclusive = items, exclusive = items;
        index_t const taken = sam::engine::min_of(some, n);
        for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
          std::uint32_t sum = 0;
          for (index_t i = offsets[s]; i < sam::engine::min_of(offsets[s + 1], taken); ++i) {
            exclusive[static_cast<std::size_t>(i)] = sum;
            inclusive[static_cast<std::size_t>(i)] = sum += items[static_cast<std::size_t>(i)];
          }
        }
        auto const there = test::on_backend(items, 1);
        auto const on_offsets = test::on_backend(offsets);
        auto const segments = sam::by_offsets(on_offsets);
        auto const number = test::on_backend(std::vector<int>{static_cast<int>(some)});
        auto out = test::on_backend(items, 1), before = test::on_backend(items);
        auto same = test::on_backend(items, 1);
        auto const first = sam::counted(there, number);
        sam::segmented_inclusive_scan(context, first, segments, out);
        sam::segmented_exclusive_scan(context, first, segments, before);
        sam::segmented_inclusive_scan(context, sam::counted(same, number), segments, same);
        context.wait();
        REQUIRE((out.to_host() == inclusive && before.to_host() == exclusive));
        REQUIRE((same.to_host() == inclusive && out.fences_intact() && same.fences_intact()));
      }
}
TEST_CASE("the number of segments by offsets lies in memory", "[segmented]") {
  auto context = test::each_context();
  check_counted_offsets(context);
  check_scans_of_first(context);
  test::also_like_a_device(context, [](auto& device) {
    check_counted_offsets(device);
    check_scans_of_first(device);
  });
  auto const five = test::on_backend(std::vector<int>{0, 1, 2, 3, 4});
  test::fenced_array<int> out(5);
  auto const segments = sam::by_offsets(sam::counted(five, five));
  test::fails([&] { sam::segmented_reduce(context, five, segments, out); }, "sam::segmented_reduce",
              "number", "holds 5 items but must hold 1, the number of segments");
  auto const one = test::on_backend(std::vector<int>{3});
  auto const three = sam::by_offsets(sam::counted(five, one));
  // Checked ones: what lies behind the last offset does not matter.
  auto const check_checked = [&]<class Context>(Context& where) {
    for (auto const& [offsets, wrong] :
         {std::tuple(std::vector{0, 2, 2, 5, -7}, -1), std::tuple(std::vector{0, 2, 1, 5, 5}, 2),
          std::tuple(std::vector{0, 2, 3, 4, 5}, 3), std::tuple(std::vector{1, 2, 3, 5, 5}, 0)}) {
      CAPTURE(wrong);
      auto const some = test::on_backend(offsets);
      auto const checked = sam::by_checked_offsets(sam::counted(some, one));
      test::fenced_array<int> four(4), lowest(4), scanned(5);
      auto const refused = [&](char const* call, auto const& f) {
        if (wrong < 0)
          return f();
        test::fails(f, call, "offsets",
                    "is wrong at item " + std::to_string(wrong) + " of " +
                        (sam::engine::works_on_device<Context> ? "5" : "4") +
                        "; it must begin with 0, never fall, and end with 5");
      };
      refused("sam::segmented_reduce", [&] { sam::segmented_reduce(where, five, checked, four); });
      refused("sam::segmented_argmin",
              [&] { sam::segmented_argmin(where, five, checked, lowest); });
      refused("sam::segmented_inclusive_scan",
              [&] { sam::segmented_inclusive_scan(where, five, checked, scanned); });
      where.wait();
      if (wrong < 0) {
        auto const sums = four.to_host(), places = lowest.to_host();
        REQUIRE((sums[0] == 1 && sums[1] == 0 && sums[2] == 9));
        REQUIRE((places[0] == 0 && places[1] == 5 && places[2] == 2));
        REQUIRE(scanned.to_host() == std::vector{0, 1, 2, 5, 9});
      } else {
        REQUIRE((four.untouched() && lowest.untouched() && scanned.untouched()));
      }
    }
  };
  check_checked(context);
  if constexpr (test::backend_bytes::on_host) {
    test::like_a_device device;
    check_checked(device);
  }
  test::fails([&] { sam::segmented_reduce(context, five, three, out); }, "sam::segmented_reduce",
              "out", "holds 5 items but must hold 4, one for each segment");
  REQUIRE(out.untouched());
}

/// Reduces, scans, searches and sorts ranges with items between them.
template <class Context>
void check_ranges(Context& context, index_t n, index_t ranges) {
  CAPTURE(n, ranges);
  auto const items = test::random_items<std::uint32_t>(n, test::seed_for(n));
  auto const in = test::on_backend(items, 1);
  std::vector<std::int32_t> begins, ends;
  for (index_t k = 0; k < ranges; ++k) {  // some are empty, and some touch the next one
    index_t const begin = (n * k + k % 4) / ranges, length = k % 5 == 3 ? 0 : n / ranges - k % 4;
    begins.push_back(static_cast<std::int32_t>(std::min(n, begin)));
    ends.push_back(
        static_cast<std::int32_t>(std::clamp(begin + length, index_t{begins.back()}, n)));
  }
  for (std::size_t k = 0; k + 1 < begins.size(); ++k)
    ends[k] = std::min(ends[k], begins[k + 1]);
  auto const from = test::on_backend(begins, 1), to = test::on_backend(ends, 1);
  auto const segments = sam::by_checked_ranges(from, to);
  std::vector<std::uint32_t> totals;
  std::vector<index_t> smallest;
  auto sorted = items, scanned = items;
  auto previous = sorted.begin();
  for (std::size_t k = 0; k < begins.size(); ++k) {
    auto const first = items.begin() + begins[k], last = items.begin() + ends[k];
    totals.push_back(std::accumulate(first, last, std::uint32_t{0}));
    smallest.push_back(first == last ? n : std::min_element(first, last) - items.begin());
    std::partial_sum(first, last, scanned.begin() + begins[k]);
    std::sort(previous, sorted.begin() + begins[k]);
    previous = sorted.begin() + ends[k];
    std::sort(sorted.begin() + begins[k], previous);
  }
  std::sort(previous, sorted.end());
  check(context, ranges, totals,
        [&](auto const& out) { sam::segmented_reduce(context, in, segments, out); });
  check(context, ranges, smallest, [&](auto const& out) {
    sam::segmented_argmin(context, sam::strided(in, 1), segments, out);
  });
  test::fenced_array<std::uint32_t> sums(n, 1), in_order(n, 1), totals_alone(ranges, 1);
  sam::segmented_reduce(context, in, segments, totals_alone);
  sam::segmented_inclusive_scan(context, in, segments, sums);
  sam::segmented_radix_sort(context, sam::strided(in, 1), segments, in_order);
  context.wait();
  REQUIRE(totals_alone.to_host() == totals);
  REQUIRE(test::differences(in_order.to_host(), sorted) == "");
  auto const got = sums.to_host();
  for (std::size_t k = 0; k < begins.size(); ++k)
    REQUIRE(
        std::equal(got.begin() + begins[k], got.begin() + ends[k], scanned.begin() + begins[k]));
  REQUIRE((sums.fences_intact() && in_order.fences_intact() && totals_alone.fences_intact()));
  // The first ranges, by their number. Begins and ends behind them are none.
  index_t const some = ranges - ranges / 3;
  for (auto k = static_cast<std::size_t>(some); k < begins.size(); ++k) {
    begins[k] = -9;
    ends[k] = static_cast<std::int32_t>(n) + 9;
  }
  auto const first = test::on_backend(begins, 1), past = test::on_backend(ends, 1);
  auto const number = test::on_backend(std::vector<index_t>{some});
  auto const counted = sam::by_checked_ranges(sam::counted(first, number), past);
  smallest.resize(static_cast<std::size_t>(some));
  check(context, ranges, smallest, [&](auto const& out) {
    sam::segmented_argmin(context, sam::strided(in, 1), counted, out);
  });
  auto some_totals = test::on_backend(std::vector<std::uint32_t>(totals.size(), 7u), 1);
  test::fenced_array<std::uint32_t> some_sums(n, 1), some_in_order(n, 1);
  sam::segmented_reduce(context, in, counted, some_totals);
  sam::segmented_inclusive_scan(context, in, counted, some_sums);
  sam::segmented_radix_sort(context, sam::strided(in, 1), counted, some_in_order);
  context.wait();
  totals.resize(static_cast<std::size_t>(some));
  totals.resize(begins.size(), 7u);
  REQUIRE(some_totals.to_host() == totals);
  auto const got_some = some_sums.to_host(), got_in_order = some_in_order.to_host();
  for (std::size_t k = 0; k < static_cast<std::size_t>(some); ++k) {
    REQUIRE(std::equal(got_some.begin() + begins[k], got_some.begin() + ends[k],
                       scanned.begin() + begins[k]));
    REQUIRE(std::equal(got_in_order.begin() + begins[k], got_in_order.begin() + ends[k],
                       sorted.begin() + begins[k]));
  }
  REQUIRE(std::is_sorted(got_in_order.begin() +
                             (some == 0 ? 0 : ends[static_cast<std::size_t>(some - 1)]),
                         got_in_order.end()));
  REQUIRE((some_sums.fences_intact() && some_in_order.fences_intact()));
  REQUIRE(some_totals.fences_intact());
}

TEST_CASE("segments may be described by their begins and ends", "[segmented]") {
  auto context = test::each_context();
  for (index_t const n : {1, 1000, 70'001})
    for (index_t const ranges : {0, 1, 60, 1100})
      check_ranges(context, n, ranges);
  test::also_like_a_device(context, [](auto& device) { check_ranges(device, 70'001, 1100); });
  auto const five = test::on_backend(std::vector<int>{0, 1, 2, 3, 4});
  test::fenced_array<int> out(5), two(2);
  test::fails([&] { sam::segmented_reduce(context, five, sam::by_ranges(five, two), out); },
              "sam::segmented_reduce", "ends",
              "holds 2 items but begins holds 5; both must hold the same number");
  test::fails([&] { sam::segmented_radix_sort(context, five, sam::by_ranges(out, out), out); },
              "sam::segmented_radix_sort", "out", "overlaps begins; the two must lie apart");
  test::fails([&] { sam::segmented_reduce(context, five, sam::by_ranges(five, five), two); },
              "sam::segmented_reduce", "out",
              "holds 2 items but must hold 5, one for each segment");
  for (auto const& [begins, ends, wrong] :
       {std::tuple(std::vector{0, 2, 4}, std::vector{1, 3, 6}, 2),
        std::tuple(std::vector{0, 2, 3}, std::vector{1, 4, 5}, 2),
        std::tuple(std::vector{0, 2, 3}, std::vector{1, 1, 5}, 1),
        std::tuple(std::vector{-1, 2, 3}, std::vector{1, 2, 5}, 0)}) {
    auto const from = test::on_backend(begins), to = test::on_backend(ends);
    test::fenced_array<int> three(3);
    test::fails(
        [&] { sam::segmented_reduce(context, five, sam::by_checked_ranges(from, to), three); },
        "sam::segmented_reduce", "begins",
        "is wrong at item " + std::to_string(wrong) +
            " of 3; a range must begin behind the one before, not end before it begins, and end "
            "by 5");
    REQUIRE(three.untouched());
  }
  REQUIRE((out.untouched() && two.untouched()));
}

}  // namespace
