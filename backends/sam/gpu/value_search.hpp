// SPDX-License-Identifier: MIT
// Implements the kernel of searches for many values in a sorted array.
//
// Each thread keeps several binary searches under way, one for each of its values, so that their
// loads overlap. All take equally many steps, and no branch depends on items.
//
// A block first compares the values of its tile with their neighbours. If they are in order, all
// results lie between those of the first and the last value. Two warps find these two, and the
// other searches stay between them: in shared memory, if the items there fit, so that sorted
// values take as much traffic as a merge.
//
// Tiles that are not in order are left to a second kernel, if there are many. It needs no shared
// memory, and then L1 holds more of the items that most searches read.
//
// Source: Knuth, The Art of Computer Programming 3, section 6.2.1 (binary search, Shar's variant).
#pragma once

#include <sam/backend/job.hpp>
#include <sam/gpu/warp/warp_lower_bound.hpp>

#include <type_traits>
#include <utility>

namespace sam::inline v0_1::gpu {

/// Tells the tiles that a kernel searches: all, those in order, or those that such a kernel has
/// left.
enum class searched_tiles { all, in_order, left };

/// The warps of a block, the values of a thread, and among how many items it finds them together.
template <int Warps, int Values, searched_tiles Tiles = searched_tiles::all,
          std::uint32_t Together = highest_of<std::uint32_t>>
struct value_search_config {
  static constexpr int warps = Warps, values = Values;
  static constexpr searched_tiles tiles = Tiles;
  static constexpr index_t together = Together;
};

/// The arguments of a kernel. Tiles that are not in order are listed, unless a kernel searches all.
template <class Job>
struct value_search_arguments {
  Job job;
  std::uint32_t *count = nullptr, *tiles = nullptr;
  int tile = 0;  // values of a listed one
};

/// Searches for the values of a searching job.
template <class Device, class Job, class Config>
class value_search_block {
  using search = std::remove_cvref_t<decltype(std::declval<Job const&>().sized())>;
  using T = std::remove_cvref_t<decltype(*search::sorted)>;
  using arguments = value_search_arguments<Job>;
  static constexpr int lanes = Device::warp_size, values = Config::values;
  static_assert(Config::warps >= 2);

 public:
  static constexpr int threads = Config::warps * lanes;
  static constexpr int tile = threads * values;
  static constexpr bool is_light = values == 1 && sizeof(T) <= 8;  // so that it needs few registers

 private:
  /// Items in shared memory: so few, since what it takes is missing in L1.
  static constexpr int room = int(min_of(2 * tile, (16 << 10) / index_t{sizeof(T)}));
  struct shared_layout {
    index_t bounds[2];
    bool in_order[std::size_t{Config::warps}];
    uninitialized_array<T, int(max_of(room, 1))> items;
  };

 public:
  static constexpr int shared_bytes =
      Config::tiles == searched_tiles::left ? 0 : int{sizeof(shared_layout)};

  SAM_DEVICE explicit value_search_block(arguments const& given)
      : given_(given), shared_(*reinterpret_cast<shared_layout*>(Device::shared_memory())),
        thread_(Device::warp() * lanes + Device::lane()) {}

  SAM_DEVICE void operator()() const {
    Device::grid_dependency_wait();
    Device::grid_dependency_trigger();
    search const s = given_.job.sized();
    if constexpr (Config::tiles == searched_tiles::left) {
      index_t const parts = given_.tile / tile, all = index_t{*given_.count} * parts;
      for (index_t p = Device::block(); p < all; p += Device::blocks())
        search_left(s, index_t{given_.tiles[p / parts]} * given_.tile + p % parts * tile);
    } else {
      for (index_t t = Device::block(); t * tile < s.m; t += Device::blocks()) {
        if (t != Device::block())
          Device::sync_block();  // orders the reads of the last tile before these writes
        search_tile(s, t);
      }
    }
  }

 private:
  /// The values of a thread, `threads` apart, and how many results there are to store.
  struct sought {
    uninitialized_array<T, values> x;
    index_t first;
    int count;
  };

