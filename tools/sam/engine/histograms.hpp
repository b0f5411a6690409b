// SPDX-License-Identifier: MIT
// Defines the histograms that engine/kernels.hpp declares.
#pragma once

#include <sam/histogram.hpp>

#include "engine/kernels.hpp"

namespace sam::tool {

template <class Context, class T>
void count(Context& context, std::span<T const> items, std::span<std::int64_t> counts,
           bins_of<T> const& bins) {
  auto const count_in = [&](auto const& where) {
    if (bins.cumulative)
      cumulative_histogram(context, items, counts, where);
    else
      histogram(context, items, counts, where);
  };
  if (bins.boundaries.empty())
    count_in(even_bins(bins.lower, bins.upper));
  else
    count_in(bins_between(bins.boundaries));
}

}  // namespace sam::tool
