// SPDX-License-Identifier: MIT
// One call of each primitive in the README's table, in its order, and what comes of it.
#include <sam/backend.hpp>
#include <sam/sam.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <memory_resource>
#include <ranges>
#include <span>
#include <type_traits>
#include <vector>

namespace {

using ints = std::vector<int>;

int mistakes = 0;
template <class T>
void expect(char const* what, std::vector<T> const& is, std::vector<T> const& wanted) {
  if (is == wanted)
    return;
  std::printf("%s is not what it should be\n", what);
  ++mistakes;
}

struct square {
  SAM_FUNCTION int operator()(int x) const { return x * x; }
};
struct square_of_index {
  SAM_FUNCTION int operator()(sam::index_t i) const { return static_cast<int>(i * i); }
};
struct is_odd {
  SAM_FUNCTION bool operator()(int x) const { return x % 2 != 0; }
};
struct is_set {
  SAM_FUNCTION bool operator()(int x) const { return x != 0; }
};
struct is_small {
  SAM_FUNCTION bool operator()(int x) const { return x < 4; }
};

void scan(sam::default_context& context) {
  ints const in{3, 1, 4, 1, 5, 9};
  ints inclusive(6), exclusive(6), of_squares(6), before_squares(6), sum(1), sum_of_squares(1);
  sam::inclusive_scan(context, in, inclusive);
  sam::exclusive_scan(context, in, exclusive);
  sam::transform_inclusive_scan(context, in, of_squares, square{}, sam::maximum{});
  sam::transform_exclusive_scan(context, in, before_squares, square{});
  sam::reduce(context, in, sum);
  sam::transform_reduce(context, in, sum_of_squares, square{});
  context.wait();
  expect("inclusive_scan", inclusive, {3, 4, 8, 9, 14, 23});
  expect("exclusive_scan", exclusive, {0, 3, 4, 8, 9, 14});
  expect("transform_inclusive_scan", of_squares, {9, 9, 16, 16, 25, 81});
  expect("transform_exclusive_scan", before_squares, {0, 9, 10, 26, 27, 52});
  expect("reduce", sum, {23});
  expect("transform_reduce", sum_of_squares, {133});
}

struct product {
  template <class Z>
  SAM_FUNCTION int operator()(Z const& z) const {
    return z.first * z.second;
  }
};
struct weighted {
  template <class I>
  SAM_FUNCTION int operator()(I const& x) const {
    return static_cast<int>(x.index) * x.value;
  }
};

void compute_inputs(sam::default_context& context) {
  ints const in{3, 1, 4, 1, 5, 9}, order{5, 4, 3, 2, 1, 0};
  ints squares(6), products(6), weights(6), backwards(6), third(2), kept(6), sums(6);
  ints keys(6), places(6), iterated(6), checked(6);
  std::vector<std::int8_t> const bytes(6, 100);
  std::vector<std::int8_t> highest(6);
  sam::inclusive_scan(context, sam::generated(6, square_of_index{}), squares);
  sam::inclusive_scan(context, sam::transformed(sam::zipped(in, order), product{}), products);
  sam::inclusive_scan(context, sam::transformed(sam::indexed(in), weighted{}), weights);
  sam::inclusive_scan(context, sam::permuted(in, order), backwards);
  sam::inclusive_scan(context, sam::permuted(in, sam::checked_indices(order)), checked);
  sam::inclusive_scan(context, sam::iterated(in.data(), 6), iterated);
  sam::inclusive_scan(context, sam::strided(in, 3), third);
  sam::inclusive_scan(context, sam::constant(6, 2), sums);
  sam::inclusive_scan(context, bytes, highest, sam::accumulate_in<int>(sam::maximum{}));
  sam::radix_sort_pairs(context, sam::strided(in, 1), sam::generated(6, square_of_index{}), keys,
                        places);
  auto const odd = sam::compact(context, sam::generated(6, square_of_index{}), kept, is_odd{});
  kept.resize(static_cast<std::size_t>(odd));
  context.wait();
  expect("generated", squares, {0, 1, 5, 14, 30, 55});
  expect("zipped", products, {15, 19, 31, 33, 38, 38});
  expect("indexed", weights, {0, 1, 9, 12, 32, 77});
  expect("permuted", backwards, {9, 14, 15, 19, 20, 23});
  expect("checked_indices", checked, backwards);
  expect("iterated", iterated, {3, 4, 8, 9, 14, 23});
  expect("strided", third, {3, 4});
  expect("constant", sums, {2, 4, 6, 8, 10, 12});
  expect("accumulate_in", highest, bytes);
  expect("compact of generated", kept, {1, 9, 25});
  expect("radix_sort_pairs of strided", keys, {1, 1, 3, 4, 5, 9});
  expect("its generated values", places, {1, 9, 0, 4, 16, 25});
}

struct first_is_odd {
  template <class Z>
  SAM_FUNCTION bool operator()(Z const& z) const {
    return z.first % 2 != 0;
  }
};
struct halved {
  SAM_FUNCTION float operator()(int x) const { return 0.5f * static_cast<float>(x); }
};

void compute_outputs(sam::default_context& context) {
  ints const in{3, 1, 4, 1, 5, 9}, order{5, 4, 3, 2, 1, 0};
  ints backwards(6), odd(6), places(6), sorted(6), sorted_order(6);
  std::vector<float> halves(6);
  sam::scan_state<int> total;
  sam::inclusive_scan(context, in, sam::transformed_to(halves, halved{}));
  sam::inclusive_scan(context, in, sam::scattered(backwards, order));
  sam::inclusive_scan(context, in, sam::discarded<int>(6), sam::plus{}, total, total);
  auto const runs = sam::reduce_by_key(context, sam::strided(in, 1), sam::constant(6, 1), odd,
                                       sam::discarded<int>(6));
  sam::partition(context, sam::zipped(in, order), sam::zipped_to(odd, places), first_is_odd{});
  sam::radix_sort_pairs(context, in, sam::zipped(order, in), sam::discarded<int>(6),
                        sam::zipped_to(sorted_order, sorted));
  context.wait();
  expect("transformed_to", halves, {1.5f, 2.0f, 4.0f, 4.5f, 7.0f, 11.5f});
  expect("scattered", backwards, {23, 14, 9, 8, 4, 3});
  expect("discarded", ints{total.value()}, {23});
  expect("reduce_by_key of computed items", ints{static_cast<int>(runs)}, {6});
  expect("zipped_to", odd, {3, 1, 1, 5, 9, 4});
  expect("zipped_to, its second output", places, {5, 4, 2, 1, 0, 3});
  expect("radix_sort_pairs of two arrays", sorted_order, {4, 2, 5, 3, 1, 0});
  expect("its second output", sorted, {1, 1, 3, 4, 5, 9});
}

void continue_scans(sam::default_context& context) {
  ints const first{3, 1, 4}, second{1, 5, 9}, number{2};
  ints sums(3), more(3), counted{0, 0, 0}, odd(3), count(1), largest(1);
  sam::scan_state<int> state, total;
  sam::inclusive_scan(context, first, sums, sam::plus{}, state, state);
  sam::exclusive_scan(context, second, more, sam::plus{}, state, state);
  sam::reduce(context, first, sam::plus{}, sam::scan_state<int>{}, total);
  sam::inclusive_scan(context, sam::counted(second, number), counted);
  sam::compact(context, sam::counted(first, number), odd, is_odd{}, count);
  sam::reduce(context, sam::counted(first, number), largest, sam::maximum{});
  sam::stream_state<int> stream;
  ints last(3);
  sam::inclusive_scan(context, first, last, sam::plus{}, stream, stream);
  sam::inclusive_scan(context, second, last, sam::plus{}, stream, stream);
  context.wait();
  expect("a scan of a stream", last, {9, 14, 23});
  expect("a scan that ends in a state", sums, {3, 4, 8});
  expect("a scan that begins with it", more, {8, 9, 14});
  expect("states", ints{state.value(), total.value()}, {23, 8});
  expect("a scan of a number of items in memory", counted, {1, 6, 0});
  expect("a compaction of such items", odd, {3, 1, 0});
  expect("a reduction of such items", largest, {3});
}

void scan_segments(sam::default_context& context) {
  ints const in{3, 1, 4, 1, 5, 9}, keys{7, 7, 8, 8, 8, 9}, offsets{0, 2, 2, 6};
  std::vector<std::uint32_t> const bits{0b010100};  // items 2 and 4 begin segments
  ints inclusive(6), exclusive(6), by_rows(6), sums(6), largest(3), of_keys(6), unique_keys(6);
  ints count(1), keys_count(1);
  sam::segmented_inclusive_scan(context, in, sam::by_keys(keys), inclusive);
  sam::segmented_exclusive_scan(context, in, sam::by_heads(sam::packed_bits(bits, 6)), exclusive);
  sam::segmented_inclusive_scan(context, in, sam::by_length(4), by_rows,
                                sam::backward(sam::plus{}));
  sam::segmented_reduce(context, in, sam::by_length(4), sums, count);
  sam::segmented_reduce(context, in, sam::by_checked_offsets(offsets), largest, sam::maximum{}, 0);
  ints const number{2};
  ints first_sums{0, 0, 0};
  sam::segmented_reduce(context, in, sam::by_offsets(sam::counted(offsets, number)), first_sums);
  ints const begins{0, 3}, ends{2, 6};
  ints of_ranges(2), of_checked_ranges(2);
  sam::segmented_reduce(context, in, sam::by_ranges(begins, ends), of_ranges);
  sam::segmented_reduce(context, in, sam::by_checked_ranges(begins, ends), of_checked_ranges);
  ints first_odd(3), odd(3), any(3), all(3), none(3);
  auto const segments = sam::by_offsets(offsets);
  sam::segmented_find_if(context, in, segments, is_odd{}, first_odd);
  sam::segmented_count_if(context, in, segments, is_odd{}, odd);
  sam::segmented_any_of(context, in, segments, is_odd{}, any);
  sam::segmented_all_of(context, in, segments, is_odd{}, all);
  sam::segmented_none_of(context, in, segments, is_odd{}, none);
  sam::reduce_by_key(context, keys, in, unique_keys, of_keys, keys_count);
  ints least(3), greatest(2), least_of_keys(3), greatest_of_keys(3), same_keys(3);
  sam::segmented_argmin(context, in, sam::by_offsets(offsets), least);
  auto const rows = sam::segmented_argmax(context, in, sam::by_length(4), greatest);
  sam::argmin_by_key(context, keys, in, same_keys, least_of_keys);
  sam::argmax_by_key(context, keys, in, same_keys, greatest_of_keys);
  std::vector<sam::min_and_max<int>> both(3);
  std::vector<sam::minmax_values<int>> found(3), found_by_key(3);
  ints sorted(3), products(3), smallest(3), largest_by_key(3), sorted_by_key(3), squares(3);
  ints first_by_key(3), odd_by_key(3), any_by_key(3), all_by_key(3), none_by_key(3);
  sam::segmented_minmax(context, in, segments, both);
  sam::segmented_find_minmax(context, in, segments, found);
  sam::segmented_is_sorted(context, in, segments, sorted);
  sam::segmented_inner_product(context, in, in, segments, products);
  sam::minmax_by_key(context, keys, in, same_keys, sam::zipped_to(smallest, largest_by_key));
  sam::find_minmax_by_key(context, keys, in, same_keys, found_by_key);
  sam::is_sorted_by_key(context, keys, in, same_keys, sorted_by_key);
  sam::inner_product_by_key(context, keys, in, in, same_keys, squares);
  sam::find_if_by_key(context, keys, in, same_keys, is_odd{}, first_by_key);
  sam::count_if_by_key(context, keys, in, same_keys, is_odd{}, odd_by_key);
  sam::any_of_by_key(context, keys, in, same_keys, is_odd{}, any_by_key);
  sam::all_of_by_key(context, keys, in, same_keys, is_odd{}, all_by_key);
  sam::none_of_by_key(context, keys, in, same_keys, is_odd{}, none_by_key);
  context.wait();
  sums.resize(static_cast<std::size_t>(count[0]));
  of_keys.resize(static_cast<std::size_t>(keys_count[0]));
  unique_keys.resize(of_keys.size());
  expect("segmented_inclusive_scan", inclusive, {3, 4, 4, 5, 10, 9});
  expect("segmented_exclusive_scan", exclusive, {0, 3, 0, 4, 0, 5});
  expect("a segmented scan backward", by_rows, {9, 6, 5, 1, 14, 9});
  expect("segmented_reduce", sums, {9, 14});
  expect("segmented_reduce by offsets", largest, {3, 0, 9});
  expect("segmented_reduce of counted segments", first_sums, {4, 0, 0});
  expect("segmented_reduce of ranges", of_ranges, {4, 15});
  expect("segmented_reduce of checked ranges", of_checked_ranges, of_ranges);
  expect("segmented_find_if", first_odd, {0, 6, 3});
  expect("segmented_count_if", odd, {2, 0, 3});
  expect("segmented_any_of", any, {1, 0, 1});
  expect("segmented_all_of", all, {1, 1, 0});
  expect("segmented_none_of", none, {0, 1, 0});
  expect("reduce_by_key", of_keys, {4, 10, 9});
  expect("its keys", unique_keys, {7, 8, 9});
  expect("segmented_argmin", least, {1, 6, 3});
  expect("segmented_argmax", greatest, {2, 5});
  expect("its count", {rows}, std::vector<sam::index_t>{2});
  expect("argmin_by_key", least_of_keys, {1, 3, 5});
  expect("argmax_by_key", greatest_of_keys, {0, 4, 5});
  expect("segmented_minmax", ints{both[0].min, both[0].max, both[2].min, both[2].max},
         {1, 3, 1, 9});
  expect("segmented_find_minmax", {found[0].min.index, found[2].max.index, found[1].min.index},
         std::vector<sam::index_t>{1, 5, 6});
  expect("segmented_is_sorted", sorted, {0, 1, 0});
  expect("segmented_inner_product", products, {10, 0, 123});
  expect("minmax_by_key", smallest, {1, 1, 9});
  expect("its maxima", largest_by_key, {3, 5, 9});
  expect("find_minmax_by_key", {found_by_key[0].max.index, found_by_key[1].min.index},
         std::vector<sam::index_t>{0, 3});
  expect("is_sorted_by_key", sorted_by_key, {0, 0, 1});
  expect("inner_product_by_key", squares, {10, 42, 81});
  expect("find_if_by_key", first_by_key, {0, 3, 5});
  expect("count_if_by_key", odd_by_key, {2, 2, 1});
  expect("any_of_by_key", any_by_key, {1, 1, 1});
  expect("all_of_by_key", all_by_key, {1, 0, 1});
  expect("none_of_by_key", none_by_key, {0, 0, 0});
  expect("their keys", same_keys, unique_keys);

  ints totals(6), numbers{0, 0, 0};
  ints by_key(6);
  sam::scan_state<int> open;
  sam::keyed_scan_state<int, int> open_key;
  for (std::size_t begin : {0u, 3u}) {
    auto const part = [&](auto& whole) { return std::span(whole).subspan(begin, 3); };
    std::span const runs(numbers);
    sam::reduce_by_key(context, part(keys), part(in), unique_keys, totals,
                       runs.subspan(begin / 3, 1), runs.subspan(begin / 3 + 1, 1));
    sam::segmented_inclusive_scan(context, part(in), sam::by_length(4), part(inclusive),
                                  sam::plus{}, open, open);
    sam::segmented_inclusive_scan(context, part(in), sam::by_keys(part(keys)), part(by_key),
                                  sam::plus{}, open_key, open_key);
  }
  context.wait();
  expect("reduce_by_key in pieces", totals, {4, 10, 9, 0, 0, 0});
  expect("a segmented scan in pieces", inclusive, {3, 4, 8, 9, 5, 14});
  expect("a scan by keys in pieces", by_key, {3, 4, 4, 5, 10, 9});
}

void compute(sam::default_context& context) {
  ints const in{3, 1, 4, 1, 5, 9}, factors{2, 2, 2, 0, 2, 2};
  ints table(6), before(6), differences(6), decoded(6), balances(6), filtered(6);
  sam::summed_area_table(context, in, 3, table);
  sam::exclusive_summed_area_table(context, in, 3, before);
  sam::delta_encode<2>(context, in, differences);
  sam::delta_decode<2>(context, differences, decoded);
  ints steps(6), steps_right(6);
  sam::adjacent_difference(context, in, steps);
  sam::adjacent_difference_right(context, in, steps_right, sam::maximum{});
  sam::linear_recurrence(context, factors, in, balances, 10);
  sam::linear_filter(context, in, std::array{1, 1}, filtered);
  context.wait();
  expect("summed_area_table", table, {3, 4, 8, 4, 10, 23});
  expect("box_sum", {sam::box_sum(table.data(), 3, 0, 1, 2, 3)}, ints{19});
  expect("exclusive_summed_area_table", before, {0, 0, 0, 0, 3, 4});
  expect("exclusive_box_sum", {sam::exclusive_box_sum(before.data(), 3, 0, 0, 1, 2)}, ints{4});
  expect("delta_encode", differences, {3, -5, 5, -6, 7, 0});
  expect("delta_decode", decoded, in);
  expect("adjacent_difference", steps, {3, -2, 3, -3, 4, 4});
  expect("adjacent_difference_right", steps_right, {3, 4, 4, 5, 9, 9});
  expect("linear_recurrence", balances, {23, 47, 98, 1, 7, 23});
  expect("linear_filter", filtered, {3, 4, 11, 16, 32, 57});
}

void compute_in_pieces(sam::default_context& context) {
  ints const in{3, 1, 4, 1, 5, 9}, factors{2, 2, 2, 0, 2, 2};
  ints differences(6), balances(6), filtered(6);
  sam::delta_state<int, 2> encoded;
  int balance = 10;
  std::array outputs{0, 0};
  for (std::size_t begin : {0u, 3u}) {
    auto const part = [&](auto& whole) { return std::span(whole).subspan(begin, 3); };
    sam::delta_encode(context, part(in), part(differences), encoded, encoded);
    sam::linear_recurrence(context, part(factors), part(in), part(balances), balance, balance);
    sam::linear_filter(context, part(in), std::array{1, 1}, part(filtered), outputs, outputs);
  }
  context.wait();
  expect("delta_encode in pieces", differences, {3, -5, 5, -6, 7, 0});
  expect("linear_recurrence in pieces", balances, {23, 47, 98, 1, 7, 23});
  expect("linear_filter in pieces", filtered, {3, 4, 11, 16, 32, 57});
}

void count(sam::default_context& context) {
  ints const in{3, 1, 4, 1, 5, 9}, boundaries{0, 2, 10};
  ints const weights{1, 2, 3, 4, 5, 6};
  ints counts(5), twice(5), below(3), of_channels(4), sums(2), with_outliers(4);
  sam::histogram(context, in, counts, sam::even_bins(0, 10));
  sam::histogram(context, in, twice, sam::even_bins(0, 10), counts);
  sam::cumulative_histogram(context, in, below, sam::bins_between(boundaries));
  sam::histogram_of_channels<2>(context, in, of_channels, sam::bins_between(boundaries));
  ints of_own_bins(3);
  sam::histogram_of_channels<2>(
      context, in, of_own_bins,
      sam::bins_of_channels(sam::channel_bins(1, sam::even_bins(0, 10)),
                            sam::channel_bins(2, sam::bins_between(boundaries))));
  sam::weighted_histogram(context, in, weights, sums, sam::bins_between(boundaries));
  sam::histogram(context, in, with_outliers, sam::with_outliers(sam::even_bins(2, 6)));
  ints of_squares(2);
  sam::histogram(context, sam::transformed(in, square{}), of_squares, sam::even_bins(0, 100));
  context.wait();
  expect("a histogram of a transform", of_squares, {5, 1});
  expect("histogram", counts, {2, 1, 2, 0, 1});
  expect("a histogram with earlier counts", twice, {4, 2, 4, 0, 2});
  expect("cumulative_histogram", below, {0, 2, 6});
  expect("histogram_of_channels", of_channels, {0, 3, 2, 1});
  expect("bins of each channel", of_own_bins, {3, 2, 1});
  expect("weighted_histogram", sums, {6, 15});
  expect("with_outliers", with_outliers, {2, 1, 2, 1});
}

/// `call` fills an array and returns how many items of it count.
template <class Call>
void expect_kept(char const* what, ints const& wanted, Call call) {
  ints out(6);
  out.resize(static_cast<std::size_t>(call(out)));
  expect(what, out, wanted);
}

void select(sam::default_context& context) {
  ints const in{3, 1, 4, 1, 5, 9}, flags{0, 1, 1, 0, 0, 1}, steps{2, 2, 0, 0, 0, 7};
  expect_kept("compact", {3, 1, 1, 5, 9},
              [&](auto& out) { return sam::compact(context, in, out, is_odd{}); });
  expect_kept("compact_flagged", {1, 4, 9},
              [&](auto& out) { return sam::compact_flagged(context, in, flags, out); });
  expect_kept("compact_by_stencil", {3, 1, 9}, [&](auto& out) {
    return sam::compact_by_stencil(context, in, steps, out, is_set{});
  });
  expect_kept("compact_indices", {0, 1, 3, 4, 5},
              [&](auto& out) { return sam::compact_indices(context, in, out, is_odd{}); });
  expect_kept("compact_indices_flagged", {1, 2, 5},
              [&](auto& out) { return sam::compact_indices_flagged(context, flags, out); });
  expect_kept("unique", {2, 0, 7}, [&](auto& out) { return sam::unique(context, steps, out); });

  float const nan = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> const measured{1.5f, nan, nan, 2.5f};
  std::vector<float> distinct(4);
  expect("unique of NaNs", {sam::unique(context, measured, distinct, sam::equal_nan())},
         std::vector<sam::index_t>{3});

  ints parted(6), in_three(6), firsts(6), values(6), runs(6), lengths(6), decoded(6);
  auto const odd = sam::partition(context, in, parted, is_odd{});
  auto const [small, other_odd] =
      sam::three_way_partition(context, in, in_three, is_small{}, is_odd{});
  auto const keys = sam::unique_by_key(context, steps, in, firsts, values);
  auto const encoded = sam::run_length_encode(context, steps, runs, lengths);
  for (ints* const of_keys : {&firsts, &values})
    of_keys->resize(static_cast<std::size_t>(keys));
  for (ints* const of_runs : {&runs, &lengths})
    of_runs->resize(static_cast<std::size_t>(encoded));
  auto const items = sam::run_length_decode(context, runs, lengths, decoded);
  ints offsets(3), sizes(3);
  auto const long_runs = sam::find_runs(context, steps, offsets, sizes);
  expect("partition", parted, {3, 1, 1, 5, 9, 4});
  expect("three_way_partition", in_three, {3, 1, 1, 5, 9, 4});
  expect("what both return", {odd, small, other_odd}, std::vector<sam::index_t>{5, 3, 2});
  expect("unique_by_key", firsts, {2, 0, 7});
  expect("its values", values, {3, 4, 9});
  expect("run_length_encode", lengths, {2, 3, 1});
  expect("run_length_decode", decoded, steps);
  expect("its count", {items}, std::vector<sam::index_t>{6});
  expect("find_runs", offsets, {0, 2, 0});
  expect("its lengths", sizes, {2, 3, 0});
  expect("what it returns", {long_runs}, std::vector<sam::index_t>{2});
}

void sort(sam::default_context& context) {
  ints const in{3, 1, 4, 1, 5, 9}, ids{0, 1, 2, 3, 4, 5};
  ints sorted(6), keys(6), values(6), order(6), rows(6), row_keys(6), row_values(6), row_order(6);
  auto const halves = sam::by_length(3);
  sam::radix_sort(context, in, sorted, {.order = sam::sort_order::descending});
  sam::radix_sort_pairs(context, in, ids, keys, values);
  sam::radix_argsort(context, in, order);
  sam::segmented_radix_sort(context, in, halves, rows);
  sam::segmented_radix_sort_pairs(context, in, ids, halves, row_keys, row_values);
  sam::segmented_radix_argsort(context, in, halves, row_order);
  context.wait();
  expect("radix_sort", sorted, {9, 5, 4, 3, 1, 1});
  expect("radix_sort_pairs", keys, {1, 1, 3, 4, 5, 9});
  expect("its values", values, {1, 3, 0, 2, 4, 5});
  expect("radix_argsort", order, values);
  expect("segmented_radix_sort", rows, {1, 3, 4, 1, 5, 9});
  expect("segmented_radix_sort_pairs", row_keys, rows);
  expect("its values", row_values, {1, 0, 2, 3, 4, 5});
  expect("segmented_radix_argsort", row_order, row_values);
  std::printf("a sort of 2^20 pairs takes %lld bytes at most\n",
              static_cast<long long>(sam::radix_sort_workspace<int, int>(context, 1 << 20)));
}

void find(sam::default_context& context) {
  ints const in{3, 1, 4, 1, 5, 9}, weights{1, 0, 2, 0, 0, 1};
  auto const [least, greatest] = sam::find_minmax(context, in);
  expect("argmin", {sam::argmin(context, in)}, std::vector<sam::index_t>{1});
  expect("argmax", {sam::argmax(context, in)}, std::vector<sam::index_t>{5});
  expect("find_min", {sam::find_min(context, in).value}, ints{1});
  expect("find_max", {sam::find_max(context, in).value}, ints{9});
  expect("find_minmax", {least.value, greatest.value}, ints{1, 9});
  expect("its indices", {least.index, greatest.index}, std::vector<sam::index_t>{1, 5});
  auto const [smallest, largest] = sam::minmax(context, in);
  expect("minmax", {smallest, largest}, ints{1, 9});
  expect("find_if", {sam::find_if(context, in, is_odd{})}, std::vector<sam::index_t>{0});
  expect("count_if", {sam::count_if(context, in, is_small{})}, std::vector<sam::index_t>{3});
  expect("inner_product", {sam::inner_product(context, in, weights)}, ints{20});
  bool const tests[] = {sam::any_of(context, in, is_small{}), !sam::all_of(context, in, is_odd{}),
                        !sam::none_of(context, in, is_odd{}), !sam::is_sorted(context, in)};
  for (bool const right : tests)
    expect("any_of, all_of, none_of and is_sorted", {right ? 1 : 0}, ints{1});
}

void move(sam::default_context& context) {
  ints const in{3, 1, 4, 1, 5, 9}, ids{0, 1, 2, 3, 4, 5}, order{1, 3, 0, 2, 4, 5}, few{5, 0};
  ints gathered(2), scattered(6), keys(6), names(6);
  sam::gather(context, in, few, gathered);
  sam::scatter(context, in, sam::checked_indices(order), scattered);
  sam::apply_permutation(context, order, in, keys, ids, names);
  context.wait();
  expect("gather", gathered, {9, 3});
  expect("scatter", scattered, {4, 3, 1, 1, 5, 9});
  expect("apply_permutation", keys, {1, 1, 3, 4, 5, 9});
  expect("its other array", names, order);
}

// Compares by the last bit alone.
struct even_first {
  SAM_FUNCTION bool operator()(int a, int b) const { return a % 2 < b % 2; }
};

void compare(sam::default_context& context) {
  ints const in{3, 1, 4, 1, 5, 9}, ids{0, 1, 2, 3, 4, 5}, some{1, 4, 9}, others{2, 4};
  ints sorted(6), keys(6), values(6), order(6), merged(5), merged_keys(5), sources(5);
  ints first(2), behind(2), begins(2), ends(2), largest(2), top_keys(2), top_ids(2), top_order(2);
  ints const ones{1, 1, 1}, twos{2, 2};
  sam::merge_sort(context, in, sorted, even_first{});
  sam::merge_sort_pairs(context, in, ids, keys, values, even_first{});
  sam::merge_argsort(context, in, order, even_first{});
  ints halves(6), half_keys(6), half_values(6), half_order(6);
  auto const half = sam::by_length(3);
  sam::segmented_merge_sort(context, in, half, halves, even_first{});
  sam::segmented_merge_sort_pairs(context, in, ids, half, half_keys, half_values, even_first{});
  sam::segmented_merge_argsort(context, in, half, half_order, even_first{});
  sam::merge(context, some, others, merged);
  sam::merge_by_key(context, some, ones, others, twos, merged_keys, sources);
  sam::lower_bound(context, some, others, first);
  sam::upper_bound(context, some, others, behind);
  sam::equal_range(context, some, others, begins, ends);
  ints united(6), common(6), lone(6), unpaired(6), united_keys(6), united_values(6);
  auto const in_any = sam::set_union(context, some, others, united);
  auto const in_both = sam::set_intersection(context, some, others, common);
  auto const in_first = sam::set_difference(context, some, others, lone);
  auto const in_one = sam::set_symmetric_difference(context, some, others, unpaired);
  sam::set_union_by_key(context, some, ones, others, twos, united_keys, united_values);
  ints of_keys(3), from_both(1), from_first(2), from_one(3);
  sam::set_intersection_by_key(context, some, ones, others, of_keys, from_both);
  sam::set_difference_by_key(context, some, ones, others, of_keys, from_first);
  sam::set_symmetric_difference_by_key(context, some, ones, others, twos, of_keys, from_one);
  sam::top_k(context, in, largest);
  sam::top_k_pairs(context, in, ids, top_keys, top_ids);
  sam::top_k_indices(context, in, top_order, sam::sort_order::ascending);
  ints const one{1};
  ints only(2);
  std::span<int> const only_one(only);
  sam::top_k(context, in, sam::counted(only_one, one));
  ints first_even(2);
  sam::partial_sort(context, in, first_even, even_first{});
  ints top_of_rows(4), row_top_keys(4), row_top_ids(4), row_top_order(4);
  auto const rows = sam::by_length(3);
  sam::segmented_top_k(context, in, rows, 2, top_of_rows);
  ints odd_of_rows(2);
  sam::segmented_top_k(context, in, rows, 1, odd_of_rows, even_first{});
  ints const ks{1, 2};
  ints some_of_rows(4);
  sam::segmented_top_k(context, in, rows, ks, some_of_rows);
  sam::segmented_top_k_pairs(context, in, ids, rows, 2, row_top_keys, row_top_ids);
  sam::segmented_top_k_indices(context, in, rows, 2, row_top_order, sam::sort_order::ascending);
  context.wait();
  expect("merge_sort", sorted, {4, 3, 1, 1, 5, 9});
  expect("merge_sort_pairs", keys, sorted);
  expect("its values", values, {2, 0, 1, 3, 4, 5});
  expect("merge_argsort", order, values);
  expect("segmented_merge_sort", halves, half_keys);
  expect("segmented_merge_argsort", half_order, half_values);
  expect("merge", merged, {1, 2, 4, 4, 9});
  expect("merge_by_key", sources, {1, 2, 1, 2, 1});
  expect("its keys", merged_keys, merged);
  expect("set_union", united, {1, 2, 4, 9, 0, 0});
  expect("set_intersection", common, {4, 0, 0, 0, 0, 0});
  expect("set_difference", lone, {1, 9, 0, 0, 0, 0});
  expect("set_symmetric_difference", unpaired, {1, 2, 9, 0, 0, 0});
  expect("their counts", {in_any, in_both, in_first, in_one},
         std::vector<sam::index_t>{4, 1, 2, 3});
  expect("set_union_by_key", united_values, {1, 2, 1, 1, 0, 0});
  expect("its keys", united_keys, united);
  expect("set_intersection_by_key", from_both, {1});
  expect("set_difference_by_key", from_first, {1, 1});
  expect("set_symmetric_difference_by_key", from_one, {1, 2, 1});
  expect("its keys", of_keys, {1, 2, 9});
  expect("lower_bound", first, {1, 1});
  expect("upper_bound", behind, {1, 2});
  expect("equal_range", begins, first);
  expect("its ends", ends, behind);
  expect("top_k", largest, {9, 5});
  expect("top_k of a number in memory", only, {9, 0});
  expect("top_k_pairs", top_keys, largest);
  expect("its values", top_ids, {5, 4});
  expect("top_k_indices", top_order, {1, 3});
  expect("partial_sort", first_even, {4, 3});
  expect("segmented_top_k", top_of_rows, {4, 3, 9, 5});
  expect("segmented_top_k of a k for each", some_of_rows, {4, 0, 9, 5});
  expect("segmented_top_k by a comparison", odd_of_rows, {3, 1});
  expect("segmented_top_k_pairs", row_top_keys, top_of_rows);
  expect("its values", row_top_ids, {2, 0, 5, 4});
  expect("segmented_top_k_indices", row_top_order, {1, 0, 3, 4});
  expect("nth_element", {sam::nth_element(context, in, 2)}, ints{3});
  expect("and by a comparison", {sam::nth_element(context, in, 1, even_first{})}, ints{3});
}

void measure(sam::default_context& context) {
  ints const in{3, 1, 2};
  ints out(3);
  context.trim();  // gives back what earlier calls made the context keep
  // [bytes]
  sam::index_t const bytes = context.bytes_for([&] { sam::merge_sort(context, in, out); });
  // [/bytes]
  expect("bytes_for, which runs nothing,", out, {0, 0, 0});
  sam::merge_sort(context, in, out);
  context.wait();
  expect("merge_sort", out, {1, 2, 3});
  expect("bytes_for", {context.held_bytes() <= bytes}, ints{1});
}

/// Sorts in memory of a resource, and reduces a view, as contexts of CPUs can.
template <class Context>
void use_standard_library([[maybe_unused]] Context const& context) {
  [[maybe_unused]] std::pmr::monotonic_buffer_resource memory;
  [[maybe_unused]] auto const check = [](auto& own) {
    ints numbers{3, 1, 2};
    sam::merge_sort(own, numbers, numbers);
    own.wait();
    expect("merge_sort in memory of a resource", numbers, {1, 2, 3});
    auto const squares = numbers | std::views::transform([](int x) { return x * x; });
    expect("reduce of a view", {sam::reduce(own, sam::iterated(squares))}, ints{14});
  };
  if constexpr (requires { context.stream(); }) {
    // a GPU, which takes neither host memory nor views
  } else if constexpr (std::is_constructible_v<Context, std::pmr::memory_resource*>) {
    Context own(&memory);
    check(own);
  } else if constexpr (requires { Context(context.space(), &memory); }) {
    Context own(context.space(), &memory);
    check(own);
  }
}

}  // namespace

int main(int argc, char** argv) {
  sam::default_runtime const runtime(argc, argv);
  sam::default_context context;
  scan(context);
  compute_inputs(context);
  compute_outputs(context);
  continue_scans(context);
  scan_segments(context);
  compute(context);
  compute_in_pieces(context);
  count(context);
  select(context);
  sort(context);
  find(context);
  move(context);
  compare(context);
  measure(context);
  use_standard_library(context);
  return mistakes;
}
