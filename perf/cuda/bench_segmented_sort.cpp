// SPDX-License-Identifier: MIT
// Sorts of every segment by itself on a CUDA device beside CUB's and a cudaMemcpy of the keys, all
// in one process on the same keys.
#include <sam/segmented_radix_sort.hpp>

#include "support.hpp"
#include <cub/device/device_segmented_sort.cuh>

#include <map>

namespace perf {

/// Segments of 0 to 2 length items, of `length` on average.
__global__ void place(std::uint32_t const* random, std::uint32_t* offsets, index_t n,
                      index_t segments, index_t length) {
  for (index_t k = blockIdx.x * index_t{blockDim.x} + threadIdx.x; k <= segments;
       k += index_t{gridDim.x} * blockDim.x)
    offsets[k] = std::uint32_t(k == 0 ? 0 : k == segments ? n : k * length + random[k] % length);
}

void compare(index_t length) {
  constexpr index_t n = index_t{1} << 26;
  using T = std::uint32_t;
  auto const offsets = [=] {
    static std::map<index_t, std::uint32_t*> kept;
    index_t const segments = n / length;
    std::uint32_t*& at = kept[length];
    if (at == nullptr) {
      check(cudaMalloc(&at, std::size_t(segments + 1) * sizeof(*at)));
      place<<<1024, 256>>>(arrays::get().in<std::uint32_t>(n).data(), at, n, segments, length);
    }
    return std::span<std::uint32_t const>(at, std::size_t(segments + 1));
  };
  compare_with_cub(
      "segmented_sort/u32/length:" + std::to_string(length), n, sizeof(T), 2 * sizeof(T),
      [=](auto& context, results to) {
        auto const all = offsets();
        sam::segmented_radix_sort(context, arrays::get().in<T>(n), sam::by_offsets(all),
                                  to.array<T>(n));
      },
      [=](void* temporary, std::size_t& bytes, results to) {
        auto const all = offsets();
        return cub::DeviceSegmentedSort::SortKeys(temporary, bytes, arrays::get().in<T>(n).data(),
                                                  to.array<T>(n).data(), n, index_t(all.size()) - 1,
                                                  all.data(), all.data() + 1);
      });
}

[[maybe_unused]] bool const registered = [] {
  for (index_t const length : {10, 100, 1000, 100'000})
    compare(length);
  return true;
}();

}  // namespace perf
