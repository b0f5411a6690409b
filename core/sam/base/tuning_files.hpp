// SPDX-License-Identifier: MIT
// Finds the tuning tables of a machine: those that SAM_TUNING_FILE names, or else the one in the
// user's configuration folder, where `sam tune` writes it.
#pragma once

#include <sam/base/tuning_table.hpp>

namespace sam::inline v0_1::engine {

/// Returns the value of an environment variable; empty if it is not set, or if the program runs
/// with privileges that its user lacks.
inline std::string environment(char const* name) {
#ifdef __GLIBC__
  char const* const value = ::secure_getenv(name);
#else
  char const* const value = std::getenv(name);
#endif
  return value != nullptr ? value : "";
}

/// Returns the path of an engine's table in the user's configuration folder; empty if there is no
/// such folder.
inline std::string standard_table_path(std::string const& wanted_engine) {
  std::string folder = engine::environment("XDG_CONFIG_HOME");
  if (folder.empty()) {
    folder = engine::environment("HOME");
    if (folder.empty())
      return "";
    folder += "/.config";
  }
  return folder + "/sam/tuning-" + wanted_engine + ".json";
}

/// Says where tuning values come from, for `sam info`.
struct tuning_source {
  std::string text;      // a path, or a description of built-in values
  std::string problem;   // a sentence about a table that could not be used; may be empty
  bool is_file = false;  // values were read from `text`
};

/// Describes the source in one line.
inline std::string text_of(tuning_source const& source) {
  return source.text + (source.problem.empty() ? "" : "; " + source.problem);
}

/// Reads the tables for an engine into `to`: the files of SAM_TUNING_FILE, separated by colons, or
/// else the standard one. An empty SAM_TUNING_FILE disables both. A file of another engine is
/// skipped. A file that cannot be used leaves `to` as it is; if the user named it, a message on
/// standard error says why. device() returns the name of the device; it is called only if there is
/// a table.
template <class Values, std::size_t N, class Device>
void load_tables(std::string const& wanted_engine, Device const& device,
                 tunable<Values> const (&all)[N], Values& to, tuning_source& source) {
  bool const is_named = std::getenv("SAM_TUNING_FILE") != nullptr;
  std::string const paths = is_named ? engine::environment("SAM_TUNING_FILE")
                                     : engine::standard_table_path(wanted_engine);
  for (std::size_t begin = 0, end = 0; begin < paths.size(); begin = end + 1) {
    end = paths.find(':', begin);
    end = end == std::string::npos || !is_named ? paths.size() : end;
    std::string const path = paths.substr(begin, end - begin);
    std::string text;
    std::string problem = engine::read_table_file(path.c_str(), text);
    if (!problem.empty() && !is_named)
      continue;
    table_header header;
    if (problem.empty())
      problem = engine::read_header(text.c_str(), header);
    if (problem.empty() && header.engine != wanted_engine)
      continue;
    if (problem.empty())
      problem = engine::read_table(text.c_str(), wanted_engine, device(), all, to);
    if (problem.empty()) {
      source = {path, "", true};
      continue;
    }
    source.problem = "the tuning table " + path + " " + problem;
    if (is_named) {  // once, not for each context
      [[maybe_unused]] static int const printed = std::fprintf(
          stderr, "sam: %s. Instead, sam uses %s.\n", source.problem.c_str(), source.text.c_str());
    }
  }
}

}  // namespace sam::inline v0_1::engine
