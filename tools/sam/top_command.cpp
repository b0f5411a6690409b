// SPDX-License-Identifier: MIT
// Implements `sam top`.
#include "arrays.hpp"
#include "commands.hpp"
#include "destination.hpp"
#include "engine/number_bits.hpp"
#include "failure.hpp"
#include "npy.hpp"

#include <cstring>

namespace sam::tool {

namespace {

/// Returns unsigned keys of 4 or 8 bytes in the numeric order of the items.
buffer ordered_keys(buffer const& items) {
  buffer keys(bytes_of(items.type()) <= 4 ? item_type::uint32 : item_type::uint64, items.count());
  with_number_bits(items, false, [&]<class U>(number_bits<U> digits) {
    using key = std::conditional_t<sizeof(U) <= 4, std::uint32_t, std::uint64_t>;
    auto const from = items.as<U>();
    auto const to = keys.as<key>();
    for (std::size_t i = 0; i < from.size(); ++i)
      to[i] = digits(from[i]);
  });
  return keys;
}

}  // namespace

void run_top(top_options const& options) {
  check_files({options.in}, {options.out});
  buffer const in = read_npy(options.in).items;
  if (options.count < 0 || options.count > in.count())
    throw failure("--count " + std::to_string(options.count) + " must lie from 0 to " +
                  std::to_string(in.count()) + ", the number of items of " + options.in);
  buffer indices(item_type::int64, options.count);
  start_back_end(options.back_end)->top(ordered_keys(in), indices, options.smallest);
  if (options.wants_indices)
    return write_npy(options.out, {{options.count}, std::move(indices)});
  buffer out(in.type(), options.count);
  auto const bytes = static_cast<std::size_t>(bytes_of(in.type()));
  auto const from = indices.as<std::int64_t>();
  for (std::size_t k = 0; k < from.size(); ++k)
    std::memcpy(out.bytes().data() + k * bytes,
                in.bytes().data() + static_cast<std::size_t>(from[k]) * bytes, bytes);
  write_npy(options.out, {{options.count}, std::move(out)});
}

}  // namespace sam::tool
