// SPDX-License-Identifier: MIT
// One call of sam::inclusive_scan: tools/ci/check_budget counts the kernels and the machine code
// that it takes.
#include <sam/cuda/scan.hpp>
#include <sam/scan.hpp>

#include <span>

void call(sam::cuda::context& context, std::span<int const> in, std::span<int> out) {
  sam::inclusive_scan(context, in, out);
}
