// SPDX-License-Identifier: MIT
// Checks that the loaded library is the one for the highest level, up to a given one, that this
// machine supports, and that it works.
#include "primitives.hpp"

#include <cstdio>
#include <string_view>

int main(int, char** arguments) {
  std::string_view const highest = arguments[1];
  int wanted = 16;
  if ((highest == "v3" || highest == "v4") && __builtin_cpu_supports("x86-64-v3"))
    wanted = 32;
  if (highest == "v4" && __builtin_cpu_supports("x86-64-v4"))
    wanted = 64;
  std::string const wrong = wrong_primitives() + wrong_extremes();
  std::printf("vectors of %d bytes, wanted %d; wrong: %s\n", vector_bytes(), wanted,
              wrong.empty() ? "nothing" : wrong.c_str());
  return vector_bytes() == wanted && wrong.empty() ? 0 : 1;
}
