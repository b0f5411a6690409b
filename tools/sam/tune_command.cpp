// SPDX-License-Identifier: MIT
// Implements `sam tune`.
#include <sam/base/tuning_files.hpp>

#include "failure.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "tune/tuner.hpp"

#include <cstdio>
#include <cstdlib>

namespace sam::tool {

namespace {

constexpr index_t progress_steps = 1000;

tune::tuner_options with_progress(tune::tuner_options to, std::unique_ptr<progress>& bar) {
  to.say = [&bar](std::string const& line) {
    bar.reset();
    std::fprintf(stderr, "%s\n", line.c_str());
  };
  to.progress = [&bar, shown = index_t{0}](double part, std::string const& doing) mutable {
    auto const step = static_cast<index_t>(part * progress_steps);
    if (bar == nullptr) {
      bar = std::make_unique<progress>("tuning " + doing, progress_steps);
      shown = 0;
    }
    bar->advance(step - shown);
    shown = step;
  };
  return to;
}

}  // namespace

void run_tune(tune_options const& options) {
  setenv("SAM_TUNING_FILE", "", 1);  // the search starts from the values of this program
  auto const back_end = start_back_end(options.back_end);
  auto const machine = back_end->tuned();
  std::unique_ptr<progress> bar;
  tune::tuner_options tuning = with_progress(options.tuning, bar);
  if (!options.compared.empty()) {
    std::string const text =
        tune::comparison_text(tune::compare_table(*machine, options.compared, tuning));
    bar.reset();
    std::fputs(text.c_str(), stdout);
    return;
  }
  if (char path[sam::engine::most_path]; tuning.out.empty()) {
    sam::engine::standard_table_path(machine->engine().c_str(), path);
    tuning.out = path;
  }
  if (tuning.out.empty())
    throw failure("there is no home folder for the table; choose --out FILE");
  if (tuning.report.empty() && !options.no_report)
    tuning.report = tuning.out.substr(0, tuning.out.rfind(".json")) + ".html";
  tune::results const found = tune::tune(*machine, tuning);
  bar.reset();
  if (!found.is_complete) {
    say("Not finished. The same command goes on from " + tuning.out + ".partial.");
    return;
  }
  index_t changed = 0;
  for (tune::experiment const& e : found.experiments)
    changed += e.after != e.before ? 1 : 0;
  char gain[64] = "";
  if (changed > 0)
    std::snprintf(gain, sizeof gain, "; calls take %.1f %% less time",
                  100 * (1 - found.total_ratio));
  say("The table " + tuning.out + " changes " + std::to_string(changed) + " of " +
      std::to_string(found.experiments.size()) + " values" + gain + ".");
  if (!tuning.report.empty())
    say("The report is " + tuning.report + ".");
}

void add_tune(CLI::App& app, tune_options& options) {
  CLI::App& command = *app.add_subcommand(
      "tune", "Measure what is fastest on this machine, and write a tuning table");
  constexpr double most_minutes = 24 * 60;
  command.add_option("--minutes", options.tuning.minutes, "How long it may take (default: 5)")
      ->check(CLI::Range(0.01, most_minutes).description(""))
      ->type_name("M");
  command
      .add_option("--out", options.tuning.out,
                  "The table (default: where programs look for it,\n"
                  "~/.config/sam/tuning-ENGINE.json)")
      ->type_name("FILE");
  auto* const report =
      command.add_option("--report", options.tuning.report,
                         "A page about what was tried and gained (default: beside the table)");
  report->type_name("FILE");
  command.add_flag("--no-report", options.no_report, "Write no such page")->excludes(report);
  command.add_option("--only", options.tuning.only, "Search these values only")
      ->type_name("NAME...");
  command.add_flag("--fresh", options.tuning.fresh, "Forget what an interrupted run has measured");
  command
      .add_option("--compare", options.compared,
                  "Measure a table against the defaults instead, also one of another device")
      ->type_name("FILE");
  add_back_end(command, options.back_end);
  command.footer(
      "Results never depend on the table: it changes only the speed. A value is changed only for\n"
      "a gain of 2 % that is larger than the noise. Let nothing else run meanwhile.\n\n"
      "Examples:\n"
      "  sam tune                           five minutes; all programs then use the table\n"
      "  sam tune --minutes 60 --out table.json\n"
      "  SAM_TUNING_FILE=table.json sam info  says whether the table is used\n"
      "  sam tune --compare table.json      what it gains here");
  command.callback([&] { run_tune(options); });
}

}  // namespace sam::tool
