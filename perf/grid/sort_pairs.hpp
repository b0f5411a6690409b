// SPDX-License-Identifier: MIT
// Makes the family of sorts of pairs of two types.
#pragma once

#include <sam/radix_sort.hpp>

#include "grid.hpp"
#include <cub/device/device_radix_sort.cuh>

namespace grid {

void add_sorts_of_wide_pairs(families& all);

template <class Key, class Value>
void add_sort_of_pairs(families& all, char const* items) {
  constexpr index_t of_pair = sizeof(Key) + sizeof(Value);
  all.push_back(
      {"radix_sort_pairs", items, "", of_pair, index_t{1} << (of_pair > 8 ? 28 : 29),
       [](arena& memory, index_t n, int slots) {
         auto const keys = grid::take_random<Key>(memory, n, slots);
         auto const values = grid::take_random<Value>(memory, n, slots);
         auto const keys_out = grid::take_slots<Key>(memory, n, slots);
         auto const values_out = grid::take_slots<Value>(memory, n, slots);
         problem p;
         p.sam = [=](cudaStream_t, int s) {
           sam::radix_sort_pairs(context(), grid::constant((*keys)[s]),
                                 grid::constant((*values)[s]), (*keys_out)[s], (*values_out)[s]);
         };
         p.cub =
             grid::with_temporary(memory, [=](void* t, std::size_t& bytes, cudaStream_t on, int s) {
               return cub::DeviceRadixSort::SortPairs(
                   t, bytes, (*keys)[s].data(), (*keys_out)[s].data(), (*values)[s].data(),
                   (*values_out)[s].data(), int(n), 0, int(8 * sizeof(Key)), on);
             });
         p.bytes = n * of_pair;
         p.out = grid::output(values_out);
         return p;
       }});
}

}  // namespace grid
