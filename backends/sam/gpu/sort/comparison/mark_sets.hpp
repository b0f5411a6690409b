// SPDX-License-Identifier: MIT
// Marks, along the merge path of two sorted arrays, which items a set operation keeps.
//
// A tile of merged items is loaded into shared memory, with some items before and behind it. Each
// thread walks along its own part of the path. Of equal items, those of a come first. So a thread
// counts them as it goes, and subtracts those of b: an item of b has a partner while some of a have
// none. An item of a has a partner if b has an equal item of the same rank, which lies as far
// behind the next one of b as equals of a lie before. What is equal before the first item of a
// thread takes a search back. <sam/detail/selection/set_job.hpp> says what a partner is.
//
// Each thread stores two bits for each of its items: whether it is kept, and whether it is one of
// array b. So a second kernel can move the kept items, and values that belong to them, without any
// comparison.
//
// Sources: Odeh, Green, Mwassi, Shmueli, Birk, "Merge path", IPDPSW 2012; Billeter, Olsson,
// Assarsson, HPG 2009 (compaction by counts, their prefix sums, and moves).
#pragma once

#include <sam/gpu/sort/comparison/merge_runs.hpp>
#include <sam/gpu/warp/warp_scan.hpp>

#include <cstdint>

namespace sam::inline v0_1::gpu {

/// Marks of parts. A part has as many merged items as a warp walks along.
struct marked_parts {
  static constexpr int most_items = 16;  // of a thread, one bit each

  std::uint32_t* marks;  // of each thread; bit k: item k is kept; bit 16 + k: it is one of b
  std::uint32_t* kept;   // for each part: how many items are kept
  index_t* splits;       // for each part: how many items of a lie before it
  index_t* before;       // for each part, and behind the last: how many are kept before it
  index_t count;         // parts

  /// Takes the arrays out of memory, by take<T>(n).
  template <int Lanes, class Take>
  static marked_parts in(index_t count, Take const& take) {
    marked_parts parts{};
    parts.count = count;
    parts.marks = take(std::uint32_t{}, count * Lanes);
    parts.kept = take(std::uint32_t{}, count);
    parts.splits = take(index_t{}, count);
    parts.before = take(index_t{}, count + 1);
    return parts;
  }
};

/// The scan of what parts keep.
struct place_parts_job {
  using item = std::uint32_t;
  using accumulator = index_t;
  marked_parts parts;

  SAM_FUNCTION item load(index_t i) const { return parts.kept[i]; }
  SAM_FUNCTION accumulator to_accumulator(item x) const { return static_cast<accumulator>(x); }
  SAM_FUNCTION void store(index_t i, item x, accumulator before) const {
    parts.before[i] = before;
    if (i == parts.count - 1)
      parts.before[parts.count] = before + static_cast<index_t>(x);
  }
};

/// The arguments of the kernel.
template <class Pass>
struct mark_sets_arguments {
  Pass pass;
  index_t* splits;  // of tiles; null if blocks search
  marked_parts parts;
};

/// Marks the items that Rule keeps. The pass is one of whole arrays. Parts beyond its items, of
/// which there may be fewer than the host knows of, keep nothing.
template <class Device, class Rule, class Pass, class Config>
class mark_sets_block {
  using source = std::remove_cvref_t<decltype(std::declval<Pass>().a)>;
  using T = typename source::item;
  static constexpr int items = Config::items, lanes = Device::warp_size;
  static_assert(items <= marked_parts::most_items);

 public:
  static constexpr int threads = Config::warps * lanes;
  static constexpr int tile = threads * items;
  static constexpr int part = lanes * items;
  using splits_block = merge_splits_block<Device, Pass, tile>;

 private:
  static constexpr int halo = items;  // items of either array that lie before or behind the tile
  static_assert(threads >= 3 * halo);
  static constexpr int most_looks = halo < 6 ? halo : 6;  // back from the first item of a thread
  struct shared_layout {
    uninitialized_array<T, tile + 2 * halo> items;  // before a, a, b, behind b
    uninitialized_array<T, halo> before_b;
    index_t splits[2];
  };

 public:
  static constexpr int shared_bytes = int{sizeof(shared_layout)};
  static index_t tiles(mark_sets_arguments<Pass> const& arguments) {
    return div_up(arguments.parts.count, Config::warps);
  }

  SAM_DEVICE explicit mark_sets_block(mark_sets_arguments<Pass> const& arguments)
      : pass_(arguments.pass), splits_(arguments.splits), parts_(arguments.parts),
        shared_(*reinterpret_cast<shared_layout*>(Device::shared_memory())),
        thread_(Device::warp() * lanes + Device::lane()) {}

