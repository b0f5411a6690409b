// SPDX-License-Identifier: MIT
// Ranks a block's items by one digit, each among its warp's items of equal digit.
//
// Each warp has one counter per digit in shared memory. One atomic addition counts an item and
// returns its rank: a sixth of the work of finding the lanes of equal digit by ballots. No
// specification guarantees the order of the additions of one instruction. A sort that ranks by
// atomics must therefore check the sorted items, and rank by ballots if anything is out of order.
//
// The low bits of a digit select the bank of its counter. Most lanes may access few banks, as with
// digits that are multiples of 32. Counters are then bank-swizzled: with 32 banks, digit d uses
// word d ^ (d >> 5).
//
// Source: Adinets, Merrill, "Onesweep: a faster least significant digit radix sort for GPUs", arXiv
// 2206.01784, 2022, for ranking by ballots.
#pragma once

#include <sam/gpu/sort/radix_traits.hpp>
#include <sam/gpu/warp/warp_scan.hpp>

#include <cstddef>

namespace sam::inline v0_1::gpu {

/// Configures a sort: warps of a block, items of a thread, bits of a digit, and blocks per
/// multiprocessor. LookBack is the number of tiles that look-back reads at once, Group the tiles of
/// a group.
template <int Warps, int Items, int DigitBits, int Blocks, int LookBack = 4, int Group = 16>
struct sort_config {
  static constexpr int warps = Warps;
  static constexpr int items = Items;
  static constexpr int digit_bits = DigitBits;
  static constexpr int blocks = Blocks;
  static constexpr int look_back = LookBack;
  static constexpr int group = Group;
};

/// Holds Count 16-bit numbers in registers, two in each.
template <class Device, int Count>
class packed_numbers {
 public:
  SAM_DEVICE std::uint32_t operator[](int j) const { return Device::half_of(words_[j / 2], j % 2); }
  /// Sets number j. An even j also discards number j + 1, so numbers are set in ascending order.
  SAM_DEVICE void set(int j, std::uint32_t x) {
    words_[j / 2] = j % 2 == 0 ? x : Device::lower_halves(words_[j / 2], x);
  }

 private:
  std::uint32_t words_[(Count + 1) / 2];
};

/// Ranks and sorts the items that a block holds in registers, in rows of one item per lane.
/// Counters lie at the beginning of shared memory. With Packs, each key is stored together with its
/// value. MaySwizzle permits bank-swizzled counters. Without HasRegisters, thread and row indices
/// are recomputed, since keeping them would spill registers.
template <class Device, class Job, class Config, bool Packs = false, bool MaySwizzle = false,
          bool HasRegisters = true>
class block_radix_rank {
 public:
  using traits = radix_traits<Job>;
  using key = std::conditional_t<Packs, typename traits::packed, typename traits::held_key>;
  using ordered_key = typename traits::ordered_key;
  /// Narrow integers are widened to int in registers, since 16-bit registers caused spills.
  static constexpr bool widens = !Packs && traits::is_own_ordered_key && sizeof(key) < sizeof(int);
  using held = std::conditional_t<widens, int, key>;
  static constexpr int lanes = Device::warp_size;
  static constexpr int warps = Config::warps;
  static constexpr int items = Config::items;
  static constexpr int threads = warps * lanes;
  static constexpr int size = threads * items;
  static constexpr int buckets = 1 << Config::digit_bits;
  /// Number of consecutive buckets that each of the first threads owns.
  static constexpr int own = [] {
    int each = 1;
    while (each * threads < buckets)
      each *= 2;
    return each;
  }();
  static constexpr int owners = buckets / own;
  static_assert(size < 1 << 16);
  static_assert(buckets >= 4 && buckets * 4 <= Device::shared_alignment);  // mine() relies on it

  /// True if a thread without an item may load whatever its position holds, and compute a digit of
  /// it.
  static constexpr bool loads_all =
      HasRegisters && are_of_any_bits<std::remove_cvref_t<decltype(Job::digits)>>;

  /// True if warps without items skip the steps of each row. Blocks of many rows are often far from
  /// full, and only in these do the skipped rows save more than the branches cost.
  static constexpr bool skips_warps = items > 32;

  // Layout of shared memory.
  static constexpr int sums_at = warps * buckets * 4;
  static constexpr int aside_at = sums_at + (warps + 3) / 4 * 16;
  static constexpr int flag_at = aside_at + lanes * 4;
  static constexpr int ranks_end = flag_at + 16;  // the flag, and three words for others

