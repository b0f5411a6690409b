// SPDX-License-Identifier: MIT
// Implements `sam histogram`.
#include "arrays.hpp"
#include "commands.hpp"
#include "conversions.hpp"
#include "destination.hpp"
#include "engine/number_items.hpp"
#include "failure.hpp"
#include "parts.hpp"
#include "words.hpp"

#include <functional>
#include <numeric>

namespace sam::tool {

namespace {

buffer read_boundaries(std::string const& path, histogram_options const& options, item_type type) {
  buffer boundaries = read_numbers(path).items;
  if (boundaries.type() != type)
    throw failure(path, "holds " + std::string(names_of(boundaries.type()).name) +
                            "; boundaries are of the type of the items of " + options.in + ", " +
                            std::string(names_of(type).name));
  with_type(type, [&]<class T>(std::type_identity<T>) {
    auto const items = boundaries.as<T>();
    bool rise = items.size() >= 2;
    for (std::size_t i = 1; i < items.size(); ++i)
      rise = rise && items[i - 1] <= items[i];  // false for NaN
    if (!rise)
      throw failure(path, "must hold at least 2 boundaries, of which none is below the one before");
  });
  return boundaries;
}

/// Returns the boundaries of even bins of items that `widened` returned.
template <class T>
buffer even_boundaries(histogram_options const& options, item_type type) {
  auto const lower = parse_number_of<T>(options.request.lower, "--from");
  auto const upper = parse_number_of<T>(options.request.upper, "--to");
  if (!(lower < upper))
    throw failure("--from " + options.request.lower + " must lie below --to " +
                  options.request.upper);
  buffer boundaries(type, options.bins + 1);
  auto const to = boundaries.as<T>();
  for (index_t k = 0; k <= options.bins; ++k) {
    auto& boundary = to[static_cast<std::size_t>(k)];
    if constexpr (std::is_floating_point_v<T>) {
      boundary = k == options.bins
                     ? upper
                     : lower + (upper - lower) * (static_cast<T>(k) / static_cast<T>(options.bins));
    } else {
      using wide = sam::detail::int128;
      wide const range = wide(upper) - wide(lower);
      boundary = static_cast<T>(wide(lower) + (range * k + options.bins - 1) / options.bins);
    }
  }
  return boundaries;
}

/// Counts the items of each channel, or sums weights, by keys and boundaries that are keys.
void run_histogram_of_keys(histogram_options const& options, buffer in) {
  if (options.channels > 1 && in.count() % options.channels != 0)
    throw failure(options.in, "holds " + std::to_string(in.count()) +
                                  " items, which are not a multiple of --channels " +
                                  std::to_string(options.channels));
  buffer given = options.boundaries.empty()
                     ? buffer()
                     : read_boundaries(options.boundaries, options, in.type());
  in = widened(std::move(in));
  item_type const type = in.type();
  if (!options.boundaries.empty())
    given = widened(std::move(given));
  else
    given = type == item_type::float64  ? even_boundaries<double>(options, type)
            : type == item_type::uint64 ? even_boundaries<std::uint64_t>(options, type)
                                        : even_boundaries<std::int64_t>(options, type);
  buffer const keys = ordered_keys(in), boundaries = ordered_keys(given);
  auto const all = keys.as<std::uint64_t>(), limits = boundaries.as<std::uint64_t>();
  index_t const bins = given.count() - 1;
  if (options.weights.empty()) {
    npy_array const counts{{options.channels, bins}, {item_type::int64, options.channels * bins}};
    start_back_end(options.back_end)
        ->numbers()
        ->count_channels(all, options.channels, limits, counts.items.as<std::int64_t>());
    return write_npy(options.out, counts);
  }
  buffer const weights = widened(read_numbers(options.weights).items);
  expect_as_many({options.weights, weights, "weights"}, {options.in, in});
  npy_array const sums{{bins}, {weights.type(), bins}};
  auto const engine = start_back_end(options.back_end);  // has the context of the calls
  auto const numbers = engine->numbers();
  if (is_float(weights.type()))
    numbers->weigh(all, limits, weights.as<double>(), sums.items.as<double>());
  else
    numbers->weigh(all, limits, weights.as<std::uint64_t>(), sums.items.as<std::uint64_t>());
  write_npy(options.out, sums);
}

}  // namespace

void run_histogram(histogram_options const& options) {
  check_files({options.in, options.boundaries, options.weights}, {options.out});
  if (options.channels > 1 || !options.weights.empty())
    return run_histogram_of_keys(options, read_numbers(options.in).items);
  npy_reader in(options.in);
  index_t const n = in.header().count();
  item_type const type = number_type(in.header().type);
  bool const even = options.boundaries.empty();
  buffer const boundaries = even ? buffer() : read_boundaries(options.boundaries, options, type);
  index_t const bins = even ? options.bins : boundaries.count() - 1;
  auto const engine = start_back_end(options.back_end);
  buffer counts;  // of all parts so far
  for_each_part(in, options.chunk, [&](buffer items) {
    items.relabel(type);
    buffer part(item_type::int64, bins + (options.request.cumulative ? 1 : 0));
    if (even)
      engine->histogram(items, part, options.request);
    else
      engine->histogram(items, boundaries, part, options.request);
    auto const now = part.as<std::int64_t>();
    if (counts.count() != 0)
      std::ranges::transform(now, counts.as<std::int64_t>(), now.begin(), std::plus{});
    counts = std::move(part);
  });
  auto const all = counts.as<std::int64_t>();
  index_t const counted =
      options.request.cumulative ? all.back() : std::accumulate(all.begin(), all.end(), index_t{0});
  index_t const size = counts.count();
  write_npy(options.out, {{size}, std::move(counts)});
  say(std::to_string(counted) + " of " + std::to_string(n) + " items lie in a bin");
}

}  // namespace sam::tool
