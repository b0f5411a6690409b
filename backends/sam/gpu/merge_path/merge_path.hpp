// SPDX-License-Identifier: MIT
// Items and the ends of segments, merged to one path: an end comes behind the last item before it.
// Tiles are equal parts of that path, and so are the threads' parts of them, whatever lengths
// segments have, or if they have none.
//
// Source: Odeh, Green, Mwassi, Shmueli, Birk, "Merge path", IPDPSW 2012; Merrill, Garland,
// "Merge-based parallel sparse matrix-vector multiplication", SC 2016.
#pragma once

#include <sam/gpu/warp/warp_lower_bound.hpp>

namespace sam::gpu {

/// Warps of a block, and steps of a thread along the path.
template <int Warps, int Steps>
struct path_config {
  static constexpr int warps = Warps;
  static constexpr int steps = Steps;
};

/// What a tile has of a path: items and ends from these on.
struct path_part {
  index_t first_item, first_end;
  int items, ends;
};

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

  struct board {
    int ends[tile_steps];  // before which of the tile's items
    index_t end_at[2];     // which end comes first at the tile's begin, and behind it
  };

  /// All of a block find which part of `items` and of so many ends is a tile's; end k comes before
  /// item end(k).
  template <class End>
  static SAM_DEVICE path_part part_of(index_t tile, index_t items, index_t ends, End const& end,
                                      board& board) {
    index_t const first = tile * tile_steps;
    index_t const last = min_of(first + tile_steps, items + ends);
    if (Device::warp() < 2) {
      index_t const d = Device::warp() == 0 ? first : last;
      index_t const k = gpu::search<Device>(max_of(0, d - items), min_of(d, ends),
                                            [&](index_t e) { return e + end(e) >= d; });
      if (Device::lane() == 0)
        board.end_at[Device::warp()] = k;
    }
    Device::sync_block();  // publishes which ends are the tile's
    path_part part;
    part.first_end = board.end_at[0];
    part.first_item = first - part.first_end;
    // Nothing else is read or written, wherever ends are said to lie. Ends that do not ascend may
    // leave a tile more of them than it has steps.
    part.ends = int(sam::max_of(0, sam::min_of(board.end_at[1] - part.first_end, last - first)));
    part.items = int(max_of(0, min_of(last - first - part.ends, items - part.first_item)));
    return part;
  }

  /// Goes along a thread's part of a tile: take(i, k) for each item, before end k, and
  /// put(k) for each end. Returns which end comes first.
  template <class Take, class Put>
  static SAM_DEVICE int walk(path_part const& part, int thread, board const& board,
                             Take const& take, Put const& put) {
    int const begin = int(sam::min_of(thread * Config::steps, part.items + part.ends));
    int low = int(max_of(0, begin - part.items)), high = int(min_of(begin, part.ends));
    while (low < high) {
      int const k = (low + high) / 2;
      if (k + board.ends[k] >= begin)
        high = k;
      else
        low = k + 1;
    }
    int k = low, i = begin - low;
    int const left = int(sam::min_of(Config::steps, part.items + part.ends - begin));
#pragma unroll
    for (int s = 0; s < Config::steps; ++s) {
      if (s >= left)
        continue;
      if (i == part.items || (k < part.ends && board.ends[k] <= i))
        put(k++);
      else
        take(i++, k);
    }
    return low;
  }
};

}  // namespace sam::gpu
