// SPDX-License-Identifier: MIT
// This file includes segmented sorts on HIP devices.
#pragma once

#include <sam/hip/device/device.hpp>
#include <sam/hip/platform.hpp>
#include <sam/launch/sort/segmented_sort.hpp>
#include <sam/launch/sort/sort_segments.hpp>
