// SPDX-License-Identifier: MIT
// Marks, along the merge path of two sorted arrays, which items a set operation keeps.
//
// A tile of merged items is loaded into shared memory, with some items before and behind it. Each
// thread walks along its own part of the path. It counts the rank of the next item among its
// equals as it goes, since equal items of an array follow one another on the path. The rank of its
// first item takes a search back, if the item before that is equal. An item has a partner if the
// other array has an equal one of the same rank: see <sam/detail/selection/set_job.hpp>.
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
    return has_partner ? !from_b && Rule::pairs : from_b ? Rule::lone_b : Rule::lone_a;
  }
  /// True if it matters whether an item has a partner.
  SAM_DEVICE static bool asks(bool from_b) {
    return from_b ? Rule::lone_b : Rule::lone_a != Rule::pairs;
  }
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
      if (behind < pass_.n_b)
        shared_.items.at[halo + at.count + k] = pass_.b.keys[behind];
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

  /// Returns the marks of `left` items from items a and b of the tile on.
  SAM_DEVICE std::uint32_t walk(tile_items const& tile, merge_tile const& at, int a, int b,
                                int left) const {
    uninitialized_array<T, 2> next, last;  // next of a, of b; the last item, the last one of a
    next.at[0] = tile.shared[a];
    next.at[1] = tile.shared[tile.of_a + b];
    auto const takes_b = [&] {
      return b < tile.of_b && (a >= tile.of_a || is_less(next.at[1], next.at[0]));
    };
    index_t rank = 0;
    bool was_b = !takes_b();
    {
      bool const from_b = !was_b;
      index_t const i = from_b ? b : a, before = from_b ? at.b : at.a;
      gpu::assign_one(last.at[0], from_b, next.at[1], next.at[0]);
      if (before + i > 0) {
        T const x = last.at[0];
        last.at[0] = tile.at(from_b, i - 1);
        if (!is_less(last.at[0], x)) {
          rank = rank_of(tile, from_b, i, before, x) - 1;
          was_b = from_b;
        }
      }
      last.at[1] = next.at[0];
      if (Rule::lone_b && at.a + a > 0)
        last.at[1] = tile.at(false, index_t{a} - 1);
    }
    std::uint32_t marks = 0;
#pragma unroll
    for (int k = 0; k < items; ++k) {
      if (k < left) {
        bool const from_b = takes_b();
        T x = next.at[0];
        gpu::assign_one(x, from_b, next.at[1], next.at[0]);
        bool const follows = from_b == was_b && !is_less(last.at[0], x);
        rank = follows ? rank + 1 : 0;
        bool has_partner = false;
        if (asks(from_b) && (from_b ? rank < at.a + a : rank < pass_.n_b - at.b - b)) {
          T partner = next.at[1];
          gpu::assign_one(partner, from_b, last.at[1], next.at[1]);
          if (rank > 0)
            partner = tile.at(!from_b, from_b ? a - 1 - rank : b + rank);
          has_partner = from_b ? !is_less(partner, x) : !is_less(x, partner);
        }
        marks |= std::uint32_t(keeps(from_b, has_partner)) << k |
                 std::uint32_t(from_b) << (marked_parts::most_items + k);
        last.at[0] = x;
        gpu::assign_one(last.at[1], from_b, last.at[1], x);
        was_b = from_b;
        a += from_b ? 0 : 1;
        b += from_b ? 1 : 0;
        T const y = tile.shared[from_b ? tile.of_a + b : a];
        gpu::assign_one(next.at[0], from_b, next.at[0], y);
        gpu::assign_one(next.at[1], from_b, y, next.at[1]);
      }
    }
    return marks;
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
