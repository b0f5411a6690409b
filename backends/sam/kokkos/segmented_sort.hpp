// SPDX-License-Identifier: MIT
// Sorts of many segments on Kokkos's execution spaces.
#pragma once

#include <sam/host/sort/segmented_sort.hpp>
#include <sam/kokkos/context.hpp>
