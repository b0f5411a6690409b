// SPDX-License-Identifier: MIT
// Adds radix sorts of pairs to the grid.
#include <sam/radix_sort.hpp>

#include "grid.hpp"
#include <cub/device/device_radix_sort.cuh>

namespace grid {

void add_sorts_of_pairs(families& all) {
  using T = std::uint32_t;
  all.push_back(
      {"radix_sort_pairs", "uint32, uint32", "", 8, index_t{1} << 29,
       [](arena& memory, index_t n, int slots) {
         auto const keys = grid::take_random<T>(memory, n, slots);
         auto const values = grid::take_random<T>(memory, n, slots);
         auto const keys_out = grid::take_slots<T>(memory, n, slots);
         auto const values_out = grid::take_slots<T>(memory, n, slots);
         problem p;
         p.sam = [=](cudaStream_t, int s) {
           sam::radix_sort_pairs(context(), grid::constant((*keys)[s]),
                                 grid::constant((*values)[s]), (*keys_out)[s], (*values_out)[s]);
         };
         p.cub =
             grid::with_temporary(memory, [=](void* t, std::size_t& bytes, cudaStream_t on, int s) {
               return cub::DeviceRadixSort::SortPairs(t, bytes, (*keys)[s].data(),
                                                      (*keys_out)[s].data(), (*values)[s].data(),
                                                      (*values_out)[s].data(), int(n), 0, 32, on);
             });
         p.bytes = n * 8;
         p.out = grid::output(values_out);
         return p;
       }});
}

}  // namespace grid
