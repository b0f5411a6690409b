// SPDX-License-Identifier: MIT
// This file defines per-lane counters in shared memory and the loop by which a grid reads items to
// count. Each lane has its own copy of the counters as far as they fit, so that equal items cause
// no conflicts.
#pragma once

#include <sam/portable.hpp>

#include <cstdint>

namespace sam::gpu {

/// Returns how many copies of each counter fit into `bytes`: a power of two, at most one per lane,
/// or 0 if none fits. `bytes_of(copies)` returns the size of the counters.
template <class Device, class BytesOf>
int counters_that_fit(index_t bytes, BytesOf bytes_of) {
  int copies = Device::warp_size;
  while (copies > 0 && bytes_of(copies) > bytes)
    copies /= 2;
  return copies;
}

/// Returns the sum of all copies of counter k.
template <class Device>
SAM_DEVICE std::uint32_t sum_of_lanes(std::uint32_t const* counters, int copies, int k) {
  std::uint32_t sum = 0;
#pragma unroll 8
  for (int c = 0; c < copies; ++c)  // starts each lane at a different bank
    sum += counters[k * copies + ((c + Device::lane()) & (copies - 1))];
  return sum;
}

/// Number of items in a 16-byte vector, which a thread loads at once. It is 1 if the size does not
/// divide 16 or if items may straddle two vectors.
template <class Item>
inline constexpr int items_of_vector = sizeof(Item) < 16 && 16 % sizeof(Item) == 0 &&
                                               alignof(Item) == sizeof(Item)
                                           ? 16 / int(sizeof(Item))
                                           : 1;

/// Holds the items that a thread loads at once. One-byte items are stored in words, because nvcc 13
/// would extract them from a register in two steps, by way of 16-bit halves.
template <class Item, int Group = items_of_vector<Item>>
struct alignas(Group > 1 ? Group * sizeof(Item) : alignof(Item)) item_vector {
  uninitialized_array<Item, Group> items;
  SAM_DEVICE Item const& operator[](int k) const { return items.at[k]; }
};
template <class Item, int Group>
requires(sizeof(Item) == 1) struct alignas(Group) item_vector<Item, Group> {
  std::uint32_t words[Group / 4];
  SAM_DEVICE Item operator[](int k) const {
    uninitialized_array<Item, 1> item;
    reinterpret_cast<unsigned char&>(item) =
        static_cast<unsigned char>(words[k / 4] >> (k % 4 * 8));
    return item.at[0];
  }
};

/// Distributes n items over the threads of the grid, which has `Threads` threads per block. Calls
/// use_all(vector) for each whole vector, of which a thread loads `Vectors` at a time. Calls
/// use(item) for each item outside whole vectors.
template <class Device, int Threads, int Vectors, class Item, class UseAll, class Use>
SAM_DEVICE void for_each_vector(Item const* items, index_t n, int thread, UseAll const& use_all,
                                Use const& use) {
  constexpr int group = items_of_vector<Item>;
  static_assert(2 * (group - 1) <= Threads, "a thread takes one item of both ends");
  using vector = item_vector<Item>;
  index_t const first = index_t{Device::block()} * Threads + thread;
  index_t const step = index_t{Device::blocks()} * Threads;
  // The items at both ends that fill no whole vector are processed one by one.
  index_t head = 0;
  if constexpr (group > 1) {
    auto const past = reinterpret_cast<std::uintptr_t>(items) % sizeof(vector);
    head = min_of(n, past == 0 ? 0 : index_t((sizeof(vector) - past) / sizeof(Item)));
  }
  index_t const vectors = (n - head) / group;
  index_t const tail = head + vectors * group;
  auto const* const from = reinterpret_cast<vector const*>(items + head);
  index_t i = first;
  for (; i + (Vectors - 1) * step < vectors; i += Vectors * step) {
    vector held[Vectors];
#pragma unroll
    for (int v = 0; v < Vectors; ++v)
      held[v] = from[i + v * step];
#pragma unroll
    for (int v = 0; v < Vectors; ++v)
      use_all(held[v]);
  }
  for (; i < vectors; i += step)
    use_all(from[i]);
  // Both ends share one call: with two calls, CUDA 13.0 has been seen to compute a lane mask in the
  // first, conditional one and to reuse it in the second even if the first was skipped.
  if (first < head + (n - tail))
    use(items[first < head ? first : first - head + tail]);
}

/// Distributes items like for_each_vector, but calls use(item) for every item.
template <class Device, int Threads, int Vectors, class Item, class Use>
SAM_DEVICE void for_each_item(Item const* items, index_t n, int thread, Use const& use) {
  auto const use_all = [&](item_vector<Item> const& held) {
#pragma unroll
    for (int k = 0; k < items_of_vector<Item>; ++k)
      use(held[k]);
  };
  gpu::for_each_vector<Device, Threads, Vectors>(items, n, thread, use_all, use);
}

}  // namespace sam::gpu
