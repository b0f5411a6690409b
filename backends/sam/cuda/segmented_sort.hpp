// SPDX-License-Identifier: MIT
// This file includes segmented sorts on CUDA devices.
#pragma once

#include <sam/cuda/sort/segmented_sort.hpp>
#include <sam/cuda/sort/sort_segments.hpp>
