// SPDX-License-Identifier: MIT
// Calls every primitive with items, keys, callables and containers of a caller's namespace that
// declares functions with all of the library's names (hijacked.hpp). The main check is that this
// file compiles.
#include "hijacked.hpp"
#include "support.hpp"

namespace {

using hijacked::view;
using sam::index_t;

constexpr std::size_t n = 10;
constexpr int numbers[n] = {3, 1, 1, 0, 2, 2, 2, 5, 0, 1};

template <class T>
T number(int x) {
  if constexpr (std::is_same_v<T, int>)
    return x;
  else
    return hijacked::item_of<sizeof(T) / sizeof(int) - 1>(x);
}
template <class T>
std::vector<T> items() {
  std::vector<T> all;
  for (int const x : numbers)
    all.push_back(number<T>(x));
  return all;
}

/// Arrays in the back end's memory, and a caller's views of them.
template <class T>
struct arrays {
  sam::default_context context;
  test::fenced_array<T> items = test::on_backend(::items<T>());
  test::fenced_array<int> numbers = test::on_backend(::items<int>());
  test::fenced_array<T> results{n}, other_results{n};
  test::fenced_array<int> indices{n}, counts{2};
  test::fenced_array<int> offset_items = test::on_backend(std::vector<int>{0, 3, 3, 10});
  view<T const> in{std::as_const(items), n};
  view<int const> flags{std::as_const(numbers), n}, offsets{std::as_const(offset_items), 4};
  view<T> out{results, n}, other{other_results, n}, one{results, 1}, three{results, 3};
  view<int> places{indices, n}, count{counts, 1}, two_counts{counts, 2};

