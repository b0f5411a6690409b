// SPDX-License-Identifier: MIT
// Adds histograms to the grid.
#include <sam/histogram.hpp>

#include "grid.hpp"
#include <cub/device/device_histogram.cuh>

namespace grid {

template <class T>
void add_histogram(families& all, char const* items, int bins, T end) {
  all.push_back({"histogram", items, std::to_string(bins) + " bins", sizeof(T), index_t{1} << 30,
                 [=](arena& memory, index_t n, int slots) {
                   auto const in = grid::take_random<T>(memory, n, slots);
                   auto const out = grid::take_slots<std::int32_t>(memory, bins, slots);
                   problem p;
                   p.sam = [=](cudaStream_t, int s) {
                     sam::histogram(context(), grid::constant((*in)[s]), (*out)[s],
                                    sam::even_bins(T{0}, end));
                   };
                   p.cub = grid::with_temporary(
                       memory, [=](void* t, std::size_t& bytes, cudaStream_t on, int s) {
                         return cub::DeviceHistogram::HistogramEven(t, bytes, (*in)[s].data(),
                                                                    (*out)[s].data(), bins + 1,
                                                                    T{0}, end, int(n), on);
                       });
                   p.bytes = n * index_t{sizeof(T)};
                   p.in = grid::input(in);
                   p.out = grid::output(out);
                   return p;
                 }});
}

void add_histograms(families& all) {
  add_histogram<std::int32_t>(all, "int32", 256, 1 << 30);
  add_histogram<std::int32_t>(all, "int32", 4096, 1 << 30);
}

}  // namespace grid
