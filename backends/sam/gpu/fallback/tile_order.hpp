// SPDX-License-Identifier: MIT
// Sorts the digits of a tile in the memory of a team: by counting, 4 bits at a time.
#pragma once

#include <sam/portable.hpp>

#include <cstddef>

namespace sam::inline v0_1::gpu {

/// The order of the digits of a tile, whose items have up to ItemBytes bytes, in a team's memory
/// (<sam/gpu/fallback/team_tile.hpp>). A thread handles a run of consecutive places. The length of
/// a run is odd, so that the threads of a warp access different banks, and at most 15, so that a
/// thread counts each of the 16 kinds of 4 bits in 4 bits.
template <int ItemBytes>
struct tile_order {
  static constexpr int runs = 256, group = 16;
  static constexpr int run = ItemBytes <= 4 ? 15 : ItemBytes <= 8 ? 7 : 3;
  static constexpr int items = runs * run;
  static constexpr int round_bits = 4, kinds = 1 << round_bits;
  static constexpr int item_bits = 12;  // of an entry that has 4 bits of the digit above
  static_assert(items <= 1 << item_bits && run < 1 << round_bits);

  // 4 words hold the counters of a run, 16 bits for each kind. Those of groups of runs follow.
  static constexpr int words = 4, kinds_of_word = kinds / words;
  static constexpr int groups = runs / group;
  static constexpr int padded(int bytes) { return (bytes + 15) / 16 * 16; }
  static constexpr int bytes_of_digits = padded(items);
  static constexpr int bytes_of_order = padded(items * static_cast<int>(sizeof(std::uint16_t)));
  static constexpr int bytes_of_counters =
      (runs + groups + 1) * words * static_cast<int>(sizeof(std::uint64_t));
  static constexpr int bytes_to_sort = bytes_of_order + bytes_of_counters;
  static constexpr int most_item_bytes = 16;
  static constexpr int bytes_of_items = ItemBytes <= most_item_bytes ? items * ItemBytes : 0;
  static constexpr int bytes_of_area =
      bytes_of_items > bytes_to_sort ? bytes_of_items : bytes_to_sort;
  static constexpr std::size_t bytes = bytes_of_digits + bytes_of_order + bytes_of_area;

  /// True if the memory of the sort also holds the items of a tile, if they have type T.
  template <class T>
  static constexpr bool holds = static_cast<int>(sizeof(T)) * items <= bytes_of_area &&
                                alignof(T) <= 16;

  std::uint8_t* digits;  // of each item
  std::uint16_t* order;  // the item at each place
  std::byte* area;

  SAM_FUNCTION explicit tile_order(std::byte* memory)
      : digits(reinterpret_cast<std::uint8_t*>(memory)),
        order(reinterpret_cast<std::uint16_t*>(memory + bytes_of_digits)),
        area(memory + bytes_of_digits + bytes_of_order) {}

  SAM_FUNCTION int digit_at(int place) const { return digits[order[place]]; }
  /// Returns memory for the items of a tile, which holds no other data after `sort`.
  template <class T>
  SAM_FUNCTION T* items_of() const {
    return reinterpret_cast<T*>(area);
  }

  /// Sorts the first `count` digits, which are at most `mask`, stably.
  template <class Team>
  SAM_FUNCTION void sort(Team const& team, int count, int mask) const {
    auto* const other = reinterpret_cast<std::uint16_t*>(area);
    if (mask < kinds) {
      round(team, low_bits{digits}, order, count);
    } else {
      round(team, low_bits{digits}, other, count);
      round(team, high_bits{other}, order, count);
    }
  }

 private:
  /// Reads the items in their own order, by the low bits of their digits. Writes the high bits
  /// beside the item.
  struct low_bits {
    std::uint8_t const* digits;
    using entry = std::uint8_t;
    SAM_FUNCTION entry at(int place) const { return digits[place]; }
    static SAM_FUNCTION int kind(entry digit) { return digit & (kinds - 1); }
    static SAM_FUNCTION std::uint16_t out(int place, entry digit) {
      return static_cast<std::uint16_t>(place | digit >> round_bits << item_bits);
    }
  };
  /// Reads what a round by the low bits wrote, by the high bits.
  struct high_bits {
    std::uint16_t const* entries;
    using entry = std::uint16_t;
    SAM_FUNCTION entry at(int place) const { return entries[place]; }
    static SAM_FUNCTION int kind(entry x) { return x >> item_bits; }
    static SAM_FUNCTION std::uint16_t out(int, entry x) {
      return static_cast<std::uint16_t>(x & ((1 << item_bits) - 1));
    }
  };

