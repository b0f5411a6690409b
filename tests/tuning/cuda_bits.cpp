// SPDX-License-Identifier: MIT
// Compares the bits of results on a CUDA device, of a program that is compiled with a tuning table
// of other devices and of one that is not.
//
//   untuned_bits.cuda   prints the values in use, then the hashes
//   tuned_bits.cuda     runs untuned_bits.cuda of its own folder, and fails unless both have other
//                       values and the same hashes. With an argument it prints its own
#include "bits.hpp"

#include <cstdlib>
#include <iostream>
#include <string>

namespace {

/// Sorts and scans by the kernels whose tiles a table changes when a program is built.
template <class Key>
void sort(bits::context_type& context, char const* name, std::size_t n) {
  bits::array const keys(bits::random_items<Key>(n, 6));
  bits::array const values(bits::random_items<std::uint64_t>(n, 7));
  bits::array<Key> sorted(n);
  bits::array<std::uint64_t> beside(n);
  sam::radix_sort(context, keys, sorted);
  bits::print(context, (std::string("radix_sort of ") + name).c_str(), sorted);
  sam::radix_sort_pairs(context, keys, values, sorted, beside);
  bits::print(context, (std::string("values beside ") + name).c_str(), beside);
}
void scan_integers(bits::context_type& context, std::size_t n) {
  bits::array const items(bits::random_items<std::int64_t>(n, 8));
  bits::array<std::int64_t> sums(n);
  sam::inclusive_scan(context, items, sums, sam::scan_policy<sam::plus, 2>{});
  bits::print(context, "inclusive_scan of integers, order 2", sums);
}

void print_values(bits::context_type const& context) {
  for (auto const& known : sam::cuda::context::tunable_values())
    std::printf("%s %lld, ", known.name, static_cast<long long>(context.tuned().*known.value));
  std::printf("\n");
}

/// Returns what a program prints: the first line, and the rest.
std::pair<std::string, std::string> printed_by(std::string const& program) {
  std::string text;
  std::FILE* const from = popen(("'" + program + "' --print").c_str(), "r");
  if (from == nullptr)
    return {};
  for (char part[4096]; std::size_t const count = std::fread(part, 1, sizeof part, from);)
    text.append(part, count);
  if (pclose(from) != 0)
    return {};
  std::size_t const end = text.find('\n') + 1;
  return {text.substr(0, end), text.substr(end)};
}

}  // namespace

int main(int argc, char** argv) try {
  bits::context_type context;
  std::string const program = argv[0];
  if (argc > 1 || *sam::cuda::tuning::table == '\0') {
    print_values(context);
    bits::print_all(context);
    for (std::size_t const n : bits::sizes) {
      sort<std::uint32_t>(context, "32 bits", n);
      sort<std::uint64_t>(context, "64 bits", n);
      scan_integers(context, n);
    }
    return 0;
  }
  auto const tuned = printed_by(program);
  auto const untuned = printed_by(program.substr(0, program.rfind('/') + 1) + "untuned_bits.cuda");
  bool const same = !untuned.second.empty() && tuned.second == untuned.second;
  bool const right = same && tuned.first != untuned.first;
  std::cout << "with a table: " << tuned.first << tuned.second << "without: " << untuned.first
            << (same ? "" : untuned.second)
            << (right ? "passed" : "FAILED: hashes must be the same, and values not") << '\n';
  return right ? 0 : 1;
} catch (sam::device_error const& e) {
  constexpr int skipped = 4;  // as the exit status of tests
  std::cout << "skipped: " << e.what() << '\n';
  return skipped;
}
