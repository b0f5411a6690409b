// SPDX-License-Identifier: MIT
// Implements a pass of the fallback's sort as two kernels for teams. The first counts the digits of
// each chunk of keys. The second sorts each tile in the team's memory, and moves its keys behind
// those of equal digits in earlier chunks. No team waits for another.
//
// Source: Satish, Harris, Garland, "Designing efficient sorting algorithms for manycore GPUs",
// IPDPS 2009: tiles are sorted before keys move, so that keys of a digit move together.
#pragma once

#include <sam/backend/sort_job.hpp>
#include <sam/gpu/fallback/tile_order.hpp>

#include <cstddef>
#include <type_traits>

namespace sam::inline v0_1::gpu {

/// Describes a pass of a sort: which digit it sorts by, from where to where.
template <class Key, class Value, class Digits>
struct digit_pass {
  static constexpr int digit_bits = 8, digits_of_pass = 1 << digit_bits;
  static constexpr bool has_values = !std::is_same_v<Value, no_values>;
  static constexpr int item_bytes =
      static_cast<int>(has_values && sizeof(Value) > sizeof(Key) ? sizeof(Value) : sizeof(Key));
  using tile = tile_order<item_bytes>;
  static constexpr index_t most_single_tiles = 2048;

  index_t n;
  Key const* keys;
  Value const* values;  // null if value i is i
  Key* moved_keys;
  Value* moved_values;
  Digits digits;
  int shift;
  int mask;
  index_t* counts;  // of each digit, and in it of each chunk

  /// Returns the tiles per chunk, which a team handles one after the other.
  SAM_FUNCTION int tiles() const {
    return engine::div_up(n, tile::items) <= most_single_tiles ? 1 : 8;
  }
  SAM_FUNCTION index_t chunk() const { return tiles() * index_t{tile::items}; }
  SAM_FUNCTION index_t chunks() const { return engine::div_up(n, chunk()); }
  SAM_FUNCTION int digit(Key const& key) const {
    return static_cast<int>(digits(key) >> shift) & mask;
  }
  /// Returns the number of items of the tile that begins at item `first`.
  SAM_FUNCTION int items_from(index_t first) const {
    return static_cast<int>(min_of(n - first, index_t{tile::items}));
  }
};

/// Counts the digits of a chunk. Several counters per digit keep threads from waiting for one
/// another where most keys have the same digit.
template <class Pass>
struct count_digits {
  static constexpr int copies = 8, runs = Pass::tile::runs, K = Pass::tile::run;
  static constexpr std::size_t bytes = copies * Pass::digits_of_pass * sizeof(int);
  Pass pass;

  template <class Team>
  SAM_FUNCTION void operator()(Team const& team) const {
    auto* const counters = reinterpret_cast<int*>(team.memory());
    int const digits = pass.mask + 1;
    team.for_each(copies * digits, [&](int i) { counters[i] = 0; });
    team.barrier();
    index_t const begin = team.index() * pass.chunk();
    for (int t = 0; t < pass.tiles(); ++t) {
      index_t const first = begin + t * index_t{Pass::tile::items};
      if (first < pass.n)
        count_tile(team, counters, first, pass.items_from(first));
    }
    team.barrier();
    team.for_each(digits, [&](int d) {
      index_t count = 0;
      for (int copy = 0; copy < copies; ++copy)
        count += counters[copy * digits + d];
      pass.counts[d * pass.chunks() + team.index()] = count;
    });
  }

 private:
  template <class Team>
  SAM_FUNCTION void count_tile(Team const& team, int* counters, index_t first, int count) const {
    team.for_each(runs, [&](int r) {
      int* const own = counters + r % copies * (pass.mask + 1);
      if (count == Pass::tile::items) {
        int digits[std::size_t{K}];
        for (int k = 0; k < K; ++k)
          digits[k] = pass.digit(pass.keys[first + k * runs + r]);
        for (int k = 0; k < K; ++k)
          team.count(own + digits[k]);
      } else {
        for (int i = r; i < count; i += runs)
          team.count(own + pass.digit(pass.keys[first + i]));
      }
    });
  }
};

/// Moves the keys of a chunk, and their values, behind equal digits of earlier chunks.
template <class Pass>
struct move_items {
  using tile = typename Pass::tile;
  static constexpr int runs = tile::runs, K = tile::run;
  static constexpr std::size_t bytes = tile::bytes + 2 * Pass::digits_of_pass * sizeof(index_t);
  Pass pass;

  template <class Team>
  SAM_FUNCTION void operator()(Team const& team) const {
    auto* const next = reinterpret_cast<index_t*>(team.memory());
    tile const order(reinterpret_cast<std::byte*>(next + 2 * Pass::digits_of_pass));
    destinations const of(next, order.template items_of<int>());
    team.for_each(pass.mask + 1,
                  [&](int d) { of.next[d] = pass.counts[d * pass.chunks() + team.index()]; });
    index_t const begin = team.index() * pass.chunk();
    for (int t = 0; t < pass.tiles(); ++t) {
      index_t const first = begin + t * index_t{tile::items};
      if (first >= pass.n)
        return;
      int const count = pass.items_from(first);
      load_digits(team, order, first, count);
      order.sort(team, count, pass.mask);
      find_destinations(team, order, of, count);
      move_tile(team, order, of, first, count);
    }
  }

