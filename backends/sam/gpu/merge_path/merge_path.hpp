// SPDX-License-Identifier: MIT
// Divides the merge path of items and segment ends among tiles and threads. The path merges both
// sequences, with each end behind the last item before it. All tiles have parts of equal length,
// and so have all threads of a tile, however long the segments are and even if they are empty.
//
// Sources: Odeh, Green, Mwassi, Shmueli, Birk, "Merge path", IPDPSW 2012; Merrill, Garland,
// "Merge-based parallel sparse matrix-vector multiplication", SC 2016.
#pragma once

#include <sam/gpu/warp/warp_lower_bound.hpp>

namespace sam::inline v0_1::gpu {

/// Configures a block: `Warps` warps, and `Steps` steps of the path per thread.
template <int Warps, int Steps>
struct path_config {
  static constexpr int warps = Warps;
  static constexpr int steps = Steps;
};

/// Describes a tile's part of the path: `items` items from first_item on, and `ends` ends from
/// first_end on.
struct path_part {
  index_t first_item, first_end;
  int items, ends;
};

/// Finds the parts of tiles and threads, and walks them.
template <class Device, class Config>
class merge_path {
  static constexpr int lanes = Device::warp_size;
  static_assert(Config::warps >= 2);

 public:
  static constexpr int threads = Config::warps * lanes;
  static constexpr int tile_steps = threads * Config::steps;
  static SAM_FUNCTION index_t tiles(index_t items, index_t ends) {
    return div_up(items + ends, tile_steps);
  }

  struct shared_layout {
    int ends[tile_steps];  // the item of the tile before which each end lies
    index_t end_at[2];     // the tile's first end, and the next tile's
  };

  /// Finds a tile's part of the path over `items` items and `ends` ends. Every thread of the block
  /// calls this. End k lies before item end(k).
  template <class End>
  static SAM_DEVICE path_part part_of(index_t tile, index_t items, index_t ends, End const& end,
                                      shared_layout& shared) {
    index_t const first = tile * tile_steps;
    index_t const last = min_of(first + tile_steps, items + ends);
    if (Device::warp() < 2) {
      index_t const d = Device::warp() == 0 ? first : last;
      index_t const k = gpu::search<Device>(max_of(0, d - items), min_of(d, ends),
                                            [&](index_t e) { return e + end(e) >= d; });
      if (Device::lane() == 0)
        shared.end_at[Device::warp()] = k;
    }
    Device::sync_block();  // orders the writes of end_at before its reads
    path_part part;
    part.first_end = shared.end_at[0];
    part.first_item = first - part.first_end;
    // The bounds keep all accesses inside the arrays, whatever values the ends have. Without them,
    // ends that do not ascend could give a tile more ends than steps.
    part.ends =
        int(engine::max_of(0, engine::min_of(shared.end_at[1] - part.first_end, last - first)));
    part.items = int(max_of(0, min_of(last - first - part.ends, items - part.first_item)));
    return part;
  }

  /// Walks a thread's part of a tile: calls take(i, k) for each item i, which lies before end k,
  /// and put(k) for each end. Returns the first end of the part.
  template <class Take, class Put>
  static SAM_DEVICE int walk(path_part const& part, int thread, shared_layout const& shared,
                             Take const& take, Put const& put) {
    int const begin = int(engine::min_of(thread * Config::steps, part.items + part.ends));
    int low = int(max_of(0, begin - part.items)), high = int(min_of(begin, part.ends));
    while (low < high) {
      int const k = (low + high) / 2;
      if (k + shared.ends[k] >= begin)
        high = k;
      else
        low = k + 1;
    }
    int k = low, i = begin - low;
    int const left = int(engine::min_of(Config::steps, part.items + part.ends - begin));
#pragma unroll
    for (int s = 0; s < Config::steps; ++s) {
      if (s >= left)
        continue;
      if (i == part.items || (k < part.ends && shared.ends[k] <= i))
        put(k++);
      else
        take(i++, k);
    }
    return low;
  }
};

}  // namespace sam::inline v0_1::gpu
