// SPDX-License-Identifier: MIT
// Walks along a thread's part of the merge path of two sorted arrays, and marks what a set
// operation keeps.
//
// Items of a come before equal ones of b. So a thread counts them as it goes, and subtracts those
// of b: an item of b has a partner while some of a have none. An item of a has a partner if b has
// an equal item of the same rank, which lies as far behind the next one of b as equals of a lie
// before. What is equal before the first item of a thread takes a search back.
// <sam/detail/selection/set_job.hpp> says what a partner is.
//
// Source: Odeh, Green, Mwassi, Shmueli, Birk, "Merge path", IPDPSW 2012.
#pragma once

#include <sam/gpu/sort/comparison/merge_runs.hpp>

#include <cstdint>
#include <type_traits>
#include <utility>

namespace sam::inline v0_1::gpu {

/// Marks up to `Items` items of a tile. Each has a bit of a word, whether it is kept. If
/// NotesSources, it has another one `bits` above that, whether it is one of b; else it is found.
template <class Rule, class Pass, int Items, bool NotesSources>
class set_walk {
  using T = typename std::remove_cvref_t<decltype(std::declval<Pass>().a)>::item;

 public:
  static constexpr int bits = 16;
  static_assert(Items <= bits);
  static constexpr int halo = Items;  // items of either array that lie before or behind the tile
  using items_of_thread = uninitialized_array<T, Items>;

  /// Items of both arrays by their indices from the begin of the tile on, if there are such items.
  struct tile_items {
    T const *shared, *before_b;  // of the tile, and those of b before it
    T const *a, *b;              // the arrays, from the begin of the tile on
    int of_a, of_b;
    SAM_DEVICE T at(bool from_b, index_t i) const {
      if (i < -halo || i >= (from_b ? of_b + halo : of_a))
        return (from_b ? b : a)[i];
      return from_b && i < 0 ? before_b[halo + i] : shared[(from_b ? of_a : 0) + i];
    }
  };

  SAM_DEVICE set_walk(Pass const& pass, tile_items const& tile, merge_tile const& at)
      : pass_(pass), tile_(tile), at_(at) {}

  /// Returns the marks of `left` items from items a and b of the tile on, of which there is at
  /// least one, and finds these items unless it notes sources.
  SAM_DEVICE std::uint32_t walk(int a, int b, int left, items_of_thread& found) const {
    index_t const before = unmatched(a, b);
    if (left == items) {
      // Steps change this number by less than the bound, so that its sign stays right.
      constexpr index_t most = index_t{1} << 30;
      std::uint32_t marks = 0;
      if (walk_on<true>(a, b, int(min_of(max_of(before, -most), most)), left, marks, found))
        return marks;
    }
    std::uint32_t marks = 0;
    walk_on<false>(a, b, before, left, marks, found);
    if constexpr (!NotesSources) {
#pragma unroll
      for (int k = 0; k < items; ++k)
        if (k < left) {
          bool const from_b = (marks & 1u << (bits + k)) != 0;
          found.at[k] = tile_.shared[from_b ? tile_.of_a + b : a];
          a += from_b ? 0 : 1;
          b += from_b ? 1 : 0;
        }
    }
    return marks;
  }

 private:
  static constexpr int items = Items;
  static constexpr int most_looks = halo < 6 ? halo : 6;  // back from the first item of a thread

  SAM_DEVICE static bool keeps(bool from_b, bool has_partner) {
    return bool((from_b & !has_partner & Rule::lone_b) | (!from_b & has_partner & Rule::pairs) |
                (!from_b & !has_partner & Rule::lone_a));
  }
  /// True if it matters whether an item of a has a partner.
  static constexpr bool asks_of_a = Rule::lone_a != Rule::pairs;
  SAM_DEVICE bool is_less(T const& x, T const& y) const {
    return static_cast<bool>(pass_.less(x, y));
  }

  /// Returns the number of items equal to x before item i of one array, of which `before` lie
  /// before the tile. The item before it is equal.
  SAM_DEVICE index_t rank_of(bool from_b, index_t i, index_t before, T const& x) const {
    index_t step = 2;
    while (i - step >= -before && !is_less(tile_.at(from_b, i - step), x))
      step *= 2;
    index_t low = max_of(i - step + 1, -before), high = i - step / 2;
    while (low < high) {
      index_t const middle = low + (high - low) / 2;
      bool const precedes = is_less(tile_.at(from_b, middle), x);
      low = precedes ? middle + 1 : low;
      high = precedes ? high : middle;
    }
    return i - low;
  }

