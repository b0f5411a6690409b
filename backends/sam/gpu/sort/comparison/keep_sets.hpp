// SPDX-License-Identifier: MIT
// Keeps, along the merge path of two sorted arrays, the items that a set operation keeps.
//
// A tile of merged items is loaded into shared memory, with some items before and behind it. Each
// thread walks along its own part of the path, and marks what is kept (set_walk.hpp).
//
// All warps but the last then store the kept keys over the tile or, if keys have values, list where
// the kept items lie. The last one meanwhile publishes how many the tile keeps. It looks back for
// the tile's place while the others walk along the next tile, and so waits for no tile that is
// slower. Then the kept items are moved, and values that belong to them. With one tile in shared
// memory, they wait in registers until then. Tiles are claimed and counted as those of a scan
// (descriptor_ring.hpp).
//
// Sources: Odeh, Green, Mwassi, Shmueli, Birk, "Merge path", IPDPSW 2012; Merrill, Garland,
// NVR-2016-002 (decoupled look-back).
#pragma once

#include <sam/gpu/carry/lookback_for.hpp>
#include <sam/gpu/sort/comparison/merge_runs.hpp>
#include <sam/gpu/sort/comparison/set_walk.hpp>
#include <sam/gpu/warp/warp_scan.hpp>

#include <cstdint>

namespace sam::inline v0_1::gpu {

/// The sums of what tiles keep, by which they find their places.
using set_places = engine::resolved_policy<plus, 1, 1, carry::lookback, engine::bound::exclusive,
                                           engine::from_value<index_t>>;

/// The arguments of the kernel.
template <class Pass, class Output>
struct keep_sets_arguments {
  Pass pass;
  index_t* splits;  // of tiles; null if blocks search
  descriptor_ring ring;
  Output to;
};

/// Configures a block of set operations, which has one or two tiles in shared memory. With one, the
/// kept items of a tile wait in registers for their place, and more blocks fit a multiprocessor.
template <int Warps, int Items, int Stages>
struct sets_config : comparison_config<Warps, Items> {
  static constexpr int stages = Stages;
  static_assert(stages == 1 || stages == 2);
};

/// Writes the items that Rule keeps, and how many there are. The pass is one of whole arrays, whose
/// sizes may be smaller than those that the host knows of.
template <class Device, class Rule, class Pass, class Output, class Config>
class keep_sets_block {
  using source = std::remove_cvref_t<decltype(std::declval<Pass>().a)>;
  using T = typename source::item;
  using arguments = keep_sets_arguments<Pass, Output>;
  using carry = typename set_places::carry;
  using value = std::remove_pointer_t<decltype(Output::values)>;
  using count_type = std::remove_pointer_t<decltype(Output::count)>;
  static constexpr int items = Config::items, lanes = Device::warp_size, warps = Config::warps;
  static constexpr bool has_values = !std::is_same_v<value, no_values>;
  using walk_type = set_walk<Rule, Pass, items, has_values>;
  using items_of_thread = typename walk_type::items_of_thread;
  static constexpr int bits = walk_type::bits, halo = walk_type::halo;

 public:
  using traits = policy_traits<Device, index_t, set_places>;
  using lookback_type = single_pass_descriptors<Device, index_t, set_places>;
  static constexpr int threads = (warps + 1) * lanes;  // the last warp looks back
  static constexpr int tile = warps * lanes * items;
  using splits_block = merge_splits_block<Device, Pass, tile>;

 private:
  static constexpr int walking = warps * lanes;  // threads
  static_assert(walking >= 3 * halo);
  static_assert(tile + walking <= 1 << 16);
  static constexpr int stages = Config::stages;
  /// True if the next tile is loaded before the last one is moved. Values take the registers for
  /// it, unless they wait in registers themselves.
  static constexpr bool loads_ahead = stages == 1 || !has_values;
  struct stage {
    // Before a, a, b, behind b. Without values, then the kept ones.
    uninitialized_array<T, tile + 2 * halo> items;
    uninitialized_array<T, halo> before_b;
    // With values: of kept items; then of dropped ones.
    std::uint16_t places[std::size_t{has_values ? tile + walking : 1}];
  };
  struct shared_layout {
    stage stage_of[stages];
    index_t splits[2];
    index_t next;                            // tile
    index_t before;                          // what the tiles before the last one keep
    std::uint32_t kept[std::size_t{warps}];  // of each warp
  };

