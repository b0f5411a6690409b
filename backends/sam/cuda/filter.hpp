// SPDX-License-Identifier: MIT
// Includes recurrences and filters on CUDA devices, which run in the kernels of scans.
#pragma once

#include <sam/cuda/scan.hpp>
