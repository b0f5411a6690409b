// SPDX-License-Identifier: MIT
// Defines the histogram job, which a back end may implement. Its context then has, beside run,
//
//   template <class Item, class Count, class Bins>
//   void count_bins(histogram_job<Item, Count, Bins> const&);
//
// On a device, it may also take a counted_histogram_job, and have a function for a
// counting_search_job. Any context may have one for a weighted_histogram_job.
#pragma once

#include <sam/portable.hpp>

#include <type_traits>
#include <utility>

namespace sam::inline v0_1::engine {

/// The number of channels of an item: each lies in a bin of its own. Bins of pixels tell it.
template <class Bins>
inline constexpr int channels_of_item = 1;
template <class Bins>
requires requires { Bins::channels; }
inline constexpr int channels_of_item<Bins> = Bins::channels;

/// A number that an item has in one channel: the item itself, unless its bins tell of channels.
template <class Item, class Bins>
struct channel_of_item {
  using type = Item;
};
template <class Item, class Bins>
requires requires { Bins::channels; }
struct channel_of_item<Item, Bins> {
  using type = typename Bins::channel;
};

/// Counts n items in `size` bins: counts[b] becomes the number of items x with bins(x) == b.
/// bins(x) is an index_t; items with an index below 0 or not below `size` are not counted. Bins
/// that know their number may offer bins.bin_or(x, none), which returns an index below `size`, or
/// `none`. Count is an integer of 4 or 8 bytes that can hold n. The two arrays do not overlap. Bins
/// may choose at most n other items where the job runs, by bins.first_to_count() and
/// bins.items_to_count(). Back ends for devices ask them.
///
/// An item may have several channels, as a pixel has colours. All are counted in one pass, each in
/// bins behind those of the channel before. Such bins have
///
/// channel, channels     the type of a channel, and their number, a constant
/// of<C>(x)              channel C of item x
/// bin_of<C>(v)          the bin of v in channel C, among the bins of all channels, or -1
/// begin_of(c)           the first bin of channel c; for c = channels, the number of all bins
///
/// Back ends count channels by kind. A kind is a bin, and one more is for those in no bin. Channels
/// of one byte are counted by value instead, which takes the fewest instructions; the bin of each
/// value is then found once, when the counts are added up.
template <class Item, class Count, class Bins>
struct histogram_job {
  using item = Item;
  using count = Count;
  using channel = typename channel_of_item<Item, Bins>::type;
  static constexpr int channels = channels_of_item<Bins>;
  static constexpr bool has_channels = requires { Bins::channels; };
  static constexpr bool counts_values = sizeof(channel) == 1;
  /// False if all channels have room wherever one has: then they are always counted together, and
  /// nothing asks for each item which channels are.
  static constexpr bool may_split = has_channels && !(counts_values && channels <= 16);

  index_t n;
  Item const* items;
  Count* counts;
  index_t size;
  Bins bins;
  int first_channel = 0, last_channel = channels;  // those in [first, last) are counted

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

  /// Makes this the job of some channels among all, whose counts and size it has before.
  void keep_channels(int first, int last) {
    if constexpr (may_split) {
      first_channel = first;
      last_channel = last;
      counts += bins.begin_of(first);
      size = bins.begin_of(last) - bins.begin_of(first);
    }
  }

  SAM_FUNCTION index_t kinds() const {
    return !counts_values ? size + 1 : 256 * (may_split ? last_channel - first_channel : channels);
  }
  /// Calls use(kind) for the kind of each channel of an item.
  template <int C = 0, class Use>
  SAM_FUNCTION void for_each_kind(Item const& x, Use const& use) const {
    if (is_counted<C>())
      use(kind_of<C>(value_of<C>(x)));
    if constexpr (C + 1 < channels)
      for_each_kind<C + 1>(x, use);
  }
  /// Calls use(bin) for the bin of each channel of an item; `size` is that of those in none.
  template <int C = 0, class Use>
  SAM_FUNCTION void for_each_bin(Item const& x, Use const& use) const {
    if (is_counted<C>())
      use(bin_of<C>(value_of<C>(x)));
    if constexpr (C + 1 < channels)
      for_each_bin<C + 1>(x, use);
  }
  /// Returns the bin of a kind, or `size` if it has none. Something must be of that kind.
  SAM_FUNCTION std::uint64_t bin_of_kind(index_t kind) const {
    if constexpr (counts_values) {
      return bin_of_channel(static_cast<int>(kind >> 8) + first_channel,
                            static_cast<unsigned char>(kind & 255));
    } else {
      return static_cast<std::uint64_t>(kind);
    }
  }

