// SPDX-License-Identifier: MIT
// Says how a stream is cut into tiles: the sizes of tiles, and the rows of an array.
//
// A pass handles the rows of one level: the items, or groups, which are the totals of the tiles of
// the pass below. A tile adds `depth` levels. Rows and tiles are numbered from the begin of the
// stream, and a tile begins at a multiple of its size. So its first rows may belong to earlier
// arrays; the state before this array holds what they were combined to.
#pragma once

#include <sam/stream_state.hpp>

#include <cstddef>

namespace sam::inline v0_1::detail {

using engine::stream_group;
using engine::stream_group_bits;
using engine::stream_levels;

/// The sizes of the tiles of T in S components, by the memory that a team has for one.
template <class T, int S>
struct stream_shape {
  static constexpr index_t most_bytes = index_t{40} << 10;
  /// Returns the values that a team holds for a tile of `added` levels and `across` components: its
  /// rows, one of padding for each run, the groups of all levels, a prefix and the higher levels of
  /// the state.
  static constexpr index_t values(int added, int across) {
    index_t of_level = index_t{1} << stream_group_bits * added;
    index_t all = of_level + of_level / stream_group + 1 + stream_levels;
    for (; added > 0; --added)
      all += of_level /= stream_group;
    return all * across;
  }
  static constexpr bool fits(int added, int across) {
    return values(added, across) * index_t{sizeof(T)} <= most_bytes;
  }
  /// The levels that a tile adds. The number of levels of groups is a multiple of it.
  static constexpr int depth = fits(3, S) ? 3 : fits(2, 1) ? 2 : 1;
  static_assert(fits(depth, 1) && (stream_levels - 1) % depth == 0);
  /// The components of a tile are neighbours; the others are in other panels, of about equal width.
  static constexpr int panels = [] {
    int count = 1;
    while (!fits(depth, (S + count - 1) / count))
      ++count;
    return count;
  }();
  static constexpr int width = (S + panels - 1) / panels;
  static constexpr int bits = stream_group_bits * depth;
  static constexpr int rows = 1 << bits;
  static constexpr int runs = rows / stream_group;
  /// The number of threads that load a tile, each several rows. A run takes one thread, so that
  /// small tiles have few runs.
  static constexpr int loaders = runs * width >= 64 || rows * width % 64 != 0 ? runs * width : 64;
  static constexpr int threads = static_cast<int>(engine::min_of(loaders, 256));
  static constexpr std::size_t bytes = std::size_t{values(depth, width)} * sizeof(T);
};

/// Says which rows of the stream an array has.
template <index_t S>
struct stream_extent {
  index_t items;  // before the array
  index_t n;      // in it

  // The number of rows of component c before the array, and before the next one.
  SAM_FUNCTION index_t first_row(index_t c) const { return (items - c + S - 1) / S; }
  SAM_FUNCTION index_t end_row(index_t c) const { return (items + n - c + S - 1) / S; }
  // The least and the greatest of these of all components.
  SAM_FUNCTION index_t lowest_row() const { return items / S; }
  SAM_FUNCTION index_t lowest_end() const { return (items + n) / S; }
  SAM_FUNCTION index_t highest_end() const { return (items + n + S - 1) / S; }
  // The place of component c among those of the next item and of the next array's first one.
  SAM_FUNCTION index_t place_before(index_t c) const { return (c - items % S + S) % S; }
  SAM_FUNCTION index_t place_after(index_t c) const { return (c - (items + n) % S + S) % S; }
};

}  // namespace sam::inline v0_1::detail
