// SPDX-License-Identifier: MIT
// Sorts a tile of keys by one digit, stably, in shared memory.
//
// Atomic ranks are not guaranteed to be stable. The tile is therefore checked after the sort, and
// sorted again with ballot ranks if any item is out of order.
//
// The check depends on the keys. If the job has keys only and sorts by all their bits, they must
// ascend by the bits up to this digit's, since earlier passes sorted the lower ones. Otherwise each
// item's index before the sort is scattered along with its key, and must ascend within a digit.
//
// Source: the passes are those of Adinets, Merrill, "Onesweep: a faster least significant digit
// radix sort for GPUs", arXiv 2206.01784, 2022.
#pragma once

#include <sam/gpu/sort/block_radix_rank.hpp>

namespace sam::gpu {

/// Sorts one tile. Index is the type of an index among all items. If Packs, items are packed pairs.
/// With 64-bit indices as well, swizzled counters would add 700 bytes of register spills, so MayMix
/// is false then.
template <class Device, class Job, class Config, class Index, bool OriginalIndices,
          bool Packs = false, bool MayMix = !Packs || sizeof(Index) == 4>
class onesweep_tile : public block_radix_rank<Device, Job, Config, Packs, MayMix, false> {
  using ranks = block_radix_rank<Device, Job, Config, Packs, MayMix, false>;

 public:
  using typename ranks::traits, typename ranks::key, typename ranks::ordered_key;
  using value = typename traits::value;
  using ranks::lanes, ranks::warps, ranks::items, ranks::threads, ranks::size, ranks::buckets;
  using ranks::own, ranks::owners;
  static constexpr bool moves_values = traits::has_values && !Packs && sizeof(value) <= 16;

  // Shared memory.
  static constexpr int largest_align =
      max_of(16, max_of(alignof(key), moves_values ? alignof(value) : 1));
  static constexpr int offsets_at = ranks::ranks_end;
  static constexpr int keys_at = (offsets_at + buckets * int(sizeof(Index)) + largest_align - 1) /
                                 largest_align * largest_align;
  static constexpr int beside_at =
      (keys_at + size * int(sizeof(key)) + largest_align - 1) / largest_align * largest_align;
  /// The sorted values overwrite the original indices.
  static constexpr int keys_end = beside_at + (OriginalIndices ? size * 4 : 0);
  static constexpr int values_end = beside_at + (moves_values ? size * int(sizeof(value)) : 0);
  static constexpr int shared_bytes = int(max_of(keys_end, values_end));

  using ranks::at, ranks::keys, ranks::start;
  using ranks::ranks;
  using ranks::thread, ranks::place_of, ranks::for_each_place, ranks::unflipped_digit, ranks::flip;

  /// Sorts the keys of all threads into sorted_keys() and sets `at` to where each went.
  ///
  /// There are `count` keys, a whole tile if Full. counted(b, c) gives the owner of digit b its
  /// count c. meanwhile() runs once the keys have left their registers, and bring() just before the
  /// result of the check is known. If the check fails, reload() loads the keys again and bring() is
  /// called again after the second sort. So nothing but keys has to stay in registers. start[]
  /// holds where the owner's digits begin.
  template <bool Full, class Counted, class Meanwhile, class Bring, class Reload>
  SAM_DEVICE void arrange(int count, ranking how, Counted const& counted,
                          Meanwhile const& meanwhile, Bring const& bring, Reload const& reload) {
    for (bool is_first = true, ballot = how == ranking::ballot;; is_first = false) {
      if (ballot)
        this->rank_by_ballots(count);
      else
        this->template rank_by_atomics<Full>(count);
      Device::sync_block();  // orders writes of the counts before their reads by other warps
      if (is_first)
        this->find_starts(counted);
      if (is_first && thread() == 0)
        *flag() = 0;
      this->template spread<false>();
      Device::sync_block();  // orders writes of the offsets before their reads by other warps
      scatter<Full>(count, !ballot);
      Device::sync_block();  // orders writes of the sorted keys before their reads by other warps
      this->clear();
      if (!is_first) {
        bring();
        Device::sync_block();  // orders the zeroed counters before the next tile's additions
        return;
      }
      meanwhile();
      if (!ballot && is_out_of_order<Full>(count))
        Device::add_shared(flag(), 1u);
      bring();
      Device::sync_block();  // orders writes of the flag, and those of meanwhile(), before their
                             // reads
      if (ballot || (*flag() == 0 && how != ranking::force_fallback))
        return;
      reload();
      ballot = true;
    }
  }

