// SPDX-License-Identifier: MIT
// Finds the tuning tables of a machine: those that SAM_TUNING_FILE names, or else the one in the
// user's configuration folder, where `sam tune` writes it.
#pragma once

#include <sam/base/tuning_table.hpp>

#include <string>

namespace sam::inline v0_1::engine {

/// The capacity of a path of a table, with its null character.
inline constexpr std::size_t most_path = 4096;

/// Returns the value of an environment variable; empty if it is not set, or if the program runs
/// with privileges that its user lacks.
inline char const* environment(char const* name) {
#ifdef __GLIBC__
  char const* const value = ::secure_getenv(name);
#else
  char const* const value = std::getenv(name);
#endif
  return value != nullptr ? value : "";
}

/// Writes the path of an engine's table in the user's configuration folder to `to`; nothing if
/// there is no such folder.
[[gnu::noinline, gnu::cold]] inline void standard_table_path(char const* wanted_engine,
                                                             char (&to)[most_path]) {
  char const* folder = environment("XDG_CONFIG_HOME");
  char const* below = "";
  if (*folder == '\0') {
    folder = environment("HOME");
    below = "/.config";
  }
  to[0] = '\0';
  if (*folder != '\0')
    std::snprintf(to, most_path, "%s%s/sam/tuning-%s.json", folder, below, wanted_engine);
}

/// Says where tuning values come from, for `sam info`.
struct tuning_source {
  char text[most_path] = "the defaults";  // a path, or a description of built-in values
  char problem[600] = "";  // a sentence about a table that could not be used; may be empty
  bool is_file = false;    // values were read from `text`
};

/// Describes the source in one line.
inline std::string text_of(tuning_source const& source) {
  std::string const problem = source.problem;
  return source.text + (problem.empty() ? problem : "; " + problem);
}

/// Reads one table. Returns true if it sets `to`.
template <class Values, std::size_t N>
[[gnu::noinline, gnu::cold]] bool load_table(char const* path, char const* wanted_engine,
                                             void (*name_device)(void const*, char (&)[256]),
                                             void const* device, tunable<Values> const (&all)[N],
                                             Values& to, table_problem& problem) {
  table_file const file(path, problem);
  table_header header;
  if (problem.found() || !read_header(file.text(), header, problem) ||
      !header.engine.is(wanted_engine))
    return false;
  char name[256];
  name_device(device, name);
  return is_for(header, wanted_engine, name, problem) &&
         read_values(header.values, all, to, problem);
}

/// Reads the tables for an engine into `to`: the files of SAM_TUNING_FILE, separated by colons, or
/// else the standard one. An empty SAM_TUNING_FILE disables both. A file of another engine is
/// skipped. A file that cannot be used leaves `to` as it is; if the user named it, a message on
/// standard error says why. name_device(device, name) writes the name of the device; it is called
/// only if there is a table.
template <class Values, std::size_t N>
[[gnu::noinline, gnu::cold]] void load_tables(char const* wanted_engine,
                                              void (*name_device)(void const*, char (&)[256]),
                                              void const* device, tunable<Values> const (&all)[N],
                                              Values& to, tuning_source& source) {
  bool const is_named = std::getenv("SAM_TUNING_FILE") != nullptr;
  char path[most_path];
  char const* left = environment("SAM_TUNING_FILE");
  if (!is_named) {
    standard_table_path(wanted_engine, path);
    left = path;
  }
  while (*left != '\0') {
    std::size_t const size = is_named ? std::strcspn(left, ":") : std::strlen(left);
    if (is_named)
      std::snprintf(path, most_path, "%.*s", static_cast<int>(size), left);
    left += size + (left[size] == ':' ? 1 : 0);
    table_problem problem;
    if (load_table(path, wanted_engine, name_device, device, all, to, problem)) {
      std::memcpy(source.text, path, sizeof path);
      source.problem[0] = '\0';
      source.is_file = true;
    } else if (problem.found() &&
               (is_named || std::strcmp(problem.text, "cannot be opened") != 0)) {
      std::snprintf(source.problem, sizeof source.problem, "the tuning table %.150s %s", path,
                    problem.text);
      static bool is_reported = false;  // once, not for each context
      if (is_named && !__atomic_exchange_n(&is_reported, true, __ATOMIC_RELAXED))
        std::fprintf(stderr, "sam: %s. Instead, sam uses %s.\n", source.problem, source.text);
    }
  }
}

}  // namespace sam::inline v0_1::engine
