// SPDX-License-Identifier: MIT
// Defines reductions, searches, and reductions of segments, keys, boxes and bins, as plain loops.
#pragma once

#include <sam/scan_policy.hpp>

#include <utility>
#include <vector>

namespace sam::inline v0_1::reference {

/// Returns the reduction: out[c] combines init and all items of component c, in index order.
template <class T, any_scan_policy Policy>
std::vector<T> reduce(std::vector<T> const& items, Policy policy, T init) {
  std::vector<T> out(static_cast<std::size_t>(policy.components), init);
  for (std::size_t i = 0; i < items.size(); ++i) {
    T& total = out[i % out.size()];
    total = policy.op(total, items[i]);
  }
  return out;
}

/// Returns the reduction of transform(items[i]).
template <class T, class In, class Transform, any_scan_policy Policy>
std::vector<T> transform_reduce(std::vector<In> const& items, Transform transform, Policy policy,
                                T init) {
  std::vector<T> transformed;
  for (In const& x : items)
    transformed.push_back(static_cast<T>(transform(x)));
  return sam::reference::reduce(transformed, policy, init);
}

/// Returns the index of the first item that no item precedes, of at least one item.
template <class T, class Precedes>
index_t find_extreme(std::vector<T> const& items, Precedes precedes) {
  std::size_t first = 0;
  for (std::size_t i = 1; i < items.size(); ++i)
    if (precedes(items[i], items[first]))
      first = i;
  return static_cast<index_t>(first);
}

/// Returns the smallest and the largest number; of no items, the identities of minimum and maximum.
template <class T>
std::pair<T, T> minmax(std::vector<T> const& items) {
  std::pair<T, T> both{minimum::identity<T>(), maximum::identity<T>()};
  for (T const x : items)
    both = {minimum{}(both.first, x), maximum{}(both.second, x)};
  return both;
}

/// Returns the index of the first item for which keep(x) is true, or the number of items.
template <class T, class Keep>
index_t find_if(std::vector<T> const& items, Keep keep) {
  std::size_t i = 0;
  while (i < items.size() && !keep(items[i]))
    ++i;
  return static_cast<index_t>(i);
}

/// Returns the number of items for which keep(x) is true.
template <class T, class Keep>
index_t count_if(std::vector<T> const& items, Keep keep) {
  index_t count = 0;
  for (T const& x : items)
    count += keep(x) ? 1 : 0;
  return count;
}

/// Returns true if no item is less than the one before it.
template <class T, class Less>
bool is_sorted(std::vector<T> const& items, Less less) {
  for (std::size_t i = 1; i < items.size(); ++i)
    if (less(items[i], items[i - 1]))
      return false;
  return true;
}

/// Returns the sum of a[i] * b[i].
template <class T, class A, class B>
T inner_product(std::vector<A> const& a, std::vector<B> const& b) {
  T sum(0);
  for (std::size_t i = 0; i < a.size(); ++i)
    sum = plus{}(sum, multiplies{}(static_cast<T>(a[i]), static_cast<T>(b[i])));
  return sum;
}

/// Returns the offsets, as for by_offsets, of segments by head flags. Item 0 always begins one.
template <class Offset = index_t, class Flag>
std::vector<Offset> offsets_of(std::vector<Flag> const& heads) {
  std::vector<Offset> offsets;
  for (std::size_t i = 0; i < heads.size(); ++i)
    if (i == 0 || heads[i] != Flag(0))
      offsets.push_back(static_cast<Offset>(i));
  offsets.push_back(static_cast<Offset>(heads.size()));
  return offsets;
}

/// Returns the combination of init and each segment's items, in index order. For offsets see
/// by_offsets.
template <class T, class Offset, any_scan_policy Policy>
std::vector<T> segmented_reduce(std::vector<T> const& items, std::vector<Offset> const& offsets,
                                Policy policy, T init) {
  std::vector<T> out;
  for (std::size_t k = 0; k + 1 < offsets.size(); ++k) {
    T total = init;
    for (auto i = static_cast<std::size_t>(offsets[k]);
         i < static_cast<std::size_t>(offsets[k + 1]); ++i)
      total = policy.op(total, items[i]);
    out.push_back(total);
  }
  return out;
}

/// Returns, for each segment, the index of its first item that no other precedes, or the number of
/// all items if it has none. For offsets see by_offsets.
template <class Index, class T, class Offset, class Precedes>
std::vector<Index> find_extreme_of_segments(std::vector<T> const& items,
                                            std::vector<Offset> const& offsets, Precedes precedes) {
  std::vector<Index> out;
  for (std::size_t k = 0; k + 1 < offsets.size(); ++k) {
    auto const end = static_cast<std::size_t>(offsets[k + 1]);
    auto first = static_cast<std::size_t>(offsets[k]);
    if (first == end)
      first = items.size();
    for (std::size_t i = first; i < end; ++i)
      if (precedes(items[i], items[first]))
        first = i;
    out.push_back(static_cast<Index>(first));
  }
  return out;
}

/// Returns, for each segment, the index of its first item for which keep(x) is true, or the number
/// of all items if there is none. For offsets see by_offsets.
template <class Index, class T, class Offset, class Keep>
std::vector<Index> find_if_in_segments(std::vector<T> const& items,
                                       std::vector<Offset> const& offsets, Keep keep) {
  std::vector<Index> out;
  for (std::size_t k = 0; k + 1 < offsets.size(); ++k) {
    auto const end = static_cast<std::size_t>(offsets[k + 1]);
    auto i = static_cast<std::size_t>(offsets[k]);
    while (i < end && !keep(items[i]))
      ++i;
    out.push_back(static_cast<Index>(i < end ? i : items.size()));
  }
  return out;
}

/// Returns the number of items of each segment for which keep(x) is true.
template <class Count, class T, class Offset, class Keep>
std::vector<Count> count_if_in_segments(std::vector<T> const& items,
                                        std::vector<Offset> const& offsets, Keep keep) {
  std::vector<Count> ones;
  for (T const& x : items)
    ones.push_back(keep(x) ? Count(1) : Count(0));
  return sam::reference::segmented_reduce(ones, offsets, scan_policy<>{}, Count(0));
}

/// Returns, for each segment, whether no item is less than the one before it.
template <class Truth, class T, class Offset, class Less>
std::vector<Truth> is_sorted_in_segments(std::vector<T> const& items,
                                         std::vector<Offset> const& offsets, Less less) {
  std::vector<Truth> out;
  for (std::size_t k = 0; k + 1 < offsets.size(); ++k) {
    Truth sorted(1);
    for (auto i = static_cast<std::size_t>(offsets[k]) + 1;
         i < static_cast<std::size_t>(offsets[k + 1]); ++i)
      if (less(items[i], items[i - 1]))
        sorted = Truth(0);
    out.push_back(sorted);
  }
  return out;
}

/// Returns, for each segment, the sum of a[i] * b[i].
template <class T, class A, class B, class Offset>
std::vector<T> inner_products_of_segments(std::vector<A> const& a, std::vector<B> const& b,
                                          std::vector<Offset> const& offsets) {
  std::vector<T> products;
  for (std::size_t i = 0; i < a.size(); ++i)
    products.push_back(multiplies{}(static_cast<T>(a[i]), static_cast<T>(b[i])));
  return sam::reference::segmented_reduce(products, offsets, scan_policy<>{}, T(0));
}

/// Returns the key of each run of equal keys, and the combination of init and the run's items.
template <class K, class T, any_scan_policy Policy>
std::pair<std::vector<K>, std::vector<T>>
reduce_by_key(std::vector<K> const& keys, std::vector<T> const& items, Policy policy, T init) {
  std::pair<std::vector<K>, std::vector<T>> out;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i == 0 || keys[i - 1] != keys[i]) {
      out.first.push_back(keys[i]);
      out.second.push_back(init);
    }
    out.second.back() = policy.op(out.second.back(), items[i]);
  }
  return out;
}

