// SPDX-License-Identifier: MIT
// Implements `sam adjacent-difference` and `sam inner-product`.
#include "arrays.hpp"
#include "commands.hpp"
#include "conversions.hpp"
#include "destination.hpp"
#include "failure.hpp"
#include "npy.hpp"
#include "words.hpp"

#include <cstdio>

namespace sam::tool {

void run_adjacent_difference(difference_options const& options) {
  check_files({options.in}, {options.out});
  npy_array array = read_numbers(options.in);
  item_type const type = array.items.type();
  bool const is_bitwise = options.op == neighbour_operator::bit_and ||
                          options.op == neighbour_operator::bit_or ||
                          options.op == neighbour_operator::bit_xor;
  if (is_bitwise && is_float(type))
    throw failure(options.in, "holds " + std::string(names_of(type).name) +
                                  "; and, or and xor combine integers");
  buffer items = widened(std::move(array.items));
  start_back_end(options.back_end)
      ->numbers()
      ->combine_neighbours(items.as<std::uint64_t>(), items.type(), options.op, options.with_next);
  array.items = converted(std::move(items), type);
  write_npy(options.out, array);
}

void run_inner_product(product_options const& options) {
  auto const& [heads, offsets, keys, are_packed] = options.segments;
  check_files({options.a, options.b, heads, offsets, keys}, {options.out});
  buffer a = widened(read_numbers(options.a).items), b = widened(read_numbers(options.b).items);
  expect_as_many({options.b, b}, {options.a, a});
  bool const in_float = is_float(a.type()) || is_float(b.type());
  bool const is_signed = a.type() == item_type::int64 || b.type() == item_type::int64;
  item_type const type = in_float    ? item_type::float64
                         : is_signed ? item_type::int64
                                     : item_type::uint64;
  a = converted(std::move(a), type);
  b = converted(std::move(b), type);
  auto const engine = start_back_end(options.back_end);  // has the context of the calls
  auto const numbers = engine->numbers();
  if (!options.out.empty()) {
    buffer const limits = read_offsets_of(options.segments, a.count(), "add up");
    index_t const segments = limits.count() - 1;
    npy_array const sums{{segments}, {type, segments}};
    auto const by = limits.as<std::int64_t>();
    if (in_float)
      numbers->inner_products(a.as<double>(), b.as<double>(), by, sums.items.as<double>());
    else
      numbers->inner_products(a.as<std::uint64_t>(), b.as<std::uint64_t>(), by,
                              sums.items.as<std::uint64_t>());
    return write_npy(options.out, sums);
  }
  buffer const sum(type, 1);
  if (in_float)
    sum.as<double>()[0] = numbers->inner_product(a.as<double>(), b.as<double>());
  else
    sum.as<std::uint64_t>()[0] =
        numbers->inner_product(a.as<std::uint64_t>(), b.as<std::uint64_t>());
  std::puts(text_of(sum, 0).c_str());
}

}  // namespace sam::tool
