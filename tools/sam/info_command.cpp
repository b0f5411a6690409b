// SPDX-License-Identifier: MIT
// Implements `sam info`.
#include <sam/host/memory/streaming.hpp>

#include "commands.hpp"
#include "failure.hpp"
#include <sndfile.h>

#include <cstdio>

namespace sam::tool {

namespace {

void print(std::string const& what, std::string const& value) {
  std::printf("%-12s %s\n", what.c_str(), value.c_str());
}

std::string compiler() {
#ifdef __clang__
  return __VERSION__;  // includes the compiler's name
#else
  return "GCC " __VERSION__;
#endif
}

std::string highway() {
#ifdef HWY_MAJOR
  return ", Highway " + std::to_string(HWY_MAJOR) + "." + std::to_string(HWY_MINOR) + "." +
         std::to_string(HWY_PATCH);
#else
  return "";
#endif
}

void print_plans(plan_kind kind, char const* of) {
  for (back_end const& known : back_ends())
    if (std::string const plan = known.plan(kind); !plan.empty())
      std::printf("%s of the back end %s:\n\n%s\n", of, known.name.c_str(), plan.c_str());
}

}  // namespace

void run_info(info_options const& options) {
  if (options.scan_plan)
    print_plans(plan_kind::scans, "Scans");
  if (options.sort_plan)
    print_plans(plan_kind::sorts, "Sorts");
  if (options.scan_plan || options.sort_plan)
    return;
  print("sam", version());
  print("compiler", compiler());
  print("libraries", std::string(sf_version_string()) + highway());
  for (back_end const& known : back_ends()) {
    std::printf("\n");
    print("back end", known.name + (&known == &back_ends().front() ? " (default)" : ""));
    try {
      for (auto const& [what, value] : known.start()->describe().facts)
        print("  " + what, value);
    } catch (sam::error const& error) {
      print("  not usable", problem_of(error));
    }
    if (!known.library.empty())
      print("  library", known.library);
  }
}

}  // namespace sam::tool
