// SPDX-License-Identifier: MIT
// This file defines the layout of a job's input arrays in a stage and copies a tile's part of each
// array there.
#pragma once

#include <sam/backend/job.hpp>

#include <cstddef>
#include <cstdint>

namespace sam::gpu {

/// Rounds a size up to a multiple of 128 bytes.
SAM_FUNCTION constexpr int aligned(int bytes) { return (bytes + 127) / 128 * 128; }
/// Returns how far a pointer is past a multiple of 16 bytes.
SAM_DEVICE int misalignment(void const* p) { return int(reinterpret_cast<std::uintptr_t>(p) % 16); }

/// Maps an input array to its region of a stage. The tile begins at index `begin` in memory order.
/// Global and shared addresses have the same offset from a multiple of 16 bytes.
template <class P>
struct staged_array;

template <class T, int Before, int After>
struct staged_array<pointer_with_neighbours<T, Before, After>> {
  using pointer = pointer_with_neighbours<T, Before, After>;
  using element = T;
  static constexpr bool alone = Before == 0 && After == 0;
  static constexpr int bits_of_item = 8 * int(sizeof(T));
  static SAM_FUNCTION constexpr int bytes(int items) {
    return aligned((items + Before + After) * int(sizeof(T)) + (alone ? 16 : 32));
  }
  // Neighbours would begin within a 16-byte unit, which bulk copies cannot copy partly.
  static SAM_DEVICE T const* first(pointer p, index_t begin) {
    T const* const from = p.data + max_of(0, begin - Before);
    if constexpr (!alone && 16 % sizeof(T) == 0) {
      T const* const rounded = from - reinterpret_cast<std::uintptr_t>(from) % 16 / sizeof(T);
      return rounded < p.data ? p.data : rounded;
    }
    return from;
  }
  static SAM_DEVICE T const* end(pointer p, index_t begin, int count, index_t n) {
    return p.data + min_of(n, begin + count + After);
  }
  static SAM_DEVICE pointer staged(pointer p, std::byte* region, index_t begin) {
    T const* const from = first(p, begin);
    auto const past = reinterpret_cast<std::uintptr_t>(from) % 16;
    return {reinterpret_cast<T const*>(region + past) + (p.data + begin - from)};
  }
};
template <class T>
struct staged_array<T const*> : staged_array<pointer_with_neighbours<T, 0>> {
  using base = staged_array<pointer_with_neighbours<T, 0>>;
  static SAM_DEVICE T const* first(T const* p, index_t begin) { return p + begin; }
  static SAM_DEVICE T const* end(T const* p, index_t begin, int count, index_t) {
    return p + begin + count;
  }
  static SAM_DEVICE T const* staged(T const* p, std::byte* region, index_t begin) {
    return base::staged({p}, region, begin).data;
  }
};
template <>
struct staged_array<bit_pointer> {
  using element = std::uint32_t;
  static constexpr bool alone = true;
  static constexpr int bits_of_item = 1;
  static SAM_FUNCTION constexpr int bytes(int items) { return aligned((items / 32 + 2) * 4 + 16); }
  static SAM_DEVICE std::uint32_t const* first(bit_pointer p, index_t begin) {
    return p.words + ((p.bit + begin) >> 5);
  }
  static SAM_DEVICE std::uint32_t const* end(bit_pointer p, index_t begin, int count, index_t) {
    return p.words + ((p.bit + begin + count - 1) >> 5) + 1;
  }
  static SAM_DEVICE bit_pointer staged(bit_pointer p, std::byte* region, index_t begin) {
    auto const past = reinterpret_cast<std::uintptr_t>(first(p, begin)) % 16;
    return {reinterpret_cast<std::uint32_t const*>(region + past), (p.bit + begin) & 31};
  }
};

/// Computes the regions of the arrays of pointers<...> in a stage, for tiles of `items` items.
template <class P>
struct stage_layout;
template <>
struct stage_layout<pointers<>> {
  static constexpr int bits_of_item = 0;
  static SAM_FUNCTION constexpr int bytes(int) { return 0; }
  template <class Device>
  static SAM_DEVICE void load_regions(pointers<> const&, std::byte*, int, index_t, int, index_t,
                                      typename Device::barrier&) {}
  static SAM_DEVICE pointers<> staged(pointers<> const&, std::byte*, int, index_t) { return {}; }
};
template <class P, class... Rest>
struct stage_layout<pointers<P, Rest...>> {
  using first = staged_array<P>;
  using rest = stage_layout<pointers<Rest...>>;
  static constexpr int bits_of_item = first::bits_of_item + rest::bits_of_item;
  static SAM_FUNCTION constexpr int bytes(int items) {
    return first::bytes(items) + rest::bytes(items);
  }
  /// Starts the bulk copies of the elements for `count` of the n items, from index `begin` on. A
  /// whole warp calls this and arrives once for each array.
  template <class Device>
  static SAM_DEVICE void load_regions(pointers<P, Rest...> const& p, std::byte* region, int items,
                                      index_t begin, int count, index_t n,
                                      typename Device::barrier& full) {
    auto const* const from = reinterpret_cast<std::byte const*>(first::first(p.first, begin));
    auto const* const end =
        reinterpret_cast<std::byte const*>(first::end(p.first, begin, count, n));
    Device::bulk_load(region + misalignment(from), from, int(end - from), full);
    rest::template load_regions<Device>(p.rest, region + first::bytes(items), items, begin, count,
                                        n, full);
  }
  /// Returns the pointers to the tile's elements in the stage.
  static SAM_DEVICE pointers<P, Rest...> staged(pointers<P, Rest...> const& p, std::byte* region,
                                                int items, index_t begin) {
    return {first::staged(p.first, region, begin),
            rest::staged(p.rest, region + first::bytes(items), items, begin)};
  }
};

/// Names the pointers type of a job's input arrays, or pointers<> if it reads none.
template <class Job>
struct arrays_of {
  using type = pointers<>;
};
template <reading Job>
struct arrays_of<Job> {
  using type = decltype(sam::forward_job(std::declval<Job const&>()).reads());
};

}  // namespace sam::gpu
