// SPDX-License-Identifier: MIT
// Compiles the sorts of float keys for sam::cuda_kernels.
#include <sam/cuda/kernels/sort.hpp>

namespace sam::cuda {
SAM_CUDA_SORTS(template, float);
}  // namespace sam::cuda
