// SPDX-License-Identifier: MIT
// This file includes segmented scans and reductions by offsets and run-length decoding on CUDA devices.
#pragma once

#include <sam/cuda/segmented/decode_runs.hpp>
#include <sam/cuda/segmented/mark_bits.hpp>
#include <sam/cuda/segmented/reduce_segments.hpp>
#include <sam/cuda/segmented/scan_segments.hpp>
