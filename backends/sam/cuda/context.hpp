// SPDX-License-Identifier: MIT
// This file includes the context of a CUDA device with staging and about(), but no kernels.
#pragma once

#include <sam/cuda/runtime/about.hpp>
#include <sam/cuda/runtime/context.hpp>
#include <sam/cuda/runtime/staging.hpp>
