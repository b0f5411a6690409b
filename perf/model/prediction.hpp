// SPDX-License-Identifier: MIT
// Predicts the memory accesses of a warp whose lanes access items in a regular pattern.
#pragma once

#include "warp_access.hpp"

#include <cstdint>
#include <functional>
#include <utility>

namespace memory_model {

/// Ways in which the lanes of a warp share items. With `blocked`, each lane accesses a run of its
/// own, and `stride` is the distance between runs. With `striped`, neighbouring lanes access
/// items at distance `stride`. With `random`, each lane accesses any item.
enum class access_pattern { blocked, striped, random };

/// The accesses of a warp: each lane accesses `items` items, one after another.
struct warp_pattern {
  access_pattern how = access_pattern::blocked;
  std::int64_t item_bytes = 4;
  std::int64_t items = 1;
  std::int64_t stride = 1;  // in items

  /// Returns the bytes that a lane accesses at a time. Larger items take several accesses.
  std::int64_t bytes_at_once() const {
    for (std::int64_t const bytes : {16, 8, 4, 2})
      if (item_bytes % bytes == 0)
        return bytes;
    return 1;
  }
};

/// The counts of all accesses of a warp.
struct prediction {
  std::int64_t items = 0, requests = 0;
  std::int64_t wavefronts = 0, fewest_wavefronts = 0;
  std::int64_t sectors = 0, fewest_sectors = 0;
};

/// Calls f with the lanes of each access.
inline void for_each_access(warp_pattern const& by,
                            std::function<void(std::vector<lane_access> const&)> const& f) {
  std::uint64_t random = 1;
  std::int64_t const bytes = by.bytes_at_once();
  std::vector<lane_access> lanes(warp_lanes);
  for (std::int64_t k = 0; k < by.items; ++k) {
    std::vector<std::int64_t> items;
    for (int lane = 0; lane < warp_lanes; ++lane) {
      random = random * 6364136223846793005 + 1442695040888963407;
      items.push_back(by.how == access_pattern::blocked   ? lane * by.stride + k
                      : by.how == access_pattern::striped ? (k * warp_lanes + lane) * by.stride
                                                          : std::int64_t(random >> 44));
    }
    for (std::int64_t at = 0; at < by.item_bytes; at += bytes) {
      for (int lane = 0; lane < warp_lanes; ++lane)
        lanes[std::size_t(lane)] = {
            lane, std::uint64_t(items[std::size_t(lane)] * by.item_bytes + at), int(bytes)};
      f(lanes);
    }
  }
}

inline prediction predict(warp_pattern const& by) {
  prediction all;
  all.items = by.items * warp_lanes;
  for_each_access(by, [&](std::vector<lane_access> const& lanes) {
    ++all.requests;
    all.wavefronts += wavefronts(lanes);
    all.fewest_wavefronts += fewest_wavefronts(lanes);
    all.sectors += sectors(lanes);
    all.fewest_sectors += fewest_sectors(lanes);
  });
  return all;
}

/// The strides next to one at which a pattern has the fewest bank conflicts: the largest that is
/// at most that stride, or 0 if there is none, and the smallest that is at least that stride.
struct good_strides {
  std::int64_t below, above;
  bool are_conflict_free;
};
inline good_strides good_strides_near(warp_pattern by) {
  // Items narrower than a bank may begin at any byte of it.
  by.items = std::min<std::int64_t>(by.items, bank_bytes);
  auto const wavefronts_at = [&](std::int64_t stride) {
    by.stride = stride;
    return predict(by).wavefronts;
  };
  std::int64_t const stride = by.stride;
  // Strides further away lie in the same banks again.
  constexpr std::int64_t period = banks * bank_bytes;
  good_strides found{stride, stride, false};
  std::int64_t fewest = wavefronts_at(stride);
  for (std::int64_t s = stride + 1; s < stride + period; ++s)
    if (std::int64_t const here = wavefronts_at(s); here < fewest)
      fewest = here, found.above = s;
  while (found.below > 0 && wavefronts_at(found.below) > fewest)
    --found.below;
  found.are_conflict_free = fewest == predict(by).fewest_wavefronts;
  return found;
}

}  // namespace memory_model
