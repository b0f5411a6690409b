// SPDX-License-Identifier: MIT
// This file finds the part of a merge that a warp computes, by a merge-path search.
//
// Sources: Green, McColl, Bader, "GPU merge path", ICS 2012, and Odeh, Green, Mwassi, Shmueli,
// Birk, "Merge path - parallel merging made simple", IPDPSW 2012.
#pragma once

#include <sam/portable.hpp>

#include <cstdint>

namespace sam::gpu {

/// Holds the range [begin, end) of the first run that belongs to a part. The remaining items of the
/// part come from the second run.
struct merge_part {
  int begin, end;
};

/// Returns the part of a merge of two runs of `length` items that holds `items` merged items after
/// the first `skipped`. is_first(i, d) returns true if item i of the first run precedes or equals
/// item d - 1 - i of the second. It may be called with i equal to the length; the result is then
/// ignored.
template <class Device, class IsFirst>
SAM_DEVICE merge_part search_part(int length, int skipped, int items, IsFirst const& is_first) {
  // Half of the lanes search for the begin of the part, the other half for its end. Each searches
  // its diagonal for the number of items that come from the first run.
  using set = typename Device::lane_set;
  constexpr int half = Device::warp_size / 2;
  constexpr set lower_half = (set(1) << half) - 1;
  bool const is_end = Device::lane() >= half;
  int const diagonal = skipped + (is_end ? items : 0);
  int found = diagonal < length ? 0 : diagonal - length;
  int left = (diagonal < length ? diagonal : length) - found;
  for (int most = length; most > 0;) {
    // The number of candidates left is less than a power of 2. An odd step makes lanes access
    // different banks.
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

}  // namespace sam::gpu
