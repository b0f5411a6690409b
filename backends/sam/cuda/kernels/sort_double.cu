// SPDX-License-Identifier: MIT
// Compiles the sorts of double keys for sam::cuda_kernels.
#include <sam/cuda/kernels/sort.hpp>

namespace sam::cuda {
SAM_CUDA_SORTS(template, double);
}  // namespace sam::cuda