  SAM_DEVICE explicit block_radix_rank(Job const& job, int thread = own_thread())
      : job_(job), memory_(Device::shared_memory()), thread_(thread) {}
  static SAM_DEVICE int own_thread() { return Device::warp() * lanes + Device::lane(); }

  SAM_DEVICE int thread() const { return thread_; }
  SAM_DEVICE int warp() const {
    return HasRegisters ? int(std::uint32_t(thread_) / lanes) : Device::warp();
  }
  SAM_DEVICE int lane() const {
    return HasRegisters ? int(std::uint32_t(thread_) % lanes) : Device::lane();
  }
  /// Sets the digit by which items are ranked next, and whether its counters are bank-swizzled.
  SAM_DEVICE void by(digit_position place, bool swizzles = false) {
    place_ = place;
    // A mask that the compiler knew would cost two instructions at each use.
    swizzle_ = MaySwizzle && swizzles
                   ? std::uint32_t(Device::opaque(int(place.mask() >> bank_bits<Device> << 2)))
                   : 0;
    mine_at_ = Device::shared_address_of(counts() + warp() * buckets) | swizzled(flip()) * 4;
  }
  /// Lets count_rows() add to other counters than the warp's, in the owners' numbering of digits.
  /// They begin at a multiple of their size.
  SAM_DEVICE void count_at(std::uint32_t* counters) {
    mine_at_ = Device::shared_address_of(counters) | flip() * 4;
  }
  /// Returns a key's digit before the flip. Owners count digits after it: digit ^ flip().
  SAM_DEVICE std::uint32_t unflipped_digit(held const& k) const {
    return place_.digit(ordered_key_of(k));
  }
  SAM_DEVICE std::uint32_t flip() const { return place_.digit(traits::flip_of(job_.digits)); }

  /// Returns the digit that sorts last, in the numbering of the owners.
  SAM_DEVICE int last_digit() const { return int(place_.mask()); }

  SAM_DEVICE ordered_key ordered_key_of(held const& k) const {
    if constexpr (widens)
      return static_cast<ordered_key>(k);
    else
      return traits::ordered_key_of_held(job_.digits, k);
  }

  /// Returns the position in the block's tile of the thread's item j.
  SAM_DEVICE int place_of(int j) const { return (warp() * items + j) * lanes + lane(); }
  /// Calls f(j, p) with the position p of each item j of the thread. Beyond the last item, p is
  /// that of the last item: a load by some lanes only would split the warp. ptxas of CUDA 13.0 did
  /// not reconverge such a warp before the next tile's ballots and barriers.
  template <bool Full, class F>
  SAM_DEVICE void for_each_place(int count, F const& f) const {
#pragma unroll
    for (int j = 0; j < items; ++j)
      f(j, Full ? place_of(j) : engine::min_of(place_of(j), count - 1));
  }

  /// Zeros the warp's counters, as both rankings require.
  SAM_DEVICE void clear() const {
    struct alignas(16) four {
      std::uint32_t at[4];
    };
#pragma unroll
    for (int k = lane() * 4; k < buckets; k += lanes * 4)
      *reinterpret_cast<four*>(counts() + warp() * buckets + k) = four{};
  }

