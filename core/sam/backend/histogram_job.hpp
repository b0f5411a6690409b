// SPDX-License-Identifier: MIT
// Histograms that a back end may make. Its context then has, beside run,
//
//   template <class Item, class Count, class Bins>
//   void count_bins(histogram_job<Item, Count, Bins> const&);
#pragma once

#include <sam/portable.hpp>

namespace sam {

/// How many of n items lie in each of so many bins: counts[b] of them, which are written over, in
/// bin b = bins(x), an index_t. An item of which that is below 0, or not below `size`, lies in
/// none; bins that know `size` may offer bins.bin_or(x, none), too, which is below it, or `none`.
/// Count is an integer of 4 or 8 bytes that holds n. Both arrays lie apart.
///
/// While items are read they are counted by their kind. Kinds are bins, and one for items in none;
/// but items of one byte are counted by their value, which takes the fewest instructions, and the
/// bin of a value is found once, when its counts are added up.
template <class Item, class Count, class Bins>
struct histogram_job {
  using item = Item;
  using count = Count;
  static constexpr bool counts_values = sizeof(Item) == 1;

  index_t n;
  Item const* items;
  Count* counts;
  index_t size;
  Bins bins;

  /// The bin of an item, or `size`.
  SAM_FUNCTION std::uint64_t bin(Item const& x) const {
    if constexpr (requires { bins.bin_or(x, size); }) {
      return static_cast<std::uint64_t>(bins.bin_or(x, size));
    } else {
      auto const found = static_cast<std::uint64_t>(static_cast<index_t>(bins(x)));
      auto const none = static_cast<std::uint64_t>(size);
      return found < none ? found : none;
    }
  }

  SAM_FUNCTION index_t kinds() const { return counts_values ? 256 : size + 1; }
  SAM_FUNCTION auto kind(Item const& x) const {
    if constexpr (counts_values)
      return reinterpret_cast<unsigned char const&>(x);
    else
      return bin(x);
  }
  /// The bin of a kind that some item is of, or `size`. No other value may be asked for its bin.
  SAM_FUNCTION std::uint64_t bin_of_kind(index_t kind) const {
    if constexpr (counts_values) {
      uninitialized_array<Item, 1> value;
      reinterpret_cast<unsigned char&>(value) = static_cast<unsigned char>(kind);
      return bin(value.at[0]);
    } else {
      return static_cast<std::uint64_t>(kind);
    }
  }
};

}  // namespace sam
