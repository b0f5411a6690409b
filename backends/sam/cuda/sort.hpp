// SPDX-License-Identifier: MIT
// This file includes radix sorts on CUDA devices.
#pragma once

#include <sam/cuda/sort/sort.hpp>
