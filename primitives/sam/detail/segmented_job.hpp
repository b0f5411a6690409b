// SPDX-License-Identifier: MIT
// Defines the jobs of segmented scans and reductions: the aggregate of an item is a pair of its
// value and its head flag (<sam/algebra/segmented.hpp>).
#pragma once

#include <sam/algebra/segmented.hpp>
#include <sam/array.hpp>
#include <sam/backend/job.hpp>
#include <sam/context.hpp>
#include <sam/detail/compact_job.hpp>
#include <sam/detail/segmented/counted_segments.hpp>
#include <sam/detail/segmented/segmented_items.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <type_traits>

namespace sam::inline v0_1 {

namespace detail {

// --- Which items are heads -----------------------------------------------------------------------

// Each class of head flags has these members:
//
// at(i)            returns true if item i begins a segment
// next(i, end)     forward, on a host: returns the first head behind i, or end if none before end
//                  is
// reads_nothing    optional, true: at(i) reads no array
// pointer(), at(i, p)  optional: the pointer to read flags from, and at(i) by a pointer to the
//                  element, also to a copy of it (sam/backend/pointers.hpp)
// from(i)          optional: heads_from of a job (sam/backend/job.hpp)
// from(p)          optional: heads_at of a job
// key(i), key(p)   optional: the key to store for a segment that begins with item i

template <class Heads>
index_t next_head(Heads const& heads, index_t i, index_t end) {
  do
    ++i;
  while (i < end && !heads.at(i));
  return i;
}

template <class Flag>
struct heads_by_flag {
  Flag const* flags;
  SAM_FUNCTION Flag const* pointer() const { return flags; }
  SAM_FUNCTION bool at(index_t, Flag const* flag) const { return *flag != Flag(0); }
  SAM_FUNCTION bool at(index_t i) const { return flags[i] != Flag(0); }
  std::uint8_t const* from(index_t i) const requires(sizeof(Flag) == 1) {
    return engine::flags_from(flags + i);
  }
  index_t next(index_t i, index_t end) const { return detail::next_head(*this, i, end); }
};

/// Reads head flags as one bit for each item.
struct heads_by_bit {
  std::uint32_t const* words;

  SAM_FUNCTION bit_pointer pointer() const { return {words}; }
  SAM_FUNCTION bool at(index_t, bit_pointer const& bit) const { return *bit; }
  SAM_FUNCTION bool at(index_t i) const { return *(pointer() + i); }
  SAM_FUNCTION std::uint32_t from(bit_pointer const& p) const {
    std::uint32_t const* const word = p.words + (p.bit >> 5);
    return static_cast<std::uint32_t>((std::uint64_t{word[1]} << 32 | word[0]) >> (p.bit & 31));
  }
  index_t next(index_t i, index_t end) const {
    std::uint32_t left = ~std::uint32_t{0} << (++i % 32);  // bits of a word from item i on
    for (i -= i % 32; i < end; i += 32, left = ~std::uint32_t{0})
      if (std::uint32_t const bits = words[i / 32] & left; bits != 0)
        return min_of(i + std::countr_zero(bits), end);
    return end;
  }
  std::uint64_t from(index_t i) const { return flags_from(pointer() + i); }
};

/// Marks multiples of a length as heads or, in a backward scan, the items before them. This needs
/// no division. i is a multiple of an odd d if the product of i and the inverse of d, modulo
/// 2^bits, is at most the largest quotient by d. For an even d, the product is rotated right by the
/// trailing zeros of d. Source: Granlund, Montgomery, "Division by invariant integers using
/// multiplication", PLDI 1994, section 9. Word must be able to hold the length and the number of
/// items.
template <direction Heading, class Word = std::uint64_t>
struct heads_by_length {
  static constexpr bool reads_nothing = true;
  static constexpr index_t past = Heading == direction::forward ? 0 : 1;
  static constexpr int bits = 8 * static_cast<int>(sizeof(Word));
  index_t length;
  Word inverse, largest;
  int zeros;

