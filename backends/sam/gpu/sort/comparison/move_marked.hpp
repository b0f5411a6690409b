// SPDX-License-Identifier: MIT
// Moves the items of two arrays that mark_sets.hpp has marked, or values that belong to them.
//
// Each warp moves one part. Its lanes list in shared memory where the kept items lie, and then copy
// them in turn: neighbouring lanes read neighbours of either array and write neighbours.
#pragma once

#include <sam/gpu/sort/comparison/mark_sets.hpp>

#include <type_traits>

namespace sam::inline v0_1::gpu {

/// The arguments of the kernel.
template <class T, class Count>
struct move_marked_arguments {
  marked_parts parts;
  T const *a, *b;
  index_t n_a, n_b;  // at most
  T* out;
  index_t capacity;  // of out
  Count* count;      // of all kept items
  int items;         // of a thread, by which they were marked
};

/// Moves the marked items, and stores how many there are.
template <class Device, class T, class Count>
class move_marked_block {
  static constexpr int lanes = Device::warp_size, warps = 256 / lanes;
  // clang for AMD GPUs would keep an array of objects in memory.
  static constexpr int at_once = std::is_class_v<T> ? 1 : 4;
  static constexpr unsigned is_of_b = 1u << 15;
  static constexpr int list_size = lanes * (marked_parts::most_items + 1);

 public:
  static constexpr int threads = warps * lanes;
  static constexpr int shared_bytes = warps * list_size * 2;
  static index_t tiles(move_marked_arguments<T, Count> const& arguments) {
    return div_up(arguments.parts.count, warps);
  }

  SAM_DEVICE explicit move_marked_block(move_marked_arguments<T, Count> const& arguments)
      : arguments_(arguments), places_(reinterpret_cast<std::uint16_t*>(Device::shared_memory()) +
                                       Device::warp() * list_size) {}

  SAM_DEVICE void operator()() const {
    Device::grid_dependency_wait();
    Device::grid_dependency_trigger();
    marked_parts const& parts = arguments_.parts;
    if (Device::block() == 0 && Device::warp() == 0 && Device::lane() == 0)
      *arguments_.count = static_cast<Count>(parts.before[parts.count]);
    for (index_t p = index_t{Device::block()} * warps + Device::warp(); p < parts.count;
         p += index_t{Device::blocks()} * warps)
      move(p);
  }

 private:
  SAM_DEVICE void move(index_t p) const {
    marked_parts const& parts = arguments_.parts;
    std::uint32_t const marks = parts.marks[p * lanes + Device::lane()];
    index_t const before = parts.before[p], first_a = parts.splits[p];
    int const total = list(marks);
    Device::sync_warp();  // orders the writes of the list before its reads by other lanes
    int const end = int(max_of(0, min_of(total, arguments_.capacity - before)));
    if (end == 0)
      return;
    index_t const first_b = p * lanes * arguments_.items - first_a;
    T const* const a = engine::advanced(arguments_.a, first_a);
    T const* const b = engine::advanced(arguments_.b, first_b);
    // The bounds keep the accesses inside the arrays, whatever the order was.
    unsigned const last_a = last_of(arguments_.n_a - first_a);
    unsigned const last_b = last_of(arguments_.n_b - first_b);
    T* const out = arguments_.out + before;
    auto const load = [&](int i) {
      unsigned const place = places_[i];
      bool const from_b = place >= is_of_b;
      unsigned const last = from_b ? last_b : last_a, k = place & (is_of_b - 1);
      return (from_b ? b : a)[k < last ? k : last];
    };
    constexpr int step = at_once * lanes;
    int i = Device::lane();
    for (; i < end - end % step; i += step) {
      uninitialized_array<T, at_once> x;
#pragma unroll
      for (int k = 0; k < at_once; ++k)
        x.at[k] = load(i + k * lanes);
#pragma unroll
      for (int k = 0; k < at_once; ++k)
        out[i + k * lanes] = x.at[k];
    }
    if (end % step != 0) {
      uninitialized_array<T, at_once> x;
#pragma unroll
      for (int k = 0; k < at_once; ++k)
        x.at[k] = load(int(min_of(i + k * lanes, end - 1)));
#pragma unroll
      for (int k = 0; k < at_once; ++k)
        if (i + k * lanes < end)
          out[i + k * lanes] = x.at[k];
    }
    Device::sync_warp();  // orders these reads before the next list is written
  }

  /// Returns the last of `left` items that a place may name.
  SAM_DEVICE static unsigned last_of(index_t left) {
    return unsigned(max_of(1, min_of(left, is_of_b))) - 1;
  }

  /// Lists the places of the kept items of the part, from its first items of a and b on. Returns
  /// their number.
  SAM_DEVICE int list(std::uint32_t marks) const {
    constexpr int bits = marked_parts::most_items;
    constexpr std::uint32_t low = (1u << bits) - 1;
    std::uint32_t const kept = std::uint32_t(engine::count_bits(marks & low));
    std::uint32_t const of_b = std::uint32_t(engine::count_bits(marks >> bits));
    std::uint32_t const upto = gpu::sum_upto_lane<Device>(kept | of_b << bits);
    std::uint32_t const b = (upto >> bits) - of_b;
    std::uint32_t const a = std::uint32_t(Device::lane() * arguments_.items) - b;
    std::uint32_t places = (b | is_of_b) << 16 | a;  // of the next item of b, and of a
    // Dropped items are stored too, behind the list, since branches would cost more.
    std::uint16_t* next = places_ + ((upto & low) - kept);
    std::uint16_t* const dropped = places_ + lanes * bits + Device::lane();
#pragma unroll
    for (int k = 0; k < bits; ++k) {
      bool const from_b = (marks & 1u << (bits + k)) != 0, is_kept = (marks & 1u << k) != 0;
      *(is_kept ? next : dropped) = static_cast<std::uint16_t>(from_b ? places >> 16 : places);
      next += is_kept ? 1 : 0;
      places += from_b ? 1u << 16 : 1;
    }
    return int(Device::shuffle_from(upto, lanes - 1) & low);
  }

  move_marked_arguments<T, Count> const& arguments_;
  std::uint16_t* places_;
};

}  // namespace sam::inline v0_1::gpu