  SAM_DEVICE void operator()() const {
    Device::grid_dependency_wait();
    Device::grid_dependency_trigger();
    index_t const all = div_up(parts_.count, Config::warps), size = pass_.size();
    for (index_t t = Device::block(); t < all; t += Device::blocks()) {
      if (t * tile < size)
        mark(t);
      else
        end_part(t, 0);
    }
  }

 private:
  SAM_DEVICE static bool keeps(bool from_b, bool has_partner) {
    return bool((from_b & !has_partner & Rule::lone_b) | (!from_b & has_partner & Rule::pairs) |
                (!from_b & !has_partner & Rule::lone_a));
  }
  /// True if it matters whether an item of a has a partner.
  static constexpr bool asks_of_a = Rule::lone_a != Rule::pairs;
  SAM_DEVICE bool is_less(T const& x, T const& y) const {
    return static_cast<bool>(pass_.less(x, y));
  }

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

  /// Returns the number of items equal to x before item i of one array, of which `before` lie
  /// before the tile. The item before it is equal.
  SAM_DEVICE index_t rank_of(tile_items const& tile, bool from_b, index_t i, index_t before,
                             T const& x) const {
    index_t step = 2;
    while (i - step >= -before && !is_less(tile.at(from_b, i - step), x))
      step *= 2;
    index_t low = max_of(i - step + 1, -before), high = i - step / 2;
    while (low < high) {
      index_t const middle = low + (high - low) / 2;
      bool const precedes = is_less(tile.at(from_b, middle), x);
      low = precedes ? middle + 1 : low;
      high = precedes ? high : middle;
    }
    return i - low;
  }

  SAM_DEVICE void load(merge_tile const& at) const {
    int const thread = Device::opaque(thread_);  // else indices would stay in registers
    auto const load_with = [&]<bool Full>(std::bool_constant<Full>) {
      source::with_either(pass_.a, at.a + thread, pass_.b, at.b - at.of_a + thread,
                          [&](auto const& load) {
                            gpu::load_tile<threads, items, Full>(
                                shared_.items.at + halo, thread, at.count,
                                [&](int i) { return load(i < at.of_a, i - thread); });
                          });
    };
    if (at.count == tile)
      load_with(std::bool_constant<true>{});
    else
      load_with(std::bool_constant<false>{});
    int const k = thread % halo;
    index_t const behind = at.b + (at.count - at.of_a) + k;
    if (thread < halo) {
      if (at.a > k)
        shared_.items.at[halo - 1 - k] = pass_.a.keys[at.a - 1 - k];
    } else if (thread < 2 * halo) {
      // Threads may compare the first of these even if there is none: with another item, then.
      if (behind < pass_.n_b)
        shared_.items.at[halo + at.count + k] = pass_.b.keys[behind];
      else if (k == 0)
        shared_.items.at[halo + at.count] = at.of_a > 0 ? pass_.a.keys[at.a] : pass_.b.keys[at.b];
    } else if (thread < 3 * halo) {
      if (at.b > k)
        shared_.before_b.at[halo - 1 - k] = pass_.b.keys[at.b - 1 - k];
    }
  }

  SAM_DEVICE void mark(index_t t) const {
    auto const runs = pass_.runs_of(0);
    auto const at = gpu::find_tile<Device>(pass_, runs, t * tile, tile, splits_, t, shared_.splits);
    load(at);
    Device::sync_block();  // orders the writes of the items before their reads by other threads
    T const* const shared = shared_.items.at + halo;
    int const begin = int(min_of(thread_ * items, at.count));
    int const split = gpu::split_of(shared, shared_runs{0, at.of_a, at.of_a, at.count}, begin,
                                    [&](T const& x, T const& y) { return is_less(x, y); });
    if (Device::lane() == 0 && begin < at.count)
      parts_.splits[t * Config::warps + Device::warp()] = at.a + split;
    tile_items const tile{shared,
                          shared_.before_b.at,
                          engine::advanced(pass_.a.keys, at.a),
                          engine::advanced(pass_.b.keys, at.b),
                          at.of_a,
                          at.count - at.of_a};
    int const left = int(min_of(items, at.count - begin));
    end_part(t, left > 0 ? walk(tile, at, split, begin - split, left) : 0);
    Device::sync_block();  // orders these reads before the next tile is loaded
  }

