// SPDX-License-Identifier: MIT
// Every primitive as a plain loop: the specification that every back end must equal.
#pragma once

#include <sam/scan_policy.hpp>

#include <optional>
#include <vector>

namespace sam::reference {

/// out[i] = items of i's component up to and including i, in index order; `order` times over. With
/// `init`, every round starts from it.
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

/// out[i] = init and the items of i's component before i, in index order; `order` times over.
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

/// out[c] = all items of component c, in index order, behind init.
template <class T, any_scan_policy Policy>
std::vector<T> reduce(std::vector<T> const& items, Policy policy, T init) {
  std::vector<T> out(static_cast<std::size_t>(policy.components), init);
  for (std::size_t i = 0; i < items.size(); ++i) {
    T& total = out[i % out.size()];
    total = policy.op(total, items[i]);
  }
  return out;
}

/// out[i] = in[i] - in[i - s], `order` times over: what an inclusive sum of that order undoes.
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

/// The items for which keep(x) holds, in order.
template <class T, class Keep>
std::vector<T> compact(std::vector<T> const& items, Keep keep) {
  std::vector<T> kept;
  for (T const& x : items)
    if (keep(x))
      kept.push_back(x);
  return kept;
}

/// The items whose flag is not zero, in order.
template <class T, class Flag>
std::vector<T> compact_flagged(std::vector<T> const& items, std::vector<Flag> const& flags) {
  std::vector<T> kept;
  for (std::size_t i = 0; i < items.size(); ++i)
    if (flags[i] != Flag(0))
      kept.push_back(items[i]);
  return kept;
}

/// The indices of the items for which keep(x) holds, in order.
template <class Index, class T, class Keep>
std::vector<Index> compact_indices(std::vector<T> const& items, Keep keep) {
  std::vector<Index> kept;
  for (std::size_t i = 0; i < items.size(); ++i)
    if (keep(items[i]))
      kept.push_back(static_cast<Index>(i));
  return kept;
}

/// The items for which keep(x) holds, then the others, both in order.
template <class T, class Keep>
std::vector<T> partition(std::vector<T> const& items, Keep keep) {
  std::vector<T> all = compact(items, keep);
  for (T const& x : items)
    if (!keep(x))
      all.push_back(x);
  return all;
}

/// The items that are not equal to the one before.
template <class T, class Equal>
std::vector<T> unique(std::vector<T> const& items, Equal equal) {
  std::vector<T> kept;
  for (std::size_t i = 0; i < items.size(); ++i)
    if (i == 0 || !equal(items[i - 1], items[i]))
      kept.push_back(items[i]);
  return kept;
}

}  // namespace sam::reference
