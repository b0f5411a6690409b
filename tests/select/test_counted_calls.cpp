// SPDX-License-Identifier: MIT
// Tests calls whose number of items lies in memory: those that move, find, search, merge, sort by
// comparisons, and count. The items of some of them are computed, and stored first. Also on the
// host engine as a device, whose work reads the numbers.
#include <sam/adjacent_difference.hpp>
#include <sam/binary_search.hpp>
#include <sam/extremes.hpp>
#include <sam/find.hpp>
#include <sam/gather.hpp>
#include <sam/inner_product.hpp>
#include <sam/inputs.hpp>
#include <sam/linear_recurrence.hpp>
#include <sam/merge.hpp>
#include <sam/merge_sort.hpp>
#include <sam/minmax.hpp>
#include <sam/outputs.hpp>
#include <sam/run_length.hpp>
#include <sam/segmented_extremes.hpp>
#include <sam/segmented_find.hpp>
#include <sam/segmented_minmax.hpp>
#include <sam/segmented_reduce.hpp>
#include <sam/segmented_scan.hpp>
#include <sam/set_operations.hpp>
#include <sam/weighted_histogram.hpp>

#include "support.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace {

using sam::index_t;
using items = std::vector<std::uint32_t>;

constexpr std::uint32_t rest = 77'777;

items some_items(index_t n, std::uint64_t seed, std::uint32_t kinds) {
  test::generator bits{test::seed_for(n) + seed};
  items all;
  for (index_t i = 0; i < n; ++i)
    all.push_back(static_cast<std::uint32_t>(bits() % kinds));
  return all;
}
std::size_t within(index_t number, items const& of) {
  return static_cast<std::size_t>(std::clamp(number, index_t{0}, static_cast<index_t>(of.size())));
}
items first(items of, index_t number) {
  of.resize(within(number, of));
  return of;
}
auto number_of(index_t number) { return test::on_backend(std::vector<index_t>{number}); }

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

struct by_last_digit {
  SAM_FUNCTION bool operator()(std::uint32_t a, std::uint32_t b) const { return a % 10 < b % 10; }
};

struct tripled {
  SAM_FUNCTION std::uint32_t operator()(std::uint32_t x) const { return 3 * x; }
};
/// Does so, but gives call(...) an output that stores three times each result.
template <class Context, class Call>
void expect_tripled(Context& context, items wanted, index_t n, Call const& call) {
  for (auto& x : wanted)
    x *= 3;
  expect(context, wanted, n, [&](auto& out) { call(sam::transformed_to(out, tripled{})); });
}

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
struct as_it_is {
  SAM_FUNCTION std::uint32_t operator()(std::uint32_t x) const { return x; }
};