 public:
  static constexpr int shared_bytes = int{sizeof(shared_layout)};
  static index_t tiles(arguments const& a) { return div_up(a.pass.size(), tile); }

  SAM_DEVICE explicit keep_sets_block(arguments const& a)
      : pass_(a.pass), splits_(a.splits), ring_(a.ring), to_(a.to),
        shared_(*reinterpret_cast<shared_layout*>(Device::shared_memory())),
        thread_(Device::warp() * lanes + Device::lane()) {}

  SAM_DEVICE void operator()() const {
    Device::grid_dependency_wait();
    Device::grid_dependency_trigger();
    index_t const all = div_up(pass_.size(), tile);
    if (thread_ == 0)
      shared_.next = index_t(claim());
    Device::sync_block();  // orders the write of the tile before its reads
    if (follows())
      follow(all);
    else
      work(all);
  }

 private:
  SAM_DEVICE bool follows() const { return Device::warp() == warps; }

  /// Items of a thread on their way: of the next tile, and one of those beside it.
  struct fetched {
    items_of_thread items;
    uninitialized_array<T, 1> beside;
  };
  /// Kept items of a tile that wait for its place in registers.
  struct held {
    items_of_thread keys;
    uninitialized_array<std::conditional_t<has_values, value, char>, has_values ? items : 1> values;
  };

