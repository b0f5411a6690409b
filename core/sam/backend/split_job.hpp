// SPDX-License-Identifier: MIT
// Defines the job that partitions items by kind, which a back end may implement. The default is
// compactions, or a count before all items are placed. A context with a faster way has, beside run,
//
//   template <class Item, class Count, class Kind>
//   bool split(split_job<Item, Count, Kind> const&);
//
// and, if it can do so for first items whose number lies in memory:
//
//   template <class Item, class Count, class Kind, class Number>
//   bool split_first(first_split_job<Item, Count, Kind, Number> const&);
//
// Both return false if they queued nothing.
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
/// Does so with the first size() of at most n items, as many as memory says when the work runs.
template <class Item, class Count, class Kind, class Number>
struct first_split_job : split_job<Item, Count, Kind> {
  Number number;
  SAM_FUNCTION index_t size() const { return number(); }
};

}  // namespace sam::inline v0_1::engine
