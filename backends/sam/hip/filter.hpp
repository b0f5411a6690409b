// SPDX-License-Identifier: MIT
// Includes recurrences and filters on HIP devices, which run in the kernels of scans.
#pragma once

#include <sam/hip/scan.hpp>
