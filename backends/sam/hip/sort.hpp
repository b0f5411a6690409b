// SPDX-License-Identifier: MIT
// This file includes radix sorts on HIP devices.
#pragma once

#include <sam/hip/device/device.hpp>
#include <sam/hip/platform.hpp>
#include <sam/launch/sort/plan_text.hpp>
#include <sam/launch/sort/sort.hpp>
