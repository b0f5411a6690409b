// SPDX-License-Identifier: MIT
// Includes the whole serial back end.
#pragma once

#include <sam/serial/context.hpp>
#include <sam/serial/filter.hpp>
#include <sam/serial/histogram.hpp>
#include <sam/serial/merge.hpp>
#include <sam/serial/scan.hpp>
#include <sam/serial/segmented.hpp>
#include <sam/serial/segmented_sort.hpp>
#include <sam/serial/selection.hpp>
#include <sam/serial/sort.hpp>
