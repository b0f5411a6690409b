// SPDX-License-Identifier: MIT
// Implements `sam gather` and `sam scatter`.
#include "arrays.hpp"
#include "commands.hpp"
#include "destination.hpp"
#include "failure.hpp"
#include "npy.hpp"
#include "words.hpp"

#include <algorithm>
#include <vector>

namespace sam::tool {

void run_gather(gather_options const& options) {
  auto const& [other_in, other_out] = options.values;
  check_files({options.in, options.indices, other_in}, {options.out, other_out});
  buffer const in = read_npy(options.in).items;
  buffer const indices = read_indices(options.indices, in.count(), name_of(options.in, true));
  index_t const count = indices.count();
  buffer const words = as_words(in), out(item_type::uint64, count);
  auto const by = indices.as<std::int64_t>();
  if (other_in.empty()) {
    start_back_end(options.back_end)
        ->moves()
        ->gather(words.as<std::uint64_t>(), by, out.as<std::uint64_t>());
    return write_npy(options.out, {{count}, from_words(out, in.type())});
  }
  buffer const other = read_npy(other_in).items;
  expect_as_many({other_in, other, "values"}, {options.in, in});
  expect_as_many({options.indices, indices, "indices"}, {options.in, in});
  buffer const other_words = as_words(other), moved(item_type::uint64, count);
  start_back_end(options.back_end)
      ->moves()
      ->permute(by, words.as<std::uint64_t>(), out.as<std::uint64_t>(),
                other_words.as<std::uint64_t>(), moved.as<std::uint64_t>());
  npy_array const items{{count}, from_words(out, in.type())};
  npy_array const values{{count}, from_words(moved, other.type())};
  write_npy({{options.out, items}, {other_out, values}});
}

void run_scatter(scatter_options const& options) {
  check_files({options.in, options.indices, options.into}, {options.out});
  buffer const in = read_npy(options.in).items;
  npy_array base;
  if (options.into.empty()) {
    base = {{in.count()}, {in.type(), in.count()}};
    std::ranges::fill(base.items.bytes(), std::byte{0});
  } else {
    base = read_npy(options.into);
    if (base.items.type() != in.type())
      throw failure(options.into, "holds " + std::string(names_of(base.items.type()).name) +
                                      " but " + name_of(options.in, true) + " holds " +
                                      std::string(names_of(in.type()).name));
  }
  buffer const indices = read_indices(options.indices, base.items.count(), "out");
  expect_as_many({options.indices, indices, "indices"}, {options.in, in});
  std::vector<bool> taken(static_cast<std::size_t>(base.items.count()));
  for (std::int64_t const index : indices.as<std::int64_t>()) {
    if (taken[static_cast<std::size_t>(index)])
      throw failure(options.indices, "holds the index " + std::to_string(index) +
                                         " twice; indices to scatter to are distinct");
    taken[static_cast<std::size_t>(index)] = true;
  }
  buffer const words = as_words(in), out = as_words(base.items);
  start_back_end(options.back_end)
      ->moves()
      ->scatter(words.as<std::uint64_t>(), indices.as<std::int64_t>(), out.as<std::uint64_t>());
  write_npy(options.out, {base.shape, from_words(out, in.type())});
}

}  // namespace sam::tool
