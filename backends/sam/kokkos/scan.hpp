// SPDX-License-Identifier: MIT
// Includes scans, reductions, selections and segmented scans for Kokkos's execution spaces.
#pragma once

#include <sam/host/jobs/multi_partition.hpp>
#include <sam/host/run.hpp>
#include <sam/kokkos/context.hpp>
