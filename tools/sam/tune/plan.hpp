// SPDX-License-Identifier: MIT
// Says which values the tuner searches, by which candidates and calls, and which candidates a model
// of the device rejects before they are measured.
#pragma once

#include "tune/results.hpp"

namespace sam::tune {

/// A search: the candidates for one value, and the calls that show its effect. Their sizes lie on
/// both sides of a threshold.
struct search {
  std::string name;
  std::vector<index_t> candidates;
  std::vector<workload_id> workloads;
  bool at_build_time = false;
};

/// Returns the searches for an engine, the most rewarding first.
std::vector<search> searches_for(std::string const& engine);

/// The properties of a machine that the model knows. 0 means unknown.
struct model {
  index_t first_level_bytes = 0, second_level_bytes = 0;  // data caches of one CPU
  index_t threads = 0;
  index_t shared_bytes = 0;  // that a block of a GPU may use
};
/// Reads the properties of this machine.
model model_of(machine const& of);

/// Returns why a candidate cannot be good, or nothing.
std::string rejected_by(model const& by, std::string const& name, index_t value);

}  // namespace sam::tune
