// SPDX-License-Identifier: MIT
// Sorts in a source file of its own.
#include <sam/radix_sort.hpp>

#include "sorted_in_another_file.hpp"

namespace test {

namespace {
template <class Key>
std::vector<Key> sorted(sam::cuda::context& context, std::vector<Key> const& keys) {
  std::vector<Key> result(keys.size());
  sam::cuda::staging::arrays<Key> const staged(context, std::span<Key const>(keys),
                                               std::span<Key>(result));
  sam::radix_sort(context, staged.in(), staged.out());
  staged.bring_back();
  return result;
}
}  // namespace

std::vector<std::uint32_t> sorted_in_another_file(sam::cuda::context& context,
                                                  std::vector<std::uint32_t> const& keys) {
  return sorted(context, keys);
}
std::vector<float> sorted_in_another_file(sam::cuda::context& context,
                                          std::vector<float> const& keys) {
  return sorted(context, keys);
}
std::vector<std::uint64_t> sorted_in_another_file(sam::cuda::context& context,
                                                  std::vector<std::uint64_t> const& keys) {
  return sorted(context, keys);
}

}  // namespace test
