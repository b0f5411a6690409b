// SPDX-License-Identifier: MIT
// Sorts one tile stably by one digit in shared memory, and checks the result.
//
// Ranking by atomics relies on an order of additions that no specification guarantees. The block
// therefore checks the sorted tile and, if anything is out of order, ranks it again by ballots.
//
// If keys have no values and all of their bits are sorted by, the keys must ascend by the bits up
// to and including this digit, since earlier passes have sorted the lower bits. Otherwise the
// items' indices in the unsorted tile must ascend within each digit. These original indices are
// written to the items' sorted positions first. The keys then take their place in shared memory, so
// that the check needs no memory of its own.
//
// Source: the passes are those of Adinets, Merrill, "Onesweep: a faster least significant digit
// radix sort for GPUs", arXiv 2206.01784, 2022.
#pragma once

#include <sam/gpu/sort/block_radix_rank.hpp>
#include <sam/gpu/sort/ranking.hpp>

namespace sam::inline v0_1::gpu {

/// Sorts one tile by one digit. Index is the type of positions among all items. With Packs, each
/// key is stored together with its value. MaySwizzle permits bank-swizzled counters; for packed
/// keys with a 64-bit Index they would add 700 bytes of register spills.
template <class Device, class Job, class Config, class Index, bool OriginalIndices,
          bool Packs = false, bool MaySwizzle = !Packs || sizeof(Index) == 4>
class onesweep_tile : public block_radix_rank<Device, Job, Config, Packs, MaySwizzle, false> {
  using ranks = block_radix_rank<Device, Job, Config, Packs, MaySwizzle, false>;

 public:
  using typename ranks::traits, typename ranks::key, typename ranks::ordered_key;
  using value = typename traits::value;
  using ranks::lanes, ranks::warps, ranks::items, ranks::threads, ranks::size, ranks::buckets;
  using ranks::own, ranks::owners;
  static constexpr bool moves_values = traits::has_values && !Packs && sizeof(value) <= 16;
  /// Values take the place of the sorted keys once these are written: so many rows at a time that
  /// they need no more memory than keys or original indices do.
  static constexpr int rows_of_part = [] {
    if constexpr (moves_values)
      return int(max_of(1, min_of(items, items * max_of(4, sizeof(key)) / index_t{sizeof(value)})));
    else
      return items;
  }();
  static constexpr bool has_parts = rows_of_part < items;

  // Layout of shared memory. The original indices lie where the keys do later, and then the values.
  static constexpr int largest_align =
      max_of(16, max_of(alignof(key), moves_values ? alignof(value) : 1));
  static constexpr int aligned(int bytes) {
    return (bytes + largest_align - 1) / largest_align * largest_align;
  }
  static constexpr int offsets_at = ranks::ranks_end;
  static constexpr int keys_at = aligned(offsets_at + buckets * int(sizeof(Index)));
  static constexpr int keys_end = keys_at + size * int(sizeof(key));
  static constexpr int values_end =
      moves_values ? keys_at + rows_of_part * threads * int(sizeof(value)) : 0;
  static constexpr int notes_end = OriginalIndices ? keys_at + size * 4 : 0;
  static constexpr int shared_bytes = int(max_of(keys_end, max_of(values_end, notes_end)));

  using ranks::at, ranks::keys, ranks::start;
  using ranks::ranks;
  using ranks::thread, ranks::place_of, ranks::for_each_place, ranks::unflipped_digit, ranks::flip;

