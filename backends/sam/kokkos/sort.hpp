// SPDX-License-Identifier: MIT
// Includes radix sorts for Kokkos's execution spaces.
#pragma once

#include <sam/host/sort/msd_radix_sort.hpp>
#include <sam/host/sort/plan_text.hpp>
#include <sam/kokkos/context_pool.hpp>
#ifdef SAM_KOKKOS_RUNS_CUDA
#include <sam/cuda/sort.hpp>
#endif
#ifdef SAM_KOKKOS_RUNS_HIP
#include <sam/hip/sort.hpp>
#endif
