// SPDX-License-Identifier: MIT
// What segmented scans and reductions do with an item: it counts as a pair of its value and of
// whether it is a head (<sam/segmented.hpp>).
#pragma once

#include <sam/array.hpp>
#include <sam/context.hpp>
#include <sam/job.hpp>
#include <sam/segmented.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

namespace sam {

namespace detail {

// --- Which items are heads -----------------------------------------------------------------------

// at(i)            whether item i is a head
// reads_nothing    optionally, true: i alone says so
// pointer(), at(i, p)  optionally: where that is read, and the same once it was brought elsewhere
//                  (sam/pointers.hpp)

template <class Flag>
struct heads_by_flag {
  Flag const* flags;
  SAM_FUNCTION Flag const* pointer() const { return flags; }
  SAM_FUNCTION bool at(index_t, Flag const* flag) const { return *flag != Flag(0); }
  SAM_FUNCTION bool at(index_t i) const { return flags[i] != Flag(0); }
};

/// The flags of 64 items, a byte each.
struct head_window {
  alignas(64) std::uint8_t flags[64];
};

/// A bit for each item.
struct heads_by_bit {
  std::uint32_t const* words;

  SAM_FUNCTION bit_pointer pointer() const { return {words}; }
  SAM_FUNCTION bool at(index_t, bit_pointer const& bit) const { return *bit; }
  SAM_FUNCTION bool at(index_t i) const { return *(pointer() + i); }
  void read(index_t i, head_window& to) const {
    std::uint32_t const* const from = words + i / 32;
    int const past = static_cast<int>(i % 32);
    std::uint64_t bits = std::uint64_t{from[1]} << 32 | from[0];
    if (past != 0)
      bits = bits >> past | std::uint64_t{from[2]} << (64 - past);
    for (int l = 0; l < 64; ++l)
      to.flags[l] = bits >> l & 1;
  }
};

/// Whether i is a multiple of a length or, going backward, the last before one. No division: i is a
/// multiple of an odd d if it times the inverse of d modulo 2^64 is no more than the quotients by d
/// are; of an even one, what is left of that by rotation. Source: Granlund, Montgomery, "Division
/// by invariant integers using multiplication", PLDI 1994, section 9.
template <direction Heading>
struct heads_by_length {
  static constexpr bool reads_nothing = true;
  static constexpr index_t past = Heading == direction::forward ? 0 : 1;
  index_t length;
  std::uint64_t inverse, largest;
  int zeros;

  explicit heads_by_length(index_t l) : length(l), inverse(1) {
    auto const d = static_cast<std::uint64_t>(l);
    largest = ~std::uint64_t{0} / d;
    zeros = std::countr_zero(d);
    std::uint64_t const odd = d >> zeros;
    for (int correct = 1; correct < 64;
         correct *= 2)  // bits, of which each step doubles the number
      inverse *= 2 - odd * inverse;
  }
  SAM_FUNCTION bool at(index_t i) const {
    std::uint64_t const quotient = static_cast<std::uint64_t>(i + past) * inverse;
    return (quotient >> zeros | quotient << (63 - zeros) << 1) <= largest;
  }
  void read(index_t i, head_window& to) const {
    std::fill_n(to.flags, 64, std::uint8_t{0});
    index_t const before = (i + past) % length;
    for (index_t l = before == 0 ? 0 : length - before; l < 64; l += length)
      to.flags[l] = 1;
  }
};

/// The heads of rows, of `components` items each.
template <class Rows>
struct heads_of_rows {
  static constexpr bool reads_nothing = requires { Rows::reads_nothing; };
  Rows rows;
  index_t components;
  SAM_FUNCTION bool at(index_t i) const { return rows.at(i / components); }
};

/// Of the first items of components, and going backward the last ones, nothing is said. TupleSize
/// is 1, or not known.
template <class Key, class Equal, direction Heading, int TupleSize>
struct heads_by_key {
  static constexpr bool forward = Heading == direction::forward;
  using pointer_type = pointer_with_neighbours<Key, forward ? 1 : 0, forward ? 0 : 1>;
  Key const* keys;
  Equal equal;
  index_t components;
  index_t limit;

  SAM_FUNCTION bool differs(Key const* key, index_t distance) const {
    if constexpr (forward)
      return !static_cast<bool>(equal(key[-distance], *key));
    else
      return !static_cast<bool>(equal(*key, key[distance]));
  }
  SAM_FUNCTION bool differs(index_t i) const { return differs(keys + i, components); }
  SAM_FUNCTION bool is_inside(index_t i) const { return forward ? i >= limit : i < limit; }
  SAM_FUNCTION bool at(index_t i) const { return is_inside(i) && differs(i); }
  SAM_FUNCTION pointer_type pointer() const requires(TupleSize == 1) { return {keys}; }
  SAM_FUNCTION bool at(index_t i, pointer_type const& key) const {
    return is_inside(i) && differs(key.data, 1);
  }
  void read(index_t i, head_window& to) const {
    if (is_inside(i) && is_inside(i + 63))
      for (int l = 0; l < 64; ++l)
        to.flags[l] = differs(i + l);
    else
      for (int l = 0; l < 64; ++l)
        to.flags[l] = at(i + l);
  }
};

// --- What items count ----------------------------------------------------------------------------

template <class T>
struct headed {
  T value;
  bool head;
};

/// 64 of them.
template <class T>
struct headed_window : head_window {
  T const* values;
  headed<T> load(int l) const { return {values[l], this->flags[l] != 0}; }
};

/// Items of `values`, a pointer or what else has values[i], each segment from `start` if it has
/// one.
template <class T, class Count, class Values, class Heads, class Op, class Start>
struct segmented_items {
  using value_type = std::remove_cvref_t<decltype(std::declval<Values const&>()[index_t{}])>;
  using item = headed<value_type>;
  using summary = segmented_value<T, Count>;
  Values values;
  Heads heads;
  Op op;
  Start start;

