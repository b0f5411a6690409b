// SPDX-License-Identifier: MIT
// This file includes the whole CUDA back end.
#pragma once

#include <sam/cuda/context.hpp>
#include <sam/cuda/histogram.hpp>
#include <sam/cuda/merge.hpp>
#include <sam/cuda/scan.hpp>
#include <sam/cuda/segmented.hpp>
#include <sam/cuda/segmented_sort.hpp>
#include <sam/cuda/selection.hpp>
#include <sam/cuda/sort.hpp>