  /// Returns how many more items of a than of b are equal to the next item of the path, and before
  /// it. Those of b count only where the next item is one of b.
  SAM_DEVICE index_t unmatched(int a, int b) const {
    bool const from_b = takes_b(a, b, tile_.shared[a], tile_.shared[tile_.of_a + b]);
    T const x = tile_.shared[from_b ? tile_.of_a + b : a];
    // Few items are equal. A loop over those in reach takes fewer instructions than searches.
    auto const equal_before = [&](bool in_b, int i, index_t before) {
      T const* const last = tile_.shared + (in_b ? tile_.of_a : 0) + i - 1;
      int const reach = int(min_of(most_looks, in_b ? i : before + i));
      int rank = 0;
      while (rank < reach && !is_less(last[-rank], x))
        ++rank;
      if (rank < reach || before + i == rank)
        return index_t{rank};
      return is_less(tile_.at(in_b, i - rank - 1), x) ? rank : rank_of(in_b, i, before, x);
    };
    index_t const of_a = Rule::lone_b || !from_b ? equal_before(false, a, at_.a) : 0;
    return of_a - (from_b && Rule::lone_b ? equal_before(true, b, at_.b) : 0);
  }
  /// True if the next item is one of b: y, not x. Compares where one of them does not count, since
  /// branches would cost more. Both are items of the arrays all the same.
  SAM_DEVICE bool takes_b(int a, int b, T const& x, T const& y) const {
    return bool((b < tile_.of_b) & ((a >= tile_.of_a) | is_less(y, x)));
  }

  /// Walks along `left` items. If Near, there are as many as there can be, and they are found
  /// unless sources are noted. Otherwise sources are noted. Returns false if a partner may lie too
  /// far behind the tile.
  template <bool Near, class Number>
  SAM_DEVICE bool walk_on(int a, int b, Number unmatched, int left, std::uint32_t& marks,
                          [[maybe_unused]] items_of_thread& found) const {
    int const behind = int(min_of(halo, pass_.n_b - at_.b - tile_.of_b));
    unsigned const within = unsigned(tile_.of_b + behind);
    unsigned furthest = 0;  // of possible partners of items of a, from the tile's first of b
    uninitialized_array<T, 2> next;  // of a, of b
    next.at[0] = tile_.shared[a];
    next.at[1] = tile_.shared[tile_.of_a + b];
    T last = next.at[0];
    [[maybe_unused]] constexpr int at_once = Near ? items : 1;
#pragma unroll at_once
    for (int k = 0; k < (Near ? items : left); ++k) {
      bool const from_b = takes_b(a, b, next.at[0], next.at[1]);
      T x = next.at[0];
      gpu::assign_one(x, from_b, next.at[1], next.at[0]);
      // Equal items of a come before those of b. The rank of one is the number of those before it,
      // and then each of b is the partner of one of them.
      if (k > 0)
        unmatched = is_less(last, x) ? 0 : unmatched;
      bool has_partner = from_b & (unmatched > 0);
      if constexpr (asks_of_a) {
        T partner = next.at[1];
        bool is_there = false;
        if constexpr (Near) {
          unsigned const i = unsigned(b + unmatched);
          is_there = !from_b & (i < within);
          furthest = (!from_b & (i > furthest)) ? i : furthest;
          if (bool(is_there & (unmatched != 0)))
            partner = tile_.shared[tile_.of_a + int(i)];
        } else {
          is_there = !from_b && unmatched >= 0 && unmatched < pass_.n_b - at_.b - b;
          if (is_there)
            partner = tile_.at(true, b + unmatched);
        }
        has_partner = has_partner | (is_there & !is_less(x, partner));
      }
      marks |= std::uint32_t(keeps(from_b, has_partner)) << k;
      if constexpr (NotesSources || !Near)
        marks |= std::uint32_t(from_b) << (bits + k);
      if constexpr (!NotesSources && Near)
        found.at[k] = x;
      last = x;
      unmatched += from_b ? -1 : 1;
      a += from_b ? 0 : 1;
      b += from_b ? 1 : 0;
      T const y = tile_.shared[from_b ? tile_.of_a + b : a];
      gpu::assign_one(next.at[0], from_b, next.at[0], y);
      gpu::assign_one(next.at[1], from_b, y, next.at[1]);
    }
    return furthest < within || behind < halo;
  }

  Pass const& pass_;
  tile_items const& tile_;
  merge_tile const& at_;
};

}  // namespace sam::inline v0_1::gpu
