// SPDX-License-Identifier: MIT
// Contexts of CUDA devices, and what else a program does with one: staging and about(). No kernels.
#pragma once

#include <sam/cuda/runtime/about.hpp>
#include <sam/cuda/runtime/context.hpp>
#include <sam/cuda/runtime/staging.hpp>
