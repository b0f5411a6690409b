// SPDX-License-Identifier: MIT
// Includes segmented scans and reductions, and run lengths, for Kokkos's execution spaces.
#pragma once

#include <sam/host/jobs/offsets_to_bits.hpp>
#include <sam/host/jobs/segmented_reduce.hpp>
#include <sam/host/jobs/segmented_scan.hpp>
#include <sam/kokkos/context_pool.hpp>
#ifdef SAM_KOKKOS_RUNS_CUDA
#include <sam/cuda/segmented.hpp>
#endif
#ifdef SAM_KOKKOS_RUNS_HIP
#include <sam/hip/segmented.hpp>
#endif
