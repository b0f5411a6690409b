// SPDX-License-Identifier: MIT
// Compiles the sorts of double keys for sam::cuda_kernels.
#include <sam/cuda/kernels/sort.hpp>

namespace sam::inline v0_1::cuda {
SAM_CUDA_SORTS(template, double);
}  // namespace sam::inline v0_1::cuda