/// Returns the sum of rows [top, bottom) and columns [left, right) of an image with rows of `width`
/// items.
template <class T, class In>
T box_sum(std::vector<In> const& image, index_t width, index_t top, index_t left, index_t bottom,
          index_t right) {
  T sum(0);
  for (index_t y = top; y < bottom; ++y)
    for (index_t x = left; x < right; ++x)
      sum = plus{}(sum, static_cast<T>(image[static_cast<std::size_t>(y * width + x)]));
  return sum;
}

/// Returns the number of items in each bin: counts[b] is the number of x with bin(x) == b.
template <class Count, class T, class Bin>
std::vector<Count> histogram(std::vector<T> const& items, index_t bins, Bin bin) {
  std::vector<Count> counts(static_cast<std::size_t>(bins));
  for (T const& x : items)
    if (index_t const b = bin(x); b >= 0 && b < bins)
      ++counts[static_cast<std::size_t>(b)];
  return counts;
}

/// Returns the counts of each channel in turn. Item i is of channel i % channels, and bin(c, x) is
/// that of an item x of channel c, of bins[c]; the channels behind these are not counted.
template <class Count, class T, class Bin>
std::vector<Count> histogram_of_channels(std::vector<T> const& items, std::size_t channels,
                                         std::vector<index_t> const& bins, Bin bin) {
  std::vector<Count> counts;
  for (std::size_t c = 0; c < bins.size(); ++c) {
    std::vector<T> channel;
    for (std::size_t i = c; i < items.size(); i += channels)
      channel.push_back(items[i]);
    for (Count const count :
         sam::reference::histogram<Count>(channel, bins[c], [&](T const& x) { return bin(c, x); }))
      counts.push_back(count);
  }
  return counts;
}

/// Returns the sum of the weights of the items in each bin, in index order.
template <class Sum, class T, class W, class Bin>
std::vector<Sum> weighted_histogram(std::vector<T> const& items, std::vector<W> const& weights,
                                    index_t bins, Bin bin) {
  std::vector<Sum> sums(static_cast<std::size_t>(bins));
  for (std::size_t i = 0; i < items.size(); ++i)
    if (index_t const b = bin(items[i]); b >= 0 && b < bins) {
      Sum& sum = sums[static_cast<std::size_t>(b)];
      sum = plus{}(sum, static_cast<Sum>(weights[i]));
    }
  return sums;
}

/// Returns the number of items in the bins before each bin, and at the end the number in all bins.
template <class Count, class T, class Bin>
std::vector<Count> cumulative_histogram(std::vector<T> const& items, index_t bins, Bin bin) {
  std::vector<Count> below{Count(0)};
  for (Count const count : sam::reference::histogram<Count>(items, bins, bin))
    below.push_back(static_cast<Count>(below.back() + count));
  return below;
}

}  // namespace sam::inline v0_1::reference
