// SPDX-License-Identifier: MIT
// This file includes the context of a CUDA device with staging and about(), but no kernels.
#pragma once

#include <sam/cuda/platform.hpp>
#include <sam/cuda/runtime/about.hpp>
#include <sam/launch/runtime/context.hpp>
#include <sam/launch/runtime/staging.hpp>
