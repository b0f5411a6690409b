// SPDX-License-Identifier: MIT
// Calls sam::radix_sort once; tools/ci/check_budget compiles the call for devices that tests lack.
#include <sam/cuda/sort.hpp>
#include <sam/radix_sort.hpp>

#include <span>

void call(sam::cuda::context& context, std::span<unsigned const> in, std::span<unsigned> out) {
  sam::radix_sort(context, in, out);
}
