// SPDX-License-Identifier: MIT
// Defines the job by which one_cluster_scan partitions few items by kind.
#pragma once

#include <sam/backend/job.hpp>
#include <sam/backend/split_job.hpp>

#include <cstdint>
#include <type_traits>

namespace sam::inline v0_1::gpu {

/// Writes each item behind the items of earlier kinds and the earlier items of its own. The counts
/// of two kinds share a word of 32 bits, so there are at most 2^16 items. Split is a split_job or a
/// first_split_job, whose later items count as ones of the last kind and are not written.
template <class Split>
struct split_in_cluster {
  using value = typename Split::item;
  static constexpr bool is_counted = requires(Split const split) { split.size(); };
  struct counted_item {
    engine::uninitialized_array<value, 1> x;
    bool is_first;
  };
  using item = std::conditional_t<is_counted, counted_item, value>;
  using accumulator = std::uint32_t;
  static constexpr int kinds = Split::kinds;
  static_assert(kinds == 2 || kinds == 3);
  static constexpr bool scatters = true;
  static constexpr bool uses_total = true;
  static constexpr bool in_one_block = kinds == 2;  // two kinds also take one kernel by tiles
  static constexpr index_t most_items = 1 << 16;
  Split of;

  SAM_FUNCTION item load(index_t i) const {
    if constexpr (is_counted) {
      item x;
      x.is_first = i < of.size();
      if (x.is_first)
        x.x.at[0] = of.in[i];
      return x;
    } else {
      return of.in[i];
    }
  }
  SAM_FUNCTION accumulator to_accumulator(item const& x) const {
    int const kind = kind_of(x);
    return kind == kinds - 1 ? 0u : 1u << 16 * kind;
  }
  /// Stores an item, given the counts of earlier items and those of all items.
  SAM_FUNCTION void store(index_t i, item const& x, accumulator before, accumulator total) const {
    std::uint32_t const first = before & 0xffff, second = before >> 16;
    std::uint32_t const firsts = total & 0xffff, seconds = total >> 16;
    int const kind = kind_of(x);
    std::uint32_t const to = kind == kinds - 1
                                 ? firsts + seconds + std::uint32_t(i) - first - second
                             : kind == 0 ? first
                                         : firsts + second;
    if (to < of.n) {  // false only if a caller's predicate is inconsistent
      if constexpr (!is_counted)
        of.out[to] = x;
      else if (x.is_first)
        of.out[to] = x.x.at[0];
    }
    if (i == of.n - 1)
      store_counts(kind, total);
  }
  /// Never called: one_cluster_scan calls the function above.
  SAM_FUNCTION void store(index_t, item const&, accumulator) const {}

 private:
  SAM_FUNCTION int kind_of(item const& x) const {
    if constexpr (is_counted)
      return x.is_first ? of.kind(x.x.at[0]) : kinds - 1;
    else
      return of.kind(x);
  }
  /// Stores the counts, given the kind of the last item. If all of 2^16 items are of one kind,
  /// their count carries out of its half of the word, which no other total does with such a last
  /// item. Nothing else uses that half then.
  SAM_FUNCTION void store_counts(int last, accumulator total) const {
    using count = typename Split::count;
    constexpr auto most = std::uint32_t(most_items);
    bool const are_firsts = last == 0 && (total & 0xffff) == 0;
    bool const are_seconds = last == 1 && kinds == 3 && total == 0;
    of.counts[0] = static_cast<count>(are_firsts ? most : total & 0xffff);
    if constexpr (kinds == 3)
      of.counts[1] = static_cast<count>(are_firsts ? 0 : are_seconds ? most : total >> 16);
  }
};

}  // namespace sam::inline v0_1::gpu
