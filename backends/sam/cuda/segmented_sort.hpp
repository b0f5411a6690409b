// SPDX-License-Identifier: MIT
// This file includes segmented sorts on CUDA devices.
#pragma once

#include <sam/cuda/device/device.hpp>
#include <sam/cuda/platform.hpp>
#include <sam/launch/sort/segmented_sort.hpp>
#include <sam/launch/sort/sort_segments.hpp>
