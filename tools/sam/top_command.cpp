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

/// Returns how many items of each segment are wanted, at most as many as it has.
buffer counts_of(top_options const& options, index_span limits) {
  auto const segments = static_cast<index_t>(limits.size()) - 1;
  buffer counts(item_type::int64, segments);
  auto const of_each = counts.as<std::int64_t>();
  std::ranges::fill(of_each, options.count);
  if (!options.counts.empty()) {
    buffer const given = read_indices(options.counts, highest_of<index_t>, options.in);
    if (given.count() != segments)
      throw failure(options.counts, "holds " + std::to_string(given.count()) +
                                        " items; there are " + std::to_string(segments) +
                                        " segments");
    std::ranges::copy(given.as<std::int64_t>(), of_each.begin());
  }
  for (std::size_t s = 0; s < of_each.size(); ++s)
    of_each[s] = std::min(of_each[s], limits[s + 1] - limits[s]);
  return counts;
}

/// Returns the indices of the wanted items of each segment, one segment after the other.
buffer top_of_segments(top_options const& options, buffer const& keys, rank_calls& ranks) {
  buffer const offsets = read_offsets_of(options.segments, keys.count(), "choose from");
  auto const limits = offsets.as<std::int64_t>();
  buffer const counts = counts_of(options, limits);
  auto const of_each = counts.as<std::int64_t>();
  index_t const most = of_each.empty() ? 0 : std::ranges::max(of_each);
  buffer indices(item_type::int64, most * counts.count());
  auto const all = indices.as<std::int64_t>();
  std::ranges::fill(all, -1);  // places left over stay as they are
  ranks.top(keys.as<std::uint64_t>(), limits, of_each, options.smallest, all);
  auto const unused = std::ranges::remove(all, -1);
  indices.shrink(indices.count() - static_cast<index_t>(unused.size()));
  return indices;
}

}  // namespace

void run_top(top_options const& options) {
  auto const& [heads, offsets, by_keys, are_packed] = options.segments;
  check_files({options.in, heads, offsets, by_keys, options.counts}, {options.out});
  buffer const in = read_npy(options.in).items;
  bool const in_segments = are_given(options.segments);
  if (options.count < 0 || (!in_segments && options.count > in.count()))
    throw failure("--count " + std::to_string(options.count) + " must lie from 0 to " +
                  std::to_string(in.count()) + ", the number of items of " + options.in);
  if (!options.counts.empty() && !in_segments)
    throw failure("--counts needs segments: --offsets, --heads or --keys");
  buffer const keys = ordered_keys(in);
  auto const engine = start_back_end(options.back_end);  // has the context of the calls
  auto const ranks = engine->ranks();
  buffer indices(item_type::int64, in_segments ? 0 : options.count);
  if (in_segments)
    indices = top_of_segments(options, keys, *ranks);
  else
    ranks->top(keys.as<std::uint64_t>(), {}, {}, options.smallest, indices.as<std::int64_t>());
  index_t const count = indices.count();
  buffer chosen = options.wants_indices ? std::move(indices) : items_at(in, indices);
  write_npy(options.out, {{count}, std::move(chosen)});
}

}  // namespace sam::tool
