// SPDX-License-Identifier: MIT
// A call with an error. With exceptions, the program prints the message to stderr and aborts;
// without, the library does. tools/ci/check_compilers compares both outputs.
#include <sam/backend.hpp>
#include <sam/sam.hpp>

#include <cstdio>
#include <cstdlib>
#include <vector>

int main() {
  sam::default_context context;
  std::vector<int> const in(3);
  std::vector<int> out(2);
  auto const call = [&] { sam::inclusive_scan(context, in, out); };
#ifdef __cpp_exceptions
  try {
    call();
  } catch (sam::invalid_argument const& error) {
    std::fprintf(stderr, "%s\n", error.what());
    std::abort();
  }
#else
  call();
#endif
}
