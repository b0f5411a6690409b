// SPDX-License-Identifier: MIT
// The command-line tool. Exit status: 0 for success, 1 for a failure, 2 for an invalid command
// line. Signals end the tool as usual, including SIGPIPE.
#include <sam/version.hpp>

#include "commands.hpp"
#include "destination.hpp"
#include "failure.hpp"
#include "files.hpp"
#include "unfinished.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>

namespace sam::tool {

std::string version() {
  auto const [major, minor, patch] = sam::version();
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
}

void complain(std::string const& problem) {
  std::string line = "sam: " + problem;  // file names and headers may contain any bytes
  std::ranges::replace_if(
      line, [](unsigned char c) { return c < ' ' || c == 0x7f; }, '?');
  std::fprintf(stderr, "%s\n", line.c_str());
}

void say(std::string const& line) {
  std::fprintf(standard_output_is_taken() ? stderr : stdout, "%s\n", line.c_str());
}

}  // namespace sam::tool

int main(int argument_count, char** arguments) {
  sam::tool::reserve_standard_descriptors();
  sam::tool::remove_unfinished_on_signals();
  // Kokkos warns about thread binding, which a user of the tool did not ask for.
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
