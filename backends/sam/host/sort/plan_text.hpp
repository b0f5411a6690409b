// SPDX-License-Identifier: MIT
// Prints which algorithm sorts how many keys on CPUs, as a table for `sam info --sort-plan`.
#pragma once

#include <sam/host/context_base.hpp>
#include <sam/host/sort/msd_radix_sort.hpp>

#include <string>

namespace sam::inline v0_1::host {

/// Returns rows for sorts of numbers. One worker sorts a bucket that fits in its cache.
template <class Key, class Value = no_values>
std::string sort_rows_of(std::string const& keys) {
  using digits = flipped_digits<number_digits<Key>>;
  sort_job<Key, Value, digits> few{};
  index_t const cached = sort_memory<Key, Value, digits>(1, few).cached;
  auto const row = [&](char const* algorithm, std::string const& numbers) {
    return "| " + keys + " | " + algorithm + " | " + numbers + " |\n";
  };
  constexpr index_t ranked = most_ranked<typename digits::ordered_key>;
  using vector_sort = in_cache_vector_sort<Key, Value, digits>;
  index_t const by_vectors = engine::min_of(vector_sort::most_items, cached);
  return (ranked > 0 ? row("rank sort",
                           "up to " + std::to_string(by_vectors > 0 ? vector_sort::fewest_items - 1
                                                                    : ranked))
                     : std::string()) +
         (by_vectors > 0
              ? row("quicksort of vectors in the cache", "up to " + std::to_string(by_vectors))
              : std::string()) +
         row("LSD radix sort in the cache", "up to " + std::to_string(cached)) +
         row("MSD partition into buckets that fit the cache", "any number");
}

inline std::string any_context::sort_plan() {
  return "| keys | algorithm | number of keys |\n| --- | --- | --- |\n" +
         host::sort_rows_of<std::uint8_t>("8 bits") + host::sort_rows_of<std::uint16_t>("16 bits") +
         host::sort_rows_of<std::uint32_t>("32 bits") +
         host::sort_rows_of<std::uint64_t>("64 bits") +
         host::sort_rows_of<std::uint32_t, std::uint32_t>("32 bits, values of 4 bytes");
}

}  // namespace sam::inline v0_1::host
