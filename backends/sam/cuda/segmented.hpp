// SPDX-License-Identifier: MIT
// This file includes segmented scans and reductions by offsets and run-length decoding on CUDA
// devices.
#pragma once

#include <sam/cuda/device/device.hpp>
#include <sam/cuda/platform.hpp>
#include <sam/launch/calls/segmented.hpp>
