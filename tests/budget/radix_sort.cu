// SPDX-License-Identifier: MIT
// One call of sam::radix_sort: tools/ci/check_budget counts the kernels and the machine code that
// it takes.
#include <sam/cuda/sort.hpp>
#include <sam/radix_sort.hpp>

#include <cstdint>
#include <span>

void call(sam::cuda::context& context, std::span<std::uint32_t const> in,
          std::span<std::uint32_t> out) {
  sam::radix_sort(context, in, out);
}
