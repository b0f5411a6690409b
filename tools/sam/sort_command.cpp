// SPDX-License-Identifier: MIT
// Implements `sam sort`.
#include "arrays.hpp"
#include "commands.hpp"
#include "destination.hpp"
#include "failure.hpp"
#include "npy.hpp"
#include "segments.hpp"
#include "words.hpp"

#include <algorithm>
#include <functional>

namespace sam::tool {

namespace {

/// Returns the options of the sort. Throws a failure if the items do not have the wanted bits.
sort_request request_for(item_type type, sort_options const& options) {
  auto const all = static_cast<int>(8 * bytes_of(type));
  auto const [begin, end] = options.bits.value_or(std::array{0, all});
  if (begin < 0 || begin > end || end > all)
    throw failure("--bits " + std::to_string(begin) + " " + std::to_string(end) +
                  " must not fall, and lie from 0 to " + std::to_string(all) + ", for items of " +
                  std::string(names_of(type).name));
  return {options.descending, {begin, end}, options.in_total_order};
}

/// Sorts keys by comparisons, and takes the items and values in their order.
void sort_by_comparisons(sort_options const& options, npy_array& array, npy_array& values) {
  index_t const n = array.items.count();
  buffer const offsets = read_offsets_of(options.segments, n, "sort");
  buffer const keys = ordered_keys(array.items, options.in_total_order);
  auto const all = keys.as<std::uint64_t>();
  if (options.descending)
    std::ranges::transform(all, all.begin(), std::bit_not());
  buffer order(item_type::int64, n);
  start_back_end(options.back_end)
      ->ranks()
      ->argsort(all, offsets.as<std::int64_t>(), order.as<std::int64_t>());
  if (values.items.count() > 0)
    values.items = items_at(values.items, order);
  array.items = options.wants_order ? std::move(order) : items_at(array.items, order);
}

void sort_by_bits(sort_options const& options, npy_array& array, npy_array const& values) {
  sort_request const request = request_for(array.items.type(), options);
  std::optional<segmentation> segments;
  if (are_given(options.segments))
    segments = read_segments(options.segments, {array.items.count(), "sort"});
  segmentation const* const parts = segments ? &*segments : nullptr;
  auto const engine = start_back_end(options.back_end);
  if (options.wants_order) {
    buffer order(item_type::int64, array.items.count());
    engine->argsort(array.items, parts, order, request);
    array.items = std::move(order);
  } else if (!options.values.first.empty()) {
    engine->sort(array.items, values.items, parts, request);
  } else {
    engine->sort(array.items, parts, request);
  }
}

}  // namespace

void run_sort(sort_options const& options) {
  auto const& [heads, offsets, keys, are_packed] = options.segments;
  check_files({options.in, options.values.first, heads, offsets, keys},
              {options.out, options.values.second});
  npy_array array = read_npy(options.in);
  bool const with_values = !options.values.first.empty();
  npy_array values = with_values ? read_npy(options.values.first) : npy_array();
  if (with_values)
    expect_as_many({options.values.first, values.items, "values"}, {options.in, array.items});
  if (options.by_comparisons)
    sort_by_comparisons(options, array, values);
  else
    sort_by_bits(options, array, values);
  if (with_values)
    write_npy({{options.out, array}, {options.values.second, values}});
  else
    write_npy(options.out, array);
}

}  // namespace sam::tool
