// SPDX-License-Identifier: MIT
// Records segmented scans and reductions, and run-length codes.
#include <sam/run_length.hpp>
#include <sam/segmented_reduce.hpp>
#include <sam/segmented_scan.hpp>

#include "cases.hpp"

// The steps that the CUDA back end uses for 4-byte items.
template <>
inline constexpr int simt::path_steps<memory_trace::tile<8, 25, 3>> = 11;

namespace memory_trace {

void trace_segments() {
  using tile_type = tile<8, 25, 3>;
  index_t const n = 2 * 8 * 32 * 25;
  auto const in = random_array<std::int32_t>(n);
  array<std::int32_t> out(n);
  array<std::uint8_t> heads(n);
  generator random;
  index_t segments = 0;
  for (std::uint8_t& head : heads)
    segments += head = &head == heads.data() || random() % 20 == 0;
  array<std::int32_t> offsets(segments + 1), totals(segments), lengths(segments);
  for (index_t i = n, k = segments; i-- > 0;)
    if (heads[std::size_t(i)] != 0)
      offsets[std::size_t(--k)] = std::int32_t(i);
  offsets[std::size_t(segments)] = std::int32_t(n);
  for (std::size_t k = 0; k < lengths.size(); ++k)
    lengths[k] = offsets[k + 1] - offsets[k];

  auto const context = make_context<tile_type>();
  record("segmented scan int32, by heads", n,
         [&] { sam::segmented_inclusive_scan(*context, in, sam::by_heads(heads), out); });
  record("segmented scan int32, by offsets", n, [&] {
    sam::segmented_inclusive_scan(*context, in, sam::by_checked_offsets(offsets), out);
  });
  auto const keys = random_array<std::int32_t>(n, 3);
  record("segmented scan int32, by keys", n,
         [&] { sam::segmented_inclusive_scan(*context, in, sam::by_keys(keys), out); });
  record("segmented reduce int32, by bit masks", n,
         [&] { sam::segmented_reduce(*context, in, sam::by_offsets(offsets), totals); });
  context->takes_paths = true;
  record("segmented reduce int32, by merge path", n,
         [&] { sam::segmented_reduce(*context, in, sam::by_offsets(offsets), totals); });
  record("run-length decode int32", n,
         [&] { sam::run_length_decode(*context, totals, lengths, out); });
  array<std::int32_t> values(n);
  array<std::int32_t> counts(n);
  record("run-length encode int32", n,
         [&] { sam::run_length_encode(*context, keys, values, counts); });
}

}  // namespace memory_trace
