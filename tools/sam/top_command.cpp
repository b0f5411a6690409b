// SPDX-License-Identifier: MIT
// Implements `sam top`.
#include "arrays.hpp"
#include "commands.hpp"
#include "destination.hpp"
#include "failure.hpp"
#include "npy.hpp"
#include "segments.hpp"
#include "words.hpp"

#include <algorithm>

namespace sam::tool {

namespace {

/// Returns the indices of up to `count` items of each segment, one segment after the other.
buffer top_of_segments(top_options const& options, buffer const& keys, rank_calls& ranks) {
  buffer const offsets = read_offsets_of(options.segments, keys.count(), "choose from");
  auto const limits = offsets.as<std::int64_t>();
  index_t longest = 0;
  for (std::size_t s = 1; s < limits.size(); ++s)
    longest = std::max(longest, index_t{limits[s] - limits[s - 1]});
  index_t const count = std::min(options.count, longest);
  buffer indices(item_type::int64, count * (offsets.count() - 1));
  auto const all = indices.as<std::int64_t>();
  std::ranges::fill(all, -1);  // a short segment leaves places as they are
  ranks.top(keys.as<std::uint64_t>(), limits, count, options.smallest, all);
  auto const unused = std::ranges::remove(all, -1);
  indices.shrink(indices.count() - static_cast<index_t>(unused.size()));
  return indices;
}

}  // namespace

void run_top(top_options const& options) {
  auto const& [heads, offsets, by_keys, are_packed] = options.segments;
  check_files({options.in, heads, offsets, by_keys}, {options.out});
  buffer const in = read_npy(options.in).items;
  bool const in_segments = are_given(options.segments);
  if (options.count < 0 || (!in_segments && options.count > in.count()))
    throw failure("--count " + std::to_string(options.count) + " must lie from 0 to " +
                  std::to_string(in.count()) + ", the number of items of " + options.in);
  buffer const keys = ordered_keys(in);
  auto const ranks = start_back_end(options.back_end)->ranks();
  buffer indices(item_type::int64, in_segments ? 0 : options.count);
  if (in_segments)
    indices = top_of_segments(options, keys, *ranks);
  else
    ranks->top(keys.as<std::uint64_t>(), {}, options.count, options.smallest,
               indices.as<std::int64_t>());
  index_t const count = indices.count();
  buffer chosen = options.wants_indices ? std::move(indices) : items_at(in, indices);
  write_npy(options.out, {{count}, std::move(chosen)});
}

}  // namespace sam::tool
