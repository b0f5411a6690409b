// SPDX-License-Identifier: MIT
// Results of the tuner: trials of candidates, and what they add up to.
#pragma once

#include "tune/machine.hpp"

namespace sam::tune {

/// A candidate that was measured: its time relative to the default, and the standard error of that.
struct trial {
  index_t value = 0;
  double ratio = 1, error = 0;
  index_t repeats = 0;
};

/// A candidate that the model rejected, so that it was not measured.
struct rejection {
  index_t value = 0;
  std::string why;
};

/// The times of a call with the default and with the chosen values: medians in seconds, and spreads
/// as parts of the median (half the range between the quartiles).
struct comparison {
  workload_id what;
  double before = 0, after = 0, before_spread = 0, after_spread = 0;
};

/// The search for one value.
struct experiment {
  std::string name;
  index_t before = 0, after = 0;
  std::vector<trial> trials;
  std::vector<rejection> rejected;
  std::vector<comparison> comparisons;  // of the default and the best other candidate
};

/// All that a run has found.
struct results {
  std::string engine, device;
  std::vector<std::pair<std::string, std::string>> facts;
  std::vector<experiment> experiments;
  /// The chosen values against the defaults, measured after the search.
  std::vector<comparison> verified;
  double total_ratio = 1, total_error = 0;
  bool is_complete = false;
};

}  // namespace sam::tune