  /// Returns the bin of a channel of one byte, or `size` if it has none. Something must have that
  /// value there.
  template <int C>
  SAM_FUNCTION std::uint64_t bin_of_value(unsigned char byte) const {
    uninitialized_array<channel, 1> value;
    reinterpret_cast<unsigned char&>(value) = byte;
    return bin_of<C>(value.at[0]);
  }

 private:
  template <int C>
  SAM_FUNCTION bool is_counted() const {
    return !may_split || (first_channel <= C && C < last_channel);
  }
  template <int C>
  SAM_FUNCTION channel const& value_of(Item const& x) const {
    if constexpr (has_channels)
      return bins.template of<C>(x);
    else
      return x;
  }
  template <int C>
  SAM_FUNCTION std::uint64_t bin_of(channel const& x) const {
    auto const none = static_cast<std::uint64_t>(size);
    std::uint64_t found = 0;
    if constexpr (has_channels)
      found = static_cast<std::uint64_t>(bins.template bin_of<C>(x) - bins.begin_of(first_channel));
    else if constexpr (requires { bins.bin_or(x, size); })
      return static_cast<std::uint64_t>(bins.bin_or(x, size));
    else
      found = static_cast<std::uint64_t>(static_cast<index_t>(bins(x)));
    return found < none ? found : none;
  }
  template <int C>
  SAM_FUNCTION auto kind_of(channel const& x) const {
    if constexpr (!counts_values)
      return bin_of<C>(x);
    else if constexpr (has_channels)
      return static_cast<std::uint32_t>(reinterpret_cast<unsigned char const&>(x)) +
             256u * static_cast<std::uint32_t>(may_split ? C - first_channel : C);
    else
      return reinterpret_cast<unsigned char const&>(x);
  }
  template <int C = 0>
  SAM_FUNCTION std::uint64_t bin_of_channel(int c, unsigned char byte) const {
    if constexpr (C + 1 < channels) {
      if (c != C)
        return bin_of_channel<C + 1>(c, byte);
    }
    return bin_of_value<C>(byte);
  }
};

/// A histogram of as many items as number() returns on the device, at most n.
template <class Item, class Count, class Bins, class Number>
struct counted_histogram_job : histogram_job<Item, Count, Bins> {
  Number number;
  SAM_FUNCTION index_t items_to_count() const { return number(); }
};

/// Adds weights: sums[b] becomes the sum of the weights of the items in bin b, of `size` bins, and
/// 0 if there are none. `items` is a source, whose at(i) returns item i, and number() returns how
/// many are taken where the job runs; if that is more than n, n are. How floats are grouped depends
/// on the numbers of items and bins alone.
///
/// As in a histogram, weights are added by kind. A kind is a bin, and one more is for items in no
/// bin. Those of items of one byte are added by value.
template <class Source, class Number, class Weight, class Sum, class Bins>
struct weighted_histogram_job {
  using source = Source;
  using item = std::remove_cvref_t<decltype(std::declval<Source const&>().at(index_t{}))>;
  using weight = Weight;
  using sum = Sum;
  static constexpr bool adds_values = sizeof(item) == 1;
  index_t n;
  Source items;
  Number number;
  Weight const* weights;
  Sum* sums;
  index_t size;
  Bins bins;

  /// Returns the number of items where the job runs.
  SAM_FUNCTION index_t items_to_add() const {
    index_t const wanted = number();
    return wanted < n ? wanted : n;
  }
  /// Returns the bin of an item, or `size` if it lies in none.
  SAM_FUNCTION index_t bin(item const& x) const {
    auto const found = static_cast<index_t>(bins(x));
    return found < 0 || found >= size ? size : found;
  }
  SAM_FUNCTION index_t kinds() const { return adds_values ? 256 : size + 1; }
  SAM_FUNCTION index_t kind(item const& x) const {
    if constexpr (adds_values)
      return reinterpret_cast<unsigned char const&>(x);
    else
      return bin(x);
  }
  /// Returns the bin of a kind, or `size` if it has none. Something must be of that kind.
  SAM_FUNCTION index_t bin_of_kind(index_t kind) const {
    if constexpr (adds_values) {
      uninitialized_array<item, 1> value;
      reinterpret_cast<unsigned char&>(value) = static_cast<unsigned char>(kind);
      return bin(value.at[0]);
    } else {
      return kind;
    }
  }
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
