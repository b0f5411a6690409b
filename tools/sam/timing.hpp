// SPDX-License-Identifier: MIT
// Measures the time of calls.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>

namespace sam::tool {

/// Returns the median time of seven calls, after one call that warms up.
template <class Call>
double median_seconds(Call call) {
  call();
  std::array<double, 7> seconds{};
  for (double& time : seconds) {
    auto const start = std::chrono::steady_clock::now();
    call();
    time = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  std::ranges::sort(seconds);
  return seconds[seconds.size() / 2];
}

}  // namespace sam::tool
