// SPDX-License-Identifier: MIT
// Compiles the scans, reductions and compactions of std::uint32_t items for sam::cuda_kernels.
#include <sam/cuda/kernels/scan.hpp>
#include <sam/cuda/kernels/selection.hpp>

namespace sam::inline v0_1::cuda {
SAM_CUDA_SCANS(template, std::uint32_t);
SAM_CUDA_COMPACTIONS(template, std::uint32_t);
}  // namespace sam::inline v0_1::cuda
