// SPDX-License-Identifier: MIT
// Includes segments by offsets and runs for Kokkos's execution spaces.
#pragma once

#include <sam/host/jobs/offsets_to_bits.hpp>
#include <sam/kokkos/context.hpp>
