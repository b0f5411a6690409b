// SPDX-License-Identifier: MIT
// Test support: contexts with few blocks, and segments of random lengths.
#pragma once

#include <sam/cuda/runtime/testing.hpp>

#include "support.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace test {

struct is_negative {
  SAM_FUNCTION bool operator()(std::int32_t x) const { return x < 0; }
};

/// Calls use(context, n, seed) for contexts with few blocks or all, and with small or large tiles.
template <class Use>
void for_few_blocks(std::initializer_list<index_t> sizes, Use const& use) {
  sam::default_context context;
  sam::cuda::testing::limit_ring_depth(context, 512);
  for (index_t const small_bytes : {index_t{1} << 60, index_t{0}})
    for (int const blocks : {1, 2, 3, 8, 0})
      for (index_t const n : sizes) {
        auto const seed = test::seed_for(n);
        CAPTURE(blocks, n, seed, small_bytes);
        context.limit_blocks(blocks);
        sam::cuda::testing::limit_small_bytes(context, small_bytes);
        sam::cuda::testing::limit_cluster_items(context, 0);
        use(context, n, seed);
      }
}

/// Segments of items, described by offsets, and the sum of each.
template <class Offset>
struct summed_segments {
  std::vector<Offset> offsets{Offset(0)};
  std::vector<std::uint32_t> sums;
};
/// Cuts items into segments of next_length() items each; the last one takes what is left.
template <class Offset, class NextLength>
summed_segments<Offset> cut_into_segments(std::vector<std::uint32_t> const& items,
                                          NextLength const& next_length) {
  summed_segments<Offset> all;
  auto const n = static_cast<index_t>(items.size());
  for (index_t begin = 0; begin < n;) {
    index_t const end = std::min(n, begin + index_t(next_length()));
    all.offsets.push_back(Offset(end));
    all.sums.push_back(
        std::accumulate(items.begin() + begin, items.begin() + end, std::uint32_t{0}));
    begin = end;
  }
  return all;
}

}  // namespace test
