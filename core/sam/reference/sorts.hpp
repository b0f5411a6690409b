// SPDX-License-Identifier: MIT
// Defines sorts, merges, set operations and searches of sorted arrays as plain loops.
#pragma once

#include <sam/portable.hpp>
#include <sam/reference/selections.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace sam::inline v0_1::reference {

/// Returns the indices of the keys in stable order by bits [begin, end) of digits(key).
template <class Index, class Key, class Digits>
std::vector<Index> radix_argsort(std::vector<Key> const& keys, Digits digits, int begin, int end) {
  std::size_t const n = keys.size();
  std::vector<decltype(digits(keys[0]) >> 0)> all_bits(n);
  std::vector<Index> all(n), all_ones(n);
  for (std::size_t i = 0; i < n; ++i) {
    all_bits[i] = digits(keys[i]);
    all[i] = static_cast<Index>(i);
  }
  // Pointers, because tests, which are not optimised, would call a function for each access.
  auto const* const bits = all_bits.data();
  Index *const order = all.data(), *const ones = all_ones.data();
  for (int bit = begin; bit < end; ++bit) {  // zeros before ones, from the last bit to the first
    std::size_t zeros = 0;
    for (std::size_t k = 0; k < n; ++k)
      if (Index const i = order[k]; (bits[i] >> bit & 1) != 0)
        ones[k - zeros] = i;
      else
        order[zeros++] = i;
    for (std::size_t k = zeros; k < n; ++k)
      order[k] = ones[k - zeros];
  }
  return all;
}

/// Returns the indices of the keys, each segment in stable order. For offsets see by_offsets.
template <class Index, class Key, class Offset, class Digits>
std::vector<Index> segmented_radix_argsort(std::vector<Key> const& keys,
                                           std::vector<Offset> const& offsets, Digits digits,
                                           int begin, int end) {
  std::vector<Index> order;
  for (std::size_t k = 0; k + 1 < offsets.size(); ++k) {
    auto const first = keys.begin() + static_cast<std::ptrdiff_t>(offsets[k]);
    auto const last = keys.begin() + static_cast<std::ptrdiff_t>(offsets[k + 1]);
    for (Index const i :
         sam::reference::radix_argsort<Index>(std::vector<Key>(first, last), digits, begin, end))
      order.push_back(static_cast<Index>(i + static_cast<Index>(offsets[k])));
  }
  return order;
}

/// Returns the indices of the keys in stable order by `less`.
template <class Index, class Key, class Less>
std::vector<Index> merge_argsort(std::vector<Key> const& keys, Less less) {
  std::vector<Index> order, merged;
  for (std::size_t i = 0; i < keys.size(); ++i)
    order.push_back(static_cast<Index>(i));
  auto const key = [&](std::size_t k) { return keys[static_cast<std::size_t>(order[k])]; };
  for (std::size_t length = 1; length < keys.size(); length *= 2, order = merged) {
    merged.clear();
    for (std::size_t begin = 0; begin < keys.size(); begin += 2 * length) {
      std::size_t const middle = std::min(begin + length, keys.size());
      std::size_t const end = std::min(begin + 2 * length, keys.size());
      for (std::size_t a = begin, b = middle; a < middle || b < end;)
        if (a == middle || (b < end && less(key(b), key(a))))
          merged.push_back(order[b++]);
        else
          merged.push_back(order[a++]);
    }
  }
  return order;
}

/// Returns the indices of the keys, those of every segment in stable order by `less`.
template <class Index, class Key, class Heads, class Less>
std::vector<Index> segmented_merge_argsort(std::vector<Key> const& keys, Heads const& heads,
                                           Less less) {
  std::vector<Index> order;
  for (std::size_t begin = 0, end; begin < keys.size(); begin = end) {
    for (end = begin + 1; end < keys.size() && !heads[end];)
      ++end;
    std::vector<Key> const segment(keys.begin() + static_cast<std::ptrdiff_t>(begin),
                                   keys.begin() + static_cast<std::ptrdiff_t>(end));
    for (std::size_t const i : sam::reference::merge_argsort<std::size_t>(segment, less))
      order.push_back(static_cast<Index>(begin + i));
  }
  return order;
}

/// Returns the indices of the first k keys in the order of `precedes`, by keys and then by indices.
template <class Index, class Key, class Precedes>
std::vector<Index> top_k_indices(std::vector<Key> const& keys, std::size_t k, Precedes precedes) {
  auto order = sam::reference::merge_argsort<Index>(keys, precedes);
  order.resize(k);
  return order;
}

