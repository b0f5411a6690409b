// SPDX-License-Identifier: MIT
// Includes the whole Kokkos back end.
#pragma once

#include <sam/kokkos/context_pool.hpp>
#include <sam/kokkos/filter.hpp>
#include <sam/kokkos/histogram.hpp>
#include <sam/kokkos/merge.hpp>
#include <sam/kokkos/scan.hpp>
#include <sam/kokkos/segmented.hpp>
#include <sam/kokkos/segmented_sort.hpp>
#include <sam/kokkos/selection.hpp>
#include <sam/kokkos/sort.hpp>
