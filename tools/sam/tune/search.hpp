// SPDX-License-Identifier: MIT
// Finds the best of some candidates by successive halving with interleaved repeats.
#pragma once

#include "tune/results.hpp"

#include <functional>

namespace sam::tune {

/// A candidate: a value, and the machine that runs with it. Its own setting is changed before each
/// measurement if the machine can change it.
struct candidate {
  index_t value = 0;
  machine* on = nullptr;
  std::function<void()> apply;
};

/// Tells how long a search may take and how it reports progress.
struct limits {
  double seconds = 10;
  std::function<void(double part)> progress = [](double) {};
  index_t least_repeats = 5, most_repeats = 200;
};

/// A gain counts if it is larger than this part, and than three standard errors.
inline constexpr double least_gain = 0.02;
/// The largest part by which a chosen value may slow any one call down.
inline constexpr double most_loss = 0.03;
/// Half the range between the quartiles of a call's times, as a part of their median, from which
/// they decide nothing.
inline constexpr double most_spread = 0.2;

/// Searches among candidates, of which the first is the default. Fills the trials, the comparisons
/// and the chosen value of `to`. The final decision uses only times that were measured after the
/// last halving, so that no candidate wins because it was lucky before.
void find_best(std::vector<candidate> const& all, std::vector<workload_id> const& workloads,
               limits const& within, experiment& to);

/// Compares two candidates on some workloads. Returns the ratio of their times.
trial compare(candidate const& before, candidate const& after,
              std::vector<workload_id> const& workloads, limits const& within,
              std::vector<comparison>& to);

}  // namespace sam::tune
