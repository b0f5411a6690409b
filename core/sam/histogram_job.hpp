// SPDX-License-Identifier: MIT
// What a back end is asked to count. Beside `run`, a back end that makes histograms offers, found
// through the type of its context,
//
//   template <class Item, class Count, class Bins>
//   void count_bins(context&, histogram_job<Item, Count, Bins> const&);
#pragma once

#include <sam/portable.hpp>

namespace sam {

/// How many of n items lie in each of so many bins: counts[b] of them, which are written over, in
/// bin b = bins(x), an index_t. An item of which that is below 0, or not below `size`, lies in
/// none; of Bins::is_below_size, if there is such a member, it is always below size. Count is an
/// integer of 4 or 8 bytes that holds n. Both arrays lie apart.
template <class Item, class Count, class Bins>
struct histogram_job {
  using item = Item;
  using count = Count;

  index_t n;
  Item const* items;
  Count* counts;
  index_t size;
  Bins bins;

  /// The bin of an item, or `size`.
  SAM_FUNCTION std::uint64_t bin(Item const& x) const {
    auto const found = static_cast<index_t>(bins(x));
    bool is_bin = static_cast<std::uint64_t>(found) < static_cast<std::uint64_t>(size);
    if constexpr (requires { Bins::is_below_size; })
      is_bin = found >= 0;
    return static_cast<std::uint64_t>(is_bin ? found : size);
  }
};

}  // namespace sam
