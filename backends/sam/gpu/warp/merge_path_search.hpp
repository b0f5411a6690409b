// SPDX-License-Identifier: MIT
// Where a warp's part of two runs that are to be merged begins and ends.
//
// Source: Green, McColl, Bader, "GPU merge path", ICS 2012, and Odeh, Green, Mwassi, Shmueli, Birk,
// "Merge path - parallel merging made simple", IPDPSW 2012.
#pragma once

#include <sam/portable.hpp>

#include <cstdint>

namespace sam::gpu {

/// Items [begin, end) of the first run are in the part; its others are the second run's.
struct merge_part {
  int begin, end;
};

/// Of two runs of so many items each, the part that begins behind `skipped` merged items and has so
/// many. is_first(i, d) says whether item i of the first run comes no later than item d - 1 - i of
/// the second; i of d may be the length, and what is said of that is not looked at.
template <class Device, class IsFirst>
SAM_DEVICE merge_part search_part(int length, int skipped, int items, IsFirst const& is_first) {
  // Half of the lanes look for where the part begins, half for where it ends: for how many of the
  // first `diagonal` items are the first run's.
  using set = typename Device::lane_set;
  constexpr int half = Device::warp_size / 2;
  constexpr set lower_half = (set(1) << half) - 1;
  bool const is_end = Device::lane() >= half;
  int const diagonal = skipped + (is_end ? items : 0);
  int found = diagonal < length ? 0 : diagonal - length;
  int left = (diagonal < length ? diagonal : length) - found;
  for (int most = length; most > 0;) {
    // A power of 2 is left, at most; lanes look at items that are an odd number apart, and so in
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
