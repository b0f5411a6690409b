// SPDX-License-Identifier: MIT
// Includes sorts of many segments for Kokkos's execution spaces.
#pragma once

#include <sam/host/jobs/select_in_segments.hpp>
#include <sam/host/sort/segmented_sort.hpp>
#include <sam/kokkos/context_pool.hpp>
#if defined(SAM_KOKKOS_RUNS_CUDA)
#include <sam/cuda/segmented_sort.hpp>
#elif defined(SAM_KOKKOS_RUNS_HIP)
#include <sam/hip/segmented_sort.hpp>
#endif
