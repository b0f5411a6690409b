// SPDX-License-Identifier: MIT
// Tunes by programs alone, which variants.txt lists. It has no dependencies, so that it and the
// programs can be built on one machine and run on another, which has the device.
//
//   sam_tune_variants FOLDER --out FILE [--report FILE] [--minutes M] [--fresh] [--only NAME]...
//   sam_tune_variants FOLDER --compare FILE [--minutes M]
#include "tune/program.hpp"
#include "tune/tuner.hpp"
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

namespace {

struct asked : sam::tune::tuner_options {
  std::string compared;  // a table; empty to tune
};

asked options_of(int argc, char** argv) {
  asked options;
  for (int k = 2; k < argc; ++k) {
    std::string const name = argv[k];
    if (name == "--fresh") {
      options.fresh = true;
      continue;
    }
    if (k + 1 == argc)
      throw std::runtime_error(name + " needs a value");
    std::string const value = argv[++k];
    if (name == "--minutes")
      options.minutes = std::atof(value.c_str());
    else if (name == "--out")
      options.out = value;
    else if (name == "--report")
      options.report = value;
    else if (name == "--compare")
      options.compared = value;
    else if (name == "--only")
      options.only.push_back(value);
    else
      throw std::runtime_error("there is no option " + name);
  }
  if (argc < 2 || options.out.empty() == options.compared.empty() || !(options.minutes > 0))
    throw std::runtime_error("usage: sam_tune_variants FOLDER --out FILE [--report FILE] "
                             "[--minutes M] [--fresh] [--only NAME]...\n"
                             "   or: sam_tune_variants FOLDER --compare FILE [--minutes M]");
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    asked options = options_of(argc, argv);
    setenv("SAM_TUNING_FILE", "", 1);
    std::string const folder = std::string(argv[1]) + "/";
    std::ifstream list(folder + "variants.txt");
    sam::tune::variant next;
    while (list >> next.name >> next.value >> next.path) {
      next.path = folder + next.path;
      options.variants.push_back(next);
    }
    bool const is_terminal = isatty(STDERR_FILENO) == 1;
    options.say = [&](std::string const& line) {
      std::fprintf(stderr, "%s%s\n", is_terminal ? "\r\033[K" : "", line.c_str());
    };
    options.progress = [&](double part, std::string const& doing) {
      if (is_terminal)
        std::fprintf(stderr, "\r%3.0f %% %s\033[K", 100 * part, doing.c_str());
    };
    sam::tune::program machine(folder + "variant");
    if (!options.compared.empty()) {
      std::string const text =
          sam::tune::comparison_text(sam::tune::compare_table(machine, options.compared, options));
      std::fputs(text.c_str(), stdout);
      return 0;
    }
    sam::tune::results const found = sam::tune::tune(machine, options);
    options.say(found.is_complete ? "the table is " + options.out
                                  : "not finished; the same command goes on");
    return 0;
  } catch (std::exception const& error) {
    std::fprintf(stderr, "sam_tune_variants: %s\n", error.what());
    return 1;
  }
}
