// SPDX-License-Identifier: MIT
// This file includes scans, reductions, selections and segmented scans on CUDA devices.
#pragma once

#include <sam/cuda/device/device.hpp>
#include <sam/cuda/platform.hpp>
#include <sam/launch/scan/few_segments.hpp>
#include <sam/launch/scan/plan_text.hpp>
#include <sam/launch/scan/run.hpp>
#include <sam/launch/scan/run_two.hpp>
#include <sam/launch/scan/split.hpp>
#ifdef SAM_CUDA_KERNELS
#include <sam/cuda/kernels/scan.hpp>
#endif
