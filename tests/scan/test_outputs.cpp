// SPDX-License-Identifier: MIT
// Tests scans, selections, partitions, moves, keyed calls and sorts that write to computed outputs,
// and segments and runs of computed items.
#include <sam/compact.hpp>
#include <sam/gather.hpp>
#include <sam/inputs.hpp>
#include <sam/merge.hpp>
#include <sam/merge_sort.hpp>
#include <sam/outputs.hpp>
#include <sam/partition.hpp>
#include <sam/run_length.hpp>
#include <sam/scan_state.hpp>
#include <sam/segmented_extremes.hpp>
#include <sam/segmented_reduce.hpp>
#include <sam/segmented_scan.hpp>
#include <sam/segmented_top_k.hpp>
#include <sam/set_operations.hpp>
#include <sam/unique.hpp>

#include "support.hpp"

#include <algorithm>
#include <tuple>

namespace {

using sam::index_t;
using test::form;

/// Makes 64 bits of a result.
struct mixed {
  SAM_FUNCTION std::int64_t operator()(std::uint32_t x) const { return std::int64_t{x} * 3 + 1; }
  SAM_FUNCTION std::int64_t operator()(index_t x) const { return x * 5 + 2; }
  SAM_FUNCTION std::int64_t operator()(test::affine const& f) const {
    return std::int64_t{f.a} << 32 | f.b;
  }
};
struct is_odd {
  SAM_FUNCTION bool operator()(std::uint32_t x) const { return x % 2 != 0; }
};
struct is_third {
  SAM_FUNCTION bool operator()(std::uint32_t x) const { return x % 3 == 0; }
};

/// Calls `call` with an output that transforms and scatters `size` results of type T, and checks
/// that it took the wanted ones, or as many of them as fit.
template <class T, class Context, class Call>
void check(Context& context, index_t size, std::vector<T> const& wanted, Call const& call) {
  constexpr std::int64_t rest = -1;
  std::vector<std::int32_t> places(static_cast<std::size_t>(size));
  for (index_t i = 0; i < size; ++i)
    places[static_cast<std::size_t>(i)] = static_cast<std::int32_t>((i * 7919 + 5) % size);
  std::vector<std::int64_t> stored(places.size(), rest);
  auto out = test::on_backend(stored, 1);
  auto const indices = test::on_backend(places, 1);
  call(sam::transformed_to<T>(sam::scattered(out, indices), mixed{}));
  context.wait();
  for (std::size_t i = 0; i < wanted.size() && i < places.size(); ++i)
    stored[static_cast<std::size_t>(places[i])] = mixed{}(wanted[i]);
  REQUIRE(test::differences(out.to_host(), stored) == "");
  REQUIRE(out.fences_intact());
}

template <class T, class Policy, form Kind>
struct output_case {
  using item = T;
  using policy = Policy;
  static constexpr form kind = Kind;
};
constexpr auto back = sam::direction::backward;
using cases = std::tuple<
    output_case<std::uint32_t, sam::scan_policy<sam::plus>, form::inclusive>,
    output_case<std::uint32_t, sam::scan_policy<sam::plus, 3, 5, sam::carry::decoupled, back>,
                form::exclusive>,
    output_case<std::uint32_t,
                sam::scan_policy<sam::minimum, 2, 1, sam::carry::scan_then_propagate>,
                form::exclusive>,
    output_case<test::affine, sam::scan_policy<test::compose, 2, 1, sam::carry::decoupled, back>,
                form::inclusive_from>>;

TEMPLATE_LIST_TEST_CASE("a scan puts its results into a computed output", "[outputs]", cases) {
  using T = typename TestType::item;
  typename TestType::policy const policy;
  auto context = test::each_context();
  T const init = test::random_items<T>(1, test::seed_for(-1))[0];
  for (index_t const n : {0, 1, 63, 1000, 5000, 100'000, 300'001}) {
    CAPTURE(n);
    auto const items = test::random_items<T>(n, test::seed_for(n));
    auto const in = test::on_backend(items, 1);
    auto const wanted = test::expected_scan<TestType::kind>(items, policy, init);
    check(context, n, wanted,
          [&](auto const& out) { test::scan<TestType::kind>(context, in, out, policy, init); });
    test::also_on_threads(context, [&](auto& crowd) {
      check(crowd, n, wanted,
            [&](auto const& out) { test::scan<TestType::kind>(crowd, in, out, policy, init); });
    });
  }
}

TEST_CASE("scans of counted items and with states write to computed outputs", "[outputs]") {
  auto context = test::each_context();
  sam::scan_policy<sam::plus, 2> const twice;
  for (index_t const n : {1, 1000, 70'001}) {
    CAPTURE(n);
    auto const items = test::random_items<std::uint32_t>(n, test::seed_for(n));
    auto const in = test::on_backend(items);
    index_t const some = n - n / 3;
    auto const number = test::on_backend(std::vector<index_t>{some});
    auto const sums = sam::reference::inclusive_scan(items, twice);
    std::vector<std::uint32_t> const first(items.begin(), items.begin() + some);
    check(context, n, sam::reference::inclusive_scan(first, sam::scan_policy<sam::maximum, 1, 2>{}),
          [&](auto const& out) {
            sam::inclusive_scan(context, sam::counted(in, number), out,
                                sam::scan_policy<sam::maximum, 1, 2>{});
          });
    sam::scan_state<std::uint32_t, sam::scan_policy<sam::plus, 2>> state;
    check(context, n, sums,
          [&](auto const& out) { sam::inclusive_scan(context, in, out, twice, state, state); });
    REQUIRE(state.value() == sums.back());
    // The state is the same if results are discarded.
    sam::scan_state<std::uint32_t> total;
    sam::exclusive_scan(context, in, sam::discarded<std::uint32_t>(n), sam::plus{}, total, total);
    REQUIRE(total.value() == sam::reference::inclusive_scan(items, sam::scan_policy<>{}).back());
  }
}

template <class Context>
void check_selections(Context& context, index_t n) {
  CAPTURE(n);
  auto items = test::random_items<std::uint32_t>(n, test::seed_for(n));
  for (auto& x : items)
    x %= 7;
  auto const in = test::on_backend(items, 1);
  auto const odd = sam::reference::compact(items, is_odd{});
  index_t const some = n - n / 3;
  std::vector<std::uint32_t> const first(items.begin(), items.begin() + some);
  auto const odd_of_first = sam::reference::compact(first, is_odd{});
  auto const number = test::on_backend(std::vector<index_t>{some});
  auto const distinct = sam::reference::unique(items, std::equal_to<>{});
  index_t count = 0;
  check(context, n, odd,
        [&](auto const& out) { count = sam::compact(context, in, out, is_odd{}); });
  REQUIRE(count == static_cast<index_t>(odd.size()));
  check(context, n / 4, odd, [&](auto const& out) {  // of which some do not fit
    sam::compact(context, in, out, is_odd{}, count);
  });
  REQUIRE(count == static_cast<index_t>(odd.size()));
  check(context, n, odd_of_first, [&](auto const& out) {
    sam::compact(context, sam::counted(in, number), out, is_odd{}, count);
  });
  auto const same = sam::strided(in, 1);
  check(context, n, odd, [&](auto const& out) {
    sam::compact_by_stencil(context, same, same, out, is_odd{}, count);
  });
  check(context, n, sam::reference::compact_flagged(items, items),
        [&](auto const& out) { count = sam::compact_flagged(context, same, in, out); });
  check(context, n, sam::reference::compact_indices<index_t>(items, is_odd{}),
        [&](auto const& out) { sam::compact_indices(context, in, out, is_odd{}, count); });
  check(context, n, distinct, [&](auto const& out) { count = sam::unique(context, in, out); });
  REQUIRE(count == static_cast<index_t>(distinct.size()));
  check(context, n, distinct, [&](auto const& out) {
    sam::unique_by_key(context, in, in, sam::discarded<std::uint32_t>(n), out, count);
  });
  check(context, n, sam::reference::partition(items, is_odd{}),
        [&](auto const& out) { count = sam::partition(context, in, out, is_odd{}); });
  REQUIRE(count == static_cast<index_t>(odd.size()));
  check(context, n, sam::reference::three_way_partition(first, is_third{}, is_odd{}),
        [&](auto const& out) {
          sam::three_way_partition(context, sam::counted(in, number), out, is_third{}, is_odd{});
        });
}
TEST_CASE("selections and partitions write to computed outputs", "[outputs]") {
  auto context = test::each_context();
  for (index_t const n : {0, 1, 63, 1000, 5000, 300'001}) {
    check_selections(context, n);
    test::also_on_threads(context, [&](auto& crowd) { check_selections(crowd, n); });
  }
}

struct reversed_index {
  index_t n;
  SAM_FUNCTION index_t operator()(index_t i) const { return n - 1 - i; }
};
TEST_CASE("items are moved from computed inputs to computed outputs", "[outputs]") {
  auto context = test::each_context();
  for (index_t const n : {0, 1, 1000, 70'001}) {
    CAPTURE(n);
    auto const items = test::random_items<std::uint32_t>(n, test::seed_for(n));
    auto const in = test::on_backend(items, 1);
    auto const backwards = sam::generated(n, reversed_index{n});
    std::vector<std::uint32_t> const turned(items.rbegin(), items.rend());
    check(context, n, turned, [&](auto const& out) { sam::gather(context, in, backwards, out); });
    check(context, n, turned, [&](auto const& out) { sam::scatter(context, in, backwards, out); });
    test::fenced_array<std::uint32_t> plain(n), twice(n);
    check(context, n, turned, [&](auto const& out) {
      sam::apply_permutation(context, backwards, in, out, sam::strided(in, 1), plain);
    });
    REQUIRE(plain.to_host() == turned);
    // One output may stand for several arrays.
    sam::gather(context, sam::zipped(in, in), backwards, sam::zipped_to(plain, twice));
    context.wait();
    REQUIRE((plain.to_host() == turned && twice.to_host() == turned));
  }
}

struct key_at {
  SAM_FUNCTION std::uint32_t operator()(index_t i) const {
    return static_cast<std::uint32_t>(i / 7 % 5 + i / 100);
  }
};
struct doubled {
  SAM_FUNCTION std::uint32_t operator()(std::uint32_t x) const { return 2 * x; }
};
TEST_CASE("segments and runs of computed items go to computed outputs", "[outputs]") {
  auto context = test::each_context();
  sam::scan_policy<> const sums;
  auto const backward = sam::backward(sums);
  auto const equal = std::equal_to<>{};
  for (index_t const n : {0, 1, 63, 1000, 5000, 100'000}) {
    CAPTURE(n);
    auto items = test::random_items<std::uint32_t>(n, test::seed_for(n));
    auto const array = test::on_backend(items, 1);
    auto const in = sam::transformed(array, doubled{});
    auto const keys = sam::generated(n, key_at{});
    std::vector<std::uint32_t> wanted_keys;
    std::vector<std::uint8_t> heads;
    for (index_t i = 0; i < n; ++i) {
      items[static_cast<std::size_t>(i)] *= 2;
      wanted_keys.push_back(key_at{}(i));
      heads.push_back(i == 0 || key_at{}(i - 1) != key_at{}(i));
    }
    index_t const some = n - n / 3;
    auto const number = test::on_backend(std::vector<index_t>{some});
    std::vector<std::uint32_t> const first(items.begin(), items.begin() + some);
    auto const first_keys =
        std::vector<std::uint32_t>(wanted_keys.begin(), wanted_keys.begin() + some);
    auto const flags = test::on_backend(heads);
    auto const offsets = sam::reference::offsets_of<index_t>(heads);

    check(context, n, sam::reference::segmented_inclusive_scan(items, heads, sums),
          [&](auto const& out) {
            sam::segmented_inclusive_scan(context, in, sam::by_keys(keys), out);
          });
    check(context, n, sam::reference::segmented_exclusive_scan(first, heads, backward, 5u),
          [&](auto const& out) {
            sam::segmented_exclusive_scan(context, sam::counted(in, number), sam::by_heads(flags),
                                          out, backward, 5u);
          });
    sam::keyed_scan_state<std::uint32_t, std::uint32_t> state;
    check(context, n, sam::reference::segmented_inclusive_scan(items, heads, sums),
          [&](auto const& out) {
            sam::segmented_inclusive_scan(context, in, sam::by_keys(keys), out, sam::plus{}, state,
                                          state);
          });
    test::fenced_array<std::uint32_t> firsts(n, 1);
    sam::scan_policy<sam::plus, 2> const order_2;
    check(context, n, sam::reference::segmented_inclusive_scan(first, heads, order_2),
          [&](auto const& out) {
            sam::segmented_inclusive_scan(context, sam::counted(in, number), sam::by_keys(keys),
                                          out, order_2);
          });

    auto const totals = sam::reference::segmented_reduce(items, offsets, sums, 0u);
    auto const segments = static_cast<index_t>(totals.size());
    auto some_empty = offsets;
    some_empty.insert(some_empty.begin() + segments / 2, 2, some_empty[offsets.size() / 2]);
    std::sort(some_empty.begin(), some_empty.end());
    auto const by_offsets = test::on_backend(some_empty);
    check(context, segments + 2, sam::reference::segmented_reduce(items, some_empty, sums, 0u),
          [&](auto const& out) {
            sam::segmented_reduce(context, in, sam::by_offsets(by_offsets), out);
          });
    index_t count = 0;
    check(context, n, totals,
          [&](auto const& out) { count = sam::reduce_by_key(context, keys, in, firsts, out); });
    REQUIRE(count == segments);
    auto const distinct = sam::reference::unique(wanted_keys, equal);
    auto got = firsts.to_host();
    got.resize(distinct.size());
    REQUIRE(got == distinct);
    check(context, n, sam::reference::reduce_by_key(first_keys, first, sums, 0u).second,
          [&](auto const& out) {
            sam::reduce_by_key(context, sam::counted(keys, number), in,
                               sam::discarded<std::uint32_t>(n), out, count);
          });
    std::vector<index_t> smallest;
    for (auto const offset : offsets)
      if (offset < n)
        smallest.push_back(offset);
    for (index_t k = 0; k < segments; ++k)
      for (index_t i = offsets[static_cast<std::size_t>(k)];
           i < offsets[static_cast<std::size_t>(k) + 1]; ++i)
        if (index_t& at = smallest[static_cast<std::size_t>(k)];
            items[static_cast<std::size_t>(i)] < items[static_cast<std::size_t>(at)])
          at = i;
    check(context, n, smallest, [&](auto const& out) {
      sam::argmin_by_key(context, keys, in, sam::discarded<std::uint32_t>(n), out, count);
    });
    REQUIRE(count == segments);
    check(context, n, sam::reference::run_length_encode<index_t>(wanted_keys, equal).second,
          [&](auto const& out) { sam::run_length_encode(context, keys, firsts, out, count); });
    REQUIRE(count == segments);
    check(context, n, distinct, [&](auto const& out) {
      sam::run_length_encode(context, keys, out, sam::discarded<index_t>(n), count);
    });
    check(context, n, distinct, [&](auto const& out) { sam::unique(context, keys, out, count); });
    check(context, n, sam::reference::unique_by_key(first_keys, first, equal).second,
          [&](auto const& out) {
            sam::unique_by_key(context, sam::counted(keys, number), in,
                               sam::discarded<std::uint32_t>(n), out, count);
          });
    REQUIRE(firsts.fences_intact());
  }
}

TEST_CASE("scans and reductions of segments combine items in another type", "[outputs]") {
  auto context = test::each_context();
  auto const in_double = sam::accumulate_in<double>(sam::plus{});
  for (index_t const n : {1, 1000, 70'001}) {
    CAPTURE(n);
    std::vector<double> items;  // whose sums need more bits than a float has, and few for a double
    std::vector<std::uint8_t> heads;
    for (auto const x : test::random_items<std::uint32_t>(n, test::seed_for(n)))
      items.push_back(x % (1u << 24));
    for (index_t i = 0; i < n; ++i)
      heads.push_back(i == 0 || key_at{}(i - 1) != key_at{}(i));
    auto const rounded = [](std::vector<double> const& sums) {
      return std::vector<float>(sums.begin(), sums.end());
    };
    auto const offsets = sam::reference::offsets_of<index_t>(heads);
    auto const totals =
        rounded(sam::reference::segmented_reduce(items, offsets, sam::scan_policy<>{}, 0.0));
    auto const wanted =
        rounded(sam::reference::segmented_inclusive_scan(items, heads, sam::scan_policy<>{}));
    auto const in = test::on_backend(rounded(items), 1);
    auto const by_offsets = test::on_backend(offsets);
    auto const keys = sam::generated(n, key_at{});
    auto sums = test::on_backend(rounded(items), 1);
    test::fenced_array<float> by_key(n, 1), by_offset(static_cast<index_t>(totals.size()), 1);
    sam::segmented_inclusive_scan(context, sums, sam::by_keys(keys), sums, in_double);
    index_t const count =
        sam::reduce_by_key(context, keys, in, sam::discarded<std::uint32_t>(n), by_key, in_double);
    sam::segmented_reduce(context, in, sam::by_offsets(by_offsets), by_offset, in_double);
    context.wait();
    REQUIRE(sums.to_host() == wanted);
    REQUIRE(by_offset.to_host() == totals);
    auto got = by_key.to_host();
    got.resize(static_cast<std::size_t>(count));
    REQUIRE(got == totals);
    REQUIRE((sums.fences_intact() && by_key.fences_intact() && by_offset.fences_intact()));
  }
}

struct lower_digit {
  SAM_FUNCTION bool operator()(std::uint32_t a, std::uint32_t b) const { return a % 16 < b % 16; }
};
TEST_CASE("sorts, merges and selections by rank write to computed outputs", "[outputs]") {
  auto context = test::each_context();
  std::less<> const less;
  for (index_t const n : {0, 1, 1000, 70'001}) {
    CAPTURE(n);
    auto items = test::random_items<std::uint32_t>(n, test::seed_for(n));
    for (auto& x : items)
      x %= 1u << 20;
    auto const in = test::on_backend(items, 1);
    index_t const some = n - n / 3, k = some / 10;
    auto const number = test::on_backend(std::vector<index_t>{some});
    std::vector<std::uint32_t> const first(items.begin(), items.begin() + some);
    auto const order = sam::reference::merge_argsort<std::uint32_t>(first, less);
    auto const sorted = sam::reference::in_order(first, order);
    auto const sorted_in = test::on_backend(sorted, 1);
    auto const counted = sam::counted(in, number);

    check(context, n, sorted, [&](auto const& out) { sam::radix_sort(context, counted, out); });
    check(context, n, order, [&](auto const& out) { sam::radix_argsort(context, counted, out); });
    check(context, n, sorted, [&](auto const& out) {
      sam::merge_sort_pairs(context, counted, in, sam::discarded<std::uint32_t>(n), out);
    });
    auto const merged = sam::reference::merge(sorted, sorted, less);
    check(context, 2 * some, merged,
          [&](auto const& out) { sam::merge(context, sorted_in, sorted_in, out); });
    auto const sums = sam::reference::set_union(sorted, merged, less);
    auto const merged_in = test::on_backend(merged, 1);
    index_t count = 0;
    check(context, n, sums,
          [&](auto const& out) { count = sam::set_union(context, sorted_in, merged_in, out); });
    REQUIRE(count == static_cast<index_t>(sums.size()));
    std::vector<std::uint32_t> const last(sorted.rbegin(), sorted.rbegin() + k);
    check(context, k, last, [&](auto const& out) { sam::top_k(context, counted, out); });
    check(context, k, last, [&](auto const& out) {
      sam::segmented_top_k(context, sorted_in, sam::by_length(some + 1), k, out);
    });
    std::vector<std::uint32_t> lengths(items);
    for (auto& x : lengths)
      x %= 3;
    auto const decoded = sam::reference::run_length_decode(items, lengths);
    auto const lengths_in = test::on_backend(lengths);
    check(context, n + 5, decoded,
          [&](auto const& out) { count = sam::run_length_decode(context, in, lengths_in, out); });
    REQUIRE(count == static_cast<index_t>(decoded.size()));
  }
}

TEST_CASE("sorts move the values of several arrays, also in place", "[outputs]") {
  auto context = test::each_context();
  for (index_t const n : {0, 1, 1000, 70'001}) {
    CAPTURE(n);
    auto const keys = test::random_items<std::uint32_t>(n, test::seed_for(n));
    auto const wide = test::random_items<std::int64_t>(n, test::seed_for(n + 1));
    auto const bytes = test::random_items<std::uint8_t>(n, test::seed_for(n + 2));
    index_t const some = n - n / 3;
    auto const number = test::on_backend(std::vector<index_t>{some});
    std::vector<std::uint32_t> const first(keys.begin(), keys.begin() + some);
    auto const checked = [&](auto const& less, auto const& sort) {
      auto order = sam::reference::merge_argsort<index_t>(first, less);
      for (index_t i = some; i < n; ++i)
        order.push_back(i);
      auto key = test::on_backend(keys, 1);
      auto a = test::on_backend(wide), b = test::on_backend(wide, 1);
      auto c = test::on_backend(bytes, 1);
      sort(sam::counted(key, number), sam::zipped(sam::zipped(a, b), c), key,
           sam::zipped_to(sam::zipped_to(a, b), c));
      context.wait();
      REQUIRE(key.to_host() == sam::reference::in_order(keys, order));
      REQUIRE(a.to_host() == sam::reference::in_order(wide, order));
      REQUIRE(b.to_host() == a.to_host());
      REQUIRE(c.to_host() == sam::reference::in_order(bytes, order));
    };
    checked(std::less<>{}, [&](auto const& in, auto const& values, auto& out, auto const& to) {
      sam::radix_sort_pairs(context, in, values, out, to);
    });
    checked(lower_digit{}, [&](auto const& in, auto const& values, auto& out, auto const& to) {
      sam::merge_sort_pairs(context, in, values, out, to, lower_digit{});
    });
  }
}

TEST_CASE("computed outputs that cannot be written are refused", "[outputs]") {
  auto context = test::each_context();
  auto const five = test::on_backend(std::vector<std::int32_t>{1, 2, 3, 4, 5});
  auto const twice = test::on_backend(std::vector<std::int32_t>{0, 1, 2, 3, 1});
  test::fenced_array<std::int32_t> out(5), four(4);
  auto const refuses = [&](auto const& to, std::string const& argument,
                           std::string const& problem) {
    test::fails([&] { sam::inclusive_scan(context, five, to); }, "sam::inclusive_scan", argument,
                problem);
    REQUIRE((out.untouched() && four.untouched()));
  };
  refuses(sam::scattered(four, sam::checked_indices(five)), "indices",
          "are not all in [0, 4): the first one that is not is at 3");
  refuses(sam::scattered(out, sam::checked_indices(twice)), "indices",
          "are not distinct: some index occurs more than once");
  refuses(sam::scattered(out, four), "out",
          "holds 4 items but in holds 5; both must hold the same number");
  refuses(sam::scattered(out, out), "out", "overlaps indices; the two must lie apart");
  refuses(sam::discarded<std::int32_t>(-1), "out", "has a size of -1; it must not be negative");
  test::fails(
      [&] { sam::gather(context, sam::zipped(five, five), five, sam::zipped_to(out, four)); },
      "sam::gather", "out", "zips outputs of 5 and of 4 items; all must hold the same number");
  test::fails(
      [&] { sam::gather(context, sam::zipped(five, five), five, sam::zipped_to(out, out)); },
      "sam::gather", "out", "overlaps out; the two must lie apart");
  // Arrays that an output writes lie apart from all others, also in place.
  auto const to_itself = sam::scattered(out, five);
  test::fails([&] { sam::inclusive_scan(context, out, to_itself); }, "sam::inclusive_scan", "out",
              "overlaps in; the two must lie apart");
  test::fails([&] { sam::unique_by_key(context, five, five, to_itself, out); },
              "sam::unique_by_key", "values_out", "overlaps keys_out; the two must lie apart");
  auto const of_out = sam::by_keys(sam::strided(out, 1));
  test::fails([&] { sam::segmented_inclusive_scan(context, five, of_out, out); },
              "sam::segmented_inclusive_scan", "out", "overlaps keys; the two must lie apart");
  auto const of_four = sam::by_keys(sam::strided(four, 1));
  test::fails([&] { sam::segmented_inclusive_scan(context, five, of_four, out); },
              "sam::segmented_inclusive_scan", "keys",
              "holds 4 items but must hold 5, one for each item of in");
  test::fails([&] { sam::radix_sort(context, out, to_itself); }, "sam::radix_sort", "out",
              "overlaps in; the two must lie apart");
  test::fails([&] { sam::radix_sort_pairs(context, five, five, out, to_itself); },
              "sam::radix_sort_pairs", "values_out", "overlaps keys_out; the two must lie apart");
  REQUIRE(out.untouched());
}

}  // namespace