  /// Runs all warps but the last one. A tile is moved while the next one is listed. Until then, the
  /// last warp has looked back.
  SAM_DEVICE void work(index_t all) const {
    merge_tile at{}, last_at{};
    index_t t = shared_.next;
    int last_total = -1;
    [[maybe_unused]] held waiting;
    if (t < all) {
      at = find(t);
      load(at, 0);
    }
    Device::sync_block();  // orders the writes of the items before their reads
    for (int s = 0; t < all || last_total >= 0; s ^= stages - 1) {
      std::uint32_t marks = 0, kept = 0, upto = 0;
      int split = 0;
      items_of_thread found;
      if (t < all) {
        marks = marks_of(at, s, split, found);
        kept = std::uint32_t(engine::count_bits(marks & ((1u << bits) - 1)));
        upto = gpu::sum_upto_lane<Device>(kept);
        if (Device::lane() == lanes - 1)
          shared_.kept[Device::warp()] = upto;
      }
      Device::sync_block();  // orders the writes of numbers, and reads of the tile, before others
      index_t const next = t < all ? shared_.next : all;
      if constexpr (stages == 1)
        if (last_total >= 0)
          move_held(waiting, last_total);
      int total = -1;
      if (t < all) {
        std::uint32_t before = upto - kept, sum = 0;
#pragma unroll
        for (int w = 0; w < warps; ++w) {
          std::uint32_t const of_warp = shared_.kept[w];
          before += w < Device::warp() ? of_warp : 0;
          sum += of_warp;
        }
        total = int(sum);
        if constexpr (has_values)
          list(marks, int(before), split, at.of_a + int(min_of(thread_ * items, at.count)) - split,
               s);
        else
          keep(marks, found, shared_.stage_of[s].items.at + before);
      }
      if constexpr (stages == 1) {
        Device::sync_block();  // orders the writes of kept items before their reads
        if (total > 0)
          hold(waiting, at, total, s);
      }
      merge_tile const current = at;
      fetched f;
      if constexpr (loads_ahead)
        if (next < all) {
          at = find(next);
          fetch(at, f);
        }
      if constexpr (stages == 2)
        if (last_total >= 0)
          move(last_at, last_total, s ^ 1);
      Device::sync_block();  // orders the reads of the moved tile before the next one is stored
      last_at = current;
      last_total = total;
      t = next;
      if (t < all) {
        if constexpr (loads_ahead) {
          put(at, f, s ^ (stages - 1));
        } else {
          at = find(t);
          load(at, s ^ 1);
        }
      }
      Device::sync_block();  // orders the writes of kept items and of the tile before their reads
    }
  }
  /// Runs the last warp. Its barriers are those of the others.
  SAM_DEVICE void follow(index_t all) const {
    std::uint32_t const base = Device::load(&ring_.shared->base);
    set_places const policy{{}, 1, {0}};
    warp_state<Device, index_t, set_places> const of_lanes(policy, Device::lane());
    lookback_type descriptors(ring_, of_lanes, {nullptr}, base, 0);
    typename lookback_type::state known;
    descriptors.start(known);
    index_t t = shared_.next, last = -1;
    int last_total = 0;
    auto const await_find = [&] {
      if (t < all && splits_ == nullptr)
        Device::sync_block();  // the one of find_tile
    };
    await_find();
    Device::sync_block();  // as in work()
    while (t < all || last >= 0) {
      std::uint32_t next = 0;
      if (t < all && Device::lane() == 0)
        next = claim();  // takes as long as a load from memory
      if (last >= 0)
        look_back(last, last + 1 == all, last_total, descriptors, known);
      if (t < all && Device::lane() == 0)
        shared_.next = index_t(next);
      Device::sync_block();  // as in work()
      last = -1;
      if (t < all) {
        std::uint32_t total = 0;
#pragma unroll
        for (int w = 0; w < warps; ++w)
          total += shared_.kept[w];
        descriptors.aggregate.at[0] = index_t(total);
        descriptors.wait_for_slot(t);
        carry::announce(descriptors, t);
        last = t, last_total = int(total);
        t = shared_.next;
      }
      if constexpr (stages == 1)
        Device::sync_block();  // as in work()
      if constexpr (loads_ahead)
        await_find();
      Device::sync_block();  // as in work()
      if constexpr (!loads_ahead)
        await_find();
      Device::sync_block();  // as in work()
    }
    if (all == 0 && Device::block() == 0 && Device::lane() == 0)
      *to_.count = 0;
    gpu::leave<Device>(ring_, base, all, do_nothing{});
  }
  SAM_DEVICE merge_tile find(index_t t) const {
    return gpu::find_tile<Device>(pass_, pass_.runs_of(0), t * tile, tile, splits_, t,
                                  shared_.splits);
  }
  /// Returns the marks of a thread's items, these, and how many of the items before are of a.
  SAM_DEVICE std::uint32_t marks_of(merge_tile const& at, int s, int& split,
                                    items_of_thread& found) const {
    T const* const in_tile = shared_.stage_of[s].items.at + halo;
    int const begin = int(min_of(thread_ * items, at.count));
    split =
        gpu::split_of(in_tile, shared_runs{0, at.of_a, at.of_a, at.count}, begin,
                      [&](T const& x, T const& y) { return static_cast<bool>(pass_.less(x, y)); });
    typename walk_type::tile_items const tile{in_tile,
                                              shared_.stage_of[s].before_b.at,
                                              engine::advanced(pass_.a.keys, at.a),
                                              engine::advanced(pass_.b.keys, at.b),
                                              at.of_a,
                                              at.count - at.of_a};
    int const left = int(min_of(items, at.count - begin));
    return left > 0 ? walk_type(pass_, tile, at).walk(split, begin - split, left, found) : 0;
  }
  /// Returns the next tile that no block has.
  SAM_DEVICE std::uint32_t claim() const { return Device::add(&ring_.shared->claims, 1); }

