// SPDX-License-Identifier: MIT
// Defines the histogram job, which a back end may implement. Its context then has, beside run,
//
//   template <class Item, class Count, class Bins>
//   void count_bins(histogram_job<Item, Count, Bins> const&);
//
// On a device, it may also take a counted_histogram_job, and have a function for a
// counting_search_job.
#pragma once

#include <sam/portable.hpp>

namespace sam::inline v0_1::engine {

/// Counts n items in `size` bins: counts[b] becomes the number of items x with bins(x) == b.
/// bins(x) is an index_t; items with an index below 0 or not below `size` are not counted. Bins
/// that know their number may offer bins.bin_or(x, none), which returns an index below `size`, or
/// `none`. Count is an integer of 4 or 8 bytes that can hold n. The two arrays do not overlap. Bins
/// may choose at most n other items where the job runs, by bins.first_to_count() and
/// bins.items_to_count(). Back ends for devices ask them.
///
/// Back ends count items by kind. A kind is a bin, and one more is for items in no bin. Items of
/// one byte are counted by value instead, which takes the fewest instructions; the bin of each
/// value is then found once, when the counts are added up.
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

  /// Returns the number of items where the job runs; `n` is its limit on the host.
  SAM_FUNCTION index_t items_to_count() const {
    if constexpr (requires { bins.items_to_count(); })
      return bins.items_to_count();
    else
      return n;
  }
  /// Returns the items where the job runs.
  SAM_FUNCTION Item const* first_to_count() const {
    if constexpr (requires { bins.first_to_count(); })
      return bins.first_to_count();
    else
      return items;
  }

  /// Returns the bin of an item, or `size` if it lies in none.
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
  /// Returns the bin of a kind, or `size` if it has none. Some item must be of that kind.
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

/// A histogram of as many items as number() returns on the device, at most n.
template <class Item, class Count, class Bins, class Number>
struct counted_histogram_job : histogram_job<Item, Count, Bins> {
  Number number;
  SAM_FUNCTION index_t items_to_count() const { return number(); }
};

/// Counts n items in bins, in passes that each may depend on the ones before, as a search digit by
/// digit does. Search has
///
/// passes, bins   the numbers of passes, and of bins of each, at most most_searched_bins
/// bins_of(p)     the Bins of a histogram_job for pass p
/// chosen_of(p)   an object whose store(b, x, upto) is called for each bin b, when x of the items
///                lie in it, and `upto` in bins [0, b]. The next pass sees what it writes
template <class Item, class Count, class Search>
struct counting_search_job {
  using item = Item;
  using count = Count;
  static constexpr int passes = Search::passes;
  static constexpr index_t bins = Search::bins;
  index_t n;
  Item const* items;
  Search search;

  /// Returns the histogram of a pass. A back end that adds up counts elsewhere passes null.
  SAM_FUNCTION auto pass(int p, Count* counts) const {
    using bins_type = decltype(search.bins_of(p));
    return histogram_job<Item, Count, bins_type>{n, items, counts, bins, search.bins_of(p)};
  }
};
inline constexpr index_t most_searched_bins = 2048;

}  // namespace sam::inline v0_1::engine
