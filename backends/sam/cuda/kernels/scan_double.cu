// SPDX-License-Identifier: MIT
// Compiles the scans and reductions of double items for sam::cuda_kernels.
#include <sam/cuda/kernels/scan.hpp>

namespace sam::cuda {
SAM_CUDA_SCANS(template, double);
}  // namespace sam::cuda
