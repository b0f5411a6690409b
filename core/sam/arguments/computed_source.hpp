// SPDX-License-Identifier: MIT
// Defines the sources behind the inputs of <sam/inputs.hpp>, as kernels read them.
#pragma once

#include <sam/backend/pointers.hpp>
#include <sam/base/callable.hpp>

#include <cstdint>
#include <type_traits>

namespace sam::inline v0_1 {

/// An item of sam::indexed.
template <class T>
struct indexed_item {
  index_t index;
  T value;
  friend constexpr bool operator==(indexed_item const&, indexed_item const&) = default;
};

/// An item of sam::zipped: one item of each of two to four inputs.
template <class... T>
struct zipped_item;
template <class A, class B>
struct zipped_item<A, B> {
  A first;
  B second;
  friend constexpr bool operator==(zipped_item const&, zipped_item const&) = default;
};
template <class A, class B, class C>
struct zipped_item<A, B, C> {
  A first;
  B second;
  C third;
  friend constexpr bool operator==(zipped_item const&, zipped_item const&) = default;
};
template <class A, class B, class C, class D>
struct zipped_item<A, B, C, D> {
  A first;
  B second;
  C third;
  D fourth;
  friend constexpr bool operator==(zipped_item const&, zipped_item const&) = default;
};

namespace detail {

/// Returns one list with the pointers of both lists.
template <class Second>
SAM_FUNCTION Second join_pointers(pointers<> const&, Second const& second) {
  return second;
}
template <class P, class... Rest, class... Others>
SAM_FUNCTION pointers<P, Rest..., Others...> join_pointers(pointers<P, Rest...> const& first,
                                                           pointers<Others...> const& second) {
  return {first.first, sam::detail::join_pointers(first.rest, second)};
}

/// Computes item i as f(i).
template <class F>
struct generated_source {
  using item = std::remove_cvref_t<result_of_callable_t<F, index_t>>;
  static constexpr int arrays = 0;
  F f;

  SAM_FUNCTION auto reads() const { return engine::make_pointers(); }
  SAM_FUNCTION item at(index_t i) const { return f(i); }
  template <int First, class Pointers>
  SAM_FUNCTION item read(index_t i, Pointers const&) const {
    return f(i);
  }
};

/// Computes item i as f of the base's item i.
template <source Base, class F>
struct transformed_source {
  using item = std::remove_cvref_t<result_of_callable_t<F, typename Base::item const&>>;
  static constexpr int arrays = Base::arrays;
  Base base;
  F f;

  SAM_FUNCTION auto reads() const { return base.reads(); }
  SAM_FUNCTION item at(index_t i) const { return f(base.at(i)); }
  template <int First, class Pointers>
  SAM_FUNCTION item read(index_t i, Pointers const& p) const {
    return f(base.template read<First>(i, p));
  }
};

/// Gives each item of the base with its index.
template <source Base>
struct indexed_source {
  using item = indexed_item<typename Base::item>;
  static constexpr int arrays = Base::arrays;
  Base base;

  SAM_FUNCTION auto reads() const { return base.reads(); }
  SAM_FUNCTION item at(index_t i) const { return {i, base.at(i)}; }
  template <int First, class Pointers>
  SAM_FUNCTION item read(index_t i, Pointers const& p) const {
    return {i, base.template read<First>(i, p)};
  }
};

/// Gives f(x, y) for each item y of the base and the item x before it, and f(y, y) for the first.
template <source Base, class F>
struct neighbours_source {
  using base_item = typename Base::item;
  using item = std::remove_cvref_t<result_of_callable_t<F, base_item const&, base_item const&>>;
  static constexpr int arrays = Base::arrays;
  Base base;
  F f;

  SAM_FUNCTION auto reads() const { return base.reads(); }
  SAM_FUNCTION item at(index_t i) const { return f(base.at(i == 0 ? 0 : i - 1), base.at(i)); }
  template <int First, class Pointers>
  SAM_FUNCTION item read(index_t i, Pointers const& p) const {
    return f(base.at(i == 0 ? 0 : i - 1), base.template read<First>(i, p));
  }
};

/// Holds several sources, and makes an Item of one item of each.
template <class... S>
struct source_list {
  static constexpr int arrays = 0;
  SAM_FUNCTION auto reads() const { return engine::make_pointers(); }
  template <class Item, class... Done>
  SAM_FUNCTION Item at(index_t, Done const&... done) const {
    return {done...};
  }
  template <class Item, int First, class Pointers, class... Done>
  SAM_FUNCTION Item read(index_t, Pointers const&, Done const&... done) const {
    return {done...};
  }
};
template <class S, class... Rest>
struct source_list<S, Rest...> {
  static constexpr int arrays = S::arrays + source_list<Rest...>::arrays;
  S source;
  source_list<Rest...> rest;

  SAM_FUNCTION auto reads() const {
    return sam::detail::join_pointers(source.reads(), rest.reads());
  }
  template <class Item, class... Done>
  SAM_FUNCTION Item at(index_t i, Done const&... done) const {
    return rest.template at<Item>(i, done..., source.at(i));
  }
  template <class Item, int First, class Pointers, class... Done>
  SAM_FUNCTION Item read(index_t i, Pointers const& p, Done const&... done) const {
    return rest.template read<Item, First + S::arrays>(i, p, done...,
                                                       source.template read<First>(i, p));
  }
};

/// Joins the items of several sources.
template <class... S>
struct zipped_source {
  using item = zipped_item<typename S::item...>;
  static constexpr int arrays = source_list<S...>::arrays;
  source_list<S...> all;

  SAM_FUNCTION auto reads() const { return all.reads(); }
  SAM_FUNCTION item at(index_t i) const { return all.template at<item>(i); }
  template <int First, class Pointers>
  SAM_FUNCTION item read(index_t i, Pointers const& p) const {
    return all.template read<item, First>(i, p);
  }
};

/// Gives the base's items at the indices that another source gives. An index out of range reads
/// item 0.
template <source Base, source Indices>
struct permuted_source {
  using item = typename Base::item;
  static constexpr int arrays = Indices::arrays;
  Base base;
  Indices indices;
  index_t size;  // of base

  SAM_FUNCTION auto reads() const { return indices.reads(); }
  SAM_FUNCTION item at(index_t i) const { return base.at(inside(indices.at(i))); }
  template <int First, class Pointers>
  SAM_FUNCTION item read(index_t i, Pointers const& p) const {
    return base.at(inside(indices.template read<First>(i, p)));
  }
  template <class Index>
  SAM_FUNCTION index_t inside(Index index) const {
    auto const i = static_cast<index_t>(index);
    return static_cast<std::uint64_t>(i) < static_cast<std::uint64_t>(size) ? i : 0;
  }
};

/// Gives every step-th item of the base.
template <source Base>
struct strided_source {
  using item = typename Base::item;
  static constexpr int arrays = 0;
  Base base;
  index_t step;

  SAM_FUNCTION auto reads() const { return engine::make_pointers(); }
  SAM_FUNCTION item at(index_t i) const { return base.at(i * step); }
  template <int First, class Pointers>
  SAM_FUNCTION item read(index_t i, Pointers const&) const {
    return at(i);
  }
};

}  // namespace detail

}  // namespace sam::inline v0_1
