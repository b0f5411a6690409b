// SPDX-License-Identifier: MIT
// Items that a back end may part by kind. A context whose back end knows better than to compact
// each kind by itself has, beside run,
//
//   template <class Item, class Count, class Kind>
//   void split(split_job<Item, Count, Kind> const&);
#pragma once

#include <sam/portable.hpp>

namespace sam {

/// n items go from in to out: first those of kind 0, in order, then those of kind 1, and so on.
/// `kind` says Kind::kinds, how many there are, and kind(x) is the int from 0 on that an item is
/// of, the same each time. Of all kinds but the last, counts[k] becomes how many items are of it.
/// All arrays lie apart.
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

}  // namespace sam
