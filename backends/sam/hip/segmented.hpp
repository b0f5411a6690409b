// SPDX-License-Identifier: MIT
// This file includes segmented reduction by offsets and run-length decoding on HIP devices.
#pragma once

#include <sam/hip/kernels.hpp>
#include <sam/launch/calls/segmented.hpp>