  SAM_DEVICE void load(search const& s, index_t first, sought& what) const {
    what.first = first;
    what.count = int(min_of(tile, s.m - first));
    T const* const from = s.values + first;
#pragma unroll
    for (int k = 0; k < values; ++k)
      what.x.at[k] = from[min_of(k * threads + thread_, what.count - 1)];
  }
  SAM_DEVICE void search_left(search const& s, index_t first) const {
    if (first >= s.m)
      return;
    sought what;
    load(s, first, what);
    find(s, what, s.sorted, 0, s.n);
  }
  SAM_DEVICE void search_tile(search const& s, index_t t) const {
    sought what;
    load(s, t * tile, what);
    T const* const from = s.values + what.first;
    bool in_order = true;
#pragma unroll
    for (int k = 0; k < values; ++k) {
      int const next = int(min_of(k * threads + thread_ + 1, what.count - 1));
      in_order = in_order & !static_cast<bool>(s.less(from[next], what.x.at[k]));
    }
    bool const of_warp = Device::all_lanes(in_order);
    if (Device::lane() == 0)
      shared_.in_order[Device::warp()] = of_warp;
    Device::sync_block();  // orders the writes of what warps found before their reads
    bool all_in_order = true;
#pragma unroll
    for (int w = 0; w < Config::warps; ++w)
      all_in_order = all_in_order & shared_.in_order[w];
    if (!all_in_order) {
      if constexpr (Config::tiles == searched_tiles::all)
        find(s, what, s.sorted, 0, s.n);
      else if (thread_ == 0)
        given_.tiles[Device::add(given_.count, 1)] = static_cast<std::uint32_t>(t);
      return;
    }
    if (Device::warp() < 2)
      find_bound(s, Device::warp(), from[Device::warp() == 0 ? 0 : what.count - 1]);
    Device::sync_block();  // orders the writes of the bounds before their reads
    // Bounds keep all accesses inside the array, whatever its order is.
    index_t const low = shared_.bounds[0], left = max_of(shared_.bounds[1] - low, 0);
    T const* const items = s.sorted + low;
    if (left > room) {
      find(s, what, items, low, left);
      return;
    }
    for (int i = thread_; i < int(left); i += threads)
      shared_.items.at[i] = items[i];
    Device::sync_block();  // orders the writes of the items before their reads
    find_near(s, what, static_cast<T const*>(shared_.items.at), low, std::uint32_t(left));
  }

  /// Finds a result that is not above, or not below, those of all values behind, or before, x.
  SAM_DEVICE void find_bound(search const& s, int which, T const& x) const {
    bool const upper = which == 0 ? s.lower == nullptr : s.upper != nullptr;
    index_t const bound = gpu::search<Device>(0, s.n, [&](index_t i) {
      T const& y = s.sorted[i];
      return upper ? !is_not_behind{s}(y, x) : !precedes{s}(y, x);
    });
    if (Device::lane() == 0)
      shared_.bounds[which] = bound;
  }

  /// Stores the results, which lie among `left` items from item `low` on.
  SAM_DEVICE void find(search const& s, sought const& what, T const* items, index_t low,
                       index_t left) const {
    // Offsets of 32 bits take fewer instructions. Larger arrays are rare, so that one search after
    // another will do.
    if (left <= Config::together) {
      find_near(s, what, items, low, static_cast<std::uint32_t>(left));
      return;
    }
#pragma unroll 1
    for (int k = 0; k < values; ++k) {
      if (int const i = k * threads + thread_; i < what.count)
        find_one(s, what.first + i);
    }
  }
  SAM_DEVICE void find_one(search const& s, index_t at) const {
    T const* const x = s.values + at;
    auto const count = [&](auto const& is_before) {
      index_t before = 0;
#pragma unroll 1
      for (index_t left = s.n; left > 0;) {
        index_t const half = left - left / 2;
        if (is_before(s.sorted[before + half - 1], *x))
          before += half;
        left -= half;
      }
      return before;
    };
    if (s.lower != nullptr)
      s.lower[at] = index(s.lower, count(precedes{s}));
    if (s.upper != nullptr)
      s.upper[at] = index(s.upper, count(is_not_behind{s}));
  }
  SAM_DEVICE void find_near(search const& s, sought const& what, T const* items, index_t low,
                            std::uint32_t left) const {
    if (s.lower != nullptr)
      find_with(what, items, low, left, s.lower, precedes{s});
    if (s.upper != nullptr)
      find_with(what, items, low, left, s.upper, is_not_behind{s});
  }
  template <class Index, class IsBefore>
  SAM_DEVICE void find_with(sought const& what, T const* items, index_t low, std::uint32_t left,
                            Index* out, IsBefore const& is_before) const {
    std::uint32_t before[std::size_t{values}] = {};
#pragma unroll 1
    while (left > 0) {
      std::uint32_t const half = left - left / 2;  // of them, the last one is asked about
#pragma unroll
      for (int k = 0; k < values; ++k)
        before[k] += is_before(items[before[k] + (half - 1)], what.x.at[k]) ? half : 0;
      left -= half;
    }
#pragma unroll
    for (int k = 0; k < values; ++k)
      if (int const i = k * threads + thread_; i < what.count)
        out[what.first + i] = index(out, low + index_t{before[k]});
  }

  template <class Index>
  static SAM_DEVICE Index index(Index const*, index_t i) {
    return static_cast<Index>(i);
  }
  /// The items before the lower bound of x, and before its upper bound.
  struct precedes {
    search const& s;
    SAM_DEVICE bool operator()(T const& y, T const& x) const {
      return static_cast<bool>(s.less(y, x));
    }
  };
  struct is_not_behind {
    search const& s;
    SAM_DEVICE bool operator()(T const& y, T const& x) const {
      return !static_cast<bool>(s.less(x, y));
    }
  };

  arguments const& given_;
  shared_layout& shared_;
  int thread_;
};

}  // namespace sam::inline v0_1::gpu
