// SPDX-License-Identifier: MIT
// Prints the sort plan as a table, for `sam info --sort-plan` and for docs/internals/cuda_sort.md.
#ifndef SAM_LAUNCH_SORT_PLAN_TEXT_HPP
#define SAM_LAUNCH_SORT_PLAN_TEXT_HPP

#include <sam/launch/runtime/context.hpp>
#include <sam/launch/sort/plan.hpp>

#include <string>

namespace sam::inline v0_1::SAM_GPU_WARPS {

namespace detail {

/// Returns a number with thousands separators, such as 1,234,567.
inline std::string grouped(index_t n) {
  std::string digits = std::to_string(n);
  for (int at = int(digits.size()) - 3; at > 0; at -= 3)
    digits.insert(std::size_t(at), ",");
  return digits;
}

inline std::string keys_of_row(sort_row const& row) {
  std::string text;
  if (row.least_keys_per_sm > 0)
    text = "from " + grouped(row.least_keys_per_sm) + " per multiprocessor";
  else if (row.most_keys_per_block > 0)
    text = "up to " + grouped(row.most_keys_per_block * row.blocks_per_sm) + " per multiprocessor";
  if (row.most_keys >= (index_t{1} << 30) - 1)
    return text.empty() ? "fewer than 2^30" : text + ", fewer than 2^30";
  if (row.least_keys > 1)
    return grouped(row.least_keys) + " to " + grouped(row.most_keys);
  if (row.most_keys > 0)
    return "up to " + grouped(row.most_keys);
  return "any number";
}

inline std::string needs_of_row(sort_row const& row) {
  std::string needs;
  if (row.bits != sort_bits::any)
    needs = std::string(name_of(row.bits)) + " bits";
  if (row.in_clusters)
    needs += std::string(needs.empty() ? "" : "; ") + "clusters";
  if (row.needs_residency)
    needs += std::string(needs.empty() ? "" : "; ") + std::to_string(row.blocks_per_sm) +
             " blocks on a multiprocessor";
  return needs;
}

/// Returns the name of a row's algorithm, with the size of the tiles of its passes.
inline std::string algorithm_of_row(sort_row const& row) {
  return name_of(row.algorithm) +
         (row.tile_keys > 0 ? ", tiles of " + grouped(row.tile_keys) : std::string());
}

template <class Plan>
std::string rows_of(std::string const& keys) {
  std::string text;
  for (sort_row const& row : Plan::table)
    text += "| " + keys + " | " + algorithm_of_row(row) + " | " + keys_of_row(row) + " | " +
            needs_of_row(row) + " |\n";
  return text;
}
template <class Key, class Value>
using number_sort = sort_job<Key, Value, flipped_digits<number_digits<Key>>>;
template <class Key, class Value = no_values>
std::string rows_by_all_bits(std::string const& keys) {
  return rows_of<sort_plan<number_sort<Key, Value>, sort_facts{.all_bits = true}>>(keys);
}

}  // namespace detail

/// Returns the sort plan of some key types as a Markdown table. The first row that admits a sort
/// runs it.
inline std::string sort_plan_text() {
  using u32 = std::uint32_t;
  return "| keys | algorithm | number of keys | needs |\n| --- | --- | --- | --- |\n" +
         detail::rows_by_all_bits<std::uint8_t>("8 bits") +
         detail::rows_by_all_bits<std::uint16_t>("16 bits") +
         detail::rows_by_all_bits<u32>("32 bits") +
         detail::rows_by_all_bits<std::uint64_t>("64 bits") +
         detail::rows_by_all_bits<u32, u32>("32 bits, values of 4 bytes") +
         detail::rows_by_all_bits<std::uint64_t, u32>("64 bits, values of 4 bytes") +
         detail::rows_of<sort_plan<detail::number_sort<u32, no_values>>>("32 bits, with options");
}

}  // namespace sam::inline v0_1::SAM_GPU_WARPS

#endif
