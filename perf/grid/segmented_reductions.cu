// SPDX-License-Identifier: MIT
// Adds segmented reductions by offsets to the grid.
#include <sam/segmented_reduce.hpp>

#include "grid.hpp"
#include <cub/device/device_segmented_reduce.cuh>

namespace grid {

void add_segmented_reductions(families& all) {
  using T = std::int32_t;
  for (index_t const length : lengths)
    all.push_back(
        {"segmented_reduce", "int32", name_of_segments(length), 4, index_t{1} << 28,
         [=](arena& memory, index_t n, int slots) {
           auto const in = grid::take_random<T>(memory, n, slots);
           auto const offsets = std::make_shared<std::vector<std::span<std::int32_t>>>();
           auto const out = std::make_shared<std::vector<std::span<T>>>();
           for (int s = 0; s < slots; ++s) {
             offsets->push_back(grid::fill_offsets(memory, n, length, std::uint32_t(s + 1)));
             out->push_back(memory.take<T>(index_t(offsets->back().size()) - 1));
           }
           problem p;
           p.sam = [=](cudaStream_t, int s) {
             sam::segmented_reduce(context(), grid::constant((*in)[s]),
                                   sam::by_offsets(grid::constant((*offsets)[s])), (*out)[s]);
           };
           p.cub = grid::with_temporary(
               memory,
               [=](void* t, std::size_t& bytes, cudaStream_t on, int s) {
                 auto const* const begin = (*offsets)[s].data();
                 return cub::DeviceSegmentedReduce::Sum(t, bytes, (*in)[s].data(), (*out)[s].data(),
                                                        std::int64_t((*offsets)[s].size()) - 1,
                                                        begin, begin + 1, on);
               },
               slots);
           p.bytes = n * 4;
           p.in = grid::input(in);
           p.out = grid::output(slots_of<T>(out));
           return p;
         }});
}

}  // namespace grid