template <class Context>
void check_moves(Context& context, index_t n, index_t number) {
  CAPTURE(n, number);
  auto const values = some_items(n, 1, 1'000'000);
  items indices(values.size());
  std::iota(indices.begin(), indices.end(), 0);
  std::reverse(indices.begin(), indices.end());
  std::size_t const k = within(number, values);
  items gathered, scattered(values.size(), rest);
  for (std::size_t i = 0; i < k; ++i) {
    gathered.push_back(values[indices[i]]);
    scattered[indices[i]] = values[i];
  }
  // Entries behind the number are no valid indices.
  items some = indices;
  std::fill(some.begin() + static_cast<std::ptrdiff_t>(k), some.end(), 0xffff'ffff);
  auto const in = test::on_backend(values), by = test::on_backend(some, 1);
  auto const counts = number_of(number);
  expect(context, gathered, n,
         [&](auto& out) { sam::gather(context, in, sam::counted(by, counts), out); });
  expect(context, scattered, n,
         [&](auto& out) { sam::scatter(context, sam::counted(in, counts), by, out); });
  expect(context, gathered, n, [&](auto& out) {
    expect(context, gathered, n, [&](auto& other) {
      sam::apply_permutation(context, sam::counted(by, counts), in, out, in, other);
    });
  });
}

template <class Context>
void check_two(Context& context, index_t n_a, index_t a_number, index_t n_b, index_t b_number) {
  CAPTURE(n_a, a_number, n_b, b_number);
  auto all_a = some_items(n_a, 2, 500), all_b = some_items(n_b, 3, 500);
  auto a = first(all_a, a_number), b = first(all_b, b_number);
  for (auto* const sorted : {&a, &b})
    std::sort(sorted->begin(), sorted->end());
  std::copy(a.begin(), a.end(), all_a.begin());
  std::copy(b.begin(), b.end(), all_b.begin());
  auto const in_a = test::on_backend(all_a, 1), in_b = test::on_backend(all_b);
  auto const count_a = number_of(a_number), count_b = number_of(b_number);
  auto const limited = sam::generated(n_b, below{b.size(), in_b.data()});
  auto const of_a = sam::counted(in_a, count_a);
  auto const of_b = sam::counted(limited, count_b);
  index_t const n = n_a + n_b;

  items lower, upper;
  for (std::uint32_t const x : b) {
    lower.push_back(
        static_cast<std::uint32_t>(std::lower_bound(a.begin(), a.end(), x) - a.begin()));
    upper.push_back(
        static_cast<std::uint32_t>(std::upper_bound(a.begin(), a.end(), x) - a.begin()));
  }
  expect(context, lower, n_b, [&](auto& out) { sam::lower_bound(context, of_a, of_b, out); });
  expect_tripled(context, upper, n_b,
                 [&](auto const& out) { sam::upper_bound(context, of_a, of_b, out); });
  expect(context, lower, n_b, [&](auto& begins) {
    expect(context, upper, n_b,
           [&](auto& ends) { sam::equal_range(context, of_a, of_b, begins, ends); });
  });

  items merged;
  std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(merged));
  expect(context, merged, n, [&](auto& out) { sam::merge(context, of_a, of_b, out); });
  expect(context, merged, n, [&](auto& keys) {
    expect(context, merged, n, [&](auto& values) {
      sam::merge_by_key(context, of_a, in_a, of_b, limited, keys, values);
    });
  });

  auto count = test::on_backend(std::vector<index_t>{0});
  auto const check_set = [&](items const& wanted, auto const& call) {
    expect(context, wanted, n, [&](auto& out) { call(out); });
    REQUIRE(count.to_host()[0] == static_cast<index_t>(wanted.size()));
  };
  items of_both;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(of_both));
  check_set(of_both, [&](auto& out) { sam::set_union(context, of_a, of_b, out, count); });
  items without;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(without));
  check_set(without, [&](auto& keys) {
    expect(context, without, n, [&](auto& values) {
      sam::set_difference_by_key(context, of_a, sam::strided(in_a, 1), of_b, keys, values, count);
    });
  });
}

template <class Context>
void check_sorts(Context& context, index_t n, index_t number) {
  CAPTURE(n, number);
  auto const keys = some_items(n, 4, 1'000'000);
  items values(keys.size());
  std::iota(values.begin(), values.end(), 0);
  auto order = first(values, number);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t i, std::uint32_t j) {
    return by_last_digit{}(keys[i], keys[j]);
  });
  items sorted;
  for (std::uint32_t const i : order)
    sorted.push_back(keys[i]);
  auto const in = test::on_backend(keys, 1), with = test::on_backend(values);
  auto const counts = number_of(number);
  auto const counted = sam::counted(in, counts);
  by_last_digit const less;
  auto const limited = sam::generated(n, below{order.size(), in.data()});
  expect(context, sorted, n,
         [&](auto& out) { sam::merge_sort(context, sam::counted(limited, counts), out, less); });
  expect(context, order, n, [&](auto& out) { sam::merge_argsort(context, counted, out, less); });
  expect(context, sorted, n, [&](auto& out) {
    expect(context, order, n, [&](auto& values_out) {
      sam::merge_sort_pairs(context, counted, with, out, values_out, less);
    });
  });
  auto in_place = test::on_backend(keys);
  sam::merge_sort(context, sam::counted(in_place, counts), in_place, less);
  sam::merge_sort(context, sam::counted(sam::strided(in_place, 1), counts), in_place, less);
  context.wait();
  auto both = keys;
  std::copy(sorted.begin(), sorted.end(), both.begin());
  REQUIRE(test::differences(in_place.to_host(), both) == "");
}

