// SPDX-License-Identifier: MIT
// This file defines how tuples are distributed over the lanes of a warp and how tuples of run-time
// size are cut into column panels.
//
// Items form rows of s components. If a row has at most as many components as a warp has lanes,
// there is one panel. Otherwise consecutive columns form several panels. Each panel is scanned
// independently, and all panels have tiles of the same number of rows.
//
// Panels share a fixed number k of descriptor rings. Panel j uses ring j mod k, after the tiles of
// panel j - k. The rings therefore have a fixed size for any number of panels, and blocks work on
// neighbouring panels at the same time, which share pages of memory. The invariants of
// descriptor_ring.hpp hold, because the tiles of a panel continue the numbering of its predecessor
// in the ring.
#pragma once

#include <sam/backend/job.hpp>

#include <cstdint>

namespace sam::gpu {

/// Holds the partition of rows into panels, which is an argument of the kernel.
struct panels {
  index_t components;
  index_t count;
  std::int32_t width;   // components per panel; the last may have fewer
  std::int32_t runs;    // runs of rows across a warp
  std::uint32_t tiles;  // tiles per panel
  std::uint32_t rings;

  /// Returns the panels for tiles of `rows` times `runs` rows. If rows are whole memory sectors, so
  /// are the rows of a panel.
  static panels of(index_t n, index_t components, int lanes, index_t rows, int item_bytes,
                   int most_rings) {
    constexpr int sector = 32;
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

  SAM_FUNCTION bool is_one() const { return count == 1; }
  SAM_FUNCTION index_t all_tiles() const { return count * tiles; }
  SAM_FUNCTION std::uint32_t ring_of(index_t panel) const { return std::uint32_t(panel % rings); }
  /// Returns the number of tiles of earlier panels in the same ring.
  SAM_FUNCTION std::uint32_t tiles_before(index_t panel) const {
    return std::uint32_t(panel / rings) * tiles;
  }
  /// Returns the number of tiles of all panels in a ring.
  SAM_FUNCTION std::uint32_t tiles_of(std::uint32_t ring) const {
    return std::uint32_t((count - ring + rings - 1) / rings) * tiles;
  }
  /// Returns the first component of a panel.
  SAM_FUNCTION index_t column(index_t panel) const { return panel * width; }
  SAM_FUNCTION int width_of(index_t panel) const {
    return int(min_of(index_t{width}, components - column(panel)));
  }
  SAM_FUNCTION index_t items_of(index_t panel, index_t n) const {
    index_t const of_last_row = n % components - column(panel);
    return n / components * width_of(panel) +
           max_of(0, min_of(of_last_row, index_t{width_of(panel)}));
  }
};

/// Returns the number of blocks rounded down to a multiple of `rings`, if that loses at most an
/// eighth. With an equal number of blocks per ring, no ring falls behind. Blocks that help another
/// ring would access distant pages.
inline index_t evenly_on(index_t rings, index_t blocks) {
  index_t const even = blocks - blocks % rings;
  return 8 * even >= 7 * blocks ? even : blocks;
}

/// Describes the layout of runs across a warp: `runs` runs, `width` lanes apart.
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

}  // namespace sam::gpu
