// SPDX-License-Identifier: MIT
// Adds radix sorts of pairs in segments by offsets to the grid. CUB's cannot be captured in a
// graph.
#include <sam/segmented_radix_sort.hpp>

#include "grid.hpp"
#include <cub/device/device_segmented_sort.cuh>

namespace grid {

using T = std::uint32_t;

/// Keys, values and offsets of segments of about `length` items.
struct segmented_pairs {
  slots_of<T> keys, values, keys_out, values_out;
  std::shared_ptr<std::vector<std::span<std::int32_t>>> offsets =
      std::make_shared<std::vector<std::span<std::int32_t>>>();
  segmented_pairs(arena& memory, index_t n, int slots, index_t length)
      : keys(grid::take_random<T>(memory, n, slots)),
        values(grid::take_random<T>(memory, n, slots)),
        keys_out(grid::take_slots<T>(memory, n, slots)),
        values_out(grid::take_slots<T>(memory, n, slots)) {
    for (int s = 0; s < slots; ++s)
      offsets->push_back(grid::fill_offsets(memory, n, length, std::uint32_t(s + 1)));
  }
};

problem make_sort_of_pairs(arena& memory, index_t n, int slots, index_t length) {
  segmented_pairs const of(memory, n, slots, length);
  problem p;
  p.sam = [=](cudaStream_t, int s) {
    sam::segmented_radix_sort_pairs(
        context(), grid::constant((*of.keys)[s]), grid::constant((*of.values)[s]),
        sam::by_offsets(grid::constant((*of.offsets)[s])), (*of.keys_out)[s], (*of.values_out)[s]);
  };
  p.cub = grid::with_temporary(
      memory,
      [=](void* t, std::size_t& bytes, cudaStream_t on, int s) {
        auto const* const begin = (*of.offsets)[s].data();
        return cub::DeviceSegmentedSort::StableSortPairs(
            t, bytes, (*of.keys)[s].data(), (*of.keys_out)[s].data(), (*of.values)[s].data(),
            (*of.values_out)[s].data(), n, std::int64_t((*of.offsets)[s].size()) - 1, begin,
            begin + 1, on);
      },
      slots);
  p.bytes = n * 8;
  p.in = grid::input(of.keys);
  p.out = grid::output(of.values_out);
  return p;
}

void add_segmented_pairs(families& all) {
  for (index_t const length : {100, 1000})
    all.push_back({"segmented_radix_sort_pairs", "uint32, uint32", name_of_segments(length), 8,
                   index_t{1} << 27, [=](arena& memory, index_t n, int slots) {
                     return grid::make_sort_of_pairs(memory, n, slots, length);
                   }});
}

}  // namespace grid
