// SPDX-License-Identifier: MIT
// Defines selections, partitions, run lengths, gather and scatter as plain loops.
#pragma once

#include <sam/portable.hpp>

#include <utility>
#include <vector>

namespace sam::inline v0_1::reference {

/// Returns the items for which keep(x) is true, in order.
template <class T, class Keep>
std::vector<T> compact(std::vector<T> const& items, Keep keep) {
  std::vector<T> kept;
  for (T const& x : items)
    if (keep(x))
      kept.push_back(x);
  return kept;
}

/// Returns the items whose flag is not zero, in order.
template <class T, class Flag>
std::vector<T> compact_flagged(std::vector<T> const& items, std::vector<Flag> const& flags) {
  std::vector<T> kept;
  for (std::size_t i = 0; i < items.size(); ++i)
    if (flags[i] != Flag(0))
      kept.push_back(items[i]);
  return kept;
}

/// Returns the items for whose stencil keep(s) is true, in order.
template <class T, class S, class Keep>
std::vector<T> compact_by_stencil(std::vector<T> const& items, std::vector<S> const& stencil,
                                  Keep keep) {
  std::vector<T> kept;
  for (std::size_t i = 0; i < items.size(); ++i)
    if (keep(stencil[i]))
      kept.push_back(items[i]);
  return kept;
}

/// Returns the indices of the items for which keep(x) is true, in order.
template <class Index, class T, class Keep>
std::vector<Index> compact_indices(std::vector<T> const& items, Keep keep) {
  std::vector<Index> kept;
  for (std::size_t i = 0; i < items.size(); ++i)
    if (keep(items[i]))
      kept.push_back(static_cast<Index>(i));
  return kept;
}

/// Returns the indices of the flags that are not zero, in order.
template <class Index, class Flag>
std::vector<Index> compact_indices_flagged(std::vector<Flag> const& flags) {
  return sam::reference::compact_indices<Index>(flags, [](Flag flag) { return flag != Flag(0); });
}

/// Returns the items for which keep(x) is true, then the others, both in order.
template <class T, class Keep>
std::vector<T> partition(std::vector<T> const& items, Keep keep) {
  std::vector<T> all = sam::reference::compact(items, keep);
  for (T const& x : items)
    if (!keep(x))
      all.push_back(x);
  return all;
}

/// Returns the items for which is_first(x) is true, then the other items for which is_second(x) is
/// true, then the rest, all in order.
template <class T, class First, class Second>
std::vector<T> three_way_partition(std::vector<T> const& items, First is_first, Second is_second) {
  std::vector<T> parts[3];
  for (T const& x : items)
    parts[is_first(x) ? 0 : is_second(x) ? 1 : 2].push_back(x);
  for (int later : {1, 2})
    parts[0].insert(parts[0].end(), parts[later].begin(), parts[later].end());
  return parts[0];
}

/// Returns the items that are not equal to the one before them.
template <class T, class Equal>
std::vector<T> unique(std::vector<T> const& items, Equal equal) {
  std::vector<T> kept;
  for (std::size_t i = 0; i < items.size(); ++i)
    if (i == 0 || !equal(items[i - 1], items[i]))
      kept.push_back(items[i]);
  return kept;
}

/// Returns the keys that are not equal to the one before them, and the values of these keys.
template <class K, class V, class Equal>
std::pair<std::vector<K>, std::vector<V>> unique_by_key(std::vector<K> const& keys,
                                                        std::vector<V> const& values, Equal equal) {
  std::pair<std::vector<K>, std::vector<V>> kept;
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (i == 0 || !equal(keys[i - 1], keys[i])) {
      kept.first.push_back(keys[i]);
      kept.second.push_back(values[i]);
    }
  return kept;
}

/// Returns the first item and the length of each run of equal items.
template <class Length, class T, class Equal>
std::pair<std::vector<T>, std::vector<Length>> run_length_encode(std::vector<T> const& items,
                                                                 Equal equal) {
  std::pair<std::vector<T>, std::vector<Length>> runs;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i == 0 || !equal(items[i - 1], items[i])) {
      runs.first.push_back(items[i]);
      runs.second.push_back(Length(0));
    }
    ++runs.second.back();
  }
  return runs;
}

/// Returns the index of the first item and the length of each run of more than one equal item.
template <class Index, class T, class Equal>
std::pair<std::vector<Index>, std::vector<Index>> find_runs(std::vector<T> const& items,
                                                            Equal equal) {
  std::pair<std::vector<Index>, std::vector<Index>> runs;
  for (std::size_t begin = 0, end; begin < items.size(); begin = end) {
    for (end = begin + 1; end < items.size() && equal(items[end - 1], items[end]);)
      ++end;
    if (end - begin > 1) {
      runs.first.push_back(static_cast<Index>(begin));
      runs.second.push_back(static_cast<Index>(end - begin));
    }
  }
  return runs;
}

/// Returns values[r] repeated lengths[r] times, for every r in order.
template <class T, class Length>
std::vector<T> run_length_decode(std::vector<T> const& values, std::vector<Length> const& lengths) {
  std::vector<T> items;
  for (std::size_t r = 0; r < values.size(); ++r)
    items.insert(items.end(), static_cast<std::size_t>(lengths[r]), values[r]);
  return items;
}

/// Stores items[i] at index indices[i] of `out`.
template <class T, class Index>
void scatter(std::vector<T> const& items, std::vector<Index> const& indices, std::vector<T>& out) {
  for (std::size_t i = 0; i < items.size(); ++i)
    out[static_cast<std::size_t>(indices[i])] = items[i];
}

/// Returns the items at the indices in `order`, in that order.
template <class T, class Index>
std::vector<T> in_order(std::vector<T> const& items, std::vector<Index> const& order) {
  std::vector<T> sorted;
  for (Index const i : order)
    sorted.push_back(items[static_cast<std::size_t>(i)]);
  return sorted;
}

}  // namespace sam::inline v0_1::reference