  explicit heads_by_length(index_t l) : length(l), inverse(1) {
    auto const d = static_cast<Word>(l);
    largest = ~Word{0} / d;
    zeros = std::countr_zero(d);
    Word const odd = d >> zeros;
    for (int correct = 1; correct < bits; correct *= 2)  // each step doubles the correct bits
      inverse *= 2 - odd * inverse;
  }
  SAM_FUNCTION bool at(index_t i) const {
    Word const quotient = static_cast<Word>(i + past) * inverse;
    return (quotient >> zeros | quotient << (bits - 1 - zeros) << 1) <= largest;
  }
  index_t next(index_t i, index_t end) const requires(Heading == direction::forward) {
    return min_of((i / length + 1) * length, end);
  }
  std::uint64_t from(index_t i) const {
    index_t const before = (i + past) % length;
    index_t const first = before == 0 ? 0 : length - before;
    if (first >= 64)
      return 0;
    std::uint64_t multiples = 1;
    for (index_t known = length; known < 64; known *= 2)
      multiples |= multiples << known;
    return multiples << first;
  }
};

/// Extends head flags of rows to all `components` items of each row.
template <class Rows>
struct heads_of_rows {
  static constexpr bool reads_nothing = requires { Rows::reads_nothing; };
  Rows rows;
  index_t components;
  SAM_FUNCTION bool at(index_t i) const { return rows.at(i / components); }
};

/// Marks items whose key differs from the previous one of their component. It marks no first items
/// of components, nor the last ones in a backward scan. TupleSize is 1 or unknown. Limit may be a
/// compile-time value.
template <class Key, class Equal, direction Heading, int TupleSize, class Limit = index_t>
struct heads_by_key {
  static constexpr bool forward = Heading == direction::forward;
  using pointer_type = pointer_with_neighbours<Key, forward ? 1 : 0, forward ? 0 : 1>;
  Key const* keys;
  Equal equal;
  index_t components;
  Limit limit;

  SAM_FUNCTION bool differs(Key const* key, index_t distance) const {
    if constexpr (forward)
      return !static_cast<bool>(equal(key[-distance], *key));
    else
      return !static_cast<bool>(equal(*key, key[distance]));
  }
  SAM_FUNCTION bool differs(index_t i) const { return differs(keys + i, components); }
  SAM_FUNCTION bool is_inside(index_t i) const { return forward ? i >= limit : i < limit; }
  SAM_FUNCTION Key const& key(index_t i) const { return keys[i]; }
  SAM_FUNCTION Key const& key(pointer_type const& p) const requires(TupleSize == 1) { return *p; }
  SAM_FUNCTION bool at(index_t i) const { return is_inside(i) && differs(i); }
  index_t next(index_t i, index_t end) const { return detail::next_head(*this, i, end); }
  SAM_FUNCTION pointer_type pointer() const requires(TupleSize == 1) { return {keys}; }
  SAM_FUNCTION bool at(index_t i, pointer_type const& key) const {
    return is_inside(i) && differs(key.data, 1);
  }
  unequal_window<Key, Equal> from(index_t i) const {
    auto const split = static_cast<int>(engine::max_of(0, engine::min_of(limit - i, 64)));
    if constexpr (forward)
      return {keys + i, -components, 0, split, 64, false, equal};
    else
      return {keys + i, 0, components, 0, split, false, equal};
  }
};
/// Marks items of a source as heads_by_key does those of an array.
template <source Keys, class Equal, direction Heading>
struct heads_by_computed_key {
  static constexpr bool forward = Heading == direction::forward;
  Keys keys;
  Equal equal;
  index_t components, limit;

