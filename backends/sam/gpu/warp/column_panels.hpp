// SPDX-License-Identifier: MIT
// Maps the components of tuples to the lanes of a warp, and divides wide tuples into column panels.
//
// Items are rows of s components. If s is at most the number of lanes of a warp, they form one
// panel. Otherwise they are divided into panels of consecutive columns. Each panel is scanned by
// itself, and all panels have tiles of the same number of rows.
//
// Panels share k descriptor rings: panel j uses ring j mod k, after the tiles of panel j - k. So
// the memory of the rings does not grow with the number of panels, and the rules of
// descriptor_ring.hpp hold unchanged. Blocks work on neighbouring panels at a time, which share
// pages of memory.
#pragma once

#include <sam/backend/job.hpp>

#include <cstdint>

namespace sam::inline v0_1::gpu {

/// Describes the column panels of a pass: their sizes, tiles and rings.
struct panels {
  index_t components;
  index_t count;
  std::int32_t width;   // components of a panel; the last panel may have fewer
  std::int32_t runs;    // runs of rows that a warp holds side by side
  std::uint32_t tiles;  // tiles of one panel
  std::uint32_t rings;

  /// Returns the panels of n items with `components` components, for tiles of `rows` times `runs`
  /// rows. Where each row begins at a sector of memory, each panel does, too.
  template <class Device>
  static panels of(index_t n, index_t components, index_t rows, int item_bytes, int most_rings) {
    constexpr int lanes = Device::warp_size, sector = Device::sector_bytes;
    bool const rows_are = components * item_bytes % sector == 0;
    int const whole = rows_are && item_bytes < sector ? sector / item_bytes : 1;
    panels s{};
    s.components = min_of(components, n);
    index_t const evenly = div_up(s.components, div_up(s.components, lanes));
    s.width = s.components <= lanes ? std::int32_t(s.components)
                                    : std::int32_t(min_of(div_up(evenly, whole) * whole, lanes));
    s.count = div_up(s.components, s.width);
    s.runs = std::int32_t(min_of(lanes / s.width, lanes / 2));
    s.tiles = std::uint32_t(div_up(div_up(n, s.components), rows * s.runs));
    s.rings = std::uint32_t(min_of(s.count, most_rings));
    return s;
  }

  /// True if there is one panel only.
  SAM_FUNCTION bool is_one() const { return count == 1; }
  /// Returns the number of tiles of all panels.
  SAM_FUNCTION index_t all_tiles() const { return count * tiles; }
  /// Returns the ring that a panel uses.
  SAM_FUNCTION std::uint32_t ring_of(index_t panel) const { return std::uint32_t(panel % rings); }
  /// Returns the number of tiles of earlier panels in the same ring.
  SAM_FUNCTION std::uint32_t tiles_before(index_t panel) const {
    return std::uint32_t(panel / rings) * tiles;
  }
  /// Returns the number of tiles of all panels of a ring.
  SAM_FUNCTION std::uint32_t tiles_of(std::uint32_t ring) const {
    return std::uint32_t((count - ring + rings - 1) / rings) * tiles;
  }
  /// Returns the first column of a panel.
  SAM_FUNCTION index_t column(index_t panel) const { return panel * width; }
  /// Returns the number of components of a panel.
  SAM_FUNCTION int width_of(index_t panel) const {
    return int(min_of(index_t{width}, components - column(panel)));
  }
  /// Returns the number of values of a panel, where the last row of the n values may be incomplete.
  SAM_FUNCTION index_t items_of(index_t panel, index_t n) const {
    index_t const of_last_row = n % components - column(panel);
    return n / components * width_of(panel) +
           max_of(0, min_of(of_last_row, index_t{width_of(panel)}));
  }
};

/// Returns the largest multiple of `rings` up to `blocks`, or `blocks` if that would leave out more
/// than an eighth. With as many blocks on each ring, no ring falls behind. Blocks that change to
/// another ring are slow, as its panels lie in other pages of memory.
inline index_t evenly_on(index_t rings, index_t blocks) {
  index_t const even = blocks - blocks % rings;
  return 8 * even >= 7 * blocks ? even : blocks;
}

/// Describes the layout of a warp's lanes: `runs` runs of rows, each in `width` adjacent lanes, one
/// for each component.
template <int Warp, int TupleSize>
struct lane_layout {
  static constexpr int width = TupleSize;
  static constexpr int runs = Warp / TupleSize;
};
template <int Warp>
struct lane_layout<Warp, run_time_tuple> {
  int width;
  int runs;
};

}  // namespace sam::inline v0_1::gpu
