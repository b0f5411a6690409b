// SPDX-License-Identifier: MIT
// Adds reductions to the grid.
#include <sam/reduce.hpp>

#include "grid.hpp"
#include <cub/device/device_reduce.cuh>

namespace grid {

template <class T>
void add_reduction(families& all, char const* items) {
  all.push_back(
      {"reduce", items, "", sizeof(T), index_t{1} << 30, [](arena& memory, index_t n, int slots) {
         auto const in = grid::take_random<T>(memory, n, slots);
         auto const out = grid::take_slots<T>(memory, 1, slots);
         problem p;
         p.sam = [=](cudaStream_t, int s) {
           sam::reduce(context(), grid::constant((*in)[s]), (*out)[s]);
         };
         p.cub = grid::with_temporary(memory, [=](void* t, std::size_t& bytes, cudaStream_t on,
                                                  int s) {
           return cub::DeviceReduce::Sum(t, bytes, (*in)[s].data(), (*out)[s].data(), int(n), on);
         });
         p.bytes = n * index_t{sizeof(T)};
         p.in = grid::input(in);
         if (std::is_integral_v<T>)
           p.out = grid::output(out);
         return p;
       }});
}

void add_reductions(families& all) {
  add_reduction<std::int32_t>(all, "int32");
  add_reduction<double>(all, "double");
}

}  // namespace grid
