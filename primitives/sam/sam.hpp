// SPDX-License-Identifier: MIT
// All primitives, and the version, in one include.
#pragma once

#include <sam/adjacent_difference.hpp>
#include <sam/binary_search.hpp>
#include <sam/compact.hpp>
#include <sam/delta.hpp>
#include <sam/extremes.hpp>
#include <sam/find.hpp>
#include <sam/find_runs.hpp>
#include <sam/gather.hpp>
#include <sam/histogram.hpp>
#include <sam/inner_product.hpp>
#include <sam/inputs.hpp>
#include <sam/linear_recurrence.hpp>
#include <sam/merge.hpp>
#include <sam/merge_sort.hpp>
#include <sam/outputs.hpp>
#include <sam/partial_sort.hpp>
#include <sam/partition.hpp>
#include <sam/radix_sort.hpp>
#include <sam/reduce.hpp>
#include <sam/run_length.hpp>
#include <sam/scan.hpp>
#include <sam/segmented_extremes.hpp>
#include <sam/segmented_find.hpp>
#include <sam/segmented_merge_sort.hpp>
#include <sam/segmented_radix_sort.hpp>
#include <sam/segmented_reduce.hpp>
#include <sam/segmented_scan.hpp>
#include <sam/segmented_top_k.hpp>
#include <sam/set_operations.hpp>
#include <sam/summed_area_table.hpp>
#include <sam/top_k.hpp>
#include <sam/unique.hpp>
#include <sam/version.hpp>
#include <sam/weighted_histogram.hpp>
