// SPDX-License-Identifier: MIT
// Sorts the digits of a tile in the memory of a team: by counting, 4 bits at a time.
#pragma once

#include <sam/portable.hpp>

#include <cstddef>

namespace sam::inline v0_1::gpu {

/// The order of the digits of a tile, whose items have up to ItemBytes bytes, in a team's memory
/// (<sam/gpu/fallback/team_tile.hpp>). A thread handles a run of consecutive places. The length of
/// a run is odd, so that the threads of a warp access different banks.
template <int ItemBytes>
struct tile_order {
  static constexpr int runs = 256, group = 16;
  static constexpr int run = ItemBytes <= 4 ? 15 : ItemBytes <= 8 ? 7 : 3;
  static constexpr int items = runs * run;
  static constexpr int round_bits = 4, kinds = 1 << round_bits;
  // A thread adds up 16 counters. Two more between theirs spread threads over the banks.
  static constexpr int counters_of_thread = kinds + 2;
  static constexpr int bytes_of_order = items * static_cast<int>(sizeof(std::uint16_t));
  static constexpr int bytes_of_counters =
      runs * counters_of_thread * static_cast<int>(sizeof(std::uint16_t));
  static constexpr int bytes_of_sums = (runs + group) * static_cast<int>(sizeof(int));
  static constexpr int bytes_to_sort = bytes_of_order + bytes_of_counters + bytes_of_sums;
  static constexpr int most_item_bytes = 16;
  static constexpr int bytes_of_items = ItemBytes <= most_item_bytes ? items * ItemBytes : 0;
  static constexpr int bytes_of_digits = (items + 15) / 16 * 16;
  static constexpr std::size_t bytes =
      bytes_of_digits + (bytes_of_order + 15) / 16 * 16 +
      (bytes_of_items > bytes_to_sort ? bytes_of_items : bytes_to_sort);

  /// True if the memory of the sort also holds the items of a tile, if they have type T.
  template <class T>
  static constexpr bool holds = static_cast<int>(sizeof(T)) * items <=
                                    static_cast<int>(bytes) - bytes_of_digits -
                                        (bytes_of_order + 15) / 16 * 16 &&
                                alignof(T) <= 16;

  std::uint8_t* digits;  // of each item
  std::uint16_t* order;  // the item at each place
  std::byte* area;

  SAM_FUNCTION explicit tile_order(std::byte* memory)
      : digits(reinterpret_cast<std::uint8_t*>(memory)),
        order(reinterpret_cast<std::uint16_t*>(memory + bytes_of_digits)),
        area(memory + bytes_of_digits + (bytes_of_order + 15) / 16 * 16) {}

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
      round(team, nullptr, order, count, 0);
    } else {
      round(team, nullptr, other, count, 0);
      round(team, other, order, count, round_bits);
    }
  }

 private:
  SAM_FUNCTION std::uint16_t* counters() const {
    return reinterpret_cast<std::uint16_t*>(area + bytes_of_order);
  }
  SAM_FUNCTION int* sums() const {
    return reinterpret_cast<int*>(area + bytes_of_order + bytes_of_counters);
  }
  /// Returns the counter of a kind and a run. Those of all runs for a kind lie before those for the
  /// next kind.
  SAM_FUNCTION std::uint16_t& counter(int kind, int r) const {
    int const i = kind * runs + r;
    return counters()[i / kinds * counters_of_thread + i % kinds];
  }
  SAM_FUNCTION int kind_of(int item, int shift) const {
    return digits[item] >> shift & (kinds - 1);
  }

  /// Sorts the places of `from`, or of all items if that is null, by 4 bits of their digits.
  template <class Team>
  SAM_FUNCTION void round(Team const& team, std::uint16_t const* from, std::uint16_t* to, int count,
                          int shift) const {
    team.for_each(runs, [&](int r) {
      std::uint64_t counts[2] = {};  // 8 bits for each kind
      for (int p = r * run; p < (r + 1) * run && p < count; ++p) {
        int const kind = kind_of(from == nullptr ? p : from[p], shift);
        std::uint64_t const one = std::uint64_t{1} << kind % 8 * 8;
        if (kind < 8)
          counts[0] += one;
        else
          counts[1] += one;
      }
      for (int kind = 0; kind < kinds; ++kind)
        counter(kind, r) =
            static_cast<std::uint16_t>((kind < 8 ? counts[0] : counts[1]) >> kind % 8 * 8 & 255);
    });
    team.barrier();
    scan_counters(team);
    team.for_each(runs, [&](int r) {
      for (int p = r * run; p < (r + 1) * run && p < count; ++p) {
        int const item = from == nullptr ? p : from[p];
        to[counter(kind_of(item, shift), r)++] = static_cast<std::uint16_t>(item);
      }
    });
    team.barrier();
  }
  /// Replaces each counter by the sum of those before it.
  template <class Team>
  SAM_FUNCTION void scan_counters(Team const& team) const {
    static_assert(kinds == group && runs == group * group);
    int *const of_threads = sums(), *const of_groups = of_threads + runs;
    team.for_each(runs, [&](int t) {
      int sum = 0;
      for (int k = 0; k < kinds; ++k)
        sum += counters()[t * counters_of_thread + k];
      of_threads[t] = sum;
    });
    team.barrier();
    team.for_each(group, [&](int g) {
      int sum = 0;
      for (int k = 0; k < group; ++k)
        sum += of_threads[g * group + k];
      of_groups[g] = sum;
    });
    team.barrier();
    team.for_each(group, [&](int g) {
      int sum = 0;
      for (int k = 0; k < g; ++k)
        sum += of_groups[k];
      for (int k = 0; k < group; ++k) {
        int const count = of_threads[g * group + k];
        of_threads[g * group + k] = sum;
        sum += count;
      }
    });
    team.barrier();
    team.for_each(runs, [&](int t) {
      int sum = of_threads[t];
      for (int k = 0; k < kinds; ++k) {
        std::uint16_t& place = counters()[t * counters_of_thread + k];
        int const count = place;
        place = static_cast<std::uint16_t>(sum);
        sum += count;
      }
    });
    team.barrier();
  }
};

}  // namespace sam::inline v0_1::gpu
