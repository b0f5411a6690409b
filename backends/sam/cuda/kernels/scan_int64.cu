// SPDX-License-Identifier: MIT
// Compiles the scans, reductions and compactions of std::int64_t items for sam::cuda_kernels.
#include <sam/cuda/kernels/scan.hpp>
#include <sam/cuda/kernels/selection.hpp>

namespace sam::inline v0_1::cuda {
SAM_CUDA_SCANS(template, std::int64_t);
SAM_CUDA_COMPACTIONS(template, std::int64_t);
}  // namespace sam::inline v0_1::cuda
