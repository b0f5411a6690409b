// SPDX-License-Identifier: MIT
// Robust statistics of few, noisy times.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace sam::tune {

/// Returns the quantile q of some numbers, by linear interpolation; 0 if there are none.
inline double quantile(std::vector<double> all, double q) {
  if (all.empty())
    return 0;
  std::sort(all.begin(), all.end());
  double const at = q * static_cast<double>(all.size() - 1);
  auto const k = static_cast<std::size_t>(at);
  double const upper = all[std::min(k + 1, all.size() - 1)];
  return all[k] + (at - static_cast<double>(k)) * (upper - all[k]);
}
inline double median(std::vector<double> const& all) { return quantile(all, 0.5); }

/// Returns half the range between the quartiles, as a part of the median.
inline double spread(std::vector<double> const& all) {
  double const middle = median(all);
  return middle > 0 ? (quantile(all, 0.75) - quantile(all, 0.25)) / (2 * middle) : 0;
}

/// Returns the standard error of the median, estimated from the median deviation, as of a normal
/// distribution.
inline double median_error(std::vector<double> const& all) {
  if (all.size() < 2)
    return 1;
  double const middle = median(all);
  std::vector<double> deviations;
  for (double const x : all)
    deviations.push_back(std::abs(x - middle));
  return 1.2533 * 1.4826 * median(deviations) / std::sqrt(static_cast<double>(all.size()));
}

}  // namespace sam::tune
