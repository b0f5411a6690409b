// SPDX-License-Identifier: MIT
// Sorts of many segments on CUDA devices.
#pragma once

#include <sam/cuda/sort/segmented_sort.hpp>