  /// Ranks the warp's items by atomic additions. If one digit fills much of the first row, its
  /// additions would be serialised, so its lanes are counted by ballots. Lanes without an item add
  /// to a spare word of their own, which is faster than a branch around the addition.
  template <bool Full>
  SAM_DEVICE void rank_by_atomics(int count) {
    constexpr std::uint32_t crowd = lanes * 5 / 32;
    bool const is_item = Full || place_of(0) < count;
    std::uint32_t const found =
        Device::add_by_lanes(is_item ? mine<true>(place_, keys.at[0]) : aside(), 1);
    at.set(0, found);
    lane_set const late = Device::lanes_where(is_item && found >= crowd - 1);
    if (late == 0)
      return swizzles() ? rank_rows<Full, true, true>(count, aside())
                        : rank_rows<Full, false, false>(count, nullptr);
    int const lane = Device::first(late);
    std::uint32_t* const frequent =
        mine(Device::shuffle_from(is_item ? unflipped_digit(keys.at[0]) : 0, lane));
    swizzles() ? rank_rows<Full, true, true>(count, frequent)
               : rank_rows<Full, true, false>(count, frequent);
  }
  /// Counts the warp's items without ranking them. Items with the digit of the first one are
  /// counted by ballots, since the additions for many equal digits would be serialised.
  SAM_DEVICE void count_rows(int count) {
    std::uint32_t* const frequent = mine(Device::shuffle_from(unflipped_digit(keys.at[0]), 0));
    std::uint32_t found = 0;
#pragma unroll
    for (int j = 0; j < items; ++j) {
      bool const is_item = place_of(j) < count;
      std::uint32_t* const to = mine<true>(place_, keys.at[j]);
      bool const is_frequent = is_item && to == frequent;
      Device::add_shared(is_item && !is_frequent ? to : aside(), 1u);
      found += std::uint32_t(Device::count(Device::lanes_where(is_frequent)));
    }
    if (lane() == 0)
      Device::add_shared(frequent, found);
  }
  /// Ranks the warp's items by one ballot per bit of the digit.
  SAM_DEVICE void rank_by_ballots(int count) {
#pragma unroll
    for (int j = 0; j < items; ++j) {
      bool const is_item = place_of(j) < count;
      std::uint32_t const d = is_item ? unflipped_digit(keys.at[j]) : 0;
      lane_set peers = Device::lanes_where(is_item);
#pragma unroll
      for (int bit = 0; bit < Config::digit_bits; ++bit) {
        bool const is_one = (d >> bit & 1) != 0;
        lane_set const ones = Device::lanes_where(is_one);
        peers &= is_one ? ones : static_cast<lane_set>(~ones);
      }
      std::uint32_t const found = *mine(d);
      auto const before = std::uint32_t(Device::count(peers & lanes_before()));
      Device::sync_warp();  // orders the reads of the counters before the update
      if (is_item && before == 0)
        *mine(d) = found + std::uint32_t(Device::count(peers));
      Device::sync_warp();  // orders the update before the reads of the next row
      at.set(j, found + before);
    }
  }

  /// Computes start[], the position where each of the owner's digits begins, from the counts. The
  /// owner of digit b calls counted(b, c) with the number c of its items.
  template <class Counted>
  SAM_DEVICE void find_starts(Counted const& counted) {
    std::uint32_t of_mine[own], sum = 0;
    if (thread_ < owners) {
#pragma unroll
      for (int b = 0; b < own; ++b) {
        std::uint32_t all = 0;
#pragma unroll
        for (int w = 0; w < warps; ++w)
          all += of_warp_[b][w] = counter(w, b);
        counted(thread_ * own + b, all);
        of_mine[b] = all;
        sum += all;
      }
    }
    constexpr int scanners = (owners + lanes - 1) / lanes;
    std::uint32_t upto = sum;
    if (warp() < scanners) {
      upto = gpu::sum_upto_lane<Device>(upto);
      if (lane() == lanes - 1)
        sums()[warp()] = upto;
    }
    Device::sync_block();  // orders the warps' sums before their reads
    if (thread_ < owners) {
      std::uint32_t begin = upto - sum;
#pragma unroll
      for (int w = 0; w < scanners; ++w)
        begin += w < warp() ? sums()[w] : 0;
#pragma unroll
      for (int b = 0; b < own; ++b) {
        start[b] = begin;
        begin += of_mine[b];
      }
    }
  }

  /// Replaces each warp's counts by the position of its first item of each digit. With AreKept, the
  /// counts are still in registers from find_starts().
  template <bool AreKept>
  SAM_DEVICE void spread() {
    if (thread_ < owners)
#pragma unroll
      for (int b = 0; b < own; ++b) {
        std::uint32_t next = start[b];
#pragma unroll
        for (int w = 0; w < warps; ++w) {
          std::uint32_t const of_warp = AreKept ? of_warp_[b][w] : counter(w, b);
          counter(w, b) = next;
          next += of_warp;
        }
      }
  }

  /// Calls f(j, p) with the sorted position p of each item j of the thread.
  template <bool Full, class F>
  SAM_DEVICE void for_each_target(int count, F const& f) {
    if (!MaySwizzle || (Full && !swizzles()))
      find_targets<Full, false>(count, f);
    else
      find_targets<Full, true>(count, f);
  }

