// SPDX-License-Identifier: MIT
// Defines the segmented reduction job by offsets, for back ends with an implementation of their
// own. The default implementation marks where segments begin and scans. A context whose back end
// has a faster one for some segments has, beside run,
//
//   template <class Job>
//   bool reduce_segments(Job const&);
//
// for a reduce_segments_job. It returns false if it queued nothing; the default then runs.
#pragma once

#include <sam/backend/job.hpp>

namespace sam::inline v0_1::engine {

/// Describes out[k], for all k < segments, as the combination of items [offsets[k], offsets[k +
/// 1]), preceded by `start` if that is a value. For a segment without items it is `nothing`.
/// Offsets go from 0 to n and never decrease. Neither n nor `segments` is 0.
template <class Item, class T, class Offset, class Op, class Start>
struct reduce_segments_job {
  using item = Item;
  using total = T;
  using offset = Offset;
  index_t n;
  Item const* items;
  index_t segments;
  Offset const* offsets;
  T* out;
  Op op;
  Start start;
  T nothing;

  SAM_FUNCTION T total_of(T const& items_alone) const {
    if constexpr (std::is_same_v<Start, from_nothing>)
      return items_alone;
    else
      return op(start.value, items_alone);
  }
};

}  // namespace sam::inline v0_1::engine
