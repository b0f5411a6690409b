// SPDX-License-Identifier: MIT
// Tests on a CUDA device that two source files may call the same primitive. Each has kernels of its
// own, whose attributes are set apart, while the linker merges the functions that launch them.
#include <sam/cuda/backend.hpp>
#include <sam/radix_sort.hpp>

#include "sorted_in_another_file.hpp"
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <random>
#include <vector>

namespace {

/// Sorts by all bits, which only the other file says when it is compiled, so that the two calls
/// share some functions that launch kernels and not others.
template <class Key>
std::vector<Key> sorted_in_this_file(sam::cuda::context& context, std::vector<Key> const& keys) {
  std::vector<Key> sorted(keys.size());
  sam::cuda::staging::arrays<Key> const staged(context, std::span<Key const>(keys),
                                               std::span<Key>(sorted));
  sam::radix_sort(context, staged.in(), staged.out(), sam::sort_options<Key>{});
  staged.bring_back();
  return sorted;
}

template <class Key>
void check_both_files(bool other_first) {
  std::mt19937 random(7);
  sam::cuda::context context;
  for (int const n : {1, 100, 5'000, 10'000, 16'385, 30'001, 60'000, 300'000}) {
    CAPTURE(n, other_first, sizeof(Key));
    std::vector<Key> keys(n);
    for (Key& key : keys)
      key = Key(random());
    std::vector<Key> expected = keys;
    std::sort(expected.begin(), expected.end());
    if (other_first)
      CHECK(test::sorted_in_another_file(context, keys) == expected);
    CHECK(sorted_in_this_file(context, keys) == expected);
    if (!other_first)
      CHECK(test::sorted_in_another_file(context, keys) == expected);
  }
}

TEST_CASE("calls of two files run kernels whose attributes are set") {
  for (bool const other_first : {true, false}) {
    check_both_files<std::uint32_t>(other_first);
    check_both_files<float>(other_first);
    check_both_files<std::uint64_t>(other_first);
  }
}

}  // namespace