  SAM_FUNCTION auto reads() const
      requires(std::is_pointer_v<Values>&& requires(Heads h) { h.pointer(); }) {
    return make_pointers(values, heads.pointer());
  }
  SAM_FUNCTION auto reads() const requires(std::is_pointer_v<Values>&& Heads::reads_nothing) {
    return make_pointers(values);
  }
  SAM_FUNCTION item load(index_t i, value_type const* value) const { return {*value, heads.at(i)}; }
  template <class P>
  SAM_FUNCTION item load(index_t i, value_type const* value, P const& head) const {
    return {*value, heads.at(i, head)};
  }
  SAM_FUNCTION item load(index_t i) const { return {values[i], heads.at(i)}; }
  SAM_FUNCTION summary summarise(item const& x) const {
    T const value = static_cast<T>(x.value);
    if constexpr (std::is_same_v<Start, from_nothing>)
      return {value, static_cast<Count>(x.head)};
    else
      return {combine_in_segment(op, start.value, value, !x.head), static_cast<Count>(x.head)};
  }
  headed_window<value_type> window(index_t i) const
      requires(std::is_pointer_v<Values>&& requires(head_window to) { heads.read(i, to); }) {
    headed_window<value_type> some;
    heads.read(i, some);
    some.values = values + i;
    return some;
  }
};

// --- What becomes of them ------------------------------------------------------------------------

/// Stores scan values. An exclusive scan's of a head is the start.
template <bound Bound, class Items>
struct segmented_scan_job : Items {
  using typename Items::item;
  using typename Items::summary;
  using value = typename summary::value_type;
  value* out;

  SAM_FUNCTION value output(item const& x, summary const& y) const {
    if constexpr (Bound == bound::inclusive)
      return y.value;
    else
      return x.head ? this->start.value : y.value;
  }
  SAM_FUNCTION void finish(index_t i, item const& x, summary const& y) const {
    out[i] = output(x, y);
  }
  SAM_FUNCTION value* target() const { return out; }
};

/// Under an exclusive scan: what is known at a head is the total of the segment before it.
///
/// where.put(i, rank, total)   of the segment with this rank, which ends with item i
/// where.put_head(i, rank)     optionally, of the segment that begins with item i
/// where.put_count(segments)   optionally
template <class Items, class Where>
struct segmented_reduce_job : Items {
  using typename Items::item;
  using typename Items::summary;
  Where where;
  index_t last;

  void window(index_t) const = delete;
  /// Item 0 is a head, so that there are as many heads as segments.
  template <class... P>
  SAM_FUNCTION item load(index_t i, P const&... p) const {
    item x = Items::load(i, p...);
    x.head = x.head | (i == 0);
    return x;
  }
  SAM_FUNCTION void finish(index_t i, item const& x, summary const& before) const {
    auto const segments = static_cast<index_t>(before.heads);
    if (x.head) {
      if (i > 0)
        where.put(i - 1, segments - 1, before.value);
      if constexpr (requires { where.put_head(i, segments); })
        where.put_head(i, segments);
    }
    if (i == last) {
      summary const own = this->summarise(x);
      where.put(i, segments - (x.head ? 0 : 1),
                combine_in_segment(this->op, before.value, own.value, x.head));
      if constexpr (requires { where.put_count(segments); })
        where.put_count(segments + (x.head ? 1 : 0));
    }
  }
};

/// Runs a reduction of n items to `where`. Counts of 32 bits are half the room of those of 64.
template <class T, class Carry, class Context, class Values, class Heads, class Op, class Start,
          class Where>
void run_segmented_reduce(Context& context, index_t n, Values const& values, Heads const& heads,
                          Op const& op, Start const& start, Where const& where) {
  // Stands before item 0, which is a head: the operator does not combine it with any.
  auto const anything = std::bit_cast<T>(std::array<std::byte, sizeof(T)>{});
  auto const counted_by = [&]<class Count>(Count) {
    using items = segmented_items<T, Count, Values, Heads, Op, Start>;
    using pair = segmented_value<T, Count>;
    auto const pass = make_pass<bound::exclusive>(
        scan_policy<segmented_and_counted<Op>, 1, 1, Carry>{{op}}, from_value<pair>{{anything, 0}});
    run(context, n, segmented_reduce_job<items, Where>{{values, heads, op, start}, where, n - 1},
        pass);
  };
  if (n <= index_t{highest_of<std::uint32_t>})
    counted_by(heads_beside<T, 4>{});
  else
    counted_by(heads_beside<T, 8>{});
}

}  // namespace detail

}  // namespace sam
