// SPDX-License-Identifier: MIT
// Defines scans, and what is a scan in one pass, as plain loops.
#pragma once

#include <sam/scan_policy.hpp>
#include <sam/scan_state.hpp>
#include <sam/stream_state.hpp>

#include <array>
#include <optional>
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

/// Returns the scan of items of a stream that follow those of `state`, and moves the state behind
/// them. Its bits are those of any back end.
template <class T, any_scan_policy Policy, bound Bound>
std::vector<T> continue_scan(std::vector<T> items, Policy policy,
                             stream_state<T, Policy, Bound>& state) {
  constexpr bool forward = Policy::heading == direction::forward;
  constexpr int levels = engine::stream_levels;
  auto const n = static_cast<index_t>(items.size());
  index_t const s = policy.components;
  auto const joined = [&](std::optional<T> const& a, T const& b) {
    return !a ? b : forward ? policy.op(*a, b) : policy.op(b, *a);
  };
  for (index_t p = 0; p < n; ++p) {
    index_t const row = (state.items + p) / s;
    T& x = items[static_cast<std::size_t>(forward ? p : n - 1 - p)];
    for (int round = 0; round < Policy::order; ++round) {
      // Until the end, place k of the state is of component (state.items + k) % s.
      auto const held = [&](int level) -> T& { return state.group(round, level, p % s); };
      auto const at = [&](int level) {
        return engine::groups_before(row, level) == 0 ? std::optional<T>() : held(level);
      };
      std::optional<T> before;
      for (int level = levels - 1; level > 0; --level)
        if (at(level))
          before = joined(before, held(level));
      T group = joined(at(0), x);
      std::optional<T> const exclusive = at(0) ? joined(before, held(0)) : before;
      state.result(round, p % s) = joined(before, group);
      if (Bound == bound::inclusive)
        x = state.result(round, p % s);
      else if (exclusive)
        x = *exclusive;
      else if constexpr (has_identity<typename Policy::op_type, T>)
        x = sam::empty_of<T>(policy.op);
      held(0) = group;
      for (int level = 1; level < levels && (row + 1) % (index_t{1} << 4 * level) == 0; ++level) {
        group = joined(at(level), group);
        held(level) = group;
      }
    }
  }
  auto const behind = state;
  for (int round = 0; round < Policy::order; ++round)  // the next item's component comes first
    for (int level = 0; level <= levels; ++level)
      for (index_t k = 0; k < s; ++k)
        state.group(round, level, k) = behind.group(round, level, (n + k) % s);
  state.items += n;
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

}  // namespace sam::inline v0_1::reference
