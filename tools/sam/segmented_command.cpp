// SPDX-License-Identifier: MIT
// Implements `sam segmented-scan` and `sam reduce`.
#include "arrays.hpp"
#include "commands.hpp"
#include "conversions.hpp"
#include "destination.hpp"
#include "failure.hpp"
#include "npy.hpp"
#include "parts.hpp"
#include "segments.hpp"
#include "totals.hpp"

#include <cstdio>

namespace sam::tool {

namespace {

/// Reduces a file part by part: each by itself, and then its total with that of the parts before.
buffer reduce_parts(engine& engine, npy_reader& in, reduce_options const& options) {
  buffer total;
  reduce_request request = options.request;
  for_each_part(in, options.chunk, [&](buffer items) {
    operands const given =
        operands_for(std::move(items), {request.op, options.request.map, options.request.result});
    request.map = given.map;
    request.result = given.result;
    buffer part(accumulator_of(given.result), 1);
    engine.reduce(given.items, part, request);
    request.init.reset();
    request.map = item_map::none;
    if (total.count() != 0)
      engine.reduce(joined(total, part), part, request);
    total = std::move(part);
  });
  return as_result(std::move(total), *request.result);
}

/// The total of each segment and, if wanted, its key.
struct segment_totals {
  buffer totals, unique_keys;
};
segment_totals reduce_segments(engine& engine, buffer const& items, segmentation const& segments,
                               bool with_keys, reduce_request const& request) {
  bool const by_offsets = segments.said_by == segmentation::form::offsets;
  index_t const room = by_offsets ? segments.items.count() - 1 : items.count();
  segment_totals result{{accumulator_of(*request.result), room},
                        {segments.items.type(), with_keys ? room : 0}};
  index_t const count =
      segments.said_by == segmentation::form::keys
          ? engine.reduce_by_key(segments.items, items, result.unique_keys, result.totals, request)
          : engine.reduce_segments(items, segments, result.totals, request);
  result.totals.shrink(count);
  result.totals = as_result(std::move(result.totals), *request.result);
  if (with_keys)
    result.unique_keys.shrink(count);
  return result;
}

}  // namespace

void run_segmented_scan(segmented_options const& options) {
  auto const& [heads, offsets, keys, are_packed] = options.segments;
  check_files({options.in, heads, offsets, keys}, {options.out});
  npy_array array = read_npy(options.in);
  auto const segments = read_segments(options.segments, {array.items.count(), "scan"});
  segmented_request request = options.request;
  operands given =
      operands_for(std::move(array.items), {request.op, item_map::none, request.result});
  request.result = given.result;
  array.items = converted(std::move(given.items), given.result);
  start_back_end(options.back_end)->segmented_scan(array.items, segments, request);
  write_npy(options.out, array);
}

void run_reduce(reduce_options const& options) {
  auto const& [by_heads, by_offsets, by_keys, are_packed] = options.segments;
  check_files({options.in, by_heads, by_offsets, by_keys}, {options.out, options.unique_keys});
  if (options.out.empty() && standard_output_is_taken())
    throw failure("the totals are printed to standard output, where the keys go already; give out");
  bool const with_keys = !options.unique_keys.empty();
  npy_array result, keys;
  npy_reader in(options.in);
  if (!are_given(options.segments)) {
    result.items = reduce_parts(*start_back_end(options.back_end), in, options);
  } else {
    reduce_request request = options.request;
    operands const given =
        operands_for(in.read_all().items, {request.op, request.map, request.result});
    buffer const& items = given.items;
    request.map = given.map;
    request.result = given.result;
    auto const segments = read_segments(options.segments, {items.count(), "reduce"});
    auto const engine = start_back_end(options.back_end);
    auto [totals, unique_keys] = reduce_segments(*engine, items, segments, with_keys, request);
    result = {{totals.count()}, std::move(totals)};
    keys = {{unique_keys.count()}, std::move(unique_keys)};
  }
  if (!options.out.empty() && with_keys)
    return write_npy({{options.unique_keys, keys}, {options.out, result}});
  if (!options.out.empty())
    return write_npy(options.out, result);
  if (with_keys)
    write_npy(options.unique_keys, keys);
  for (index_t k = 0; k < result.items.count(); ++k)
    std::printf("%s\n", text_of(result.items, k).c_str());
}

}  // namespace sam::tool
