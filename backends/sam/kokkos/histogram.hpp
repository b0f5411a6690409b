// SPDX-License-Identifier: MIT
// Includes histograms for Kokkos's execution spaces.
#pragma once

#include <sam/host/jobs/histogram.hpp>
#include <sam/kokkos/context.hpp>
