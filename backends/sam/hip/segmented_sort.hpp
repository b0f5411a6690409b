// SPDX-License-Identifier: MIT
// This file includes segmented sorts on HIP devices.
#pragma once

#include <sam/hip/kernels.hpp>
#include <sam/launch/calls/segmented_sort.hpp>
