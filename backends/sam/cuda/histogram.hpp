// SPDX-License-Identifier: MIT
// This file includes histograms on CUDA devices.
#pragma once

#include <sam/cuda/device/device.hpp>
#include <sam/cuda/platform.hpp>
#include <sam/launch/calls/histogram.hpp>