  SAM_FUNCTION bool at(index_t i) const {
    if constexpr (forward)
      return i >= limit && !static_cast<bool>(equal(keys.at(i - components), keys.at(i)));
    else
      return i < limit && !static_cast<bool>(equal(keys.at(i), keys.at(i + components)));
  }
  SAM_FUNCTION auto key(index_t i) const { return keys.at(i); }
  index_t next(index_t i, index_t end) const { return detail::next_head(*this, i, end); }
};
/// The limit of single items in a forward scan. With a constant limit, a thread compares only its
/// first index with it.
struct limit_of_one {
  SAM_FUNCTION constexpr operator index_t() const { return 1; }
};
template <class Key, class Equal>
using heads_by_key_alone = heads_by_key<Key, Equal, direction::forward, 1, limit_of_one>;
template <class Key, class Equal>
auto heads_alone(heads_by_key<Key, Equal, direction::forward, 1> const& heads) {
  return heads_by_key_alone<Key, Equal>{heads.keys, heads.equal, heads.components, {}};
}
template <class Heads>
auto heads_alone(Heads const& heads) {
  return heads;
}

// --- What becomes of them ------------------------------------------------------------------------

/// The values of items that are counted: one for each.
template <class Count>
struct ones {
  Count operator[](index_t) const { return 1; }
};

/// Offers the values and head flags of items separately.
template <class Items>
struct items_and_heads : Items {
  using stored = typename Items::accumulator::value_type;

  stored value(index_t i) const { return static_cast<stored>(this->values[i]); }
  stored const* source() const requires requires(Items j, stored const* p) { p = j.values; }
  { return this->values; }
  bool is_head(index_t i) const { return this->heads.at(i); }
  auto heads_from(index_t i) const {
    if constexpr (requires { this->heads.from(i); }) {
      return this->heads.from(i);
    } else {
      flag_window some;
      for (int l = 0; l < 64; ++l)
        some.flags[l] = is_head(i + l);
      return some;
    }
  }
};

/// Stores scan values. For a head, an exclusive scan stores the start.
template <bound Bound, class Items>
struct segmented_scan_job : items_and_heads<Items> {
  using typename Items::accumulator;
  using typename Items::item;
  using stored = typename accumulator::value_type;
  stored* out;

  SAM_FUNCTION stored output(item const& x, accumulator const& y) const {
    if constexpr (Bound == bound::inclusive)
      return y.value;
    else
      return x.head ? this->start.value : y.value;
  }
  SAM_FUNCTION void store(index_t i, item const& x, accumulator const& y) const {
    out[i] = output(x, y);
  }
  SAM_FUNCTION stored* target() const { return out; }
};

/// Stores the aggregate of each segment. It runs under an exclusive scan, so the prefix of a head
/// has the aggregate of the segment before it.
///
/// where.put(i, rank, total)   stores the aggregate of segment `rank`, which ends with item i
/// where.put_all(begin, end, totals, count)  replaces put: put_totals of a segmented reduction job
///                             (sam/backend/job.hpp)
/// where.put_head(i, rank, key)  optional: stores the key of the segment that begins with item i
/// where.put_count(segments)   optional: stores the number of segments
/// where.out, where.size       optional, if put only stores aggregates: to out[rank], if rank is
///                             below size
/// where.overwrites()          optional: returns true if put or put_head may overwrite items; the
///                             job then is a scattering job
template <class Items, class Where>
struct segmented_reduce_job : items_and_heads<Items> {
  using typename Items::accumulator;
  using typename Items::item;
  using total = typename accumulator::value_type;
  static constexpr bool scatters = requires(Where w) { w.overwrites(); };
  /// True if back ends have faster ways for few items, so that this job always has many.
  static constexpr bool has_many_items = requires { requires Where::has_many_items; };
  Where where;
  index_t last;

  SAM_FUNCTION bool overwrites() const requires scatters { return where.overwrites(); }
  SAM_FUNCTION index_t needed() const requires requires(Where w) { w.needed(); }
  { return where.needed(); }
  /// True if `store` reads the key of a segment from the array of keys, not from the item.
  static constexpr bool rereads = !Items::holds_keys;

  /// Loads an item, and makes item 0 a head, so that there are as many heads as segments.
  template <class... P>
  SAM_FUNCTION item load(index_t i, P const&... p) const {
    item x = Items::load(i, p...);
    x.head = x.head | (i == 0);
    return x;
  }
  SAM_FUNCTION void store(index_t i, item const& x, accumulator const& before) const {
    auto const segments = static_cast<index_t>(before.heads);
    if (x.head) {
      if (i > 0)
        put_total(i - 1, segments - 1, before.value);
      if constexpr (puts_heads)
        where.put_head(i, segments, this->key(i, x));
    }
    if (i == last) {
      accumulator const own = this->to_accumulator(x);
      put_total(i, segments - (x.head ? 0 : 1),
                detail::combine_in_segment(this->op, before.value, own.value, x.head));
      close(segments + (x.head ? 1 : 0));
    }
  }

