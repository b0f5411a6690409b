// SPDX-License-Identifier: MIT
// Includes recurrences and filters for Kokkos's execution spaces.
#pragma once

#include <sam/host/jobs/filter.hpp>
#include <sam/kokkos/scan.hpp>
