// SPDX-License-Identifier: MIT
// Defines which items set operations keep of two sorted arrays. Every item is asked about by
// itself, so that a set operation is a compaction.
//
// Equal items of a and b are partners, in order: an item has a partner if its rank among the equal
// ones of its array is below their number in the other one.
#pragma once

#include <sam/detail/compact_job.hpp>
#include <sam/detail/merge_chunks.hpp>

#include <cstddef>
#include <cstring>

namespace sam::inline v0_1::detail {

/// Says which items are kept: those of a without a partner in b, those of a with one, and those of
/// b without one.
template <bool LoneA, bool Pairs, bool LoneB>
struct set_rule {
  static constexpr bool lone_a = LoneA, pairs = Pairs, lone_b = LoneB;
};
using union_rule = set_rule<true, true, true>;
using intersection_rule = set_rule<false, true, false>;
using difference_rule = set_rule<true, false, false>;
using symmetric_difference_rule = set_rule<true, false, true>;

/// Selects what Rule keeps: among the merged items of a and b if that has items of b, else among
/// those of a. Values belong to keys, and may be the keys.
template <class Rule, class K, class V, class Less>
struct kept_of_sets {
  using item = marked<V>;
  K const *a, *b;
  V const *values_a, *values_b;
  index_t n_a, n_b;
  Less less;

  SAM_FUNCTION index_t size() const { return Rule::lone_b ? n_a + n_b : n_a; }
  /// Returns the selection among arrays of other sizes.
  SAM_FUNCTION kept_of_sets with_sizes(index_t size_a, index_t size_b) const {
    kept_of_sets all = *this;
    all.n_a = size_a;
    all.n_b = size_b;
    return all;
  }
  SAM_FUNCTION auto reads() const { return engine::make_pointers(); }
  SAM_FUNCTION item load(index_t i) const {
    place const at = place_of(i);
    return {value_at(at), keeps_at(at)};
  }
  SAM_FUNCTION bool keeps(item const& x) const { return x.kept; }
  static SAM_FUNCTION V const& value(item const& x) { return x.value; }

  /// Packs the kept values of items [begin, begin + count) into `out`, which has space for one
  /// more, and returns their number. Both arrays are walked along in two parts at a time, since
  /// each step of one waits for its own comparison. Few items of a are each searched for in b.
  index_t pack(index_t begin, index_t count, V* const out) const {
    constexpr index_t fewest_split = 128, many_times = 16;
    if constexpr (!Rule::lone_b)
      if (n_a < n_b / many_times)
        return pack_by_search(begin, count, out);
    index_t const first = count < fewest_split ? count : count / 2;
    place const from = aligned_place_of(begin), until = aligned_place_of(begin + count);
    place const middle = first == count ? until : aligned_place_of(begin + first);
    V* const half = out + first;
    walk one{from.p, middle.p, from.q, middle.q, out, half};
    walk two{middle.p, until.p, middle.q, until.q, half, out + count};
    auto const safe = [&] { return min_of(one.safe(), two.safe()); };
    for (index_t k = safe(); k > 0; k = safe())
      for (; k > 0; --k) {
        one.step(*this);
        two.step(*this);
      }
    one.finish(*this);
    two.finish(*this);
    if (two.to > half && one.to < half)
      std::memmove(static_cast<void*>(one.to), half,
                   static_cast<std::size_t>(two.to - half) * sizeof(V));
    return (one.to - out) + (two.to - half);
  }

  // split_of takes both arrays as runs.
  struct runs {
    index_t a_size, b_size;
  };
  SAM_FUNCTION runs both() const { return {n_a, n_b}; }
  SAM_FUNCTION bool takes_b(runs const& r, index_t i, index_t j) const {
    return i == r.a_size || (j < r.b_size && is_less(b[j], a[i]));
  }

 private:
  /// A part of both arrays, and where the values that are kept of it go.
  struct walk {
    index_t p, p_end, q, q_end;
    V *to, *last;
    /// Returns how many steps can be made before an array, or the space, may be at its end.
    index_t safe() const { return min_of(min_of(p_end - p, q_end - q), last - to); }
    /// Passes over the lesser of two items, or over both of equal ones, without a branch.
    void step(kept_of_sets const& sets) {
      K const& x = sets.a[p];
      index_t const a_first = sam::detail::one_or_zero(sets.is_less(x, sets.b[q]));
      // Without another index, the compiler may not compare again, but branch on the first answer.
      index_t const answer = sam::detail::one_or_zero(sets.is_less(sets.b[engine::hidden(q)], x));
      index_t const b_first = answer & (1 - a_first);
      if constexpr (Rule::lone_b) {
        V const next[2] = {sets.values_a[p], sets.values_b[q]};
        *to = next[b_first];
      } else {
        *to = sets.values_a[p];
      }
      to += (Rule::lone_a ? a_first : 0) + (Rule::lone_b ? b_first : 0) +
            (Rule::pairs ? 1 - a_first - b_first : 0);
      p += 1 - b_first;
      q += 1 - a_first;
    }
    void finish(kept_of_sets const& sets) {
      for (index_t k = safe(); k > 0; k = safe())
        for (; k > 0; --k)
          step(sets);
      if constexpr (Rule::lone_a)
        for (; p < p_end && to < last; ++p)
          *to++ = sets.values_a[p];
      if constexpr (Rule::lone_b)
        for (; q < q_end && to < last; ++q)
          *to++ = sets.values_b[q];
    }
  };

