// SPDX-License-Identifier: MIT
// This file includes scans, reductions, selections and segmented scans on HIP devices.
#pragma once

#include <sam/hip/kernels.hpp>
#include <sam/launch/calls/scan.hpp>