  /// Loads a tile, and the items beside it.
  SAM_DEVICE void load(merge_tile const& at, int s) const {
    if constexpr (loads_ahead) {
      fetched f;
      fetch(at, f);
      put(at, f, s);
      return;
    }
    int const thread = Device::opaque(thread_);  // else indices would stay in registers
    auto const load_with = [&]<bool Full>(std::bool_constant<Full>) {
      source::with_either(pass_.a, at.a + thread, pass_.b, at.b - at.of_a + thread,
                          [&](auto const& load) {
                            gpu::load_tile<walking, items, Full>(
                                shared_.stage_of[s].items.at + halo, thread, at.count,
                                [&](int i) { return load(i < at.of_a, i - thread); });
                          });
    };
    if (at.count == tile)
      load_with(std::bool_constant<true>{});
    else
      load_with(std::bool_constant<false>{});
    if (T const* const from = beside(at, thread); from != nullptr)
      place_beside(at, thread, s) = *from;
  }
  /// Loads the items of a tile, and of those beside it, into registers.
  SAM_DEVICE void fetch(merge_tile const& at, fetched& to) const {
    int const thread = Device::opaque(thread_);  // else indices would stay in registers
    source::with_either(pass_.a, at.a + thread, pass_.b, at.b - at.of_a + thread,
                        [&](auto const& load) {
#pragma unroll
                          for (int k = 0; k < items; ++k) {
                            int const i = k * walking + thread;
                            if (i < at.count)
                              to.items.at[k] = load(i < at.of_a, k * walking);
                          }
                        });
    if (T const* const from = beside(at, thread); from != nullptr)
      to.beside.at[0] = *from;
  }
  /// Stores what was loaded.
  SAM_DEVICE void put(merge_tile const& at, fetched const& from, int s) const {
    int const thread = Device::opaque(thread_);
#pragma unroll
    for (int j = 0; j < items; ++j)
      if (j * walking + thread < at.count)
        shared_.stage_of[s].items.at[halo + j * walking + thread] = from.items.at[j];
    if (beside(at, thread) != nullptr)
      place_beside(at, thread, s) = from.beside.at[0];
  }
  /// Returns where the item beside a tile goes that a thread loads.
  SAM_DEVICE T& place_beside(merge_tile const& at, int thread, int s) const {
    int const k = thread % halo;
    stage& to = shared_.stage_of[s];
    return thread < halo       ? to.items.at[halo - 1 - k]
           : thread < 2 * halo ? to.items.at[halo + at.count + k]
                               : to.before_b.at[halo - 1 - k];
  }
  /// Returns the item beside a tile that a thread loads; null if there is none.
  SAM_DEVICE T const* beside(merge_tile const& at, int thread) const {
    int const k = thread % halo;
    if (thread < halo)
      return at.a > k ? engine::advanced(pass_.a.keys, at.a - 1 - k) : nullptr;
    if (thread < 2 * halo) {
      index_t const behind = at.b + (at.count - at.of_a) + k;
      if (behind < pass_.n_b)
        return engine::advanced(pass_.b.keys, behind);
      // Threads may compare the first of these even if there is none: with another item, then.
      if (k > 0)
        return nullptr;
      return at.of_a > 0 ? engine::advanced(pass_.a.keys, at.a)
                         : engine::advanced(pass_.b.keys, at.b);
    }
    return thread < 3 * halo && at.b > k ? engine::advanced(pass_.b.keys, at.b - 1 - k) : nullptr;
  }

  /// Finds what earlier tiles keep.
  SAM_DEVICE void look_back(index_t t, bool is_last, int total, lookback_type& descriptors,
                            typename lookback_type::state& known) const {
    descriptors.aggregate.at[0] = total;
    carry::exclusive_prefix(descriptors, t, known);
    if (Device::lane() == 0) {
      shared_.before = known.before.at[0];
      if (is_last)
        *to_.count = static_cast<count_type>(known.before.at[0] + total);
    }
    if (!is_last)
      descriptors.publish_inclusive_prefix(t, known);
    descriptors.finish(t);
  }

