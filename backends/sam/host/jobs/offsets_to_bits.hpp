// SPDX-License-Identifier: MIT
// Converts offsets to bits. A few thousand bits at a time are bytes in the first-level cache,
// unless few of them are set. Setting a byte waits for nothing, whereas setting a bit waits for the
// previous bit of the same word.
#pragma once

#include <sam/backend/mark_job.hpp>
#include <sam/host/context_base.hpp>
#include <sam/host/memory/pool.hpp>
#include <sam/host/scan/multi_pass.hpp>
#include <sam/host/simd/flag_bits.hpp>

#include <algorithm>

namespace sam::inline v0_1::host {

/// Fills words with the bits [begin, end); begin is a multiple of 64.
template <class Offset>
void mark_bits(mark_job<Offset> const job, index_t begin, index_t end) {
  constexpr index_t some = 4096, few = 64;
  alignas(64) std::uint8_t marks[some];
  std::fill_n(marks, div_up(min_of(some, end - begin), 64) * 64, std::uint8_t{0});
  index_t k = std::lower_bound(job.offsets, job.offsets + job.count, begin + job.before,
                               [](Offset offset, index_t least) {
                                 return static_cast<index_t>(offset) < least;
                               }) -
              job.offsets;
  for (; begin < end; begin += some) {
    index_t const count = min_of(some, end - begin);
    auto const is_here = [&](index_t at) {  // also rejects invalid offsets
      return static_cast<std::uint64_t>(at) < static_cast<std::uint64_t>(count);
    };
    std::uint32_t* const to = job.words + begin / 32;
    if (k + few >= job.count || !is_here(job.bit(k + few) - begin)) {
      std::fill_n(to, div_up(count, 32), std::uint32_t{0});
      for (index_t at; k < job.count && is_here(at = job.bit(k) - begin); ++k)
        to[at / 32] |= std::uint32_t{1} << at % 32;
      continue;
    }
    for (index_t at; k < job.count && is_here(at = job.bit(k) - begin); ++k)
      marks[at] = 1;
    for (index_t i = 0; i < count; i += 64) {
      std::uint64_t const word = flag_word(marks + i);
      to[i / 32] = static_cast<std::uint32_t>(word);
      if (i + 32 < count)
        to[i / 32 + 1] = static_cast<std::uint32_t>(word >> 32);
    }
    std::fill_n(marks, count, std::uint8_t{0});
  }
}

template <class Offset>
void any_context::mark_bits(mark_job<Offset> const& job) {
  if (measures())
    return;
  work([&](any_pool const& pool, host::workspace&) {
    // Few offsets take less time than other workers take to start.
    constexpr index_t fewest = 8192, granule = 4096;  // offsets, and bits, of a tile
    index_t const parts = engine::max_of(job.count / fewest, 1);
    index_t const even = engine::max_of(div_up(div_up(job.bits, parts), granule), 1) * granule;
    tiling const tiles{job.bits, min_of(even, tuning::marked_bits)};
    int const workers = static_cast<int>(min_of(pool.workers(), tiles.tiles()));
    host::for_each_tile(pool, workers, tiles.tiles(), [&](int, index_t tile, index_t) {
      host::mark_bits(job, tiles.begin(tile), tiles.begin(tile) + tiles.count(tile));
    });
  });
}

}  // namespace sam::inline v0_1::host