/// Returns k indices of each segment: those of its first keys in the order of `precedes`, and -1
/// for each key that it lacks. Segment s begins at offsets[s] and ends at offsets[s + 1].
template <class Index, class Key, class Offset, class Precedes>
std::vector<Index> segmented_top_k_indices(std::vector<Key> const& keys,
                                           std::vector<Offset> const& offsets, std::size_t k,
                                           Precedes precedes) {
  std::vector<Index> all;
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
    std::vector<Key> const own(keys.begin() + offsets[s], keys.begin() + offsets[s + 1]);
    for (auto const i :
         sam::reference::top_k_indices<Index>(own, std::min(own.size(), k), precedes))
      all.push_back(static_cast<Index>(i + offsets[s]));
    all.resize((s + 1) * k, static_cast<Index>(-1));
  }
  return all;
}

/// Returns these keys, and their values. The next functions return the first k items in order, and
/// the item that has `rank` items before it.
template <class Key, class Precedes>
std::vector<Key> top_k(std::vector<Key> const& keys, std::size_t k, Precedes precedes) {
  return sam::reference::in_order(keys,
                                  sam::reference::top_k_indices<std::size_t>(keys, k, precedes));
}
template <class Key, class Value, class Precedes>
std::pair<std::vector<Key>, std::vector<Value>> top_k_pairs(std::vector<Key> const& keys,
                                                            std::vector<Value> const& values,
                                                            std::size_t k, Precedes precedes) {
  auto const order = sam::reference::top_k_indices<std::size_t>(keys, k, precedes);
  return {sam::reference::in_order(keys, order), sam::reference::in_order(values, order)};
}
template <class T, class Less>
std::vector<T> partial_sort(std::vector<T> const& items, std::size_t k, Less less) {
  return sam::reference::top_k(items, k, less);
}
template <class T, class Less>
T nth_element(std::vector<T> const& items, std::size_t rank, Less less) {
  return sam::reference::partial_sort(items, rank + 1, less).back();
}

/// Returns the items of two sorted arrays in order, equal ones of `a` first.
template <class T, class Less>
std::vector<T> merge(std::vector<T> const& a, std::vector<T> const& b, Less less) {
  std::vector<T> out;
  for (std::size_t i = 0, j = 0; i < a.size() || j < b.size();)
    if (i == a.size() || (j < b.size() && less(b[j], a[i])))
      out.push_back(b[j++]);
    else
      out.push_back(a[i++]);
  return out;
}

/// Pairs equal items of two sorted arrays. Returns in order those that are wanted: the items of a
/// without a partner, the pairs' items of a, and the items of b without a partner.
template <class T, class Less>
std::vector<T> set_operation(std::vector<T> const& a, std::vector<T> const& b, Less less,
                             bool lone_a, bool pairs, bool lone_b) {
  std::vector<T> out;
  for (std::size_t i = 0, j = 0; i < a.size() || j < b.size();) {
    bool const is_lone_a = j == b.size() || (i < a.size() && less(a[i], b[j]));
    bool const is_lone_b = !is_lone_a && (i == a.size() || less(b[j], a[i]));
    if (is_lone_b ? lone_b : is_lone_a ? lone_a : pairs)
      out.push_back(is_lone_b ? b[j] : a[i]);
    i += is_lone_b ? 0 : 1;
    j += is_lone_a ? 0 : 1;
  }
  return out;
}
/// Returns the items of a, and those of b without a partner, in order. The next three functions
/// return other choices of set_operation.
template <class T, class Less>
std::vector<T> set_union(std::vector<T> const& a, std::vector<T> const& b, Less less) {
  return sam::reference::set_operation(a, b, less, true, true, true);
}
template <class T, class Less>
std::vector<T> set_intersection(std::vector<T> const& a, std::vector<T> const& b, Less less) {
  return sam::reference::set_operation(a, b, less, false, true, false);
}
template <class T, class Less>
std::vector<T> set_difference(std::vector<T> const& a, std::vector<T> const& b, Less less) {
  return sam::reference::set_operation(a, b, less, true, false, false);
}
template <class T, class Less>
std::vector<T> set_symmetric_difference(std::vector<T> const& a, std::vector<T> const& b,
                                        Less less) {
  return sam::reference::set_operation(a, b, less, true, false, true);
}

