// SPDX-License-Identifier: MIT
// This file includes the context of a HIP device with staging and about(), but no kernels.
#pragma once

#include <sam/hip/platform.hpp>
#include <sam/hip/runtime/about.hpp>
#include <sam/launch/runtime/context.hpp>
#include <sam/launch/runtime/staging.hpp>
