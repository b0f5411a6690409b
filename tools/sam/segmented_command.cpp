// SPDX-License-Identifier: MIT
// sam segmented-scan and sam reduce.
#include "arrays.hpp"
#include "commands.hpp"
#include "npy.hpp"
#include "segments.hpp"

#include <cstdio>

namespace sam::tool {

namespace {

/// The totals of all segments, from those of the ones with items and from that of none.
buffer with_empty_segments(buffer const& totals, buffer const& nothing,
                           std::vector<index_t> const& offsets) {
  auto const segments = static_cast<index_t>(offsets.size()) - 1;
  buffer all(totals.type(), segments);
  with_type(totals.type(), [&]<class T>(std::type_identity<T>) {
    auto next = totals.as<T>().begin();
    for (std::size_t k = 0; k + 1 < offsets.size(); ++k)
      all.as<T>()[k] = offsets[k] == offsets[k + 1] ? nothing.as<T>().front() : *next++;
  });
  return all;
}

buffer reduce_all(engine& engine, buffer const& items, reduce_request const& request) {
  buffer result(items.type(), 1);
  engine.reduce(items, result, request);
  return result;
}

/// Of each segment of `items` the total.
buffer reduce_segments(engine& engine, buffer const& items, segmentation const& segments,
                       reduce_request const& request) {
  buffer totals(items.type(), items.count());
  totals.shrink(engine.reduce_segments(items, segments.flags.flags(), totals, request));
  if (segments.offsets.empty())
    return totals;
  buffer const none(items.type(), 0);
  return with_empty_segments(totals, reduce_all(engine, none, request), segments.offsets);
}

/// Of each segment the key.
npy_array keys_of(engine& engine, segmentation& segments) {
  buffer keys(segments.keys.type(), segments.keys.count());
  segments.flags.cut(0);
  keys.shrink(engine.compact(segments.keys, keys, segments.flags.flags(), false));
  index_t const count = keys.count();
  return {{count}, std::move(keys)};
}

}  // namespace

void run_segmented_scan(segmented_options const& options) {
  npy_array const array = read_npy(options.in);
  auto const segments =
      read_segments(options.segments, {array.items.count(), "scan", options.request.backward});
  start_back_end(options.back_end)
      ->segmented_scan(array.items, segments.flags.flags(), options.request);
  write_npy(options.out, array);
}

void run_reduce(reduce_options const& options) {
  buffer const items = read_npy(options.in).items;
  bool const with_keys = !options.unique_keys.empty();
  npy_array result, keys;
  if (!are_given(options.segments)) {
    result.items = reduce_all(*start_back_end(options.back_end), items, options.request);
  } else {
    auto segments = read_segments(options.segments, {items.count(), "reduce", false});
    auto const engine = start_back_end(options.back_end);
    result.items = reduce_segments(*engine, items, segments, options.request);
    result.shape = {result.items.count()};
    if (with_keys)
      keys = keys_of(*engine, segments);
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
