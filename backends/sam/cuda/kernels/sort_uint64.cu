// SPDX-License-Identifier: MIT
// Compiles the sorts of std::uint64_t keys for sam::cuda_kernels.
#include <sam/cuda/kernels/sort.hpp>

namespace sam::inline v0_1::cuda {
SAM_CUDA_SORTS(template, std::uint64_t);
}  // namespace sam::inline v0_1::cuda