  /// Stores the kept items of a thread over those of the tile, which all threads have read.
  SAM_DEVICE void keep(std::uint32_t marks, items_of_thread const& found, T* to) const {
#pragma unroll
    for (int k = 0; k < items; ++k) {
      bool const is_kept = (marks & 1u << k) != 0;
      if (is_kept)
        *to = found.at[k];
      to += is_kept ? 1 : 0;
    }
  }
  /// Lists where the kept items of a thread lie in the tile, from `place` on. The next items are a
  /// and b.
  SAM_DEVICE void list(std::uint32_t marks, int place, int a, int b, int s) const {
    std::uint32_t places = std::uint32_t(b) << 16 | std::uint32_t(a);
    // Dropped items are stored too, behind the list, since branches would cost more.
    std::uint16_t* next = shared_.stage_of[s].places + place;
    std::uint16_t* const dropped = shared_.stage_of[s].places + tile + thread_;
#pragma unroll
    for (int k = 0; k < items; ++k) {
      bool const from_b = (marks & 1u << (bits + k)) != 0, is_kept = (marks & 1u << k) != 0;
      *(is_kept ? next : dropped) = static_cast<std::uint16_t>(from_b ? places >> 16 : places);
      next += is_kept ? 1 : 0;
      places += from_b ? 1u << 16 : 1;
    }
  }
  /// Returns the kept item number i of a tile.
  SAM_DEVICE T const& kept_item(stage const& of, int i) const {
    return of.items.at[has_values ? halo + of.places[i] : i];
  }

  /// Calls f with a function that returns the value of a place in a tile.
  template <class F>
  SAM_DEVICE void with_values(merge_tile const& at, F const& f) const {
    auto const* const a = engine::advanced(to_.values_a, at.a);
    auto const* const b = engine::advanced(to_.values_b, at.b - at.of_a);
    f([=, of_a = at.of_a](int place) { return (place < of_a ? a : b)[place]; });
  }
  /// Returns how many of `total` items fit in an output from `before` on.
  SAM_DEVICE static int fitting(int total, index_t capacity, index_t before) {
    return int(max_of(0, min_of(total, capacity - before)));
  }

  /// Reads the kept items of a tile, of which there are some, and their values.
  SAM_DEVICE void hold(held& to, merge_tile const& at, int total, int s) const {
    stage const& from = shared_.stage_of[s];
    auto const own = [&](int k) { return int(min_of(k * walking + thread_, total - 1)); };
    if constexpr (has_values)
      with_values(at, [&](auto const& load) {
#pragma unroll
        for (int k = 0; k < items; ++k)
          to.values.at[k] = load(from.places[own(k)]);
      });
#pragma unroll
    for (int k = 0; k < items; ++k)
      to.keys.at[k] = kept_item(from, own(k));
  }
  /// Moves items that a tile before the last one has kept.
  SAM_DEVICE void move_held(held const& from, int total) const {
    index_t const before = shared_.before;
    auto const write = [&](auto const* x, auto* to, index_t capacity) {
      int const end = fitting(total, capacity, before);
#pragma unroll
      for (int k = 0; k < items; ++k)
        if (k * walking + thread_ < end)
          to[before + k * walking + thread_] = x[k];
    };
    write(from.keys.at, to_.keys, to_.keys_size);
    if constexpr (has_values)
      write(from.values.at, to_.values, to_.values_size);
  }

  /// Moves the kept items of a tile, and their values.
  SAM_DEVICE void move(merge_tile const& at, int total, int s) const {
    index_t const before = shared_.before;
    stage const& from = shared_.stage_of[s];
    copy(to_.keys, to_.keys_size, before, total, [&](int i) { return kept_item(from, i); });
    if constexpr (has_values)
      with_values(at, [&](auto const& load) {
        copy(to_.values, to_.values_size, before, total,
             [&](int i) { return load(from.places[i]); });
      });
  }
  template <class X, class Load>
  SAM_DEVICE void copy(X* to, index_t capacity, index_t before, int total, Load const& load) const {
    int const end = fitting(total, capacity, before);
    if (end == 0)
      return;
    X* const out = to + before;
    constexpr int at_once = std::is_class_v<X> ? 1 : 4, step = at_once * walking;
    int i = thread_;
    for (; i < end - end % step; i += step) {
      uninitialized_array<X, at_once> x;
#pragma unroll
      for (int k = 0; k < at_once; ++k)
        x.at[k] = load(i + k * walking);
#pragma unroll
      for (int k = 0; k < at_once; ++k)
        out[i + k * walking] = x.at[k];
    }
    for (; i < end; i += walking)
      out[i] = load(i);
  }

  Pass const& pass_;
  index_t const* splits_;
  descriptor_ring const& ring_;
  Output const& to_;
  shared_layout& shared_;
  int thread_;
};

}  // namespace sam::inline v0_1::gpu
