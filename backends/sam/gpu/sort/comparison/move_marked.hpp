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
  static constexpr std::uint32_t is_of_b = 1u << 15;

 public:
  static constexpr int threads = warps * lanes;
  static constexpr int shared_bytes = threads * marked_parts::most_items * 2;
  static index_t tiles(move_marked_arguments<T, Count> const& arguments) {
    return div_up(arguments.parts.count, warps);
  }

  SAM_DEVICE explicit move_marked_block(move_marked_arguments<T, Count> const& arguments)
      : arguments_(arguments), places_(reinterpret_cast<std::uint16_t*>(Device::shared_memory()) +
                                       Device::warp() * lanes * marked_parts::most_items) {}

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
    index_t const first_b = p * lanes * arguments_.items - first_a;
    for (int done = 0; done < total; done += at_once * lanes) {
      uninitialized_array<T, at_once> x;
#pragma unroll
      for (int k = 0; k < at_once; ++k) {
        std::uint32_t const place = places_[min_of(done + k * lanes + Device::lane(), total - 1)];
        bool const from_b = place >= is_of_b;
        // The bounds keep the accesses inside the arrays, whatever the order was.
        index_t const i = min_of((from_b ? first_b : first_a) + (place & (is_of_b - 1)),
                                 (from_b ? arguments_.n_b : arguments_.n_a) - 1);
        x.at[k] = (from_b ? arguments_.b : arguments_.a)[i];
      }
#pragma unroll
      for (int k = 0; k < at_once; ++k) {
        int const i = done + k * lanes + Device::lane();
        if (i < total && before + i < arguments_.capacity)
          arguments_.out[before + i] = x.at[k];
      }
    }
    Device::sync_warp();  // orders these reads before the next list is written
  }

  /// Lists the places of the kept items of the part, from its first items of a and b on. Returns
  /// their number.
  SAM_DEVICE int list(std::uint32_t marks) const {
    constexpr int bits = marked_parts::most_items;
    constexpr std::uint32_t low = (1u << bits) - 1;
    std::uint32_t const kept = std::uint32_t(engine::count_bits(marks & low));
    std::uint32_t const of_b = std::uint32_t(engine::count_bits(marks >> bits));
    std::uint32_t const upto = gpu::sum_upto_lane<Device>(kept | of_b << bits);
    std::uint32_t rank = (upto & low) - kept, b = (upto >> bits) - of_b;
    std::uint32_t a = std::uint32_t(Device::lane() * arguments_.items) - b;
#pragma unroll
    for (int k = 0; k < bits; ++k) {
      bool const from_b = (marks >> (bits + k) & 1) != 0;
      if ((marks >> k & 1) != 0)
        places_[rank++] = static_cast<std::uint16_t>(from_b ? is_of_b | b : a);
      a += from_b ? 0 : 1;
      b += from_b ? 1 : 0;
    }
    return int(Device::shuffle_from(upto, lanes - 1) & low);
  }

  move_marked_arguments<T, Count> const& arguments_;
  std::uint16_t* places_;
};

}  // namespace sam::inline v0_1::gpu
