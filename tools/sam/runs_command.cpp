// SPDX-License-Identifier: MIT
// Implements `sam unique` and `sam rle`.
#include "arrays.hpp"
#include "commands.hpp"
#include "destination.hpp"
#include "failure.hpp"
#include "npy.hpp"
#include "words.hpp"

#include <algorithm>

namespace sam::tool {

namespace {

void run_unique_with_values(runs_options const& options, buffer const& keys) {
  auto const& [values_in, values_out] = options.values;
  buffer const values = read_npy(values_in).items;
  expect_as_many({values_in, values, "values"}, {options.in, keys});
  buffer first_keys(keys.type(), keys.count()), first_values(values.type(), values.count());
  index_t const runs =
      start_back_end(options.back_end)->unique(keys, values, first_keys, first_values);
  first_keys.shrink(runs);
  first_values.shrink(runs);
  write_npy({{options.out, {{runs}, std::move(first_keys)}},
             {values_out, {{runs}, std::move(first_values)}}});
}

}  // namespace

void run_encode_runs(runs_options const& options) {
  check_files({options.in, options.values.first},
              {options.out, options.lengths, options.values.second});
  buffer const in = read_npy(options.in).items;
  if (!options.values.first.empty())
    return run_unique_with_values(options, in);
  bool const with_lengths = !options.lengths.empty();
  buffer values(in.type(), in.count());
  buffer lengths(item_type::int64, with_lengths ? in.count() : 0);
  index_t const runs = start_back_end(options.back_end)->encode_runs(in, values, lengths);
  values.shrink(runs);
  npy_array const first_items{{runs}, std::move(values)};
  if (!with_lengths)
    return write_npy(options.out, first_items);
  lengths.shrink(runs);
  write_npy({{options.out, first_items}, {options.lengths, {{runs}, std::move(lengths)}}});
}

void run_decode_runs(runs_options const& options) {
  check_files({options.in, options.lengths}, {options.out});
  buffer const values = read_npy(options.in).items, lengths = read_npy(options.lengths).items;
  if (lengths.type() != item_type::int64)
    throw failure(options.lengths, "holds " + std::string(names_of(lengths.type()).name) +
                                       "; lengths are int64, as sam rle encode writes them");
  expect_as_many({options.lengths, lengths, "lengths"}, {options.in, values, "values"});
  constexpr index_t most = index_t{1} << 56;
  index_t total = 0;
  for (std::int64_t const length : lengths.as<std::int64_t>())
    if (length < 0 || length > most - total)
      throw failure(options.lengths, "holds a length that is negative or too large");
    else
      total += length;
  buffer out(values.type(), total);
  start_back_end(options.back_end)->decode_runs(values, lengths, out);
  write_npy(options.out, {{total}, std::move(out)});
}

void run_find_runs(runs_options const& options) {
  check_files({options.in}, {options.out, options.lengths});
  buffer const items = as_words(read_npy(options.in).items);
  index_t const most = items.count() / 2;
  buffer offsets(item_type::int64, most), lengths(item_type::int64, most);
  index_t const runs = start_back_end(options.back_end)
                           ->ranks()
                           ->find_runs(items.as<std::uint64_t>(), offsets.as<std::int64_t>(),
                                       lengths.as<std::int64_t>());
  offsets.shrink(runs);
  lengths.shrink(runs);
  write_npy({{options.out, {{runs}, std::move(offsets)}},
             {options.lengths, {{runs}, std::move(lengths)}}});
}

}  // namespace sam::tool
