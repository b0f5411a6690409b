// SPDX-License-Identifier: MIT
// A program that is compiled once for each candidate of a build-time value. It reads commands from
// standard input and answers each with lines on standard output that end with an empty line:
//
//   about                 engine, device, and facts as name and text, separated by tabs
//   settings              name, value, least, most and 1 for a build-time value
//   set NAME VALUE        nothing
//   time N NAME           the seconds of a call
//   forget                nothing
#include <sam/backend.hpp>

#include "tune/tuned_context.hpp"
#ifdef SAM_TUNE_WITH_LIMITS  // the header of a back end that can run as on other devices
#include SAM_TUNE_WITH_LIMITS
#endif

#include <cstdio>
#include <iostream>
#include <sstream>

#ifndef SAM_TUNE_KINDS  // a candidate compiles only the calls that it changes
#define SAM_TUNE_KINDS sam::tune::all_kinds
#endif

namespace {

void answer(sam::tune::machine& of, std::string const& line) {
  std::istringstream words(line);
  std::string command, name;
  sam::index_t number = 0;
  words >> command;
  if (command == "about") {
    std::cout << of.engine() << '\n' << of.device() << '\n';
    for (auto const& [what, text] : of.facts())
      std::cout << what << '\t' << text << '\n';
  } else if (command == "settings") {
    for (sam::tune::setting const& known : of.settings())
      std::cout << known.name << ' ' << known.value << ' ' << known.least << ' ' << known.most
                << ' ' << known.at_build_time << '\n';
  } else if (command == "set") {
    words >> name >> number;
    of.set(name, number);
  } else if (command == "time") {
    words >> number >> std::ws;
    std::getline(words, name);
    std::cout << of.seconds({name, number}) << '\n';
  } else if (command == "forget") {
    of.forget();
  }
  std::cout << std::endl;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    sam::default_runtime const runtime(argc, argv);
    sam::default_context context;
#ifdef SAM_TUNE_WITH_LIMITS
    sam::cuda::testing::run_as_requested(context);
#endif
    sam::tune::tuned_context<SAM_TUNE_KINDS, sam::default_context> machine(context);
    for (std::string line; std::getline(std::cin, line);)
      answer(machine, line);
  } catch (std::exception const& error) {
    std::fprintf(stderr, "sam: %s\n", error.what());
    return 1;
  }
  return 0;
}
