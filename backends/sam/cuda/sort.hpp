// SPDX-License-Identifier: MIT
// This file includes radix sorts on CUDA devices.
#pragma once

#include <sam/cuda/device/device.hpp>
#include <sam/cuda/platform.hpp>
#include <sam/launch/calls/sort.hpp>
#ifdef SAM_CUDA_KERNELS
#include <sam/cuda/kernels/sort.hpp>
#endif
