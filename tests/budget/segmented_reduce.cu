// SPDX-License-Identifier: MIT
// Calls sam::segmented_reduce once; tools/ci/check_budget counts the kernels and machine code of
// the call.
#include <sam/cuda/scan.hpp>
#include <sam/cuda/segmented.hpp>
#include <sam/segmented_reduce.hpp>

#include <cstdint>
#include <span>

void call(sam::cuda::context& context, std::span<float const> in, std::span<int const> offsets,
          std::span<float> out) {
  sam::segmented_reduce(context, in, sam::by_offsets(offsets), out);
}
