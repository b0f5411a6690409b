// SPDX-License-Identifier: MIT
// Includes all primitives.
#pragma once

#include <sam/compact.hpp>
#include <sam/delta.hpp>
#include <sam/histogram.hpp>
#include <sam/linear_recurrence.hpp>
#include <sam/partition.hpp>
#include <sam/radix_sort.hpp>
#include <sam/reduce.hpp>
#include <sam/run_length.hpp>
#include <sam/scan.hpp>
#include <sam/segmented_radix_sort.hpp>
#include <sam/segmented_reduce.hpp>
#include <sam/segmented_scan.hpp>
#include <sam/summed_area_table.hpp>
#include <sam/unique.hpp>
