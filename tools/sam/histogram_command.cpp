// SPDX-License-Identifier: MIT
// Implements `sam histogram`.
#include "arrays.hpp"
#include "commands.hpp"
#include "destination.hpp"
#include "failure.hpp"

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

}  // namespace

void run_histogram(histogram_options const& options) {
  check_files({options.in, options.boundaries}, {options.out});
  buffer const in = read_numbers(options.in).items;
  bool const even = options.boundaries.empty();
  buffer const boundaries =
      even ? buffer() : read_boundaries(options.boundaries, options, in.type());
  index_t const bins = even ? options.bins : boundaries.count() - 1;
  buffer counts(item_type::int64, bins + (options.request.cumulative ? 1 : 0));
  auto const engine = start_back_end(options.back_end);
  if (even)
    engine->histogram(in, counts, options.request);
  else
    engine->histogram(in, boundaries, counts, options.request);
  auto const all = counts.as<std::int64_t>();
  index_t const counted =
      options.request.cumulative ? all.back() : std::accumulate(all.begin(), all.end(), index_t{0});
  index_t const size = counts.count();
  write_npy(options.out, {{size}, std::move(counts)});
  say(std::to_string(counted) + " of " + std::to_string(in.count()) + " items lie in a bin");
}

}  // namespace sam::tool
