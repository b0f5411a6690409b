// SPDX-License-Identifier: MIT
// One call of sam::segmented_reduce: tools/ci/check_budget counts the kernels and the machine code
// that it takes.
#include <sam/cuda/scan.hpp>
#include <sam/cuda/segmented.hpp>
#include <sam/segmented_reduce.hpp>

#include <cstdint>
#include <span>

void call(sam::cuda::context& context, std::span<float const> in, std::span<int const> offsets,
          std::span<float> out) {
  sam::segmented_reduce(context, in, sam::by_offsets(offsets), out);
}
