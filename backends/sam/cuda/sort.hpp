// SPDX-License-Identifier: MIT
// Radix sorts on CUDA devices.
#pragma once

#include <sam/cuda/sort/sort.hpp>
