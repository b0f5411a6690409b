// SPDX-License-Identifier: MIT
// Implements `sam linear-recurrence` and `sam linear-filter`.
#include "arrays.hpp"
#include "commands.hpp"
#include "conversions.hpp"
#include "destination.hpp"
#include "failure.hpp"

namespace sam::tool {

void run_linear_recurrence(recurrence_options const& options) {
  check_files({options.a, options.b}, {options.out});
  buffer a = read_numbers(options.a).items;
  npy_array b = read_numbers(options.b);
  item_type const type = b.items.type();
  if (a.type() != type)
    throw failure(options.a, "holds " + std::string(names_of(a.type()).name) + " but " + options.b +
                                 " holds " + std::string(names_of(type).name) +
                                 "; both must hold items of one type");
  expect_as_many({options.a, a}, {options.b, b.items});
  a = widened(std::move(a));
  b.items = widened(std::move(b.items));
  start_back_end(options.back_end)->linear_recurrence(a, b.items, options.init);
  b.items = converted(std::move(b.items), type);
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
  check_files({options.in}, {options.out});
  npy_array array = read_numbers(options.in);
  item_type const type = array.items.type();
  array.items = widened(std::move(array.items));
  start_back_end(options.back_end)->linear_filter(array.items, options.request);
  array.items = converted(std::move(array.items), type);
  write_npy(options.out, array);
}

}  // namespace sam::tool
