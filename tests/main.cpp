// SPDX-License-Identifier: MIT
// Starts a back end before the tests and stops it after them, if it needs this. Skips all tests if
// the back end's device is missing.
#include <sam/backend.hpp>
#include <sam/error.hpp>

#include "defined_once.hpp"
#include <catch2/catch_session.hpp>

#include <iostream>

int main(int argc, char** argv) {
  sam::default_runtime runtime(argc, argv);
  Catch::Session session;
  if (int const wrong = session.applyCommandLine(argc, argv); wrong != 0)
    return wrong;
  auto const& asked = session.configData();
  if (!asked.listTests && !asked.listTags && !asked.showHelp)
    try {
      sam::default_context const context;
    } catch (sam::device_error const& e) {
      constexpr int skipped = 4;  // Catch2's exit status for skipped tests, known to ctest
      std::cout << "skipped: " << e.what() << '\n';
      return skipped;
    }
  return session.run();
}
