// SPDX-License-Identifier: MIT
// Tunes a machine: searches value after value, writes a table and a report.
#pragma once

#include "tune/results.hpp"

#include <functional>
#include <map>

namespace sam::tune {

/// Programs that were compiled with candidates of build-time values: name, value, path.
struct variant {
  std::string name;
  index_t value = 0;
  std::string path;
};

struct tuner_options {
  double minutes = 5;
  std::string out;                // the table
  std::string report;             // a page; empty for none
  std::vector<std::string> only;  // the values to search; all if empty
  std::vector<variant> variants;
  bool fresh = false;  // ignore what an interrupted run has measured
  /// Receives the part of the time that is over, and what is being done.
  std::function<void(double, std::string const&)> progress = [](double, std::string const&) {};
  std::function<void(std::string const&)> say = [](std::string const&) {};
};

/// Tunes and writes the files. A run that was interrupted goes on where it stopped: each finished
/// search is kept in a file beside the table, <out>.partial. Throws std::runtime_error if a file
/// cannot be written.
results tune(machine& on, tuner_options const& options);

/// Measures what a table of any device costs or gains on this machine, against the default values.
/// A value of the build counts if it is among the variants, each by itself.
/// Throws std::runtime_error if the table cannot be read.
results compare_table(machine& on, std::string const& path, tuner_options const& options);

/// Returns a page about a run, with plots.
std::string report_text(results const& of);

/// Returns lines for people about such a comparison.
std::string comparison_text(results const& of);

/// Returns a value in the units of its name, such as 256 KiB.
std::string value_text(std::string const& name, index_t value);

}  // namespace sam::tune
