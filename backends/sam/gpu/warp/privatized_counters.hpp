// SPDX-License-Identifier: MIT
// What kernels that count items share: counters in shared memory, of which a lane has its own as
// far as there is room, so that equal items cost no more than others; and how a grid reads items.
#pragma once

#include <sam/portable.hpp>

#include <cstdint>

namespace sam::gpu {

/// How many counters of each kind there may be, a power of two and at most one a lane, where so
/// many take `bytes_of(copies)`; 0 if there is no room for one.
template <class Device, class BytesOf>
int counters_that_fit(index_t bytes, BytesOf bytes_of) {
  int copies = Device::warp_size;
  while (copies > 0 && bytes_of(copies) > bytes)
    copies /= 2;
  return copies;
}

/// What all lanes have counted of kind k.
template <class Device>
SAM_DEVICE std::uint32_t sum_of_lanes(std::uint32_t const* counters, int copies, int k) {
  std::uint32_t sum = 0;
#pragma unroll 8
  for (int c = 0; c < copies; ++c)  // lanes start at different banks
    sum += counters[k * copies + ((c + Device::lane()) & (copies - 1))];
  return sum;
}

/// How many items make 16 bytes, which a thread loads at once; 1 where no number of them does, or
/// where some of them may lie across two such pieces of memory.
template <class Item>
inline constexpr int items_of_vector = sizeof(Item) < 16 && 16 % sizeof(Item) == 0 &&
                                               alignof(Item) == sizeof(Item)
                                           ? 16 / int(sizeof(Item))
                                           : 1;

/// Items that a thread loads at once. Those of one byte are held in words, since nvcc 13 would take
/// them out of a register by way of its halves.
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

/// Shares n items out among the grid's threads, of which a block has `Threads`: calls
/// use_all(vector) with what lies in whole vectors, of which a thread loads so many at a time, and
/// use(item) with each item that lies in none.
template <class Device, int Threads, int Vectors, class Item, class UseAll, class Use>
SAM_DEVICE void for_each_vector(Item const* items, index_t n, int thread, UseAll const& use_all,
                                Use const& use) {
  constexpr int group = items_of_vector<Item>;
  static_assert(2 * (group - 1) <= Threads, "a thread takes one item of both ends");
  using vector = item_vector<Item>;
  index_t const first = index_t{Device::block()} * Threads + thread;
  index_t const step = index_t{Device::blocks()} * Threads;
  // The ends that lie in no whole vector are taken one by one.
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
  // In one place: CUDA 13.0 was seen to compute a mask where the first end is used, and to use it
  // where the last one is, whether or not there is a first.
  if (first < head + (n - tail))
    use(items[first < head ? first : first - head + tail]);
}

/// The same, one item at a time.
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
