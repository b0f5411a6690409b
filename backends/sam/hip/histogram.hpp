// SPDX-License-Identifier: MIT
// This file includes histograms on HIP devices.
#pragma once

#include <sam/hip/device/device.hpp>
#include <sam/hip/platform.hpp>
#include <sam/launch/histogram.hpp>
