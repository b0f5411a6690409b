// SPDX-License-Identifier: MIT
// Includes histograms for Kokkos's execution spaces.
#pragma once

#include <sam/host/jobs/histogram.hpp>
#include <sam/host/jobs/weighted_histogram.hpp>
#include <sam/kokkos/context_pool.hpp>
#if defined(SAM_KOKKOS_RUNS_CUDA)
#include <sam/cuda/histogram.hpp>
#elif defined(SAM_KOKKOS_RUNS_HIP)
#include <sam/hip/histogram.hpp>
#endif
