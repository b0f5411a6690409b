// SPDX-License-Identifier: MIT
// Writes tuning tables, and reads them back to resume or to compare.
#pragma once

#include "tune/results.hpp"

#include <map>

namespace sam::tune {

/// Returns the text of a table: a header, the values that differ from the defaults, and the
/// measurements.
std::string table_text(results const& of);

/// Reads what an interrupted run of the same engine, device and version has measured. Returns false
/// if the text is of another one or damaged; `to` is then empty.
bool read_results(std::string const& text, std::string const& engine, std::string const& device,
                  results& to);

/// Reads the values of a table of any device. Returns an empty string, or the problem.
std::string read_any_values(std::string const& text, machine const& of,
                            std::map<std::string, index_t>& to);

/// Reads a whole file. Returns an empty string, or the problem.
std::string read_text(std::string const& path, std::string& to);

/// Replaces a file by one with this text, as a whole: it is never seen half written. Makes its
/// folder if needed. Returns an empty string, or the problem.
std::string write_file(std::string const& path, std::string const& text);

}  // namespace sam::tune
