// SPDX-License-Identifier: MIT
// This file includes segmented reduction by offsets and run-length decoding on HIP devices.
#pragma once

#include <sam/hip/device/device.hpp>
#include <sam/hip/platform.hpp>
#include <sam/launch/segmented/decode_runs.hpp>
#include <sam/launch/segmented/mark_bits.hpp>
#include <sam/launch/segmented/reduce_segments.hpp>
#include <sam/launch/segmented/scan_segments.hpp>
