// SPDX-License-Identifier: MIT
// Calls sam::inclusive_scan once; tools/ci/check_budget counts the kernels and machine code of the
// call.
#include <sam/cuda/scan.hpp>
#include <sam/scan.hpp>

#include <span>

void call(sam::cuda::context& context, std::span<int const> in, std::span<int> out) {
  sam::inclusive_scan(context, in, out);
}
