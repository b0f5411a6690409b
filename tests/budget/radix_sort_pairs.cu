// SPDX-License-Identifier: MIT
// Calls sam::radix_sort_pairs once; tools/ci/check_budget counts the kernels and machine code of
// the call.
#include <sam/cuda/sort.hpp>
#include <sam/radix_sort.hpp>

#include <cstdint>
#include <span>

void call(sam::cuda::context& context, std::span<std::uint32_t const> keys,
          std::span<std::uint32_t const> values, std::span<std::uint32_t> keys_out,
          std::span<std::uint32_t> values_out) {
  sam::radix_sort_pairs(context, keys, values, keys_out, values_out);
}
