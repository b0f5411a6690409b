// SPDX-License-Identifier: MIT
// Lays out the arrays that a job reads in a stage of shared memory, and bulk loads a tile's part of
// each.
#pragma once

#include <sam/backend/job.hpp>

#include <cstddef>
#include <cstdint>

namespace sam::inline v0_1::gpu {

/// Rounds a number of bytes up to a multiple of 128.
SAM_FUNCTION constexpr int aligned(int bytes) { return (bytes + 127) / 128 * 128; }
/// Returns by how many bytes a pointer exceeds a multiple of 16.
SAM_FUNCTION inline int misalignment(void const* p) {
  return int(reinterpret_cast<std::uintptr_t>(p) % 16);
}

/// Describes one array that a job reads, and its region of a stage. A tile begins at index `begin`
/// in memory order. Its bytes have the same misalignment, modulo 16 bytes, in the stage as in
/// memory.
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
  // Rounds down to a multiple of 16 bytes: a bulk load cannot begin in the middle of 16 bytes, and
  // neighbours would make it do so.
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

/// Lays out the regions of the arrays of pointers<...> in a stage, for tiles of `items` items.
template <class P>
struct stage_layout;
template <>
struct stage_layout<pointers<>> {
  static constexpr int bits_of_item = 0;
  static SAM_FUNCTION constexpr int bytes(int) { return 0; }
  template <class Load>
  static SAM_DEVICE void load_regions(pointers<> const&, std::byte*, int, index_t, int, index_t,
                                      Load const&) {}
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
  /// Calls load(to, from, bytes) for each array, where `to` is the place in the stage of what a
  /// tile of `count` items, out of n in all, needs from index `begin` on.
  template <class Load>
  static SAM_DEVICE void load_regions(pointers<P, Rest...> const& p, std::byte* region, int items,
                                      index_t begin, int count, index_t n, Load const& load) {
    auto const* const from = reinterpret_cast<std::byte const*>(first::first(p.first, begin));
    auto const* const end =
        reinterpret_cast<std::byte const*>(first::end(p.first, begin, count, n));
    load(region + misalignment(from), from, int(end - from));
    rest::load_regions(p.rest, region + first::bytes(items), items, begin, count, n, load);
  }
  /// Returns pointers to the tile's items in the stage.
  static SAM_DEVICE pointers<P, Rest...> staged(pointers<P, Rest...> const& p, std::byte* region,
                                                int items, index_t begin) {
    return {first::staged(p.first, region, begin),
            rest::staged(p.rest, region + first::bytes(items), items, begin)};
  }
};

/// The type of the arrays that a job reads; pointers<> if it reads none.
template <class Job>
struct arrays_of {
  using type = pointers<>;
};
template <reading Job>
struct arrays_of<Job> {
  using type = decltype(engine::forward_job(std::declval<Job const&>()).reads());
};

}  // namespace sam::inline v0_1::gpu
