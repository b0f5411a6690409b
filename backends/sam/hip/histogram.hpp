// SPDX-License-Identifier: MIT
// This file includes histograms on HIP devices.
#pragma once

#include <sam/hip/kernels.hpp>
#include <sam/launch/calls/histogram.hpp>
