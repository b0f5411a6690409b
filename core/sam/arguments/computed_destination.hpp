// SPDX-License-Identifier: MIT
// Defines the destinations behind the outputs of <sam/outputs.hpp>, as kernels write to them.
#pragma once

#include <sam/arguments/computed_source.hpp>

#include <cstdint>
#include <type_traits>

namespace sam::inline v0_1::detail {

/// Stores results in an array.
template <class T>
struct array_destination {
  using item = T;
  T* data;
  SAM_FUNCTION void put(index_t i, T const& x) const { data[i] = x; }
};

/// Gives the base f of each result.
template <destination Base, class T, class F>
struct transformed_destination {
  using item = T;
  Base base;
  F f;
  SAM_FUNCTION void put(index_t i, T const& x) const {
    base.put(i, static_cast<typename Base::item>(f(x)));
  }
};

/// Gives the base each result at the index that a source gives. An index out of range drops the
/// result.
template <destination Base, source Indices>
struct scattered_destination {
  using item = typename Base::item;
  Base base;
  Indices indices;
  index_t size;  // of base
  SAM_FUNCTION void put(index_t i, item const& x) const {
    auto const to = static_cast<index_t>(indices.at(i));
    if (static_cast<std::uint64_t>(to) < static_cast<std::uint64_t>(size))
      base.put(to, x);
  }
};

/// Takes results and stores nothing.
template <class T>
struct discarded_destination {
  using item = T;
  SAM_FUNCTION void put(index_t, T const&) const {}
};

/// Returns member K of a zipped item.
template <int K, class Item>
SAM_FUNCTION auto const& zipped_member(Item const& x) {
  if constexpr (K == 0)
    return x.first;
  else if constexpr (K == 1)
    return x.second;
  else if constexpr (K == 2)
    return x.third;
  else
    return x.fourth;
}
/// Gives each of several bases a member of each result, from member K on.
template <int K, class... D>
struct destination_list {
  template <class Item>
  SAM_FUNCTION void put(index_t, Item const&) const {}
};
template <int K, class D, class... Rest>
struct destination_list<K, D, Rest...> {
  D first;
  destination_list<K + 1, Rest...> rest;
  template <class Item>
  SAM_FUNCTION void put(index_t i, Item const& x) const {
    first.put(i, sam::detail::zipped_member<K>(x));
    rest.put(i, x);
  }
};
template <class... D>
struct zipped_destination {
  using item = zipped_item<typename D::item...>;
  destination_list<0, D...> all;
  SAM_FUNCTION void put(index_t i, item const& x) const { all.put(i, x); }
};

}  // namespace sam::inline v0_1::detail
