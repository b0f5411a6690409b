// SPDX-License-Identifier: MIT
// How tuples lie across the lanes of a warp and, where their size is known only when running, how
// rows of them are cut into panels.
//
// Items are rows of s components. Up to as many components as a warp has lanes are one panel; more
// are cut into panels of consecutive columns. Each panel is a scan of its own, with tiles of as
// many rows as all others have. Panels share a number of rings: panel j, of k rings, has its words
// in ring j mod k, behind those of panel j - k. So the descriptor_ring is of one size, however many
// panels there are; blocks work on neighbouring panels at a time, which share pages of memory; and
// what is said of a ring's tiles (descriptor_ring.hpp) holds as it stands, for one panel's tiles
// follow another's.
#pragma once

#include <sam/backend/job.hpp>

#include <cstdint>

namespace sam::gpu {

/// What a pass over panels is given.
struct panels {
  index_t components;
  index_t count;
  std::int32_t width;   // of a panel, in components; the last may have fewer
  std::int32_t runs;    // of them across a warp
  std::uint32_t tiles;  // of a panel
  std::uint32_t rings;

  /// For tiles of `rows` times `runs` rows. Panels are of whole sectors of memory, where rows
  /// are.
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
  /// Tiles of earlier panels of the same ring.
  SAM_FUNCTION std::uint32_t tiles_before(index_t panel) const {
    return std::uint32_t(panel / rings) * tiles;
  }
  SAM_FUNCTION std::uint32_t tiles_of(std::uint32_t ring) const {
    return std::uint32_t((count - ring + rings - 1) / rings) * tiles;
  }
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

/// So many blocks or fewer, as many of them on each ring, if that leaves out few: rings with fewer
/// than others have would be behind, and blocks that come to help them are far from their pages.
inline index_t evenly_on(index_t rings, index_t blocks) {
  index_t const even = blocks - blocks % rings;
  return 8 * even >= 7 * blocks ? even : blocks;
}

/// The runs of rows across a warp's lanes: `runs` of them, `width` lanes apart.
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