  /// Returns how many more items of a than of b are equal to the next item of the path, and before
  /// it. Those of b count only where the next item is one of b.
  SAM_DEVICE index_t unmatched(tile_items const& tile, merge_tile const& at, int a, int b) const {
    bool const from_b = takes_b(tile, a, b, tile.shared[a], tile.shared[tile.of_a + b]);
    T const x = tile.shared[from_b ? tile.of_a + b : a];
    // Few items are equal. A loop over those in reach takes fewer instructions than searches.
    auto const equal_before = [&](bool in_b, int i, index_t before) {
      T const* const last = tile.shared + (in_b ? tile.of_a : 0) + i - 1;
      int const reach = int(min_of(most_looks, in_b ? i : before + i));
      int rank = 0;
      while (rank < reach && !is_less(last[-rank], x))
        ++rank;
      if (rank < reach || before + i == rank)
        return index_t{rank};
      return is_less(tile.at(in_b, i - rank - 1), x) ? rank : rank_of(tile, in_b, i, before, x);
    };
    index_t const of_a = Rule::lone_b || !from_b ? equal_before(false, a, at.a) : 0;
    return of_a - (from_b && Rule::lone_b ? equal_before(true, b, at.b) : 0);
  }
  /// True if the next item is one of b: y, not x. Compares where one of them does not count, since
  /// branches would cost more. Both are items of the arrays all the same.
  SAM_DEVICE bool takes_b(tile_items const& tile, int a, int b, T const& x, T const& y) const {
    return bool((b < tile.of_b) & ((a >= tile.of_a) | is_less(y, x)));
  }

  /// Returns the marks of `left` items from items a and b of the tile on, of which there is at
  /// least one.
  SAM_DEVICE std::uint32_t walk(tile_items const& tile, merge_tile const& at, int a, int b,
                                int left) const {
    index_t const before = unmatched(tile, at, a, b);
    if (left == items) {
      // Steps change this number by less than the bound, so that its sign stays right.
      constexpr index_t most = index_t{1} << 30;
      std::uint32_t marks = 0;
      if (walk_on<true>(tile, at, a, b, int(min_of(max_of(before, -most), most)), left, marks))
        return marks;
    }
    std::uint32_t marks = 0;
    walk_on<false>(tile, at, a, b, before, left, marks);
    return marks;
  }
  /// Walks along `left` items. If Near, there are as many as there can be. Returns false if a
  /// partner may lie too far behind the tile.
  template <bool Near, class Number>
  SAM_DEVICE bool walk_on(tile_items const& tile, merge_tile const& at, int a, int b,
                          Number unmatched, int left, std::uint32_t& marks) const {
    int const behind = int(min_of(halo, pass_.n_b - at.b - tile.of_b));
    unsigned const within = unsigned(tile.of_b + behind);
    unsigned furthest = 0;  // of possible partners of items of a, from the tile's first of b
    uninitialized_array<T, 2> next;  // of a, of b
    next.at[0] = tile.shared[a];
    next.at[1] = tile.shared[tile.of_a + b];
    T last = next.at[0];
    [[maybe_unused]] constexpr int at_once = Near ? items : 1;
#pragma unroll at_once
    for (int k = 0; k < (Near ? items : left); ++k) {
      bool const from_b = takes_b(tile, a, b, next.at[0], next.at[1]);
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
            partner = tile.shared[tile.of_a + int(i)];
        } else {
          is_there = !from_b && unmatched >= 0 && unmatched < pass_.n_b - at.b - b;
          if (is_there)
            partner = tile.at(true, b + unmatched);
        }
        has_partner = has_partner | (is_there & !is_less(x, partner));
      }
      marks |= std::uint32_t(keeps(from_b, has_partner)) << k |
               std::uint32_t(from_b) << (marked_parts::most_items + k);
      last = x;
      unmatched += from_b ? -1 : 1;
      a += from_b ? 0 : 1;
      b += from_b ? 1 : 0;
      T const y = tile.shared[from_b ? tile.of_a + b : a];
      gpu::assign_one(next.at[0], from_b, next.at[0], y);
      gpu::assign_one(next.at[1], from_b, y, next.at[1]);
    }
    return furthest < within || behind < halo;
  }

  /// Stores the marks of a thread and what its warp keeps.
  SAM_DEVICE void end_part(index_t t, std::uint32_t marks) const {
    index_t const of_warp = t * Config::warps + Device::warp();
    std::uint32_t const kept = gpu::sum_upto_lane<Device>(
        std::uint32_t(engine::count_bits(marks & ((1u << marked_parts::most_items) - 1))));
    if (of_warp >= parts_.count)
      return;
    parts_.marks[of_warp * lanes + Device::lane()] = marks;
    if (Device::lane() == lanes - 1)
      parts_.kept[of_warp] = kept;
  }

  Pass const& pass_;
  index_t const* splits_;
  marked_parts const& parts_;
  shared_layout& shared_;
  int thread_;
};

}  // namespace sam::inline v0_1::gpu
