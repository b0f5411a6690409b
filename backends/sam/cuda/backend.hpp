// SPDX-License-Identifier: MIT
#pragma once

#include <sam/cuda/histogram.hpp>
#include <sam/cuda/runtime/about.hpp>
#include <sam/cuda/runtime/staging.hpp>
#include <sam/cuda/scan/run.hpp>
#include <sam/cuda/scan/two_passes.hpp>
#include <sam/cuda/segmented/decode_runs.hpp>
#include <sam/cuda/segmented/mark_bits.hpp>
#include <sam/cuda/segmented/reduce_segments.hpp>
#include <sam/cuda/sort/segmented_sort.hpp>
#include <sam/cuda/sort/sort.hpp>
