// SPDX-License-Identifier: MIT
// This file includes comparison sorts and merges on HIP devices.
#pragma once

#include <sam/hip/kernels.hpp>
#include <sam/hip/scan.hpp>
#include <sam/hip/sort.hpp>
#include <sam/launch/calls/merge.hpp>
