// SPDX-License-Identifier: MIT
// Records segmented scans and reductions, and run-length codes.
#include <sam/run_length.hpp>
#include <sam/segmented_reduce.hpp>
#include <sam/segmented_scan.hpp>

#include "cases.hpp"

namespace memory_trace {
using path_tile = tile<8, 25, 3>;
}
// The steps that the CUDA back end uses for 4-byte items.
template <>
inline constexpr int simt::path_steps<memory_trace::path_tile> = 11;

namespace memory_trace {

namespace {

/// Items in random segments of 20 items on average, for two tiles.
struct items_in_segments {
  explicit items_in_segments(index_t tile_items)
      : n(2 * tile_items), in(random_array<std::int32_t>(n)), out(n), heads(n),
        few(random_array<std::int32_t>(n, 3)) {
    generator random;
    for (index_t i = 0; i < n; ++i)
      if (i == 0 || random() % 20 == 0) {
        heads[std::size_t(i)] = 1;
        ++segments;
      }
  }
  array<std::int32_t> offsets() const {
    array<std::int32_t> all(segments + 1);
    std::size_t k = 0;
    for (index_t i = 0; i < n; ++i)
      if (heads[std::size_t(i)] != 0)
        all[k++] = std::int32_t(i);
    all[k] = std::int32_t(n);
    return all;
  }
  array<std::int32_t> lengths() const {
    auto const begins = offsets();
    array<std::int32_t> all(segments);
    for (std::size_t k = 0; k < all.size(); ++k)
      all[k] = begins[k + 1] - begins[k];
    return all;
  }

  index_t n, segments = 0;
  array<std::int32_t> in, out;
  array<std::uint8_t> heads;
  array<std::int32_t> few;  // runs of equal items
};

template <class Tile>
constexpr index_t items_of_tile = index_t{Tile::warps} * 32 * Tile::items;

template <class Tile>
void trace_scan(std::string const& name, auto const& segments_of) {
  items_in_segments items(items_of_tile<Tile>);
  auto const offsets = items.offsets();
  auto const context = make_context<Tile>();
  record("segmented scan int32, " + name, items.n, *context, [&] {
    sam::segmented_inclusive_scan(*context, items.in, segments_of(items, offsets), items.out);
  });
}
template <class Tile>
void trace_reduction(std::string const& name, bool takes_paths) {
  items_in_segments items(items_of_tile<Tile>);
  auto const offsets = items.offsets();
  array<std::int32_t> totals(items.segments);
  auto const context = make_context<Tile>();
  context->takes_paths = takes_paths;
  record("segmented reduce int32, " + name, items.n, *context,
         [&] { sam::segmented_reduce(*context, items.in, sam::by_offsets(offsets), totals); });
}
void trace_decoding() {
  items_in_segments items(items_of_tile<path_tile>);
  auto const lengths = items.lengths();
  auto const values = random_array<std::int32_t>(items.segments);
  auto const context = make_context<path_tile>();
  context->takes_paths = true;
  record("run-length decode int32", items.n, *context,
         [&] { sam::run_length_decode(*context, values, lengths, items.out); });
}
void trace_encoding() {
  using tile_type = tile<12, 41, 3>;
  items_in_segments items(items_of_tile<tile_type>);
  array<std::int32_t> counts(items.n);
  auto const context = make_context<tile_type>();
  record("run-length encode int32", items.n, *context,
         [&] { sam::run_length_encode(*context, items.few, items.out, counts); });
}

}  // namespace

void trace_segments() {
  trace_scan<tile<8, 41>>(
      "by heads", [](auto const& items, auto const&) { return sam::by_heads(items.heads); });
  trace_scan<tile<8, 51>>(
      "by offsets", [](auto const&, auto const& offsets) { return sam::by_offsets(offsets); });
  trace_scan<tile<12, 23, 3>>(
      "by keys", [](auto const& items, auto const&) { return sam::by_keys(items.few); });
  trace_reduction<tile<12, 39, 3>>("by bit masks", false);
  trace_reduction<path_tile>("by merge path", true);
  trace_decoding();
  trace_encoding();
}

}  // namespace memory_trace