  /// Word w of run r is at w * runs + place_of(r); of group g, at w * groups + g. The runs of a
  /// group lie together, in an order of its own: threads that take a group each, run by run, then
  /// use different banks, as do threads that take a run each.
  static SAM_FUNCTION int place_of(int r) { return r ^ r / group % group; }
  SAM_FUNCTION std::uint64_t* of_runs() const {
    return reinterpret_cast<std::uint64_t*>(area + bytes_of_order);
  }
  SAM_FUNCTION std::uint64_t* of_groups() const { return of_runs() + runs * words; }
  SAM_FUNCTION std::uint64_t* totals() const { return of_groups() + groups * words; }

  /// Calls f(place, entry, kind, earlier) for the places of a run, where `earlier` is the number of
  /// earlier places of that kind in the run. Returns the counts, 4 bits for each kind.
  template <class From, class F>
  static SAM_FUNCTION std::uint64_t for_each_place(From const& from, int r, int count, F const& f) {
    std::uint64_t counts = 0;
    auto const visit = [&](int place, typename From::entry x) {
      int const shift = From::kind(x) * round_bits;
      f(place, x, From::kind(x), static_cast<int>(counts >> shift & (kinds - 1)));
      counts += std::uint64_t{1} << shift;
    };
    if ((r + 1) * run <= count) {
      typename From::entry x[std::size_t{run}];
      for (int k = 0; k < run; ++k)
        x[k] = from.at(r * run + k);
      for (int k = 0; k < run; ++k)
        visit(r * run + k, x[k]);
    } else {
      for (int place = r * run; place < count; ++place)
        visit(place, from.at(place));
    }
    return counts;
  }

  /// Writes the places of `from` to `to`, sorted by 4 bits.
  template <class Team, class From>
  SAM_FUNCTION void round(Team const& team, From const& from, std::uint16_t* to, int count) const {
    team.for_each(runs, [&](int r) {
      std::uint64_t const counts =
          for_each_place(from, r, count, [](int, typename From::entry, int, int) {});
      for (int w = 0; w < words; ++w) {
        std::uint64_t const four = counts >> w * 16;
        of_runs()[w * runs + place_of(r)] =
            (four & 15) | (four & 240) << 12 | (four & 3840) << 24 | (four & 61440) << 36;
      }
    });
    team.barrier();
    scan_counters(team);
    team.for_each(runs, [&](int r) {
      for_each_place(from, r, count, [&](int place, typename From::entry x, int kind, int earlier) {
        std::uint64_t const word = of_runs()[kind / kinds_of_word * runs + place_of(r)];
        int const before = static_cast<int>(word >> kind % kinds_of_word * 16) & 65535;
        to[before + earlier] = From::out(place, x);
      });
    });
    team.barrier();
  }
  /// Replaces each counter by the number of places of smaller kinds, and of its kind in earlier
  /// runs.
  template <class Team>
  SAM_FUNCTION void scan_counters(Team const& team) const {
    team.for_each(groups * words, [&](int i) {
      std::uint64_t const* const own = of_runs() + i / groups * runs;
      std::uint64_t sum = 0;
      for (int k = 0; k < group; ++k)
        sum += own[place_of(i % groups * group + k)];
      of_groups()[i] = sum;
    });
    team.barrier();
    team.for_each(words, [&](int w) {
      std::uint64_t sum = 0;
      for (int g = 0; g < groups; ++g) {
        std::uint64_t const count = of_groups()[w * groups + g];
        of_groups()[w * groups + g] = sum;
        sum += count;
      }
      totals()[w] = sum;
    });
    team.barrier();
    team.for_each(groups * words, [&](int i) {
      // The places of smaller kinds, for each kind of the word.
      std::uint64_t smaller = 0, sum = 0;
      for (int w = 0; w <= i / groups; ++w)
        for (int k = 0; k < kinds_of_word; ++k) {
          if (w == i / groups)
            smaller |= sum << k * 16;
          sum += totals()[w] >> k * 16 & 65535;
        }
      sum = of_groups()[i] + smaller;
      std::uint64_t* const own = of_runs() + i / groups * runs;
      for (int k = 0; k < group; ++k) {
        int const at = place_of(i % groups * group + k);
        std::uint64_t const count = own[at];
        own[at] = sum;
        sum += count;
      }
    });
    team.barrier();
  }
};

}  // namespace sam::inline v0_1::gpu
