// SPDX-License-Identifier: MIT
// sam linear-recurrence and sam linear-filter.
#include "arrays.hpp"
#include "commands.hpp"
#include "failure.hpp"
#include "npy.hpp"

namespace sam::tool {

void run_linear_recurrence(recurrence_options const& options) {
  buffer const a = read_npy(options.a).items;
  npy_array b = read_npy(options.b);
  item_type const type = b.items.type();
  if (a.type() != type)
    throw failure(options.a, "holds " + std::string(names_of(a.type()).name) + " but " + options.b +
                                 " holds " + std::string(names_of(type).name) +
                                 "; both must hold items of one type");
  expect_as_many({options.a, a}, {options.b, b.items});
  b.items = widened(b.items);
  start_back_end(options.back_end)->linear_recurrence(widened(a), b.items, options.init);
  b.items = narrowed(b.items, type);
  write_npy(options.out, b);
}

void run_linear_filter(filter_options const& options) {
  auto const& [coefficients, before] = options.request;
  if (coefficients.size() > highest_filter_order)
    throw failure("--coefficients are " + std::to_string(coefficients.size()) +
                  "; a filter has up to " + std::to_string(highest_filter_order) +
                  ", and a longer one is better cut into several of order 2");
  if (!before.empty() && before.size() != coefficients.size())
    throw failure("--before needs an item for each coefficient: " +
                  std::to_string(coefficients.size()) + ", not " + std::to_string(before.size()));
  npy_array array = read_npy(options.in);
  item_type const type = array.items.type();
  array.items = widened(array.items);
  start_back_end(options.back_end)->linear_filter(array.items, options.request);
  array.items = narrowed(array.items, type);
  write_npy(options.out, array);
}

}  // namespace sam::tool
