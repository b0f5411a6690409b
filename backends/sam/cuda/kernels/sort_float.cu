// SPDX-License-Identifier: MIT
// Compiles the sorts of float keys for sam::cuda_kernels.
#include <sam/cuda/kernels/sort.hpp>

namespace sam::inline v0_1::cuda {
SAM_CUDA_SORTS(template, float);
}  // namespace sam::inline v0_1::cuda
