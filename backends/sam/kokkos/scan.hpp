// SPDX-License-Identifier: MIT
// Scans, reductions, selections and segmented scans on Kokkos's execution spaces.
#pragma once

#include <sam/host/jobs/multi_partition.hpp>
#include <sam/host/run.hpp>
#include <sam/kokkos/context.hpp>