  /// Sorts the keys of all threads into sorted_key(p) and sets at[j] to the position of item j. The
  /// tile has `count` items, which is `size` if Full.
  ///
  /// The owner of digit b calls counted(b, c) with the number c of items of that digit, and start[]
  /// then has the positions where its digits begin. meanwhile() and load_items() run once the keys
  /// have left their registers. If the order check fails, rank_again() is called, and the tile is
  /// sorted by ballots. Without OriginalIndices, the check also fails if is_wrong() returns true to
  /// a thread, and rank_again() loads the keys, which have left their registers.
  template <bool Full, class Counted, class Meanwhile, class IsWrong, class LoadItems,
            class RankAgain>
  SAM_DEVICE void arrange(int count, ranking how, Counted const& counted,
                          Meanwhile const& meanwhile, IsWrong const& is_wrong,
                          LoadItems const& load_items, RankAgain const& rank_again) {
    bool const is_checked = how != ranking::ballot;
    for (bool is_first = true;; is_first = false) {
      bool const ballot = !is_checked || !is_first;
      if (ballot)
        this->rank_by_ballots(count);
      else
        this->template rank_by_atomics<Full>(count);
      Device::sync_block();  // orders the counts before their reads by the digits' owners
      if (is_first)
        this->find_starts(counted);
      if (is_first && thread() == 0)
        *flag() = 0;
      this->template spread<false>();
      Device::sync_block();  // orders the positions before their reads by other warps
      if constexpr (OriginalIndices) {
        scatter_indices<Full>(count);
        Device::sync_block();  // orders the original indices before their reads by other warps
        if (is_out_of_order<Full>(count))
          Device::add_shared(flag(), 1u);
        this->clear();
        Device::sync_block();  // orders the flag and the zeros, and these reads before the keys
        if (!ballot && (*flag() != 0 || how == ranking::force_fallback)) {
          rank_again();
          continue;
        }
        scatter_keys<Full>(count);
        meanwhile();
        load_items();
        Device::sync_block();  // orders the sorted keys and the writes of meanwhile()
        return;
      } else {
        this->template for_each_target<Full>(
            count, [&](int j, int to) { sorted_key(to) = static_cast<key>(keys.at[j]); });
        Device::sync_block();  // orders the sorted keys before their reads by other warps
        this->clear();
        if (is_first)
          meanwhile();
        if (!ballot && (is_out_of_order<Full>(count) || is_wrong()))
          Device::add_shared(flag(), 1u);
        Device::sync_block();  // orders the flag, and the writes of meanwhile(), before their reads
        if (ballot || (*flag() == 0 && how != ranking::force_fallback))
          return;
        rank_again();
      }
    }
  }

  SAM_DEVICE key& sorted_key(int p) const { return this->template item_at<key>(keys_at, p); }
  /// Returns true to a thread that finds another key than `last`, with which a tile of `count` keys
  /// was filled up, behind these. Atomics may rank a key that has the last digit behind the
  /// filling.
  SAM_DEVICE bool has_lost_key(int count, key const& last) const {
    bool lost = false;
    for (int p = count + thread(); p < size; p += threads)
      lost = lost || sorted_key(p) != last;
    return lost;
  }
  /// Returns the position in the sorted tile of the item j that the thread writes. Neighbouring
  /// lanes write neighbouring items. Each warp writes its own rows if their addresses are cheap to
  /// compute, otherwise the rows are strided by block, as parts of the values need. With a 64-bit
  /// Index, the warp's own rows would spill registers.
  SAM_DEVICE int sorted_place(int j) const {
    return writes_rows ? place_of(j) : thread() + j * threads;
  }
  /// Calls f(j, p, key) for each sorted key, with p = sorted_place(j), once per block.
  template <bool Full, class F>
  SAM_DEVICE void for_each_sorted(int count, F const& f) const {
#pragma unroll
    for (int j = 0; j < items; ++j)
      if (int const p = sorted_place(j); Full || p < count) {
        if constexpr (writes_rows)
          f(j, p, this->template item_of_row<key>(keys_at, j));
        else
          f(j, p, sorted_key(p));
      }
  }
  /// Returns the value at position p of the part that is in shared memory.
  SAM_DEVICE value& sorted_value(int p) const { return this->template item_at<value>(keys_at, p); }
  SAM_DEVICE Index* offsets() const { return reinterpret_cast<Index*>(memory_ + offsets_at); }
  /// Returns one of three words of shared memory that are free for the caller.
  SAM_DEVICE std::uint32_t* word(int which) const { return flag() + 1 + which; }

 private:
  using ranks::job_, ranks::memory_, ranks::place_, ranks::flag;
  static constexpr bool writes_rows =
      ranks::template swizzles_rows<key> && sizeof(Index) <= 4 && !has_parts;

