// SPDX-License-Identifier: MIT
// Histograms on Kokkos's execution spaces.
#pragma once

#include <sam/host/jobs/histogram.hpp>
#include <sam/kokkos/context.hpp>