struct is_seven {
  SAM_FUNCTION bool operator()(std::uint32_t x) const { return x % 100 == 7; }
};

template <class Context>
void check_finds(Context& context, index_t n, index_t number) {
  CAPTURE(n, number);
  auto const all = some_items(n, 5, 10'000);
  auto const taken = first(all, number);
  auto const k = static_cast<index_t>(taken.size());
  auto const in = test::on_backend(all, 1), ones = test::on_backend(items(all.size(), 3));
  auto const counts = number_of(number);
  auto const limited = sam::generated(n, below{taken.size(), in.data()});
  auto const counted = sam::counted(limited, counts);
  auto const found = std::find_if(taken.begin(), taken.end(), is_seven{});
  REQUIRE(sam::find_if(context, counted, is_seven{}) == found - taken.begin());
  REQUIRE(sam::any_of(context, counted, is_seven{}) == (found != taken.end()));
  REQUIRE(sam::none_of(context, counted, is_seven{}) == (found == taken.end()));
  REQUIRE(sam::count_if(context, counted, is_seven{}) ==
          std::count_if(taken.begin(), taken.end(), is_seven{}));
  REQUIRE(sam::is_sorted(context, counted) == std::is_sorted(taken.begin(), taken.end()));
  REQUIRE(sam::inner_product(context, counted, sam::strided(ones, 1)) ==
          3 * std::accumulate(taken.begin(), taken.end(), std::uint32_t{0}));
  auto const [smallest, largest] = sam::reference::minmax(taken);
  auto const extremes = sam::minmax(context, counted);
  REQUIRE((extremes.min == smallest && extremes.max == largest));
  if (n == 0)
    return;
  auto const least = std::min_element(taken.begin(), taken.end());
  auto const greatest = std::max_element(taken.begin(), taken.end());
  REQUIRE(sam::argmin(context, sam::counted(in, counts)) == (k == 0 ? -1 : least - taken.begin()));
  REQUIRE(sam::argmax(context, counted, by_last_digit{}) ==
          (k == 0 ? -1
                  : std::max_element(taken.begin(), taken.end(), by_last_digit{}) - taken.begin()));
  auto const both = sam::find_minmax(context, counted);
  REQUIRE(both.max.index == (k == 0 ? -1 : greatest - taken.begin()));
  if (k > 0)
    REQUIRE((both.min.value == *least && both.max.value == *greatest));
}

template <class Context>
void check_segments(Context& context, index_t n, index_t number) {
  CAPTURE(n, number);
  auto const all = some_items(n, 6, 1'000);
  auto flags = some_items(n, 7, 40);
  for (std::uint32_t& flag : flags)
    flag = flag == 0;
  auto const taken = first(all, number);
  auto const in = test::on_backend(all, 1), heads = test::on_backend(flags);
  auto const counts = number_of(number);
  auto const counted = sam::counted(in, counts);
  // Forward, a flag begins a segment; backward, it ends one.
  items sums, before, behind(taken.size()), totals, firsts;
  for (std::size_t i = 0; i < taken.size(); ++i) {
    bool const head = i == 0 || flags[i] != 0;
    before.push_back(head ? 0 : sums.back());
    sums.push_back(before.back() + taken[i]);
    if (head)
      totals.push_back(0), firsts.push_back(static_cast<std::uint32_t>(i));
    totals.back() = sums.back();
    if (taken[i] < taken[firsts.back()])
      firsts.back() = static_cast<std::uint32_t>(i);
  }
  for (std::size_t i = taken.size(); i-- > 0;)
    behind[i] = taken[i] + (i + 1 == taken.size() || flags[i] != 0 ? 0 : behind[i + 1]);
  auto const segments = sam::by_heads(heads);
  expect(context, sums, n,
         [&](auto& out) { sam::segmented_inclusive_scan(context, counted, segments, out); });
  expect(context, before, n,
         [&](auto& out) { sam::segmented_exclusive_scan(context, counted, segments, out); });
  expect(context, behind, n, [&](auto& out) {
    sam::segmented_inclusive_scan(context, counted, segments, out, sam::backward(sam::plus{}));
  });
  auto count = test::on_backend(std::vector<index_t>{0});
  expect(context, totals, n,
         [&](auto& out) { sam::segmented_reduce(context, counted, segments, out, count); });
  REQUIRE(count.to_host()[0] == static_cast<index_t>(totals.size()));
  expect(context, firsts, n,
         [&](auto& out) { sam::segmented_argmin(context, counted, segments, out, count); });
  REQUIRE(count.to_host()[0] == static_cast<index_t>(totals.size()));
}

/// Cuts segments by offsets or ranges, of all items that there may be, to the first items.
template <class Context>
void check_offsets(Context& context, index_t n, index_t number) {
  CAPTURE(n, number);
  auto const all = some_items(n, 10, 1'000);
  auto const taken = first(all, number);
  auto const in = test::on_backend(all, 1);
  auto const counts = number_of(number);
  auto const counted = sam::counted(in, counts);
  items offsets = some_items(n / 20, 11, static_cast<std::uint32_t>(n + 1));
  offsets.insert(offsets.end(), {0, 0, static_cast<std::uint32_t>(n)});  // some segment is empty
  std::sort(offsets.begin(), offsets.end());
  index_t const segments = std::ssize(offsets) - 1, some = segments / 2;
  items totals, matches, least, begins, ends;
  for (std::size_t k = 0; k + 1 < offsets.size(); ++k) {
    auto const begin = taken.begin() + static_cast<index_t>(within(offsets[k], taken));
    auto const end = taken.begin() + static_cast<index_t>(within(offsets[k + 1], taken));
    totals.push_back(std::accumulate(begin, end, std::uint32_t{0}));
    auto const match = std::find_if(begin, end, is_seven{});
    matches.push_back(static_cast<std::uint32_t>(match == end ? n : match - taken.begin()));
    least.push_back(begin == end ? ~0u : *std::min_element(begin, end));
    begins.push_back(offsets[k]), ends.push_back(offsets[k + 1]);
  }
  auto const from = test::on_backend(offsets), to_begin = test::on_backend(begins),
             to_end = test::on_backend(ends);
  auto const by_offsets = sam::by_offsets(from);
  expect(context, totals, segments,
         [&](auto& out) { sam::segmented_reduce(context, counted, by_offsets, out); });
  expect(context, totals, segments, [&](auto& out) {
    sam::segmented_reduce(context, counted, sam::by_checked_ranges(to_begin, to_end), out);
  });
  auto const first_some = number_of(some);
  expect(context, first(totals, some), segments, [&](auto& out) {
    sam::segmented_reduce(context, counted, sam::by_offsets(sam::counted(from, first_some)), out);
  });
  expect(context, matches, segments,
         [&](auto& out) { sam::segmented_find_if(context, counted, by_offsets, is_seven{}, out); });
  expect(context, least, segments, [&](auto& out) {
    sam::segmented_minmax(context, counted, by_offsets,
                          sam::zipped_to(out, sam::discarded<std::uint32_t>(segments)));
  });
}

template <class Context>
void check_neighbours(Context& context, index_t n, index_t number) {
  CAPTURE(n, number);
  auto const all = some_items(n, 8, 1'000);
  auto const taken = first(all, number);
  auto const in = test::on_backend(all, 1);
  auto const counts = number_of(number);
  auto const counted = sam::counted(in, counts);
  items left, right, recurrence, filtered;
  for (std::size_t i = 0; i < taken.size(); ++i) {
    left.push_back(i == 0 ? taken[i] : taken[i] - taken[i - 1]);
    right.push_back(i + 1 == taken.size() ? taken[i] : taken[i] - taken[i + 1]);
    recurrence.push_back(taken[i] * (i == 0 ? 0 : recurrence[i - 1]) + all[i]);
    filtered.push_back(taken[i] + (i < 1 ? 0 : filtered[i - 1]) + (i < 2 ? 0 : filtered[i - 2]));
  }
  expect(context, left, n, [&](auto& out) { sam::adjacent_difference(context, counted, out); });
  auto const computed = sam::transformed(in, as_it_is{});
  auto const counted_computed = sam::counted(computed, counts);
  expect_tripled(context, right, n, [&](auto const& out) {
    sam::adjacent_difference_right(context, counted_computed, out);
  });
  if (!left.empty())
    left[0] = taken[0];
  expect(context, left, n, [&](auto& out) { sam::delta_encode(context, counted, out); });
  expect_tripled(context, left, n,
                 [&](auto const& out) { sam::delta_encode(context, counted_computed, out); });
  expect(context, taken, n, [&](auto& decoded) {
    auto codes = test::on_backend(all);
    sam::delta_encode(context, computed, codes);
    sam::delta_decode(context, sam::counted(codes, counts), decoded);
    context.wait();
  });
  auto in_place = test::on_backend(all);
  sam::adjacent_difference_right(context, sam::counted(in_place, counts), in_place);
  context.wait();
  auto both = all;
  std::copy(right.begin(), right.end(), both.begin());
  REQUIRE(test::differences(in_place.to_host(), both) == "");
  expect(context, recurrence, n,
         [&](auto& out) { sam::linear_recurrence(context, counted, in, out); });
  expect_tripled(context, recurrence, n, [&](auto const& out) {
    sam::linear_recurrence(context, counted_computed, computed, out);
  });
  std::array<std::uint32_t, 2> const fibonacci{1, 1};
  expect(context, filtered, n,
         [&](auto& out) { sam::linear_filter(context, counted, fibonacci, out); });
  expect_tripled(context, filtered, n, [&](auto const& out) {
    sam::linear_filter(context, counted_computed, fibonacci, out);
  });
  // From output to output, also behind no items.
  items const before{5, 7};
  auto const start = test::on_backend(before);
  auto last = test::on_backend(items{1, 1}), last_of_maps = test::on_backend(items{1});
  items filtered_on, recurrence_on;
  for (std::size_t i = 0; i < taken.size(); ++i) {
    auto const x = [&](std::size_t back) {
      return i < back ? before[back - i - 1] : filtered_on[i - back];
    };
    filtered_on.push_back(taken[i] + x(1) + x(2));
    recurrence_on.push_back(taken[i] * (i == 0 ? 5 : recurrence_on[i - 1]) + all[i]);
  }
  expect_tripled(context, filtered_on, n, [&](auto const& out) {
    sam::linear_filter(context, counted_computed, fibonacci, out, start, last);
  });
  expect_tripled(context, recurrence_on, n, [&](auto const& out) {
    sam::linear_recurrence(context, counted_computed, in, out, 5u, last_of_maps);
  });
  std::size_t const k = taken.size();
  REQUIRE(last.to_host()[0] == (k > 0 ? filtered_on[k - 1] : 5));
  REQUIRE(last.to_host()[1] == (k > 1 ? filtered_on[k - 2] : before[1 - k]));
  REQUIRE(last_of_maps.to_host()[0] == (k > 0 ? recurrence_on[k - 1] : 5));
}

struct third_bin {
  SAM_FUNCTION index_t operator()(std::uint32_t x) const { return index_t{x} / 3 - 1; }
};

template <class Context>
void check_bins_and_runs(Context& context, index_t n, index_t number) {
  CAPTURE(n, number);
  auto const all = some_items(n, 9, 9);
  auto const taken = first(all, number);
  auto const counts = number_of(number);
  auto const there = test::on_backend(all, 1);
  auto const limited = sam::generated(n, below{taken.size(), there.data()});
  auto const in = sam::counted(limited, counts);
  auto twice = taken;
  for (auto& x : twice)
    x *= 2;
  auto const counted_in = [](items const& of, index_t bins) {
    return sam::reference::histogram<std::uint32_t>(of, bins, third_bin{});
  };
  auto const bins = counted_in(taken, 2), of_doubled = counted_in(twice, 5);
  expect(context, bins, 2, [&](auto& out) { sam::histogram(context, in, out, third_bin{}); });
  auto const doubles = sam::transformed(there, doubled{});
  expect(context, of_doubled, 5, [&](auto& out) {
    sam::histogram(context, sam::counted(doubles, counts), out, third_bin{});
  });
  expect(context, {0, bins[0], bins[0] + bins[1]}, 3,
         [&](auto& out) { sam::cumulative_histogram(context, in, out, third_bin{}); });
  items sums(2);
  for (auto const x : taken)
    if (x >= 3)
      sums[x / 3 - 1] += 2 * x;
  expect(context, sums, 2,
         [&](auto& out) { sam::weighted_histogram(context, in, doubles, out, third_bin{}); });
  if (n % 2 == 0) {
    items channels(4);
    for (std::size_t i = 0; i < taken.size() / 2 * 2; ++i)
      if (taken[i] >= 3)
        ++channels[i % 2 * 2 + taken[i] / 3 - 1];
    expect(context, channels, 4,
           [&](auto& out) { sam::histogram_of_channels<2>(context, in, out, third_bin{}); });
  }

  items values, lengths;
  for (std::size_t i = 0; i < taken.size(); ++i) {
    if (i == 0 || taken[i] != taken[i - 1])
      values.push_back(taken[i]), lengths.push_back(0);
    ++lengths.back();
  }
  auto runs = test::on_backend(std::vector<index_t>{0});
  expect(context, values, n, [&](auto& firsts) {
    expect(context, lengths, n, [&](auto& sizes) {
      sam::run_length_encode(context, in, firsts, sizes, 0, runs);
      // The number of runs stays in memory.
      auto total = test::on_backend(std::vector<index_t>{0});
      expect(context, taken, n, [&](auto& out) {
        sam::run_length_decode(context, sam::counted(firsts, runs), sizes, out, total);
      });
      REQUIRE(total.to_host()[0] == std::ssize(taken));
      expect(context, twice, n, [&](auto& out) {
        auto const doubled_firsts = sam::transformed(firsts, doubled{});
        sam::run_length_decode(context, sam::counted(doubled_firsts, runs), sam::strided(sizes, 1),
                               out, total);
      });
    });
  });
}

template <class Context>
void check_all(Context& context, index_t n, index_t number) {
  check_bins_and_runs(context, n, number);
  check_moves(context, n, number);
  check_sorts(context, n, number);
  check_finds(context, n, number);
  check_segments(context, n, number);
  check_offsets(context, n, number);
  check_neighbours(context, n, number);
  check_two(context, n, number, n / 2, number / 3);
  check_two(context, n / 3, n, n, number);
}

TEST_CASE(
    "moves, reductions, searches, merges, merge sorts, histograms and runs take their numbers of "
    "items from memory",
    "[counted]") {
  test::engine_context context;
  for (index_t const n : {0, 1, 33, 20'011})
    for (index_t const number : {index_t{-1}, index_t{0}, n / 3, n, n + 5})
      check_all(context, n, number);
  test::also_on_threads(context, [](auto& crowd) { check_all(crowd, 100'007, 70'003); });
  if constexpr (test::backend_bytes::on_host) {
    test::like_a_device device;
    for (index_t const n : {0, 1, 33, 20'011})
      for (index_t const number : {index_t{-1}, index_t{0}, n / 3, n, n + 5})
        check_all(device, n, number);
  }
  // So many that a thread of a GPU moves several.
  index_t const n = 300'007;
  for (index_t const number : {index_t{1}, n / 2, n})
    check_moves(context, n, number);
}

TEST_CASE("numbers of items in memory that cannot be used are refused", "[counted]") {
  test::engine_context context;
  auto const in = test::on_backend(items{1, 2, 3});
  auto out = test::on_backend(items{0, 0, 0});
  auto const numbers = test::on_backend(std::vector<index_t>{1, 2});
  REQUIRE_THROWS_AS(sam::merge_sort(context, sam::counted(in, numbers), out, by_last_digit{}),
                    sam::invalid_argument);
  auto const overlapping = std::span<std::uint32_t>(out.data(), 1);
  REQUIRE_THROWS_AS(sam::gather(context, in, sam::counted(in, overlapping), out),
                    sam::invalid_argument);
  auto spare = test::on_backend(items{1, 0, 0});
  std::span<std::uint32_t> const spared(spare.data(), 3);
  sam::sort_options<std::uint32_t> const with_spare{.spare_keys = spared};
  REQUIRE_THROWS_AS(sam::radix_sort(context, sam::counted(in, spared.first(1)), out, with_spare),
                    sam::invalid_argument);
  REQUIRE(out.to_host() == items{0, 0, 0});
}

}  // namespace
