// SPDX-License-Identifier: MIT
// This file includes the whole HIP back end.
#pragma once

#include <sam/hip/context.hpp>
#include <sam/hip/histogram.hpp>
#include <sam/hip/merge.hpp>
#include <sam/hip/scan.hpp>
#include <sam/hip/segmented.hpp>
#include <sam/hip/segmented_sort.hpp>
#include <sam/hip/selection.hpp>
#include <sam/hip/sort.hpp>
