// SPDX-License-Identifier: MIT
// Includes compaction, partitions and the like on HIP devices, which run in the kernels of scans.
#pragma once

#include <sam/hip/scan.hpp>
#include <sam/launch/calls/sets.hpp>
