// SPDX-License-Identifier: MIT
// Compiles the scans and reductions of float items for sam::cuda_kernels.
#include <sam/cuda/kernels/scan.hpp>

namespace sam::inline v0_1::cuda {
SAM_CUDA_SCANS(template, float);
}  // namespace sam::inline v0_1::cuda
