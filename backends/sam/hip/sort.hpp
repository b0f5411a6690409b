// SPDX-License-Identifier: MIT
// This file includes radix sorts on HIP devices.
#pragma once

#include <sam/hip/kernels.hpp>
#include <sam/launch/calls/sort.hpp>