  /// Sorts the keys of all threads by the digit that by() has set, by way of memory. store(j, p)
  /// writes the thread's item j to position p, and load(j, p) reads its new item j from position p.
  /// AreKept: see spread().
  template <bool Full, bool AreKept, class Store, class Load>
  SAM_DEVICE void sort_by_digit(int count, bool ballot, Store const& store, Load const& load) {
    bool const works = Full || !skips_warps || place_of(0) - lane() < count;
    if (works) {
      if (ballot)
        rank_by_ballots(count);
      else
        rank_by_atomics<Full>(count);
    }
    Device::sync_block();  // orders the counts before their reads by owners
    find_starts([](int, std::uint32_t) {});
    spread<AreKept>();
    Device::sync_block();  // orders the positions before their reads, and earlier loads before
                           // stores
    if (works)
      for_each_target<Full>(count, store);
    Device::sync_warp();  // orders the reads of the counters before they are cleared
    clear();
    Device::sync_block();  // orders the sorted items and the zeros before their reads
    if (works)
      for_each_place<Full || loads_all>(count, load);
  }

  uninitialized_array<held, items> keys;
  packed_numbers<Device, items> at;
  std::uint32_t start[own];

 protected:
  using lane_set = typename Device::lane_set;

  SAM_DEVICE std::uint32_t* word_at(int bytes) const {
    return reinterpret_cast<std::uint32_t*>(memory_ + bytes);
  }
  SAM_DEVICE std::uint32_t* flag() const { return word_at(flag_at); }
  template <class T>
  SAM_DEVICE T& item_at(int bytes, int p) const {
    return reinterpret_cast<T*>(memory_ + bytes)[slot<T>(p)];
  }
  /// Arrays in shared memory are swizzled: the 16-byte groups of each 128-byte row are permuted.
  /// Lanes that write to positions a multiple of a row apart then access different banks.
  static constexpr int row_bytes = 128, turn_bytes = 16, turns = row_bytes / turn_bytes;
  template <class T>
  static constexpr int row_of = row_bytes / int{sizeof(T)};
  template <class T>
  static constexpr bool is_swizzled_array = turn_bytes % sizeof(T) == 0 && size % row_of<T> == 0;
  /// True if the swizzled offsets of a warp's rows are compile-time constants, apart from lane and
  /// warp.
  template <class T>
  static constexpr bool swizzles_rows = [] {
    if constexpr (is_swizzled_array<T>)
      return items * lanes % (turns * row_of<T>) == 0;
    else
      return false;
  }();
  /// Returns item place_of(j) of the array, with fewer instructions than item_at().
  template <class T>
  SAM_DEVICE T& item_of_row(int bytes, int j) const requires(swizzles_rows<T>) {
    constexpr int of_warp = items * lanes, row = row_of<T>, size_of = sizeof(T);
    int const first = j * lanes, rows = first / row;
    int const eights = (warp() * (of_warp / (turns * row)) + rows / turns) & (turns - 1);
    int const of_thread =
        warp() * (of_warp * size_of) + (lane() * size_of ^ (lane() / row ^ eights) * turn_bytes);
    int const of_all = first % row * size_of ^ (rows & (turns - 1)) * turn_bytes;
    return *reinterpret_cast<T*>(memory_ + (bytes + rows * row_bytes) + (of_thread ^ of_all));
  }

  /// Returns item p of the array. If the tile is full, or a thread may load whatever its position
  /// holds, that is item place_of(j).
  template <bool Full, class T>
  SAM_DEVICE T& item_of(int bytes, int j, int p) const {
    if constexpr ((Full || loads_all) && swizzles_rows<T>)
      return item_of_row<T>(bytes, j);
    else
      return item_at<T>(bytes, p);
  }

  Job const& job_;
  digit_position place_{};
  std::byte* memory_;

 private:
  template <bool Full, bool Mixes, class F>
  SAM_DEVICE void find_targets(int count, F const& f) {
    // The digits are recomputed, behind an optimisation barrier, since keeping them costs
    // registers.
    digit_position const place{Device::opaque(place_.bit), place_.bits};
    constexpr int together = 8;        // loads in flight: more take registers
    static_assert(together % 2 == 0);  // f may set at[j], which discards at[j + 1]: read both first
#pragma unroll
    for (int first = 0; first < items; first += together) {
      std::uint32_t to[together];
#pragma unroll
      for (int k = 0; k < together; ++k) {
        int const j = first + k;
        if (j < items)
          to[k] = at[j] + *mine<Mixes>(place, keys.at[j]);
        if constexpr (checks_places<Job>)
          if (j < items)
            to[k] = engine::min_of(to[k], std::uint32_t{size - 1});
      }
#pragma unroll
      for (int k = 0; k < together; ++k) {
        int const j = first + k;
        if (j < items && (Full || place_of(j) < count))
          f(j, int(to[k]));
      }
    }
  }

