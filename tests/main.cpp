// SPDX-License-Identifier: MIT
// Some back ends must be started before a test runs and stopped after the last one.
#include <sam/backend.hpp>

#include <catch2/catch_session.hpp>

int main(int argc, char** argv) {
  sam::default_runtime runtime(argc, argv);
  return Catch::Session().run(argc, argv);
}
