// SPDX-License-Identifier: MIT
// Segments by offsets, and runs on Kokkos's execution spaces.
#pragma once

#include <sam/host/jobs/offsets_to_bits.hpp>
#include <sam/kokkos/context.hpp>
