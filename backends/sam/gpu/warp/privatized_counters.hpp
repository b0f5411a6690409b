// SPDX-License-Identifier: MIT
// Helps kernels that count items: privatized counters in shared memory, and loops over the items of
// a grid. With counters of its own, a lane has no bank conflicts when many items are equal.
#pragma once

#include <sam/portable.hpp>

#include <cstdint>

namespace sam::inline v0_1::gpu {

/// Returns the number of copies of each counter that fit in `bytes`, where `copies` copies take
/// bytes_of(copies). It is a power of two and at most the number of lanes, or 0 if none fits.
template <class Device, class BytesOf>
int counters_that_fit(index_t bytes, BytesOf bytes_of) {
  int copies = Device::warp_size;
  while (copies > 0 && bytes_of(copies) > bytes)
    copies /= 2;
  return copies;
}

/// Returns the sum of all copies of counter k. Lanes that ask for neighbouring counters begin in
/// different banks.
template <class Device>
SAM_DEVICE std::uint32_t sum_of_lanes(std::uint32_t const* counters, int copies, int k) {
  std::uint32_t sum = 0;
  int const first = Device::lane() * copies / Device::warp_size;
#pragma unroll 8
  for (int c = 0; c < copies; ++c)
    sum += counters[k * copies + ((c + first) & (copies - 1))];
  return sum;
}

/// The number of items in a 16-byte vector. It is 1 if the size of an item does not divide 16.
template <class Item>
inline constexpr int items_of_vector = sizeof(Item) < 16 && 16 % sizeof(Item) == 0
                                           ? 16 / int(sizeof(Item))
                                           : 1;

/// Holds a vector of items that a thread loads by one instruction. Items made of bytes are kept in
/// 32-bit words and shifted out. From an array of bytes, nvcc 13 extracts the 16-bit halves of a
/// register first: that takes more instructions, and those wait for each vector before the next is
/// loaded.
template <class Item, int Group = items_of_vector<Item>>
struct alignas(Group > 1 ? Group * sizeof(Item) : alignof(Item)) item_vector {
  uninitialized_array<Item, Group> items;
  SAM_DEVICE Item const& operator[](int k) const { return items.at[k]; }
};
template <class Item, int Group>
requires(alignof(Item) == 1 &&
         Group * sizeof(Item) == 16) struct alignas(16) item_vector<Item, Group> {
  std::uint32_t words[4];
  SAM_DEVICE Item operator[](int k) const {
    constexpr int size = int(sizeof(Item));
    uninitialized_array<Item, 1> item;
#pragma unroll
    for (int b = 0; b < size; ++b)
      reinterpret_cast<unsigned char*>(item.at)[b] =
          static_cast<unsigned char>(words[(k * size + b) / 4] >> ((k * size + b) % 4 * 8));
    return item.at[0];
  }
};

/// Distributes n items over the threads of the grid, with `Threads` threads per block. Calls
/// use_all(vector) for each aligned vector, of which a thread loads `Vectors` at a time. Calls
/// use(item) for each item before the first and after the last whole vector.
template <class Device, int Threads, int Vectors, class Item, class UseAll, class Use>
SAM_DEVICE void for_each_vector(Item const* items, index_t n, int thread, UseAll const& use_all,
                                Use const& use) {
  constexpr int group = items_of_vector<Item>;
  static_assert(2 * (group - 1) <= Threads, "a thread takes one item of both ends");
  using vector = item_vector<Item>;
  index_t const first = index_t{Device::block()} * Threads + thread;
  index_t const step = index_t{Device::blocks()} * Threads;
  // Items before the first and after the last whole vector are used one by one.
  index_t head = 0;
  if constexpr (group > 1) {
    auto const past = reinterpret_cast<std::uintptr_t>(items) % sizeof(vector);
    if constexpr (alignof(Item) < sizeof(Item))
      if (past % sizeof(Item) != 0) {  // items cross the ends of vectors
#pragma unroll 1
        for (index_t i = first; i < n; i += step)
          use(items[i]);
        return;
      }
    head = min_of(n, past == 0 ? 0 : index_t((sizeof(vector) - past) / sizeof(Item)));
  }
  index_t const vectors = (n - head) / group;
  index_t const tail = head + vectors * group;
  // The ends share one load, on its way while vectors are used, and one call of use(). With one
  // call for each end, CUDA 13.0 computed a mask in the branch of the first end, and used it in the
  // last one even if the first was not taken.
  uninitialized_array<Item, 1> end;
  bool const has_end = first < head + (n - tail);
  if (has_end)
    end.at[0] = items[first < head ? first : first - head + tail];
  auto const* const from = reinterpret_cast<vector const*>(items + head);
  // The last vectors have a loop body of their own: tests of all would cost sorts 5 %.
  index_t i = first;
#pragma unroll 1
  for (; i + (Vectors - 1) * step < vectors; i += Vectors * step) {
    vector held[Vectors];
#pragma unroll
    for (int v = 0; v < Vectors; ++v)
      held[v] = from[i + v * step];
#pragma unroll
    for (int v = 0; v < Vectors; ++v)
      use_all(held[v]);
  }
  if (i < vectors) {
    vector held[Vectors];
#pragma unroll
    for (int v = 0; v < Vectors; ++v)
      if (i + v * step < vectors)
        held[v] = from[i + v * step];
#pragma unroll
    for (int v = 0; v < Vectors; ++v)
      if (i + v * step < vectors)
        use_all(held[v]);
  }
  if (has_end)
    use(end.at[0]);
}

/// Distributes n items as for_each_vector() does, and calls use(item) for each of them.
template <class Device, int Threads, int Vectors, class Item, class Use>
SAM_DEVICE void for_each_item(Item const* items, index_t n, int thread, Use const& use) {
  auto const use_all = [&](item_vector<Item> const& held) {
#pragma unroll
    for (int k = 0; k < items_of_vector<Item>; ++k)
      use(held[k]);
  };
  gpu::for_each_vector<Device, Threads, Vectors>(items, n, thread, use_all, use);
}

}  // namespace sam::inline v0_1::gpu
