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
/// Offsets go from 0 to at most n and never decrease; items behind the last offset belong to no
/// segment. Neither n nor `segments` is 0. In is the item type of an array, or a source; Out is
/// that of an array, or a destination.
template <class In, class T, class Offset, class Op, class Start, class Out = T>
struct reduce_segments_job {
  using source_type = source_of_t<In>;
  using loads = source_loads<source_type>;
  using item = typename loads::loaded;  // an element of the array from which items are computed
  using total = T;
  using offset = Offset;
  index_t n;
  source_type items;
  index_t segments;
  Offset const* offsets;
  place_of_t<Out> out;
  Op op;
  Start start;
  T nothing;

  SAM_FUNCTION T total_of(T const& items_alone) const {
    if constexpr (std::is_same_v<Start, from_nothing>)
      return items_alone;
    else
      return op(start.value, items_alone);
  }
  SAM_FUNCTION void put(index_t k, T const& x) const { engine::put_result(out, k, x); }
};

}  // namespace sam::inline v0_1::engine
