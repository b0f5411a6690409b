// SPDX-License-Identifier: MIT
// This file includes radix sorts on CUDA devices.
#pragma once

#include <sam/cuda/sort/plan_text.hpp>
#include <sam/cuda/sort/sort.hpp>
#ifdef SAM_CUDA_KERNELS
#include <sam/cuda/kernels/sort.hpp>
#endif
