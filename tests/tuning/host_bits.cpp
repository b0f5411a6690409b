// SPDX-License-Identifier: MIT
// Prints the bits of results on a host engine. compare.cmake compares what it prints.
//
//   bits            the hashes
//   bits --tuning   the device, then the values in use
#include "bits.hpp"
#if __has_include("backend_bytes_defined_once.hpp")
#include "backend_bytes_defined_once.hpp"
#endif

int main(int argc, char** argv) {
  sam::default_runtime const runtime(argc, argv);
  bits::context_type context;
  if (argc == 1) {
    bits::print_all(context);
    return 0;
  }
  std::printf("%s\n", sam::host::device_name().c_str());
  for (auto const& known : sam::host::all_tunables)
    std::printf("%s %lld\n", known.name, static_cast<long long>(sam::host::tuned.*known.value));
  return 0;
}
