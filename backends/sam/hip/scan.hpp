// SPDX-License-Identifier: MIT
// This file includes scans, reductions, selections and segmented scans on HIP devices.
#pragma once

#include <sam/hip/device/device.hpp>
#include <sam/hip/platform.hpp>
#include <sam/launch/scan/few_segments.hpp>
#include <sam/launch/scan/plan_text.hpp>
#include <sam/launch/scan/run.hpp>
#include <sam/launch/scan/run_two.hpp>
#include <sam/launch/scan/split.hpp>
