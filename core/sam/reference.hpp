// SPDX-License-Identifier: MIT
// Defines every primitive as a plain loop: the specification that all back ends must match.
#pragma once

#include <sam/scan_policy.hpp>
#include <sam/scan_state.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

namespace sam::inline v0_1::reference {

/// Returns the inclusive scan: out[i] combines the items of i's component up to and including i, in
/// index order. It is applied `order` times. With `init`, every round starts from it.
template <class T, any_scan_policy Policy>
std::vector<T> inclusive_scan(std::vector<T> items, Policy policy, std::optional<T> init = {}) {
  auto const n = static_cast<index_t>(items.size());
  index_t const s = policy.components;
  auto const at = [&](index_t i) -> T& { return items[static_cast<std::size_t>(i)]; };
  for (int round = 0; round < Policy::order; ++round) {
    if constexpr (Policy::heading == direction::forward) {
      for (index_t i = 0; i < n; ++i)
        if (i >= s)
          at(i) = policy.op(at(i - s), at(i));
        else if (init)
          at(i) = policy.op(*init, at(i));
    } else {
      for (index_t i = n; i-- > 0;)
        if (i + s < n)
          at(i) = policy.op(at(i), at(i + s));
        else if (init)
          at(i) = policy.op(at(i), *init);
    }
  }
  return items;
}

/// Returns the exclusive scan: out[i] combines init and the items of i's component before i, in
/// index order. It is applied `order` times.
template <class T, any_scan_policy Policy>
std::vector<T> exclusive_scan(std::vector<T> items, Policy policy, T init) {
  auto const n = static_cast<index_t>(items.size());
  index_t const s = policy.components;
  for (int round = 0; round < Policy::order; ++round) {
    std::vector<T> before(static_cast<std::size_t>(s), init);
    for (index_t k = 0; k < n; ++k) {
      bool const forward = Policy::heading == direction::forward;
      T& item = items[static_cast<std::size_t>(forward ? k : n - 1 - k)];
      T& total = before[static_cast<std::size_t>(k % s)];
      T const output = total;
      total = forward ? policy.op(total, item) : policy.op(item, total);
      item = output;
    }
  }
  return items;
}

/// Returns the scan of items that follow those of `state`, and moves the state behind them. Items
/// are taken in the policy's direction. An exclusive scan needs an operator with an identity, or a
/// state that has a value for each component.
template <class T, any_scan_policy Policy, bound Bound>
std::vector<T> continue_scan(std::vector<T> items, Policy policy,
                             scan_state<T, Policy, Bound>& state) {
  constexpr bool forward = Policy::heading == direction::forward;
  auto const n = static_cast<index_t>(items.size());
  index_t const s = policy.components;
  auto const at = [&](int round, index_t k) -> T& { return state.values.at[round * s + k % s]; };
  auto const has = state;  // before the items
  for (index_t p = 0; p < n; ++p) {
    bool const known = p >= s || has.has(p);
    T& x = items[static_cast<std::size_t>(forward ? p : n - 1 - p)];
    for (int round = 0; round < Policy::order; ++round) {
      T& total = at(round, p);
      if constexpr (has_identity<typename Policy::op_type, T>)
        if (!known)
          total = sam::empty_of<T>(policy.op);
      T const item = x;
      if constexpr (Bound == bound::exclusive)
        x = total;
      if (known)
        total = forward ? policy.op(total, item) : policy.op(item, total);
      else
        total = item;
      if constexpr (Bound == bound::inclusive)
        x = total;
    }
  }
  auto const behind = state.values;
  for (int round = 0; round < Policy::order; ++round)  // the next item's component comes first
    for (index_t k = 0; k < s; ++k)
      state.values.at[round * s + k] = behind.at[round * s + (n + k) % s];
  state.items += n;
  return items;
}

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

/// Returns out[i] = in[i] - in[i - s], applied `order` times: the inverse of an inclusive sum.
template <class T>
std::vector<T> delta_encode(std::vector<T> items, int order, index_t tuple_size) {
  using ring = plus::coefficient<T>;
  for (int round = 0; round < order; ++round)
    for (auto i = static_cast<index_t>(items.size()); i-- > tuple_size;) {
      T& item = items[static_cast<std::size_t>(i)];
      T const before = items[static_cast<std::size_t>(i - tuple_size)];
      item = static_cast<T>(static_cast<ring>(item) - static_cast<ring>(before));
    }
  return items;
}

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

/// Returns the indices of the items for which keep(x) is true, in order.
template <class Index, class T, class Keep>
std::vector<Index> compact_indices(std::vector<T> const& items, Keep keep) {
  std::vector<Index> kept;
  for (std::size_t i = 0; i < items.size(); ++i)
    if (keep(items[i]))
      kept.push_back(static_cast<Index>(i));
  return kept;
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

/// Returns the indices of the flags that are not zero, in order.
template <class Index, class Flag>
std::vector<Index> compact_indices_flagged(std::vector<Flag> const& flags) {
  return sam::reference::compact_indices<Index>(flags, [](Flag flag) { return flag != Flag(0); });
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

/// Returns values[r] repeated lengths[r] times, for every r in order.
template <class T, class Length>
std::vector<T> run_length_decode(std::vector<T> const& values, std::vector<Length> const& lengths) {
  std::vector<T> items;
  for (std::size_t r = 0; r < values.size(); ++r)
    items.insert(items.end(), static_cast<std::size_t>(lengths[r]), values[r]);
  return items;
}

/// Returns the inclusive scan of segments, applied `order` times. An item whose flag is not zero
/// begins a segment of its component; in a backward scan, such an item ends one. With `init`, every
/// segment starts from it.
template <class T, class Flag, any_scan_policy Policy>
std::vector<T> segmented_inclusive_scan(std::vector<T> items, std::vector<Flag> const& heads,
                                        Policy policy, std::optional<T> init = {}) {
  auto const n = static_cast<index_t>(items.size());
  index_t const s = policy.components;
  bool const forward = Policy::heading == direction::forward;
  for (int round = 0; round < Policy::order; ++round)
    for (index_t k = 0; k < n; ++k) {
      auto const i = static_cast<std::size_t>(forward ? k : n - 1 - k);
      T const item = items[i];
      auto const after = [&](T const& before) {
        items[i] = forward ? policy.op(before, item) : policy.op(item, before);
      };
      if (k >= s && heads[i] == Flag(0))
        after(items[static_cast<std::size_t>(forward ? k - s : n - 1 - k + s)]);
      else if (init)
        after(*init);
    }
  return items;
}

/// Returns the exclusive scan of segments, applied `order` times, as segmented_inclusive_scan.
template <class T, class Flag, any_scan_policy Policy>
std::vector<T> segmented_exclusive_scan(std::vector<T> items, std::vector<Flag> const& heads,
                                        Policy policy, T init) {
  auto const n = static_cast<index_t>(items.size());
  index_t const s = policy.components;
  bool const forward = Policy::heading == direction::forward;
  for (int round = 0; round < Policy::order; ++round) {
    std::vector<T> totals(static_cast<std::size_t>(s), init);
    for (index_t k = 0; k < n; ++k) {
      auto const i = static_cast<std::size_t>(forward ? k : n - 1 - k);
      T& total = totals[static_cast<std::size_t>(k % s)];
      if (heads[i] != Flag(0))
        total = init;
      T const item = items[i];
      items[i] = total;
      total = forward ? policy.op(total, item) : policy.op(item, total);
    }
  }
  return items;
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

/// Returns op(x, neighbour) for each item, where the neighbour is the item before, or the one
/// behind if `right`. An item without one stays as it is.
template <class T, class Op>
std::vector<T> adjacent_difference(std::vector<T> const& items, Op op, bool right) {
  std::vector<T> out = items;
  for (std::size_t i = 1; i < items.size(); ++i)
    if (right)
      out[i - 1] = op(items[i - 1], items[i]);
    else
      out[i] = op(items[i], items[i - 1]);
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

/// Returns x_i = a_i x_{i-1} + b_i, from x_{-1} = before.
template <class T, class A, class B>
std::vector<T> linear_recurrence(std::vector<A> const& a, std::vector<B> const& b, T before) {
  using ring = plus::coefficient<T>;
  std::vector<T> out;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ring const x = static_cast<ring>(static_cast<T>(a[i])) * static_cast<ring>(before);
    before = static_cast<T>(x + static_cast<ring>(static_cast<T>(b[i])));
    out.push_back(before);
  }
  return out;
}

/// Returns x_i = b_i + c_1 x_{i-1} + ... + c_q x_{i-q}, from x_{-k} = before[k - 1].
template <class T, class B, std::size_t Q>
std::vector<T> linear_filter(std::vector<B> const& b, std::array<T, Q> const& c,
                             std::array<T, Q> before) {
  using ring = plus::coefficient<T>;
  std::vector<T> out;
  for (B const& item : b) {
    ring x = static_cast<ring>(static_cast<T>(item));
    for (std::size_t k = 0; k < Q; ++k)
      x = static_cast<ring>(x + static_cast<ring>(c[k]) * static_cast<ring>(before[k]));
    for (std::size_t k = Q - 1; k > 0; --k)
      before[k] = before[k - 1];
    before[0] = static_cast<T>(x);
    out.push_back(before[0]);
  }
  return out;
}

/// Returns the summed-area table of an image with rows of `width` items. An item of it is the sum
/// of all items in no later row and column or, if `exclusive`, in an earlier row and column.
template <class T, class In>
std::vector<T> summed_area_table(std::vector<In> const& image, index_t width, bool exclusive) {
  std::vector<T> out, above(static_cast<std::size_t>(width) + 1, T(0));
  plus const add;
  for (auto item = image.begin(); item != image.end();) {
    std::vector<T> upto{T(0)};
    for (T row(0); upto.size() < above.size(); ++item) {
      row = add(row, static_cast<T>(*item));
      out.push_back(exclusive ? above[upto.size() - 1] : add(above[upto.size()], row));
      upto.push_back(add(above[upto.size()], row));
    }
    above = upto;
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

/// Returns the number of items in the bins before each bin, and at the end the number in all bins.
template <class Count, class T, class Bin>
std::vector<Count> cumulative_histogram(std::vector<T> const& items, index_t bins, Bin bin) {
  std::vector<Count> below{Count(0)};
  for (Count const count : sam::reference::histogram<Count>(items, bins, bin))
    below.push_back(static_cast<Count>(below.back() + count));
  return below;
}

/// Returns the indices of the keys in stable order by bits [begin, end) of digits(key).
template <class Index, class Key, class Digits>
std::vector<Index> radix_argsort(std::vector<Key> const& keys, Digits digits, int begin, int end) {
  std::vector<Index> order, ones;
  for (std::size_t i = 0; i < keys.size(); ++i)
    order.push_back(static_cast<Index>(i));
  for (int bit = begin; bit < end; ++bit) {  // zeros before ones, from the last bit to the first
    ones.clear();
    std::size_t zeros = 0;
    for (Index const i : order)
      if ((digits(keys[static_cast<std::size_t>(i)]) >> bit & 1) != 0)
        ones.push_back(i);
      else
        order[zeros++] = i;
    for (std::size_t k = 0; k < ones.size(); ++k)
      order[zeros + k] = ones[k];
  }
  return order;
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

/// Returns the indices of the first k keys in the order of `precedes`, by keys and then by indices.
template <class Index, class Key, class Precedes>
std::vector<Index> top_k_indices(std::vector<Key> const& keys, std::size_t k, Precedes precedes) {
  auto order = sam::reference::merge_argsort<Index>(keys, precedes);
  order.resize(k);
  return order;
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
