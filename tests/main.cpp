// SPDX-License-Identifier: MIT
// Some back ends must be started before a test runs and stopped after the last one; some need a
// device, without which there is nothing to test.
#include <sam/backend.hpp>
#include <sam/error.hpp>

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
      constexpr int skipped = 4;  // as Catch2 says it, and ctest understands
      std::cout << "skipped: " << e.what() << '\n';
      return skipped;
    }
  return session.run();
}