  template <class... P>
  SAM_FUNCTION std::uint32_t heads_at(index_t i, P const&... p) const requires
      requires(Items items) {
    items.heads_at(p...);
  }
  { return Items::heads_at(p...) | (i == 0 ? 1u : 0u); }

  static constexpr bool puts_heads = requires(Items items, Where w, index_t i, item const x) {
    w.put_head(i, i, items.key(i, x));
  };
  using answers = answers_of_values<decltype(Items::values)>;
  using asked = typename answers::asked;
  static constexpr bool has_answers =
      answers::are_answers && is_one_of<decltype(Items::op), plus, bit_or, bit_and>;
  bool answer(index_t i) const requires has_answers { return answers::answer(this->values, i); }
  total total_of_answers(index_t found, index_t count) const requires has_answers {
    index_t const ones = answers::is_yes_one(this->values) ? found : count - found;
    if constexpr (std::is_same_v<decltype(Items::op), plus>)
      return static_cast<total>(ones);
    else if constexpr (std::is_same_v<decltype(Items::op), bit_or>)
      return static_cast<total>(ones != 0);
    else
      return static_cast<total>(ones == count);
  }
  /// Returns the index of the item that is the combination of some, if the operator chooses one.
  SAM_FUNCTION index_t place(total const& y) const
      requires(std::is_same_v<decltype(Items::start), from_nothing>&& requires(Items items,
                                                                               total const& x) {
        items.op.index_of_choice(x);
      }) {
    return this->op.index_of_choice(y);
  }
  /// Tells the same of an operator that chooses two.
  static constexpr bool chooses_two = std::is_same_v<decltype(Items::start), from_nothing> &&
                                      requires(Items items, total const& x) {
    items.op.joined(x, x);
  };
  SAM_FUNCTION index_t first_place(total const& y) const requires chooses_two {
    return this->op.index_of_first(y);
  }
  SAM_FUNCTION index_t second_place(total const& y) const requires chooses_two {
    return this->op.index_of_second(y);
  }
  SAM_FUNCTION total joined(total const& first, total const& second) const requires chooses_two {
    return this->op.joined(first, second);
  }
  SAM_FUNCTION void put_total(index_t i, index_t rank, total const& y) const requires
      requires(Where w) {
    w.put(i, rank, y);
  }
  { where.put(i, rank, y); }
  void put_totals(index_t begin, index_t end, total const* totals, index_t count) const requires
      requires(Where w) {
    w.put_all(begin, end, totals, count);
  }
  { where.put_all(begin, end, totals, count); }
  void put_head(index_t i, index_t rank) const requires puts_heads {
    where.put_head(i, rank, this->heads.key(i));
  }
  auto key_at(index_t i) const requires puts_heads { return this->heads.key(i); }
  template <class Key>
  void put_key(index_t i, index_t rank, Key const& key) const requires puts_heads {
    where.put_head(i, rank, key);
  }
  template <class... P>
  SAM_FUNCTION void put_head_from(index_t i, index_t rank,
                                  P const&... p) const requires puts_heads {
    where.put_head(i, rank, this->key(p...));
  }
  SAM_FUNCTION void close([[maybe_unused]] index_t segments) const {
    if constexpr (requires { where.put_count(segments); })
      where.put_count(segments);
  }
  total* front() const requires requires(Where w) { w.out[w.size]; }
  { return where.out; }
  index_t capacity() const requires requires(Where w) { w.out[w.size]; }
  { return where.size; }
};

/// True if a back end runs a segmented reduction of counted arrays as if there were no other items
/// (limiting_first of sam/backend/job.hpp). The passes of a multi-pass scheme do not.
template <class Context, class Number, class Carry>
inline constexpr bool limits_segments = !std::is_same_v<Number, known_count> &&
                                        single_pass_scheme<Carry> && engine::limits_items<Context>;
/// A segmented reduction of the first items, by their number. `of_all` is the same for kernels that
/// process all items.
template <class Job, class Marked, class Number>
struct limited_segments_job : Job {
  Number number;
  Marked of_all;
  SAM_FUNCTION index_t limit() const { return number(); }
  Marked const& marked() const { return of_all; }
};

/// Runs a segmented reduction of n items by a job.
template <class Carry, class Context, class Job>
void run_segments_by(Context& context, index_t n, Job const& job) {
  using pair = typename Job::accumulator;
  using T = typename pair::value_type;
  // Precedes item 0, which is a head, so its value is always discarded.
  auto const anything = std::bit_cast<T>(std::array<std::byte, sizeof(T)>{});
  using op = segmented_and_counted<std::remove_cvref_t<decltype(job.op)>>;
  context.run(n, job,
              engine::resolve_policy<bound::exclusive>(
                  scan_policy<op, 1, 1, carry::without_stored_values<Carry>>{{job.op}},
                  from_value<pair>{{anything, 0}}));
}
/// Runs one with results stored to `where`.
template <class Carry, class Context, class Items, class Where>
void run_segments(Context& context, index_t n, Items const& items, Where const& where) {
  detail::run_segments_by<Carry>(context, n,
                                 segmented_reduce_job<Items, Where>{{items}, where, n - 1});
}

/// Runs one of the first items, by their number. `items` and `where` compare with it, and the plain
/// ones do not.
template <class Carry, class Context, class Items, class Where, class PlainItems, class PlainWhere,
          class Number>
void run_limited_segments(Context& context, index_t n, Items const& items, Where const& where,
                          PlainItems const& plain_items, PlainWhere const& plain_where,
                          Number const& number) {
  using marked = segmented_reduce_job<Items, Where>;
  using alone = segmented_reduce_job<PlainItems, PlainWhere>;
  marked const of_all{{items}, where, n - 1};
  if constexpr (engine::reducing_segments_of_arrays<alone>)
    detail::run_segments_by<Carry>(context, n,
                                   limited_segments_job<alone, marked, Number>{
                                       {{plain_items}, plain_where, n - 1}, number, of_all});
  else
    detail::run_segments_by<Carry>(context, n, of_all);
}

/// Runs a segmented reduction of `values`. Counts have 32 bits if they fit, which take half the
/// memory of 64 bits.
template <class T, class Carry, index_t MostItems = highest_of<index_t>, class Context,
          class Values, class Heads, class Op, class Start, class Where, class Number = known_count>
void run_segmented_reduce(Context& context, index_t n, Values const& values, Heads const& heads,
                          Op const& op, Start const& start, Where const& all,
                          Number const& number = {}) {
  auto const alone = detail::heads_of_first(detail::heads_alone(heads), number);
  auto const where = detail::segments_of_first(all, number);
  using known = std::remove_const_t<decltype(alone)>;
  auto const counted_by = [&]<class Count>(Count) {
    if constexpr (limits_segments<Context, Number, Carry>) {
      auto const plain = detail::heads_alone(heads);
      using plain_heads = std::remove_const_t<decltype(plain)>;
      return detail::run_limited_segments<Carry>(
          context, n, segmented_items<T, Count, Values, known, Op, Start>{values, alone, op, start},
          where,
          segmented_items<T, Count, Values, plain_heads, Op, Start>{values, plain, op, start}, all,
          number);
    } else {
      detail::run_segments<Carry>(
          context, n, segmented_items<T, Count, Values, known, Op, Start>{values, alone, op, start},
          where);
    }
  };
  constexpr index_t most = highest_of<std::uint32_t>;
  if constexpr (MostItems <= most)
    counted_by(heads_beside<T, 4>{});
  else if (n <= most)
    counted_by(heads_beside<T, 4>{});
  else
    counted_by(heads_beside<T, 8>{});
}

}  // namespace detail

}  // namespace sam::inline v0_1
