// SPDX-License-Identifier: MIT
// Includes compaction, partitions and the like on CUDA devices, which run in the kernels of scans.
#pragma once

#include <sam/cuda/scan.hpp>
#include <sam/launch/calls/sets.hpp>
#ifdef SAM_CUDA_KERNELS
#include <sam/cuda/kernels/selection.hpp>
#endif
