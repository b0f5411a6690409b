// SPDX-License-Identifier: MIT
// Finds by one warp the part of two sorted runs from which it produces its share of their merge.
//
// Sources: Green, McColl, Bader, "GPU merge path", ICS 2012, and Odeh, Green, Mwassi, Shmueli,
// Birk, "Merge path - parallel merging made simple", IPDPSW 2012.
#pragma once

#include <sam/portable.hpp>

#include <cstdint>

namespace sam::inline v0_1::gpu {

/// Describes the part of a merge that one warp produces. It has items [begin, end) of the first
/// run, and its other items are from the second run.
struct merge_part {
  int begin, end;
};

/// Returns the part of merged items [skipped, skipped + items), for two runs of `length` items
/// each. is_first(i, d) returns true if item i of the first run comes before item d - 1 - i of the
/// second run in the merge. It may be called with i or d - 1 - i out of range; its result is then
/// ignored.
template <class Device, class IsFirst>
SAM_DEVICE merge_part search_part(int length, int skipped, int items, IsFirst const& is_first) {
  // The lower half of the lanes searches for the begin of the part, the upper half for its end.
  // Each half finds how many of the first `diagonal` merged items are from the first run.
  using set = typename Device::lane_set;
  constexpr int half = Device::warp_size / 2;
  constexpr set lower_half = (set(1) << half) - 1;
  bool const is_end = Device::lane() >= half;
  int const diagonal = skipped + (is_end ? items : 0);
  int found = diagonal < length ? 0 : diagonal - length;
  int left = (diagonal < length ? diagonal : length) - found;
  for (int most = length; most > 0;) {
    // The step is odd, so that lanes read from different banks.
    int const step = most / half | 1;
    int const next = (Device::lane() % half + 1) * step - 1;
    bool const is_known = next < left;
    bool const passes = is_first(found + (is_known ? next : 0), diagonal);
    set const firsts = Device::lanes_where(is_known & passes);
    int const passed = step * Device::count(is_end ? firsts >> half : firsts & lower_half);
    found += passed;
    most = step - 1;
    left -= passed;
  }
  return {int(Device::shuffle_from(std::uint32_t(found), 0)),
          int(Device::shuffle_from(std::uint32_t(found), half))};
}

}  // namespace sam::inline v0_1::gpu