  /// Returns result i as a number.
  int operator[](std::size_t i) {
    context.wait();
    return hijacked::number_of(results.to_host()[i]);
  }
  int counted() {
    context.wait();
    return counts.to_host()[0];
  }
};

template <int Order, int Tuple>
using plus_policy = sam::scan_policy<hijacked::plus, Order, Tuple>;
using pair = hijacked::item<1>;
using triple = hijacked::item<2>;

TEMPLATE_TEST_CASE("scans consider no function of a caller's namespace", "[names]", int, pair,
                   triple) {
  arrays<TestType> a;
  hijacked::plus const plus;
  auto const init = number<TestType>(100);
  sam::inclusive_scan(a.context, a.in, a.out, plus);
  REQUIRE(a[9] == 17);
  sam::inclusive_scan(a.context, a.in, a.out, plus_policy<2, 1>{});
  sam::inclusive_scan(a.context, a.in, a.out, plus_policy<1, 3>{});
  sam::inclusive_scan(a.context, a.in, a.out, sam::tuples_of(4, plus));
  sam::inclusive_scan(a.context, a.in, a.out, sam::backward(plus));
  REQUIRE(a[0] == 17);
  sam::exclusive_scan(a.context, a.in, a.out, plus, init);
  REQUIRE(a[9] == 116);
  sam::transform_inclusive_scan(a.context, a.in, a.out, hijacked::negate{}, plus);
  REQUIRE(a[9] == -17);
  sam::transform_exclusive_scan(a.context, a.in, a.out, hijacked::negate{}, plus, init);
  sam::reduce(a.context, a.in, a.one, plus, init);
  REQUIRE(a[0] == 117);
  auto const total = sam::transform_reduce(a.context, a.in, hijacked::negate{}, plus);
  REQUIRE(hijacked::number_of(total) == -17);
}

TEMPLATE_TEST_CASE("carry schemes consider no function of a caller's namespace", "[names]",
                   sam::carry::chained, sam::carry::lookback, sam::carry::reduce_then_scan,
                   sam::carry::scan_then_propagate) {
  arrays<triple> a;
  sam::inclusive_scan(a.context, a.in, a.out, sam::scan_policy<hijacked::plus, 1, 1, TestType>{});
  REQUIRE(a[9] == 17);
}

TEMPLATE_TEST_CASE("segments consider no function of a caller's namespace", "[names]", int,
                   triple) {
  arrays<TestType> a;
  hijacked::plus const plus;
  auto const init = number<TestType>(100);
  sam::segmented_inclusive_scan(a.context, a.in, sam::by_heads(a.flags), a.out, plus);
  REQUIRE(a[8] == 5);
  sam::segmented_inclusive_scan(a.context, a.in, sam::by_length(5), a.out, sam::backward(plus));
  sam::segmented_exclusive_scan(a.context, a.in, sam::by_keys(a.in, hijacked::same_number{}), a.out,
                                plus, init);
  REQUIRE(a[6] == 104);
  sam::segmented_inclusive_scan(a.context, a.in, sam::by_offsets(a.offsets), a.out, plus);
  REQUIRE(a[9] == 12);
  sam::segmented_reduce(a.context, a.in, sam::by_checked_offsets(a.offsets), a.three, plus, init);
  REQUIRE(a[1] == 100);
  sam::segmented_reduce(a.context, a.in, sam::by_heads(a.flags), a.out, a.count, plus);
  REQUIRE(a.counted() == 8);
  sam::reduce_by_key(a.context, a.in, a.in, a.other, a.out, a.count, plus, hijacked::same_number{});
  REQUIRE(a.counted() == 7);
  REQUIRE(a[3] == 6);
}

TEST_CASE("computations consider no function of a caller's namespace", "[names]") {
  arrays<int> a;
  sam::summed_area_table(a.context, a.in, 5, a.out);
  REQUIRE(a[9] == 17);
  sam::exclusive_summed_area_table(a.context, a.in, 5, a.out);
  sam::delta_encode<2>(a.context, a.in, a.out);
  sam::delta_decode<2>(a.context, a.in, a.out);
  sam::linear_recurrence(a.context, a.in, a.in, a.out);
  sam::linear_filter(a.context, a.in, std::array{1, 1}, a.out);
  sam::histogram(a.context, a.in, view<int>(a.indices, 4), sam::even_bins(0, 8));
  sam::histogram(a.context, a.in, a.places, hijacked::digits{});
  sam::weighted_histogram(a.context, a.in, a.in, view<int>(a.indices, 4),
                          sam::with_outliers(sam::even_bins(1, 8)));
  sam::histogram_of_channels<2>(a.context, a.in, view<int>(a.indices, 4), sam::even_bins(0, 8));
  sam::cumulative_histogram(a.context, a.in, view<int>(a.indices, 4), sam::bins_between(a.offsets));
  a.context.wait();
  REQUIRE(a.indices.to_host()[3] == 10);
}

TEMPLATE_TEST_CASE("selections consider no function of a caller's namespace", "[names]", int,
                   triple) {
  arrays<TestType> a;
  REQUIRE(sam::compact(a.context, a.in, a.out, hijacked::is_odd{}) == 5);
  REQUIRE(a[4] == 1);
  sam::compact_flagged(a.context, a.in, a.flags, a.out, a.count);
  sam::compact_by_stencil(a.context, a.in, a.in, a.out, hijacked::is_odd{}, a.count);
  sam::compact_indices(a.context, a.in, a.places, hijacked::is_odd{}, a.count);
  sam::compact_indices_flagged(a.context, a.flags, a.places, a.count);
  REQUIRE(a.counted() == 8);
  sam::partition(a.context, a.in, a.out, hijacked::is_odd{}, a.count);
  sam::three_way_partition(a.context, a.in, a.out, hijacked::is_odd{}, hijacked::is_zero{},
                           a.two_counts);
  REQUIRE(a[9] == 2);
  REQUIRE(sam::unique(a.context, a.in, a.out, hijacked::same_number{}) == 7);
  sam::unique_by_key(a.context, a.in, a.in, a.other, a.out, a.count, hijacked::same_number{});
  sam::run_length_encode(a.context, a.in, a.out, a.places, a.count, hijacked::same_number{});
  REQUIRE(a.counted() == 7);
  sam::find_runs(a.context, a.in, a.places, sam::discarded<int>(n), a.count,
                 hijacked::same_number{});
  sam::run_length_decode(a.context, a.in, a.flags, a.out, a.count);
  REQUIRE(a[9] == 2);
}

TEMPLATE_TEST_CASE("sorts consider no function of a caller's namespace", "[names]", int, triple) {
  arrays<TestType> a;
  hijacked::digits const digits;
  auto const rows = sam::by_length(5);
  sam::radix_sort(a.context, a.in, a.out, digits);
  REQUIRE(a[9] == 5);
  sam::radix_sort_pairs(a.context, a.in, a.in, a.other, a.out, digits,
                        {.order = sam::sort_order::descending});
  REQUIRE(a[0] == 5);
  sam::radix_argsort(a.context, a.in, a.places, digits);
  sam::segmented_radix_sort(a.context, a.in, sam::by_offsets(a.offsets), a.out, digits);
  REQUIRE(a[0] == 1);
  sam::segmented_radix_sort_pairs(a.context, a.in, a.in, rows, a.other, a.out, digits);
  sam::segmented_radix_argsort(a.context, a.in, rows, a.places, digits);
  a.context.wait();
  REQUIRE(a.indices.to_host()[0] == 3);
}

TEMPLATE_TEST_CASE("searches, moves and comparisons consider no function of a caller's namespace",
                   "[names]", int, pair, triple) {
  using T = TestType;
  arrays<T> a;
  hijacked::less_number const less;
  hijacked::is_odd const is_odd;
  REQUIRE(sam::argmin(a.context, a.in, less) == 3);
  REQUIRE(sam::argmax(a.context, a.in, less) == 7);
  auto const found = sam::find_minmax(a.context, a.in, less);
  REQUIRE(hijacked::number_of(found.max.value) == 5);
  if constexpr (std::is_same_v<T, int>) {
    REQUIRE(sam::minmax(a.context, a.in).max == 5);
    view<T> const largest(a.other, 1);
    sam::minmax(a.context, sam::transformed(a.in, hijacked::negate{}),
                sam::zipped_to(a.one, largest));
  }
  REQUIRE(sam::find_min(a.context, a.in, less).index == 3);
  REQUIRE(sam::find_max(a.context, a.in, less).index == 7);
  sam::segmented_argmin(a.context, a.in, sam::by_offsets(a.offsets), view<int>(a.indices, 3), less);
  sam::argmax_by_key(a.context, a.in, a.in, a.other, a.places, a.count, less,
                     hijacked::same_number{});
  sam::find_minmax_by_key(a.context, a.in, a.in, a.other, sam::discarded<sam::minmax_values<T>>(10),
                          a.count, less, hijacked::same_number{});
  sam::is_sorted_by_key(a.context, a.in, a.in, a.other, a.places, a.count, less,
                        hijacked::same_number{});
  sam::find_if_by_key(a.context, a.in, a.in, a.other, is_odd, a.places, a.count,
                      hijacked::same_number{});
  REQUIRE(sam::find_if(a.context, a.in, is_odd) == 0);
  REQUIRE(sam::count_if(a.context, a.in, is_odd) == 5);
  REQUIRE(sam::any_of(a.context, a.in, is_odd));
  REQUIRE(!sam::all_of(a.context, a.in, is_odd));
  REQUIRE(!sam::none_of(a.context, a.in, is_odd));
  REQUIRE(!sam::is_sorted(a.context, a.in, less));
  sam::merge_argsort(a.context, a.in, a.places, less);
  sam::gather(a.context, a.in, a.places, a.out);
  REQUIRE(a[9] == 5);
  sam::scatter(a.context, a.in, sam::checked_indices(a.places), a.out);
  REQUIRE(a[7] == 1);
  sam::apply_permutation(a.context, a.places, a.in, a.out);
  REQUIRE(a[0] == 0);
  sam::merge_sort(a.context, a.in, a.out, less);
  sam::merge_sort_pairs(a.context, a.in, a.flags, a.other, a.places, less);
  REQUIRE(a[9] == 5);
  test::fenced_array<T> twice_items(2 * n);
  test::fenced_array<int> twice_numbers(2 * n);
  view<T> both(twice_items, 2 * n);
  view<int> both_numbers(twice_numbers, 2 * n);
  sam::merge(a.context, a.other, a.out, both, less);
  sam::merge_by_key(a.context, a.out, a.flags, a.out, a.flags, both, both_numbers, less);
  sam::set_difference(a.context, a.out, a.out, both, a.count, less);
  sam::set_union_by_key(a.context, a.out, a.flags, a.out, a.flags, both, both_numbers, a.count,
                        less);
  sam::lower_bound(a.context, a.out, a.in, a.places, less);
  sam::upper_bound(a.context, a.out, a.in, a.places, less);
  test::fenced_array<int> other_places(n);
  view<int> ends(other_places, n);
  sam::equal_range(a.context, a.out, a.in, a.places, ends, less);
  a.context.wait();
  REQUIRE(ends.size() == n);
  if constexpr (std::is_same_v<T, int>) {
    sam::top_k(a.context, a.in, a.three);
    sam::top_k_indices(a.context, a.in, a.three);
    REQUIRE(a[0] == 7);
    sam::segmented_top_k(a.context, a.in, sam::by_length(5), 5, a.out);
    sam::segmented_top_k_pairs(a.context, a.in, a.in, sam::by_length(5), 5, a.out, a.other);
    REQUIRE(sam::nth_element(a.context, a.in, 9) == 5);
    REQUIRE(sam::inner_product(a.context, a.in, a.flags) == 49);
  }
}

}  // namespace
