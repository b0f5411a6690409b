// SPDX-License-Identifier: MIT
// Compiles the scans, reductions and compactions of double items for sam::cuda_kernels.
#include <sam/cuda/kernels/scan.hpp>
#include <sam/cuda/kernels/selection.hpp>

namespace sam::inline v0_1::cuda {
SAM_CUDA_SCANS(template, double);
SAM_CUDA_COMPACTIONS(template, double);
}  // namespace sam::inline v0_1::cuda
