// SPDX-License-Identifier: MIT
// The command for each primitive of the library, for the help text.
#pragma once

#include <string>

namespace sam::tool {

inline std::string const commands_of_primitives =
    "Commands that do what a primitive of the library does:\n"
    "  scan                 inclusive_scan, exclusive_scan, transform_inclusive_scan,\n"
    "                       transform_exclusive_scan\n"
    "  segmented-scan       segmented_inclusive_scan, segmented_exclusive_scan\n"
    "  reduce               reduce, transform_reduce, segmented_reduce, reduce_by_key\n"
    "  inner-product        inner_product, segmented_inner_product, inner_product_by_key\n"
    "  adjacent-difference  adjacent_difference, adjacent_difference_right\n"
    "  encode, decode       delta_encode, delta_decode\n"
    "  summed-area-table    summed_area_table, exclusive_summed_area_table, box_sum,\n"
    "                       exclusive_box_sum\n"
    "  linear-recurrence    linear_recurrence\n"
    "  linear-filter        linear_filter\n"
    "  sort                 radix_sort, radix_sort_pairs, radix_argsort, merge_sort,\n"
    "                       merge_sort_pairs, merge_argsort, segmented_radix_sort,\n"
    "                       segmented_radix_sort_pairs, segmented_radix_argsort,\n"
    "                       segmented_merge_sort, segmented_merge_sort_pairs,\n"
    "                       segmented_merge_argsort\n"
    "  merge                merge, merge_by_key, set_union, set_intersection,\n"
    "                       set_difference, set_symmetric_difference, set_union_by_key,\n"
    "                       set_intersection_by_key, set_difference_by_key,\n"
    "                       set_symmetric_difference_by_key\n"
    "  search               lower_bound, upper_bound, equal_range\n"
    "  top                  top_k, top_k_pairs, top_k_indices, partial_sort,\n"
    "                       segmented_top_k, segmented_top_k_pairs,\n"
    "                       segmented_top_k_indices\n"
    "  extremes             argmin, argmax, find_min, find_max, find_minmax, minmax,\n"
    "                       segmented_argmin, segmented_argmax, argmin_by_key,\n"
    "                       argmax_by_key, segmented_minmax, segmented_find_minmax,\n"
    "                       minmax_by_key, find_minmax_by_key, nth_element\n"
    "  find                 find_if, count_if, any_of, all_of, none_of, is_sorted,\n"
    "                       segmented_find_if, segmented_count_if, segmented_any_of,\n"
    "                       segmented_all_of, segmented_none_of, segmented_is_sorted,\n"
    "                       find_if_by_key, count_if_by_key, any_of_by_key,\n"
    "                       all_of_by_key, none_of_by_key, is_sorted_by_key\n"
    "  compact              compact, compact_flagged, compact_by_stencil, compact_indices,\n"
    "                       compact_indices_flagged\n"
    "  partition            partition, three_way_partition\n"
    "  unique, rle          unique, unique_by_key, run_length_encode, run_length_decode,\n"
    "                       find_runs\n"
    "  gather, scatter      gather, apply_permutation, scatter\n"
    "  histogram            histogram, cumulative_histogram, weighted_histogram,\n"
    "                       histogram_of_channels\n\n";

}  // namespace sam::tool
