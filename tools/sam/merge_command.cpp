// SPDX-License-Identifier: MIT
// Implements `sam merge` and `sam search`.
#include "arrays.hpp"
#include "commands.hpp"
#include "destination.hpp"
#include "failure.hpp"
#include "npy.hpp"
#include "words.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace sam::tool {

namespace {

struct named_array {
  std::string const& file;
  buffer const& items;
};

void expect_one_type(named_array const& a, named_array const& b) {
  if (a.items.type() != b.items.type())
    throw failure(name_of(b.file, true), "holds " + std::string(names_of(b.items.type()).name) +
                                             " but " + name_of(a.file, true) + " holds " +
                                             std::string(names_of(a.items.type()).name));
}

/// Returns the keys of an array. Throws a failure that names the file if they are not sorted.
buffer sorted_keys(named_array const& array) {
  buffer keys = ordered_keys(array.items);
  if (!std::ranges::is_sorted(keys.as<std::uint64_t>()))
    throw failure(array.file, "is not sorted; sam sort sorts it");
  return keys;
}

}  // namespace

void run_merge(merge_options const& options) {
  auto const& [values_a_in, values_b_in, values_out] = options.values;
  check_files({options.a, options.b, values_a_in, values_b_in}, {options.out, values_out});
  buffer const a = read_npy(options.a).items, b = read_npy(options.b).items;
  expect_one_type({options.a, a}, {options.b, b});
  buffer const keys_a = sorted_keys({options.a, a}), keys_b = sorted_keys({options.b, b});
  bool const with_values = !values_out.empty();
  buffer values_a, values_b;
  if (with_values) {
    values_a = read_npy(values_a_in).items;
    values_b = read_npy(values_b_in).items;
    expect_as_many({values_a_in, values_a, "values"}, {options.a, a});
    expect_as_many({values_b_in, values_b, "values"}, {options.b, b});
    expect_one_type({values_a_in, values_a}, {values_b_in, values_b});
  }

  // The back end moves the indices of the items, by which the items themselves are taken.
  index_t const most = a.count() + b.count();
  buffer indices(item_type::int64, most), keys(item_type::uint64, most);
  buffer kept(item_type::int64, most);
  auto const numbers = indices.as<std::int64_t>();
  std::iota(numbers.begin(), numbers.end(), std::int64_t{0});
  auto const of_a = static_cast<std::size_t>(a.count());
  index_t const count =
      start_back_end(options.back_end)
          ->sets()
          ->combine(options.kind, {keys_a.as<std::uint64_t>(), numbers.first(of_a)},
                    {keys_b.as<std::uint64_t>(), numbers.subspan(of_a)},
                    {keys.as<std::uint64_t>(), kept.as<std::int64_t>()});
  kept.shrink(count);
  npy_array const result{{count}, items_at(joined(a, b), kept)};
  if (!with_values)
    return write_npy(options.out, result);
  npy_array const values{{count}, items_at(joined(values_a, values_b), kept)};
  write_npy({{options.out, result}, {values_out, values}});
}

void run_search(search_options const& options) {
  check_files({options.sorted, options.values}, {options.out, options.ends});
  buffer const sorted = read_npy(options.sorted).items, values = read_npy(options.values).items;
  expect_one_type({options.sorted, sorted}, {options.values, values});
  buffer const among = sorted_keys({options.sorted, sorted}), wanted = ordered_keys(values);
  index_t const count = values.count();
  npy_array begins{{count}, {item_type::int64, count}}, ends = {{count}, {item_type::int64, count}};
  bool const with_both = !options.ends.empty();
  index_span const none;
  start_back_end(options.back_end)
      ->moves()
      ->search(among.as<std::uint64_t>(), wanted.as<std::uint64_t>(),
               options.upper ? none : begins.items.as<std::int64_t>(),
               options.upper || with_both ? ends.items.as<std::int64_t>() : none);
  if (with_both)
    return write_npy({{options.out, begins}, {options.ends, ends}});
  write_npy(options.out, options.upper ? ends : begins);
}

}  // namespace sam::tool
