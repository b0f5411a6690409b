// SPDX-License-Identifier: MIT
// Calls sam::compact once; tools/ci/check_budget counts the kernels and machine code of the call.
#include <sam/compact.hpp>
#include <sam/cuda/scan.hpp>

#include <span>

struct is_positive {
  __host__ __device__ bool operator()(int x) const { return x > 0; }
};
void call(sam::cuda::context& context, std::span<int const> in, std::span<int> out,
          std::span<int, 1> count) {
  sam::compact(context, in, out, is_positive{}, count);
}