 private:
  using Key = std::remove_pointer_t<decltype(Pass::moved_keys)>;
  using Value = std::remove_pointer_t<decltype(Pass::moved_values)>;

  /// For each digit, in the team's memory: where its next key goes; that minus its first place in
  /// the sorted tile; that place; and the place behind its last. Keys take the memory of the places
  /// when they move.
  struct destinations {
    index_t *next, *from_place;
    int *begins, *ends;
    SAM_FUNCTION destinations(index_t* memory, int* places)
        : next(memory), from_place(next + Pass::digits_of_pass), begins(places),
          ends(begins + Pass::digits_of_pass) {}
  };
  static_assert(tile::bytes_of_area >= 2 * Pass::digits_of_pass * static_cast<int>(sizeof(int)));

  template <class Team>
  SAM_FUNCTION void load_digits(Team const& team, tile const& order, index_t first,
                                int count) const {
    team.for_each(runs, [&](int r) {
      if (count == tile::items) {
        int digits[std::size_t{K}];
        for (int k = 0; k < K; ++k)
          digits[k] = pass.digit(pass.keys[first + k * runs + r]);
        for (int k = 0; k < K; ++k)
          order.digits[k * runs + r] = static_cast<std::uint8_t>(digits[k]);
      } else {
        for (int i = r; i < count; i += runs)
          order.digits[i] = static_cast<std::uint8_t>(pass.digit(pass.keys[first + i]));
      }
    });
    team.barrier();
  }
  /// Finds where each digit begins and ends in the sorted tile, and where its keys go.
  template <class Team>
  SAM_FUNCTION void find_destinations(Team const& team, tile const& order, destinations const& of,
                                      int count) const {
    team.for_each(pass.mask + 1, [&](int d) { of.begins[d] = of.ends[d] = 0; });
    team.barrier();
    team.for_each(count, [&](int p) {
      int const d = order.digit_at(p), before = p == 0 ? -1 : order.digit_at(p - 1);
      if (before != d) {
        of.begins[d] = p;
        if (p > 0)
          of.ends[before] = p;
      }
      if (p + 1 == count)
        of.ends[d] = count;
    });
    team.barrier();
    team.for_each(pass.mask + 1, [&](int d) {
      of.from_place[d] = of.next[d] - of.begins[d];
      of.next[d] += of.ends[d] - of.begins[d];
    });
    team.barrier();
  }
  template <class Team>
  SAM_FUNCTION void move_tile(Team const& team, tile const& order, destinations const& of,
                              index_t first, int count) const {
    move(team, order, of, pass.keys + first, pass.moved_keys, count);
    if constexpr (Pass::has_values) {
      if constexpr (std::is_convertible_v<index_t, Value>)
        if (pass.values == nullptr) {
          for_each_move(team, order, of, count, [&](int i, index_t to) {
            pass.moved_values[to] = static_cast<Value>(first + i);
          });
          return team.barrier();
        }
      move(team, order, of, pass.values + first, pass.moved_values, count);
    }
    team.barrier();
  }
  /// Moves keys or values through the team's memory, if it has space for them.
  template <class Team, class T>
  SAM_FUNCTION void move(Team const& team, tile const& order, destinations const& of, T const* from,
                         T* moved, int count) const {
    if constexpr (tile::template holds<T>) {
      T* const held = order.template items_of<T>();
      team.for_each(runs, [&](int r) {
        if (count == tile::items) {
          uninitialized_array<T, K> x;
          for (int k = 0; k < K; ++k)
            x.at[k] = from[k * runs + r];
          for (int k = 0; k < K; ++k)
            held[k * runs + r] = x.at[k];
        } else {
          for (int i = r; i < count; i += runs)
            held[i] = from[i];
        }
      });
      team.barrier();
      for_each_move(team, order, of, count, [&](int i, index_t to) { moved[to] = held[i]; });
      team.barrier();
    } else {
      for_each_move(team, order, of, count, [&](int i, index_t to) { moved[to] = from[i]; });
    }
  }
  /// Calls f(i, to) for each item i of a tile and its destination.
  template <class Team, class F>
  SAM_FUNCTION void for_each_move(Team const& team, tile const& order, destinations const& of,
                                  int count, F const& f) const {
    auto const visit = [&](int p) {
      int const i = order.order[p];
      index_t const to = of.from_place[order.digits[i]] + p;
      // A digits function that contradicts itself must not write outside the arrays.
      if (to >= 0 && to < pass.n)
        f(i, to);
    };
    team.for_each(runs, [&](int r) {
      if (count == tile::items) {
        for (int k = 0; k < K; ++k)
          visit(k * runs + r);
      } else {
        for (int p = r; p < count; p += runs)
          visit(p);
      }
    });
  }
};

/// Copies keys and values without sorting them.
template <class Pass>
struct copy_keys {
  Pass pass;
  SAM_FUNCTION void operator()(index_t i) const {
    if (pass.moved_keys != pass.keys)
      pass.moved_keys[i] = pass.keys[i];
    if constexpr (Pass::has_values) {
      using Value = std::remove_pointer_t<decltype(Pass::moved_values)>;
      if constexpr (std::is_convertible_v<index_t, Value>)
        pass.moved_values[i] = pass.values == nullptr ? static_cast<Value>(i) : pass.values[i];
      else
        pass.moved_values[i] = pass.values[i];
    }
  }
};

}  // namespace sam::inline v0_1::gpu
