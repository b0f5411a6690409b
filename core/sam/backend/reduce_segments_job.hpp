// SPDX-License-Identifier: MIT
// Segments that a back end may reduce. A context whose back end knows better, for some segments,
// than to mark where they begin and to scan has, beside run,
//
//   template <class Job>
//   bool reduce_segments(Job const&);
//
// for a reduce_segments_job. It returns false if it queued nothing: then the segments are scanned.
#pragma once

#include <sam/backend/job.hpp>

namespace sam {

/// out[k], for all k < segments, combines `items` from offsets[k] to before offsets[k + 1], from
/// `start` on if that is a value; of a segment without items it is `nothing`. Offsets go from 0 to
/// n and never fall. There are items and segments.
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

template <class Context, class Job>
concept reduces_segments = requires(Context& context, Job const& job) {
  { context.reduce_segments(job) } -> std::same_as<bool>;
};

}  // namespace sam
