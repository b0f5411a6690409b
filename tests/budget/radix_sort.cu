// SPDX-License-Identifier: MIT
// Calls sam::radix_sort once; tools/ci/check_budget counts the kernels and machine code of the
// call.
#include <sam/cuda/sort.hpp>
#include <sam/radix_sort.hpp>

#include <cstdint>
#include <span>

void call(sam::cuda::context& context, std::span<std::uint32_t const> in,
          std::span<std::uint32_t> out) {
  sam::radix_sort(context, in, out);
}
