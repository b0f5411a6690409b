// SPDX-License-Identifier: MIT
// Radix sorts on Kokkos's execution spaces.
#pragma once

#include <sam/host/sort/radix_sort.hpp>
#include <sam/kokkos/context.hpp>
