// SPDX-License-Identifier: MIT
// Defines the job that partitions items by kind, which a back end may implement. The default is
// compactions, or a count before all items are placed. A context with a faster way has, beside run,
//
//   template <class Item, class Count, class Kind>
//   bool split(split_job<Item, Count, Kind> const&);
//
// It returns false if it queued nothing.
#pragma once

#include <sam/portable.hpp>

namespace sam::inline v0_1::engine {

/// Copies n items from in to out: first those of kind 0, in order, then those of kind 1, and so on.
/// Kind::kinds is the number of kinds. kind(x) returns the kind of an item, an int from 0 on, and
/// must return the same one each time. For all kinds but the last, counts[k] becomes the number of
/// items of kind k. No arrays overlap.
template <class Item, class Count, class Kind>
struct split_job {
  using item = Item;
  using count = Count;
  static constexpr int kinds = Kind::kinds;

  index_t n;
  Item const* in;
  Item* out;
  Count* counts;
  Kind kind;
};

}  // namespace sam::inline v0_1::engine