  /// Returns the swizzled index of item p.
  template <class T>
  static SAM_DEVICE int slot(int p) {
    constexpr std::uint32_t group = turn_bytes / sizeof(T);
    auto const of = static_cast<std::uint32_t>(p);
    if constexpr (is_swizzled_array<T>)  // XOR with p's row and row / 8, each modulo 8
      return int(of ^ ((of / turns ^ of / (turns * turns)) & (turns - 1) * group));
    else
      return p;
  }

  SAM_DEVICE std::uint32_t* counts() const { return word_at(0); }
  /// Returns the given warp's counter of digit b of the thread's own digits.
  SAM_DEVICE std::uint32_t& counter(int warp, int b) const {
    return counts()[warp * buckets + int(swizzled(std::uint32_t(thread_ * own + b)))];
  }
  SAM_DEVICE std::uint32_t* sums() const { return word_at(sums_at); }
  SAM_DEVICE std::uint32_t* aside() const { return word_at(aside_at) + lane(); }
  SAM_DEVICE lane_set lanes_before() const {
    return static_cast<lane_set>((lane_set(1) << lane()) - 1);
  }

  SAM_DEVICE bool swizzles() const { return MaySwizzle && swizzle_ != 0; }
  /// Returns the index of a digit's counter among its warp's counters.
  SAM_DEVICE std::uint32_t swizzled(std::uint32_t d) const {
    return swizzles() ? d ^ d >> bank_bits<Device> : d;
  }
  /// Returns the warp's counter of an unflipped digit or, below, of a key's digit. Shared memory is
  /// aligned to a warp's counters, so that XOR computes the address in the fewest instructions.
  template <bool Mixes = true>
  SAM_DEVICE std::uint32_t* mine(std::uint32_t d) const {
    return Device::word_at((Mixes ? swizzled(d) : d) * 4 ^ mine_at_);
  }
  template <bool Mixes>
  SAM_DEVICE std::uint32_t* mine(digit_position place, held const& k) const {
    ordered_key const x = ordered_key_of(k);
    if constexpr (sizeof(ordered_key) == 4) {
      std::uint32_t const unmixed = Device::rotated_right(x, place.bit - 2);
      typename Device::shared_address const at = (unmixed & ((4u << place.bits) - 4)) ^ mine_at_;
      std::uint32_t const higher = Device::rotated_right(x, place.bit - 2 + bank_bits<Device>);
      return Device::word_at(Mixes && MaySwizzle ? at ^ (higher & swizzle_) : at);
    } else {
      return mine<Mixes>(place.digit(x));
    }
  }

  /// Ranks the rows after the first. The frequent digit, if there is one, is counted by ballots.
  template <bool Full, bool HasFrequent, bool Mixes>
  SAM_DEVICE void rank_rows(int count, std::uint32_t* frequent) {
    std::uint32_t upto = HasFrequent ? *frequent : 0;
#pragma unroll
    for (int j = 1; j < items; ++j) {
      bool const is_item = Full || place_of(j) < count;
      std::uint32_t* const to = mine<Mixes>(place_, keys.at[j]);
      bool const is_frequent = HasFrequent && is_item && to == frequent;
      std::uint32_t found = Device::add_by_lanes(is_item && !is_frequent ? to : aside(), 1);
      if constexpr (HasFrequent) {
        lane_set const all = Device::lanes_where(is_frequent);
        if (is_frequent)
          found = upto + std::uint32_t(Device::count(all & lanes_before()));
        upto += std::uint32_t(Device::count(all));
      }
      at.set(j, found);
    }
    if constexpr (HasFrequent) {
      Device::sync_warp();  // orders the reads of *frequent before its update
      if (lane() == 0)
        *frequent = upto;
    }
  }

  std::uint32_t of_warp_[own][warps];
  int thread_;
  std::uint32_t swizzle_ = 0;  // the byte-offset bits that bank swizzling changes
  typename Device::shared_address mine_at_ = 0;
};

}  // namespace sam::inline v0_1::gpu
