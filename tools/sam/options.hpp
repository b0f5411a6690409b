// SPDX-License-Identifier: MIT
// Options that several commands share, and the functions that add commands from other files than
// command_line.cpp.
#pragma once

#include "commands.hpp"
#include <CLI/CLI.hpp>

#include <limits>
#include <map>

namespace sam::tool {

// Maps the names that an option accepts to values.
template <class Value>
using choices = std::map<std::string, Value>;

/// Adds an option that accepts one of several names.
template <class Target, class Value>
CLI::Option* add_choice(CLI::App& command, std::string const& option, Target& value,
                        choices<Value> const& all, std::string const& stands_for,
                        std::string const& help) {
  return command
      .add_option_function<std::string>(
          option, [&](std::string const& name) { value = all.at(name); }, help)
      ->check(CLI::IsMember(all).description(""))
      ->type_name(stands_for);
}

/// Adds an option that accepts a number from 1 to `most`.
template <class Number>
CLI::Option* add_number(CLI::App& command, std::string const& option, Number& number,
                        std::string const& stands_for, std::string const& help,
                        Number most = std::numeric_limits<Number>::max()) {
  return command.add_option(option, number, help)
      ->check(CLI::Range(Number{1}, most).description(""))
      ->type_name(stands_for);
}

inline void add_chunk(CLI::App& command, index_t& chunk) {
  add_number(command, "--chunk", chunk, "N",
             "Keep at most about N items in memory, if the array has\n"
             "more (default: 2^25)");
}

inline void add_file(CLI::App& command, std::string const& name, std::string& path,
                     std::string const& help) {
  command.add_option(name, path, help)->required()->type_name(" ");
}

inline void add_back_end(CLI::App& command, std::string& chosen) {
  std::vector<std::string> names;
  for (back_end const& known : back_ends())
    names.push_back(known.name);
  chosen = names.front();
  command
      .add_option("--backend", chosen,
                  "Where it runs: " + CLI::detail::join(names, ", ") + " (default: " + chosen + ")")
      ->check(CLI::IsMember(names).description(""))
      ->type_name("NAME");
}

/// Adds the option for values that accompany the items.
inline CLI::Option* add_values(CLI::App& command, value_files& values, std::string const& help) {
  return command.add_option("--values", values, help)->type_name("IN OUT");
}

/// Adds the option for flags that are packed as bits.
inline void add_packed(CLI::App& command, bool& are_packed, CLI::Option* flags) {
  command
      .add_flag("--packed", are_packed,
                flags->get_name() + " holds bits, 32 in each uint32, the lowest first")
      ->needs(flags);
}

/// Adds the options that select items by a relation to a value. Their names begin with `option`.
template <class Request>
void add_relations(CLI::App& command, std::string const& option, Request& request,
                   std::string const& help) {
  auto const add = [&](std::string const& name, relation is, std::string const& of) {
    command
        .add_option_function<std::string>(
            option + name,
            [&request, is, option = option + name](std::string const& value) {
              request = keep_request{is, value, option};
            },
            help + of)
        ->type_name("VALUE");
  };
  add("greater", relation::greater, " greater than VALUE");
  add("less", relation::less, " less than VALUE");
  add("equal", relation::equal, " equal to VALUE");
}

/// Adds the options that describe segments.
CLI::Option_group& add_segments(CLI::App& command, segment_files& files, std::string const& heads);

void add_sort(CLI::App& app, sort_options& options);
void add_top(CLI::App& app, top_options& options);
void add_merge(CLI::App& app, merge_options& options);
void add_search(CLI::App& app, search_options& options);
void add_gather(CLI::App& app, gather_options& options);
void add_scatter(CLI::App& app, scatter_options& options);
void add_find(CLI::App& app, find_options& options);
void add_extremes(CLI::App& app, extremes_options& options);
void add_adjacent_difference(CLI::App& app, difference_options& options);
void add_inner_product(CLI::App& app, product_options& options);
void add_compact(CLI::App& app, compact_options& compact, compact_options& partition);
void add_unique(CLI::App& app, runs_options& options);
void add_run_lengths(CLI::App& app, runs_options& encode, runs_options& decode, runs_options& find);
void add_histogram(CLI::App& app, histogram_options& options);
void add_summed_area_table(CLI::App& app, areas_options& options);
void add_linear_recurrence(CLI::App& app, recurrence_options& options);
void add_linear_filter(CLI::App& app, filter_options& options);
void add_predict(CLI::App& app, predict_options& options);
void add_tune(CLI::App& app, tune_options& options);

}  // namespace sam::tool
