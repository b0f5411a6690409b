// SPDX-License-Identifier: MIT
// Cuts segments to the first items, whose number lies in the context's memory, and appends segments
// to those of earlier arrays.
#pragma once

#include <sam/arguments/call.hpp>
#include <sam/arguments/counted.hpp>
#include <sam/backend/pointers.hpp>
#include <sam/backend/resolved_policy.hpp>

#include <type_traits>

namespace sam::inline v0_1::detail {

/// Ends the segments of the first items, by their number: marks the first item past them. Of flags
/// and keys in memory it also marks later heads, whose segments are not stored.
template <class Heads, class Number>
struct heads_among_first {
  Heads heads;
  Number number;

  template <class... P>
  SAM_FUNCTION bool at(index_t i, P const&... p) const {
    index_t const n = number();
    if constexpr (sizeof...(P) > 0)
      return heads.at(i, p...) | (i == n);  // without a branch
    else
      return i < n ? heads.at(i) : i == n;
  }
  SAM_FUNCTION auto pointer() const requires requires(Heads h) { h.pointer(); }
  { return heads.pointer(); }
  template <class Where>
  SAM_FUNCTION decltype(auto) key(Where const& where) const requires requires(Heads h) {
    h.key(where);
  }
  { return heads.key(where); }
};
template <class Heads>
Heads const& heads_of_first(Heads const& heads, known_count const&) {
  return heads;
}
template <class Heads, class Number>
auto heads_of_first(Heads const& heads, Number const& number) {
  return heads_among_first<Heads, Number>{heads, number};
}

/// Ends the segments of the first items in a backward scan, by their number: marks the last item of
/// each of `components` sequences, so that none of those past them enters.
template <class Heads, class Number>
struct last_of_first {
  static constexpr bool reads_nothing = requires { requires Heads::reads_nothing; };
  Heads heads;
  Number number;
  index_t components;

  template <class... P>
  SAM_FUNCTION bool at(index_t i, P const&... p) const {
    return i >= number() - components || heads.at(i, p...);
  }
  SAM_FUNCTION auto pointer() const requires requires(Heads h) { h.pointer(); }
  { return heads.pointer(); }
};
/// Stores the values of a segmented scan of the first items, by their number. Out is the item type
/// of an array, or a destination.
template <bound Bound, class Items, class Out, class Number>
struct scan_first_segments_job : Items {
  using typename Items::accumulator;
  using typename Items::item;
  static constexpr bool stores_each = !is_array_place<Out>;
  place_of_t<Out> out;
  Number number;

  SAM_FUNCTION void store(index_t i, item const& x, accumulator const& y) const {
    if (i < number())
      engine::put_result(out, i, output(x, y));
  }
  SAM_FUNCTION auto output(item const& x, accumulator const& y) const {
    if constexpr (Bound == bound::inclusive)
      return y.value;
    else
      return x.head ? this->start.value : y.value;
  }
  SAM_FUNCTION auto* first_target() const requires is_array_place<Out> { return out; }
  SAM_FUNCTION index_t stored() const requires is_array_place<Out> { return number(); }
  SAM_FUNCTION index_t needed() const { return number(); }
};

/// Stores what `where` does, for the segments of the first items, by their number. The segment that
/// ends with the last of them tells how many there are.
template <class Where, class Number>
struct segments_among_first {
  Where where;
  Number number;

  SAM_FUNCTION bool overwrites() const requires requires { where.overwrites(); }
  { return where.overwrites(); }
  template <class Total>
  SAM_FUNCTION void put(index_t i, index_t rank, Total const& total) const {
    index_t const n = number();
    if (i >= n)
      return;
    where.put(i, rank, total);
    if (i == n - 1)
      where.put_count(rank + 1);
  }
  template <class Key>
  SAM_FUNCTION void put_head(index_t i, index_t rank, Key const& key) const requires
      requires(Where w) {
    w.put_head(i, rank, key);
  }
  {
    if (i < number())
      where.put_head(i, rank, key);
  }
  SAM_FUNCTION void put_count(index_t) const {
    if (number() == 0)
      where.put_count(0);
  }
  /// Returns how many items have an effect: the first ones, and the one past them, at which their
  /// last segment ends. The last item of all tells that there are none.
  SAM_FUNCTION index_t needed() const {
    index_t const n = number();
    return n == 0 ? highest_of<index_t> : n + 1;
  }
};
template <class Where>
Where const& segments_of_first(Where const& where, known_count const&) {
  return where;
}
template <class Where, class Number>
segments_among_first<Where, Number> segments_of_first(Where const& where, Number const& number) {
  return {where, number};
}

/// Tells whether the first of the keys goes on in the last run of those before it. Keys is a
/// source.
template <class Keys, class Equal, class Before, class Number>
struct joins_last_run {
  Keys keys;
  typename Keys::item const* firsts;  // of the runs before
  index_t size;
  Equal equal;
  Before before;
  Number number;
  SAM_FUNCTION bool operator()() const {
    index_t const runs = before.unlimited();
    return number() > 0 && runs > 0 && runs <= size &&
           static_cast<bool>(equal(firsts[runs - 1], keys.at(0)));
  }
};
/// Stores what `where` does behind earlier segments. If `joins()`, the first segment goes on in the
/// last one of these, whose aggregate is among `totals`.
template <class Where, class Before, class Joins, class Total, class Op>
struct appended_segments {
  Where where;
  Before before;
  Joins joins;
  Total const* totals;
  index_t size;
  Op op;

  template <class T>
  SAM_FUNCTION void put(index_t i, index_t rank, T const& total) const {
    index_t const at = first() + rank;
    if (rank == 0 && joins() && at < size)
      where.put(i, at, static_cast<T>(op(static_cast<T>(totals[at]), total)));
    else
      where.put(i, at, total);
  }
  template <class Key>
  SAM_FUNCTION void put_head(index_t i, index_t rank, Key const& key) const {
    if (rank > 0 || !joins())
      where.put_head(i, first() + rank, key);
  }
  SAM_FUNCTION void put_count(index_t segments) const { where.put_count(first() + segments); }

 private:
  SAM_FUNCTION index_t first() const { return before.unlimited() - (joins() ? 1 : 0); }
};
template <class Where, class Before, class Joins, class Total, class Op>
appended_segments<Where, Before, Joins, Total, Op>
append_segments(Where const& where, Before const& before, Joins const& joins,
                checked_array<Total> const& totals, Op const& op) {
  return {where, before, joins, totals.data, totals.size, op};
}

}  // namespace sam::inline v0_1::detail