  SAM_DEVICE key& sorted_key(int p) const { return this->template item_at<key>(keys_at, p); }
  /// Calls f(p, key) for each sorted key, from one thread, neighbours by neighbouring threads.
  ///
  /// A warp visits its own rows if their addresses are cheap to compute, else the block visits rows
  /// of the block. With a 64-bit Index, the former would spill registers.
  template <bool Full, class F>
  SAM_DEVICE void for_each_sorted(int count, F const& f) const {
    constexpr bool by_rows = ranks::template rows_turn<key> && sizeof(Index) <= 4;
#pragma unroll
    for (int j = 0; j < items; ++j)
      if constexpr (by_rows) {
        if (int const p = place_of(j); Full || p < count)
          f(p, this->template item_of_row<key>(keys_at, j));
      } else {
        if (int const p = thread() + j * threads; Full || p < count)
          f(p, sorted_key(p));
      }
  }
  SAM_DEVICE value& sorted_value(int p) const {
    return this->template item_at<value>(beside_at, p);
  }
  SAM_DEVICE Index* offsets() const { return reinterpret_cast<Index*>(memory_ + offsets_at); }
  /// Returns the word kept with sorted item p, such as its index before the sort.
  SAM_DEVICE std::uint32_t& note(int p) const {
    return this->template item_at<std::uint32_t>(beside_at, p);
  }
  /// Returns one of three shared words for the thread that owns the tile.
  SAM_DEVICE std::uint32_t* word(int which) const { return flag() + 1 + which; }

 private:
  using ranks::job_, ranks::memory_, ranks::place_, ranks::flag;

  template <bool Full>
  SAM_DEVICE void scatter(int count, bool to_be_checked) {
    this->template for_each_target<Full>(count, [&](int j, int to) {
      at.set(j, std::uint32_t(to));
      sorted_key(to) = static_cast<key>(keys.at[j]);
      if constexpr (OriginalIndices)
        if (to_be_checked)
          note(to) = (unflipped_digit(keys.at[j]) << 16 | std::uint32_t(place_of(j))) ^ flip()
                                                                                            << 16;
    });
  }

  /// True if this thread finds a neighbour out of order.
  template <bool Full>
  SAM_DEVICE bool is_out_of_order(int count) const {
    int const end = Full ? size : count;
    // Threads that own digits have other work here, so the others check if they suffice.
    constexpr int idle = threads >= 2 * owners ? threads - owners : threads;
    int const self = thread() - (threads - idle);
    if (self < 0)
      return false;
    if constexpr (!OriginalIndices) {
      if (place_.bit == 0)
        return false;  // the first digit is in order however its equal items are ranked
      ordered_key const mask = place_.template upto<ordered_key>();
      ordered_key const flip = traits::flip_of(job_.digits);
      return falls<Full, idle>(
          self, end, [&](int p) -> key const& { return sorted_key(p); },
          [&](key const& k) {
            return (traits::ordered_key_of_held(job_.digits, k) ^ flip) & mask;
          });
    } else {
      // Digits are in order already, so indices must ascend wherever the digit does not change.
      return falls<Full, idle>(
          self, end, [&](int p) -> std::uint32_t const& { return note(p); },
          [](std::uint32_t note) { return note; });
    }
  }
  /// True if checker `self` of Lookers finds a word that is less than the one before it. Each
  /// checks runs of up to 128 bytes, which it loads in the widest vectors.
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

}  // namespace sam::gpu