  /// The next items of both arrays, a[p] and b[q], and from which array an item is. All items of b
  /// before q are less than a[p]; no items of a before p are greater than b[q].
  struct place {
    index_t p, q;
    bool from_b;
  };
  SAM_FUNCTION place place_of(index_t i) const {
    if constexpr (Rule::lone_b) {
      index_t const p = sam::detail::split_of(*this, both(), i);
      return {p, i - p, takes_b(both(), p, i - p)};
    } else {
      return {i, search(b, 0, n_b, a[i]), false};
    }
  }
  /// Returns the place of item i, behind the partners of all items of a before it. So both items of
  /// a pair lie in one tile, and no more values are kept of a tile than it has items.
  place aligned_place_of(index_t i) const {
    if (i == 0)
      return {0, 0, false};
    if (i == size())
      return {n_a, n_b, false};
    index_t const p = Rule::lone_b ? sam::detail::split_of(*this, both(), i) : i;
    index_t const q = Rule::lone_b ? i - p : 0;
    if (p == 0)
      return {p, q, false};
    K const& x = a[p - 1];
    index_t const first = search(b, 0, n_b, x);
    index_t low = max_of(q, first), high = min_of(n_b, first + rank_in(a, p - 1) + 1);
    while (low < high) {  // for the end of the items of b that are equal to x
      index_t const middle = low + (high - low) / 2;
      if (is_less(x, b[middle]))
        high = middle;
      else
        low = middle + 1;
    }
    return {p, low, false};
  }
  /// Packs like pack, by a search for each item.
  index_t pack_by_search(index_t begin, index_t count, V* const out) const {
    if (count == 0)
      return 0;
    V* to = out;
    place at = place_of(begin);
    for (index_t k = 0;; ++k) {
      *to = value_at(at);
      to += keeps_at(at) ? 1 : 0;
      if (k == count - 1)
        return to - out;
      ++at.p;
      at.q = first_not_less(at.q, a[at.p]);
    }
  }
  SAM_FUNCTION V const& value_at(place const& at) const {
    if constexpr (Rule::lone_b)
      if (at.from_b)
        return values_b[at.q];
    return values_a[at.p];
  }

  /// Finds the rank of the item only if there is an equal one in the other array.
  SAM_FUNCTION bool keeps_at(place const& at) const {
    if constexpr (Rule::lone_b)
      if (at.from_b)
        return !(equals_b(at, 0) && equals_b(at, rank_in(b, at.q)));
    if constexpr (Rule::lone_a && Rule::pairs)
      return true;
    else
      return (equals_a(at, 0) && equals_a(at, rank_in(a, at.p))) ? Rule::pairs : Rule::lone_a;
  }
  /// True if b has more than `rank` items that are equal to a[p].
  SAM_FUNCTION bool equals_a(place const& at, index_t rank) const {
    return rank < n_b - at.q && !is_less(a[at.p], b[at.q + rank]);
  }
  /// True if a has more than `rank` items that are equal to b[q].
  SAM_FUNCTION bool equals_b(place const& at, index_t rank) const {
    return rank < at.p && !is_less(a[at.p - 1 - rank], b[at.q]);
  }

  SAM_FUNCTION bool is_less(K const& x, K const& y) const { return static_cast<bool>(less(x, y)); }
  /// Returns the number of items equal to items[i] before it, by steps back that double.
  SAM_FUNCTION index_t rank_in(K const* items, index_t i) const {
    index_t step = 1;
    while (step <= i && !is_less(items[i - step], items[i]))
      step *= 2;
    index_t const low = max_of(i - step + 1, 0);
    return i - search(items, low, i - step / 2, items[i]);
  }
  /// Returns the index of the first item of b that is not less than x, which lies at `from` or
  /// later, by steps that double.
  SAM_FUNCTION index_t first_not_less(index_t from, K const& x) const {
    index_t step = 1;
    while (step <= n_b - from && is_less(b[from + step - 1], x))
      step *= 2;
    return search(b, from + step / 2, min_of(from + step - 1, n_b), x);
  }
  /// Returns the index of the first item in [low, high) that is not less than x, or high.
  SAM_FUNCTION index_t search(K const* items, index_t low, index_t high, K const& x) const {
    while (low < high) {
      index_t const middle = low + (high - low) / 2;
      if (is_less(items[middle], x))
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }
};

/// Selects among the first items of both arrays, by their numbers.
template <class Sets, class A, class B>
struct kept_of_first {
  using item = typename Sets::item;
  Sets sets;  // of as many items as there may be
  A a;
  B b;

  SAM_FUNCTION auto reads() const { return engine::make_pointers(); }
  SAM_FUNCTION item load(index_t i) const {
    Sets const first = sets.with_sizes(a(), b());
    if (i < first.size())
      return first.load(i);
    return {sets.n_a > 0 ? sets.values_a[0] : sets.values_b[0], false};
  }
  SAM_FUNCTION bool keeps(item const& x) const { return x.kept; }
  static SAM_FUNCTION auto const& value(item const& x) { return x.value; }
};

}  // namespace sam::inline v0_1::detail
