// SPDX-License-Identifier: MIT
// Makes the family of sorts of keys of one type.
#pragma once

#include <sam/radix_sort.hpp>

#include "grid.hpp"
#include <cub/device/device_radix_sort.cuh>

namespace grid {

template <class Key>
void add_sort(families& all, char const* items) {
  all.push_back(
      {"radix_sort", items, "", sizeof(Key), index_t{1} << 30,
       [](arena& memory, index_t n, int slots) {
         auto const in = grid::take_random<Key>(memory, n, slots);
         auto const out = grid::take_slots<Key>(memory, n, slots);
         problem p;
         p.sam = [=](cudaStream_t, int s) {
           sam::radix_sort(context(), grid::constant((*in)[s]), (*out)[s]);
         };
         p.cub =
             grid::with_temporary(memory, [=](void* t, std::size_t& bytes, cudaStream_t on, int s) {
               return cub::DeviceRadixSort::SortKeys(t, bytes, (*in)[s].data(), (*out)[s].data(),
                                                     int(n), 0, int(8 * sizeof(Key)), on);
             });
         p.bytes = n * index_t{sizeof(Key)};
         p.in = grid::input(in);
         p.out = grid::output(out);
         return p;
       }});
}

}  // namespace grid
