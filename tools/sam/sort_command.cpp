// SPDX-License-Identifier: MIT
#include "arrays.hpp"
#include "commands.hpp"
#include "npy.hpp"
#include "segments.hpp"

namespace sam::tool {

void run_sort(sort_options const& options) {
  npy_array array = read_npy(options.in);
  bool const with_values = !options.values.first.empty();
  npy_array const values = with_values ? read_npy(options.values.first) : npy_array();
  if (with_values)
    expect_as_many({options.values.first, values.items, "values"}, {options.in, array.items});
  std::optional<segmentation> segments;
  if (are_given(options.segments))
    segments = read_segments(options.segments, {array.items.count(), "sort"});
  segmentation const* const parts = segments ? &*segments : nullptr;
  auto const engine = start_back_end(options.back_end);
  if (options.wants_order) {
    buffer order(item_type::int64, array.items.count());
    engine->argsort(array.items, parts, order, options.request);
    array.items = std::move(order);
  } else if (with_values) {
    engine->sort(array.items, values.items, parts, options.request);
  } else {
    engine->sort(array.items, parts, options.request);
  }
  if (with_values)
    write_npy({{options.out, array}, {options.values.second, values}});
  else
    write_npy(options.out, array);
}

}  // namespace sam::tool
