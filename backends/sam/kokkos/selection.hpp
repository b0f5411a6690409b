// SPDX-License-Identifier: MIT
// Includes compaction, partitions and the like for Kokkos's execution spaces.
#pragma once

#include <sam/host/jobs/multi_partition.hpp>
#include <sam/host/jobs/select.hpp>
#include <sam/kokkos/scan.hpp>
#if defined(SAM_KOKKOS_RUNS_CUDA)
#include <sam/cuda/selection.hpp>
#elif defined(SAM_KOKKOS_RUNS_HIP)
#include <sam/hip/selection.hpp>
#endif
