// SPDX-License-Identifier: MIT
// Compiles the scans, reductions and compactions of float items for sam::cuda_kernels.
#include <sam/cuda/kernels/scan.hpp>
#include <sam/cuda/kernels/selection.hpp>

namespace sam::inline v0_1::cuda {
SAM_CUDA_SCANS(template, float);
SAM_CUDA_COMPACTIONS(template, float);
}  // namespace sam::inline v0_1::cuda
