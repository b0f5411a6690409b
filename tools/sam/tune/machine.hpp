// SPDX-License-Identifier: MIT
// The interface between the tuner and what it tunes: an engine in this process, or a program that
// was compiled with other values.
#pragma once

#include <sam/portable.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sam::tune {

/// A value that a table may set, with the value in use and its valid range.
struct setting {
  std::string name;
  index_t value = 0, least = 0, most = 0;
  bool at_build_time = false;
};

/// A call to measure: its name in workloads.hpp, and the number of its items.
struct workload_id {
  std::string name;
  index_t n = 0;
  bool operator==(workload_id const&) const = default;
};

/// Measures calls under changing values.
class machine {
 public:
  virtual ~machine() = default;

  /// Returns the engine, as tables name it: host or cuda.
  virtual std::string engine() const = 0;
  /// Returns the name of the device, by which tables are matched.
  virtual std::string device() const = 0;
  /// Returns pairs of a name and a text: versions, clocks and threads.
  virtual std::vector<std::pair<std::string, std::string>> facts() const = 0;
  virtual std::vector<setting> settings() const = 0;
  /// Changes a value that may change at run time.
  virtual void set(std::string const& name, index_t value) = 0;
  /// Returns the time of one call in seconds; a negative number if it has no such workload.
  virtual double seconds(workload_id const& what) = 0;
  /// Frees the arrays of all workloads.
  virtual void forget() = 0;
};

}  // namespace sam::tune