  /// Returns the digit and the original index of sorted item p.
  SAM_DEVICE std::uint32_t& note(int p) const {
    return this->template item_at<std::uint32_t>(keys_at, p);
  }

  /// Sets at[], and writes the digit and the original index of each item to its sorted position.
  template <bool Full>
  SAM_DEVICE void scatter_indices(int count) {
    std::uint32_t const first = flip() << 16 | std::uint32_t(place_of(0));
    this->template for_each_target<Full>(count, [&](int j, int to) {
      at.set(j, std::uint32_t(to));
      note(to) = digit_above(keys.at[j]) ^ (first + std::uint32_t(j * lanes));
    });
  }
  /// Returns the unflipped digit of a key, in the bits above those of an original index.
  SAM_DEVICE std::uint32_t digit_above(typename ranks::held const& k) const {
    ordered_key const x = this->ordered_key_of(k);
    if constexpr (sizeof(ordered_key) == 4)
      return Device::rotated_right(x, place_.bit - 16) & place_.mask() << 16;
    else
      return place_.digit(x) << 16;
  }
  template <bool Full>
  SAM_DEVICE void scatter_keys(int count) {
#pragma unroll
    for (int j = 0; j < items; ++j)
      if (Full || place_of(j) < count)
        sorted_key(int(at[j])) = static_cast<key>(keys.at[j]);
  }

  /// True if this thread finds two neighbours out of order.
  template <bool Full>
  SAM_DEVICE bool is_out_of_order(int count) const {
    int const end = Full ? size : count;
    // With keys alone, the owners of digits do the look-back at this time, so the other threads do
    // the check.
    constexpr int idle = !OriginalIndices && threads >= 2 * owners ? threads - owners : threads;
    int const self = thread() - (threads - idle);
    if (self < 0)
      return false;
    if constexpr (!OriginalIndices) {
      if (place_.bit == 0)
        return false;  // no lower bits: these digits are sorted by construction
      ordered_key const mask = place_.template upto<ordered_key>();
      ordered_key const flip = traits::flip_of(job_.digits);
      return falls<Full, idle>(
          self, end, [&](int p) -> key const& { return sorted_key(p); },
          [&](key const& k) {
            return (traits::ordered_key_of_held(job_.digits, k) ^ flip) & mask;
          });
    } else {
      // A word holds the digit above the original index. Digits are sorted by construction, so the
      // words ascend if and only if the original indices ascend within each digit.
      return falls<Full, idle>(
          self, end, [&](int p) -> std::uint32_t const& { return note(p); },
          [](std::uint32_t note) { return note; });
    }
  }
  /// True if looker number `self` of Lookers threads finds a word that is less than its
  /// predecessor. Each looker reads runs of up to 128 bytes, in the largest aligned loads.
  template <bool Full, int Lookers, class Item, class Word>
  static SAM_DEVICE bool falls(int self, int end, Item const& item, Word const& word) {
    using T = std::remove_cvref_t<decltype(item(0))>;
    constexpr int bytes = sizeof(T);
    constexpr int piece = bytes < 16 && 16 % bytes == 0 ? 16 / bytes : 1;
    constexpr int run = [] {
      int items = piece;
      while (2 * items * Lookers <= size && 2 * items * bytes <= 128)
        items *= 2;
      return items;
    }();
    bool wrong = false;
    for (int p = self * run; p < end; p += Lookers * run) {
      auto last = word(item(p));
#pragma unroll
      for (int first = p; first < p + run; first += piece) {
        auto const* const from = static_cast<T const*>(
            __builtin_assume_aligned(__builtin_addressof(item(first)), piece * bytes));
#pragma unroll
        for (int k = 0; k < piece; ++k)
          if (Full || first + k < end) {
            auto const next = word(from[k]);
            wrong = wrong || next < last;
            last = next;
          }
      }
      if (p + run < end)
        wrong = wrong || word(item(p + run)) < last;
    }
    return wrong;
  }
};

}  // namespace sam::inline v0_1::gpu
