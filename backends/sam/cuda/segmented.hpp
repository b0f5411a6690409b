// SPDX-License-Identifier: MIT
// Segments by offsets, and runs on CUDA devices.
#pragma once

#include <sam/cuda/segmented/decode_runs.hpp>
#include <sam/cuda/segmented/mark_bits.hpp>
#include <sam/cuda/segmented/reduce_segments.hpp>
