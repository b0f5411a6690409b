// SPDX-License-Identifier: MIT
// Includes scans and reductions for Kokkos's execution spaces.
#pragma once

#include <sam/host/jobs/elementwise.hpp>
#include <sam/host/jobs/generate.hpp>
#include <sam/host/jobs/reduce_blocks.hpp>
#include <sam/host/jobs/teams.hpp>
#include <sam/host/scan/plan_text.hpp>
#include <sam/host/scan/run.hpp>
#include <sam/kokkos/context_pool.hpp>
#if defined(SAM_KOKKOS_RUNS_CUDA)
#include <sam/cuda/scan.hpp>
#elif defined(SAM_KOKKOS_RUNS_HIP)
#include <sam/hip/scan.hpp>
#endif
