// SPDX-License-Identifier: MIT
// Which segments a back end is asked to reduce. Beside `run`, a back end that knows better, for
// some of them, than to mark where they begin and to scan offers, found through the type of its
// context,
//
//   template <class Job>
//   bool reduce_segments(context&, Job const&);
//
// for a reduce_segments_job. It is false if nothing was queued: others had better be scanned.
#pragma once

#include <sam/job.hpp>

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
  { reduce_segments(context, job) } -> std::same_as<bool>;
};

}  // namespace sam
