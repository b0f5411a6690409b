// SPDX-License-Identifier: MIT
// The command-line tool. Exit status: 0 done, 1 it could not be done, 2 not understood.
#include <sam/version.hpp>

#include "commands.hpp"
#include "failure.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>

namespace sam::tool {

std::string version() {
  return std::to_string(SAM_VERSION / 10000) + "." + std::to_string(SAM_VERSION / 100 % 100) + "." +
         std::to_string(SAM_VERSION % 100);
}

void complain(std::string const& problem) {
  std::string line = "sam: " + problem;  // names and headers of files may hold anything
  std::ranges::replace_if(
      line, [](unsigned char c) { return c < ' ' || c == 0x7f; }, '?');
  std::fprintf(stderr, "%s\n", line.c_str());
}

}  // namespace sam::tool

int main(int argument_count, char** arguments) {
  // Kokkos warns of how threads are bound, which is nothing that a user of the tool asked about.
  setenv("KOKKOS_DISABLE_WARNINGS", "1", 0);
  try {
    int const status = sam::tool::run_command_line(argument_count, arguments);
    if (std::fflush(stdout) != 0)
      sam::tool::fail_with_errno("standard output");
    return status;
  } catch (std::bad_alloc const&) {
    sam::tool::complain("out of memory");
  } catch (sam::error const& error) {
    sam::tool::complain(sam::tool::problem_of(error));
  } catch (std::exception const& error) {
    sam::tool::complain(error.what());
  }
  return 1;
}
