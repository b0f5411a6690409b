// SPDX-License-Identifier: MIT
// Includes comparison sorts and merges for Kokkos's execution spaces, which are elementwise jobs on
// most of them, and the radix sorts that sort integers in their place.
#pragma once

#include <sam/kokkos/scan.hpp>
#include <sam/kokkos/sort.hpp>
#if defined(SAM_KOKKOS_RUNS_CUDA)
#include <sam/cuda/merge.hpp>
#elif defined(SAM_KOKKOS_RUNS_HIP)
#include <sam/hip/merge.hpp>
#endif
