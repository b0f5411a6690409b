// SPDX-License-Identifier: MIT
// Adds radix sorts of pairs to the grid, and sorts that tell the order alone: CUB sorts the keys
// with indices that are there before.
#include "sort_pairs.hpp"

#include <numeric>

namespace grid {

problem make_argsort(arena& memory, index_t n, int slots) {
  using T = std::uint32_t;
  auto const keys = grid::take_random<T>(memory, n, slots);
  auto const keys_out = grid::take_slots<T>(memory, n, slots);
  auto const out = grid::take_slots<T>(memory, n, slots);
  auto const indices = memory.take<T>(n);
  std::vector<T> host(static_cast<std::size_t>(n));
  std::iota(host.begin(), host.end(), 0);
  check(cudaMemcpy(indices.data(), host.data(), indices.size_bytes(), cudaMemcpyHostToDevice));
  check(cudaDeviceSynchronize());
  problem p;
  p.sam = [=](cudaStream_t, int s) {
    sam::radix_argsort(context(), grid::constant((*keys)[s]), (*out)[s]);
  };
  p.cub = grid::with_temporary(memory, [=](void* t, std::size_t& bytes, cudaStream_t on, int s) {
    return cub::DeviceRadixSort::SortPairs(t, bytes, (*keys)[s].data(), (*keys_out)[s].data(),
                                           indices.data(), (*out)[s].data(), int(n), 0, 32, on);
  });
  p.bytes = n * 4;
  p.in = grid::input(keys);
  p.out = grid::output(out);
  return p;
}

void add_sorts_of_pairs(families& all) {
  add_sort_of_pairs<std::uint32_t, std::uint32_t>(all, "uint32, uint32");
  add_sorts_of_wide_pairs(all);
  all.push_back({"radix_argsort", "uint32", "", 8, index_t{1} << 28, &make_argsort});
}

}  // namespace grid
