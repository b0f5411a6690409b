// SPDX-License-Identifier: MIT
// Finds strides without bank conflicts.
#pragma once

#include "warp_access.hpp"

#include <utility>

namespace memory_model {

/// Returns the accesses of a warp whose lane k accesses the item of `bytes` bytes at k * stride.
inline std::vector<lane_access> strided_access(int bytes, std::int64_t stride) {
  std::vector<lane_access> lanes;
  for (int lane = 0; lane < warp_lanes; ++lane)
    lanes.push_back({lane, std::uint64_t(lane * stride * bytes), bytes});
  return lanes;
}

/// Returns true if an access of a warp with this stride has no bank conflicts.
inline bool is_conflict_free(int bytes, std::int64_t stride) {
  auto const lanes = strided_access(bytes, stride);
  return wavefronts(lanes) == fewest_wavefronts(lanes);
}

/// Returns the nearest strides without bank conflicts: the largest that is at most `stride`, or 0
/// if there is none, and the smallest that is at least `stride`.
inline std::pair<std::int64_t, std::int64_t> good_strides(int bytes, std::int64_t stride) {
  std::int64_t below = stride, above = stride;
  while (below > 0 && !is_conflict_free(bytes, below))
    --below;
  while (!is_conflict_free(bytes, above))
    ++above;
  return {below, above};
}

}  // namespace memory_model