/// Returns what operation(a, b, less) makes of keys with their values, by an order of the keys.
template <class K, class V, class Less, class Operation>
std::pair<std::vector<K>, std::vector<V>>
by_key(std::vector<K> const& keys_a, std::vector<V> const& values_a, std::vector<K> const& keys_b,
       std::vector<V> const& values_b, Less less, Operation operation) {
  using pairs = std::vector<std::pair<K, V>>;
  pairs a, b;
  for (std::size_t i = 0; i < keys_a.size(); ++i)
    a.emplace_back(keys_a[i], values_a[i]);
  for (std::size_t i = 0; i < keys_b.size(); ++i)
    b.emplace_back(keys_b[i], values_b[i]);
  std::pair<std::vector<K>, std::vector<V>> out;
  for (auto const& [key, value] :
       operation(a, b, [&](auto const&x, auto const&y) { return less(x.first, y.first); })) {
    out.first.push_back(key);
    out.second.push_back(value);
  }
  return out;
}
/// Merges two sorted arrays of keys, and their values in the same way. The next functions do so
/// with set operations; keys that both arrays have keep their values of a.
template <class K, class V, class Less>
auto merge_by_key(std::vector<K> const& keys_a, std::vector<V> const& values_a,
                  std::vector<K> const& keys_b, std::vector<V> const& values_b, Less less) {
  return sam::reference::by_key(keys_a, values_a, keys_b, values_b, less,
                                [](auto const& a, auto const& b, auto const& order) {
                                  return sam::reference::merge(a, b, order);
                                });
}
template <class K, class V, class Less>
auto set_union_by_key(std::vector<K> const& keys_a, std::vector<V> const& values_a,
                      std::vector<K> const& keys_b, std::vector<V> const& values_b, Less less) {
  return sam::reference::by_key(keys_a, values_a, keys_b, values_b, less,
                                [](auto const& a, auto const& b, auto const& order) {
                                  return sam::reference::set_union(a, b, order);
                                });
}
template <class K, class V, class Less>
auto set_symmetric_difference_by_key(std::vector<K> const& keys_a, std::vector<V> const& values_a,
                                     std::vector<K> const& keys_b, std::vector<V> const& values_b,
                                     Less less) {
  return sam::reference::by_key(keys_a, values_a, keys_b, values_b, less,
                                [](auto const& a, auto const& b, auto const& order) {
                                  return sam::reference::set_symmetric_difference(a, b, order);
                                });
}
/// Returns the keys that both arrays have, with the values of a. The next function returns those
/// that only a has.
template <class K, class V, class Less>
auto set_intersection_by_key(std::vector<K> const& keys_a, std::vector<V> const& values_a,
                             std::vector<K> const& keys_b, Less less) {
  return sam::reference::by_key(keys_a, values_a, keys_b, std::vector<V>(keys_b.size()), less,
                                [](auto const& a, auto const& b, auto const& order) {
                                  return sam::reference::set_intersection(a, b, order);
                                });
}
template <class K, class V, class Less>
auto set_difference_by_key(std::vector<K> const& keys_a, std::vector<V> const& values_a,
                           std::vector<K> const& keys_b, Less less) {
  return sam::reference::by_key(keys_a, values_a, keys_b, std::vector<V>(keys_b.size()), less,
                                [](auto const& a, auto const& b, auto const& order) {
                                  return sam::reference::set_difference(a, b, order);
                                });
}

/// Returns the index of the first item of a sorted array that is not less than x.
template <class T, class Less>
index_t lower_bound(std::vector<T> const& sorted, T const& x, Less less) {
  std::size_t k = 0;
  while (k < sorted.size() && less(sorted[k], x))
    ++k;
  return static_cast<index_t>(k);
}

/// Returns the index of the first item of a sorted array that x is less than.
template <class T, class Less>
index_t upper_bound(std::vector<T> const& sorted, T const& x, Less less) {
  std::size_t k = 0;
  while (k < sorted.size() && !less(x, sorted[k]))
    ++k;
  return static_cast<index_t>(k);
}

/// Returns both: the begin and the end of the items that are neither less nor greater than x.
template <class T, class Less>
std::pair<index_t, index_t> equal_range(std::vector<T> const& sorted, T const& x, Less less) {
  return {sam::reference::lower_bound(sorted, x, less),
          sam::reference::upper_bound(sorted, x, less)};
}

}  // namespace sam::inline v0_1::reference
