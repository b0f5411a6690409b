// SPDX-License-Identifier: MIT
// This file includes scans, reductions, selections and segmented scans on CUDA devices.
#pragma once

#include <sam/cuda/scan/few_segments.hpp>
#include <sam/cuda/scan/plan_text.hpp>
#include <sam/cuda/scan/run.hpp>
#include <sam/cuda/scan/run_two.hpp>
#include <sam/cuda/scan/split.hpp>
#ifdef SAM_CUDA_KERNELS
#include <sam/cuda/kernels/scan.hpp>
#endif
