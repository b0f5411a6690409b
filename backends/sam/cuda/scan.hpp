// SPDX-License-Identifier: MIT
// This file includes scans, reductions, selections and segmented scans on CUDA devices.
#pragma once

#include <sam/cuda/device/device.hpp>
#include <sam/cuda/platform.hpp>
#include <sam/launch/calls/scan.hpp>
#ifdef SAM_CUDA_KERNELS
#include <sam/cuda/kernels/scan.hpp>
#endif
