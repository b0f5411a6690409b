// SPDX-License-Identifier: MIT
// Defines the segmented scan job by offsets, for back ends with an implementation of their own. The
// default implementation marks where segments begin and scans. A context whose back end has a
// faster one for some segments has, beside run,
//
//   template <class Job>
//   bool scan_segments(Job const&);
//
// for a scan_segments_job. It returns false if it queued nothing; the default then runs.
#pragma once

#include <sam/backend/job.hpp>
#include <sam/backend/job/number_in_memory.hpp>

namespace sam::inline v0_1::engine {

/// Describes a forward scan of order 1 of each segment: items [offsets[k], offsets[k + 1]), for all
/// k < segments. Each segment begins with `start` if that is a value, as it is in exclusive scans.
/// Offsets go from 0 to n and never decrease. Neither n nor `segments` is 0. `out` is `items`, or
/// is apart from it. With a number_in_memory, n is the largest number of items: those from the
/// number on belong to no segment.
template <bound Bound, class Item, class T, class Offset, class Op, class Start,
          class Number = all_of_them>
struct scan_segments_job {
  using item = Item;
  using value = T;
  using offset = Offset;
  static constexpr bool is_exclusive = Bound == bound::exclusive;
  static constexpr bool has_start = !std::is_same_v<Start, from_nothing>;
  static constexpr bool is_counted = !std::is_same_v<Number, all_of_them>;
  static_assert(has_start || !is_exclusive);
  index_t n;
  Item const* items;
  index_t segments;
  Offset const* offsets;
  T* out;
  Op op;
  Start start;
  Number number = {};

  /// Returns how many items there are. A kernel calls it when earlier work is done.
  SAM_FUNCTION index_t items_now() const { return number.upto(n); }

  /// Returns x, preceded by the start.
  SAM_FUNCTION T from_start(T const& x) const {
    if constexpr (has_start)
      return op(start.value, x);
    else
      return x;
  }
};

}  // namespace sam::inline v0_1::engine
