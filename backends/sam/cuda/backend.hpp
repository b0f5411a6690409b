// SPDX-License-Identifier: MIT
#pragma once

#include <sam/cuda/about.hpp>
#include <sam/cuda/histogram.hpp>
#include <sam/cuda/merge_path.hpp>
#include <sam/cuda/run.hpp>
#include <sam/cuda/segmented_sort.hpp>
#include <sam/cuda/sort.hpp>
#include <sam/cuda/staging.hpp>
#include <sam/cuda/two_passes.hpp>
