// SPDX-License-Identifier: MIT
// A tile of keys that a block sorts by one digit, stably, in shared memory.
//
// Where an item goes within its warp's items of the same digit is what a counter says that counts
// these. One addition to shared memory counts an item and returns how many came before: a sixth of
// the work of finding the lanes of equal digit by votes. In which order the additions of one
// instruction are made is nowhere promised, though, so the tile is looked through once it is
// sorted, and sorted anew by votes if anything is out of order.
//
// What shows that: where keys are all there is and each bit of them counts, they must ascend by
// the bits up to this digit's, since the passes before have sorted them by those below it. Else
// items' places before the sort are sorted beside the keys, and must ascend within a digit.
//
// Source: the passes are those of Adinets, Merrill, "Onesweep: a faster least significant digit
// radix sort for GPUs", arXiv 2206.01784, 2022; ranking by votes is theirs.
#pragma once

#include <sam/gpu/sort_keys.hpp>

#include <cstddef>

namespace sam::gpu {

/// Warps, items a thread, bits of a digit, blocks a multiprocessor, to how many tiles is looked
/// back at a time, and how many make a group.
template <int Warps, int Items, int DigitBits, int Blocks, int LookBack = 4, int Group = 16>
struct sort_shape {
  static constexpr int warps = Warps;
  static constexpr int items = Items;
  static constexpr int digit_bits = DigitBits;
  static constexpr int blocks = Blocks;
  static constexpr int look_back = LookBack;
  static constexpr int group = Group;
};

/// Numbers of 16 bits in registers, two in each.
template <class Device, int Count>
class packed_numbers {
 public:
  SAM_DEVICE std::uint32_t operator[](int j) const { return Device::half_of(words_[j / 2], j % 2); }
  /// Forgets what follows j.
  SAM_DEVICE void set(int j, std::uint32_t x) {
    words_[j / 2] = j % 2 == 0 ? x : Device::lower_halves(words_[j / 2], x);
  }

 private:
  std::uint32_t words_[(Count + 1) / 2];
};

/// Index is what a place among all items is said in. Where the tile packs, its keys have their
/// values with them.
template <class Device, class Job, class Shape, class Index, bool Packs = false>
class sort_tile {
 public:
  using traits = sort_traits<Job>;
  using key = std::conditional_t<Packs, typename traits::packed, typename traits::held_key>;
  using value = typename traits::value;
  using image = typename traits::image;
  static constexpr int lanes = Device::warp_size;
  static constexpr int warps = Shape::warps;
  static constexpr int items = Shape::items;
  static constexpr int threads = warps * lanes;
  static constexpr int size = threads * items;
  static constexpr int buckets = 1 << Shape::digit_bits;
  /// Each of the first threads owns so many buckets, one behind the other.
  static constexpr int own = [] {
    int each = 1;
    while (each * threads < buckets)
      each *= 2;
    return each;
  }();
  static constexpr int owners = buckets / own;
  static constexpr bool moves_values = traits::has_values && !Packs && sizeof(value) <= 16;

  // Shared memory.
  static constexpr int largest_align =
      max_of(16, max_of(alignof(key), moves_values ? alignof(value) : 1));
  static constexpr int counts_bytes = warps * buckets * 4;
  static constexpr int offsets_at = counts_bytes;
  static constexpr int words_at = offsets_at + buckets * int(sizeof(Index));
  static constexpr int words = 48;  // warps' sums, and four words more
  static constexpr int keys_at =
      (words_at + words * 4 + largest_align - 1) / largest_align * largest_align;
  static constexpr int beside_at =
      (keys_at + size * int(sizeof(key)) + largest_align - 1) / largest_align * largest_align;
  /// Sorted values take the place of what is kept beside the keys.
  static constexpr int keys_end = beside_at + (traits::keys_tell ? 0 : size * 4);
  static constexpr int values_end = beside_at + (moves_values ? size * int(sizeof(value)) : 0);
  static constexpr int shared_bytes = int(max_of(keys_end, values_end));
  static_assert(size < 1 << 16 && warps <= 44);
  static_assert(buckets >= 4);  // a counter's place is added to a warp's by its bits

  SAM_DEVICE sort_tile(Job const& job, digit_place place)
      : job_(job), memory_(Device::shared_memory()),
        thread_(Device::warp() * lanes + Device::lane()) {
    by(place);
  }

  SAM_DEVICE int thread() const { return thread_; }
  SAM_DEVICE void by(digit_place place) {
    place_ = place;
    mine_at_ = std::uint32_t(Device::warp()) * buckets * 4 | flip() * 4;
  }
  /// A key's digit but for the flip, and the flip.
  SAM_DEVICE std::uint32_t unflipped_digit(key const& k) const {
    return place_.digit(traits::image_of_held(job_.digits, k));
  }
  SAM_DEVICE std::uint32_t flip() const { return place_.digit(traits::flip_of(job_.digits)); }

  /// The tile's place of a thread's item j, where each warp has so many rows of items.
  SAM_DEVICE int place_of(int j, int rows) const {
    return (Device::warp() * rows + j) * lanes + Device::lane();
  }
  /// Calls f(j, p) for the place p of each item j of the thread. Without an item it gets the last
  /// one's: CUDA 13.0's ptxas was seen to leave a warp apart behind a load that only some lanes
  /// make, up to the next tile's votes and barriers.
  template <bool Full, class F>
  SAM_DEVICE void for_each_place(int count, int rows, F const& f) const {
#pragma unroll
    for (int j = 0; j < items; ++j)
      if (Full || j < rows)
        f(j, Full ? place_of(j, items) : min_of(place_of(j, rows), count - 1));
  }

  /// Sorts the keys of all threads into sorted_keys(), `at` saying where they went; there are
  /// `count`, a tile if Full. counted(b, c) is told the number c of items with digit b by b's
  /// owner. Once keys have left their registers, meanwhile() is called, and bring() just before it
  /// is known whether all is right. If it is not, reload() brings the keys again, and bring() is
  /// called again behind them: nothing has to be kept beside keys. start[] is where the owner's
  /// digits begin.
  template <bool Full, class Counted, class Meanwhile, class Bring, class Reload>
  SAM_DEVICE void arrange(int count, int rows, ranking how, Counted const& counted,
                          Meanwhile const& meanwhile, Bring const& bring, Reload const& reload) {
    for (bool is_first = true, by_votes = how == ranking::by_votes;; is_first = false) {
      if (by_votes)
        rank_by_votes(count, rows);
      else
        rank_by_adds<Full>(count, rows);
      Device::sync_block();  // publishes the counts
      if (is_first)
        find_starts(counted);
      spread();
      Device::sync_block();  // publishes the counts as places
      scatter<Full>(count, rows, !by_votes);
      Device::sync_block();  // publishes the sorted keys
      clear();
      if (!is_first) {
        bring();
        Device::sync_block();  // publishes the zeros
        return;
      }
      meanwhile();
      constexpr bool all_look = std::is_same_v<Meanwhile, nothing>;
      if (!by_votes && is_out_of_order<Full, all_look>(count))
        Device::add_shared(flag(), 1u);
      bring();
      Device::sync_block();  // publishes the flag, and what was made meanwhile
      if (by_votes || (*flag() == 0 && how != ranking::twice))
        return;
      reload();
      by_votes = true;
    }
  }

  /// What is called by arrange() and does nothing.
  struct nothing {
    SAM_DEVICE void operator()() const {}
  };

  /// Zeros all counters, as arrange() finds and leaves them.
  SAM_DEVICE void clear() const {
    struct alignas(16) four {
      std::uint32_t at[4];
    };
#pragma unroll
    for (int k = thread_ * 4; k < warps * buckets; k += threads * 4)
      *reinterpret_cast<four*>(counts() + k) = four{};
  }

  SAM_DEVICE key& sorted_key(int p) const {
    return reinterpret_cast<key*>(memory_ + keys_at)[slot<key>(p)];
  }
  SAM_DEVICE value& sorted_value(int p) const {
    return reinterpret_cast<value*>(memory_ + beside_at)[slot<value>(p)];
  }
  SAM_DEVICE Index* offsets() const { return reinterpret_cast<Index*>(memory_ + offsets_at); }
  /// What there is to keep of each sorted item, such as its place before the sort.
  SAM_DEVICE std::uint32_t& note(int p) const {
    return reinterpret_cast<std::uint32_t*>(memory_ + beside_at)[slot<std::uint32_t>(p)];
  }
  /// Three words for the owner of the tile.
  SAM_DEVICE std::uint32_t* word(int which) const {
    return reinterpret_cast<std::uint32_t*>(memory_ + words_at) + which;
  }

  room<key, items> keys;
  packed_numbers<Device, items> at;
  std::uint32_t start[own];

 private:
  using lane_set = typename Device::lane_set;

  /// Where item p of many lies: rows of banks differ in the order of their groups of 16 bytes, so
  /// that lanes that write many rows apart do not all ask one bank.
  template <class T>
  static SAM_DEVICE int slot(int p) {
    constexpr auto row = std::uint32_t(128 / sizeof(T)), group = std::uint32_t(16 / sizeof(T));
    auto const of = static_cast<std::uint32_t>(p);
    if constexpr (sizeof(T) <= 16 && 16 % sizeof(T) == 0 && size % row == 0)
      return int(of ^ ((of / row ^ of / (row * 8)) & 7) * group);
    else
      return p;
  }

  SAM_DEVICE std::uint32_t* counts() const { return reinterpret_cast<std::uint32_t*>(memory_); }
  SAM_DEVICE std::uint32_t* flag() const { return word(3); }
  SAM_DEVICE std::uint32_t* sums() const { return word(4); }
  SAM_DEVICE lane_set lanes_before() const {
    return static_cast<lane_set>((lane_set(1) << Device::lane()) - 1);
  }

  /// The word of the warp's counter of an unflipped digit, or of a key's: in the fewest
  /// instructions.
  SAM_DEVICE std::uint32_t* mine(std::uint32_t d) const {
    return reinterpret_cast<std::uint32_t*>(memory_ + (d * 4 ^ mine_at_));
  }
  SAM_DEVICE std::uint32_t* mine(digit_place place, key const& k) const {
    image const x = traits::image_of_held(job_.digits, k);
    if constexpr (sizeof(image) == 4) {
      std::uint32_t const rotated = Device::rotated_right(x, place.bit - 2);
      return reinterpret_cast<std::uint32_t*>(memory_ +
                                              ((rotated & ((4u << place.bits) - 4)) ^ mine_at_));
    } else {
      return mine(place.digit(x));
    }
  }

  /// Where a digit fills much of the warp's first row, additions would queue: lanes that have it
  /// are counted by votes.
  template <bool Full>
  SAM_DEVICE void rank_by_adds(int count, int rows) {
    constexpr std::uint32_t crowd = lanes * 5 / 32;
    bool const is_item = Full || place_of(0, rows) < count;
    std::uint32_t* const to = is_item ? mine(place_, keys.at[0]) : nullptr;
    std::uint32_t const found = Device::add_by_lanes(to, 1, is_item);
    at.set(0, found);
    lane_set const late = Device::lanes_where(is_item && found >= crowd - 1);
    if (late == 0)
      return rank_rows<Full, false>(count, rows, nullptr);
    int const lane = Device::first(late);
    std::uint32_t const digit =
        Device::shuffle_from(is_item ? unflipped_digit(keys.at[0]) : 0, lane);
    rank_rows<Full, true>(count, rows, mine(digit));
  }
  /// The other rows; one digit, if there is a frequent one, by votes.
  template <bool Full, bool HasFrequent>
  SAM_DEVICE void rank_rows(int count, int rows, std::uint32_t* frequent) {
    std::uint32_t upto = HasFrequent ? *frequent : 0;
#pragma unroll
    for (int j = 1; j < items; ++j) {
      if (!Full && j >= rows)
        break;
      bool const is_item = Full || place_of(j, rows) < count;
      std::uint32_t* const to = is_item ? mine(place_, keys.at[j]) : nullptr;
      bool const is_frequent = HasFrequent && is_item && to == frequent;
      std::uint32_t found = Device::add_by_lanes(to, 1, is_item && !is_frequent);
      if constexpr (HasFrequent) {
        lane_set const all = Device::lanes_where(is_frequent);
        if (is_frequent)
          found = upto + std::uint32_t(Device::count(all & lanes_before()));
        upto += std::uint32_t(Device::count(all));
      }
      at.set(j, found);
    }
    if constexpr (HasFrequent) {
      Device::sync_warp();  // all have read
      if (Device::lane() == 0)
        *frequent = upto;
    }
  }

  SAM_DEVICE void rank_by_votes(int count, int rows) {
#pragma unroll
    for (int j = 0; j < items; ++j) {
      if (j >= rows)
        break;
      bool const is_item = place_of(j, rows) < count;
      std::uint32_t const d = is_item ? unflipped_digit(keys.at[j]) : 0;
      lane_set peers = Device::lanes_where(is_item);
#pragma unroll
      for (int bit = 0; bit < Shape::digit_bits; ++bit) {
        bool const is_one = (d >> bit & 1) != 0;
        lane_set const ones = Device::lanes_where(is_one);
        peers &= is_one ? ones : static_cast<lane_set>(~ones);
      }
      std::uint32_t const found = *mine(d);
      auto const before = std::uint32_t(Device::count(peers & lanes_before()));
      Device::sync_warp();  // all have read
      if (is_item && before == 0)
        *mine(d) = found + std::uint32_t(Device::count(peers));
      Device::sync_warp();  // publishes the count to the next row
      at.set(j, found + before);
    }
  }

  /// Where the owners' digits begin, by their counts.
  template <class Counted>
  SAM_DEVICE void find_starts(Counted const& counted) {
    std::uint32_t of_mine[own], sum = 0;
    if (thread_ < owners) {
#pragma unroll
      for (int b = 0; b < own; ++b) {
        std::uint32_t all = 0;
#pragma unroll
        for (int w = 0; w < warps; ++w)
          all += counts()[w * buckets + thread_ * own + b];
        counted(thread_ * own + b, all);
        of_mine[b] = all;
        sum += all;
      }
    }
    constexpr int scanners = (owners + lanes - 1) / lanes;
    std::uint32_t upto = sum;
    if (Device::warp() < scanners) {
#pragma unroll
      for (int step = 1; step < lanes; step *= 2) {
        std::uint32_t const before = Device::shuffle_up(upto, step);
        upto += Device::lane() >= step ? before : 0;
      }
      if (Device::lane() == lanes - 1)
        sums()[Device::warp()] = upto;
    }
    if (thread_ == 0)
      *flag() = 0;
    Device::sync_block();  // publishes the warps' sums
    if (thread_ < owners) {
      std::uint32_t begin = upto - sum;
#pragma unroll
      for (int w = 0; w < scanners; ++w)
        begin += w < Device::warp() ? sums()[w] : 0;
#pragma unroll
      for (int b = 0; b < own; ++b) {
        start[b] = begin;
        begin += of_mine[b];
      }
    }
  }

  /// Turns counts into the place of each warp's first item of each digit.
  SAM_DEVICE void spread() {
    if (thread_ < owners)
#pragma unroll
      for (int b = 0; b < own; ++b) {
        std::uint32_t next = start[b];
#pragma unroll
        for (int w = 0; w < warps; ++w) {
          std::uint32_t& word = counts()[w * buckets + thread_ * own + b];
          std::uint32_t const of_warp = word;
          word = next;
          next += of_warp;
        }
      }
  }

  template <bool Full>
  SAM_DEVICE void scatter(int count, int rows, bool to_be_checked) {
    // Digits are found anew: to keep them takes registers.
    digit_place const place{Device::anew(place_.bit), place_.bits};
    constexpr int together = 8;        // counters that are asked for at once: more take registers
    static_assert(together % 2 == 0);  // to forget none that is wanted
#pragma unroll
    for (int first = 0; first < items; first += together) {
      std::uint32_t to[together];
#pragma unroll
      for (int k = 0; k < together; ++k) {
        int const j = first + k;
        if (j < items && (Full || (j < rows && place_of(j, rows) < count)))
          to[k] = at[j] + *mine(place, keys.at[j]);
      }
#pragma unroll
      for (int k = 0; k < together; ++k) {
        int const j = first + k, p = place_of(j, Full ? items : rows);
        if (j >= items || !(Full || (j < rows && p < count)))
          continue;
        at.set(j, to[k]);
        sorted_key(int(to[k])) = keys.at[j];
        if constexpr (!traits::keys_tell)
          if (to_be_checked)
            note(int(to[k])) = (unflipped_digit(keys.at[j]) << 16 | std::uint32_t(p)) ^ flip()
                                                                                            << 16;
      }
    }
  }

  /// Whether this thread sees a neighbour out of order.
  template <bool Full, bool AllLook>
  SAM_DEVICE bool is_out_of_order(int count) const {
    int const end = Full ? size : count;
    // Threads that own digits have other things to do meanwhile.
    constexpr int idle = threads >= 2 * owners && !AllLook ? threads - owners : threads;
    int const self = thread_ - (threads - idle);
    if (self < 0)
      return false;
    if constexpr (traits::keys_tell) {
      if (place_.bit == 0)
        return false;  // whatever their order, these digits are sorted
      image const mask = place_.template upto<image>();
      image const flip = traits::flip_of(job_.digits);
      return falls<Full, idle>(
          self, end, [&](int p) -> key const& { return sorted_key(p); },
          [&](key const& k) { return (traits::image_of_held(job_.digits, k) ^ flip) & mask; });
    } else {
      // Digits are in their order, so that places must ascend where notes' digits do not change.
      return falls<Full, idle>(
          self, end, [&](int p) -> std::uint32_t const& { return note(p); },
          [](std::uint32_t note) { return note; });
    }
  }
  /// Whether of so many who look the one of this number sees a word that is less than the one
  /// before. Each looks at runs of up to 128 bytes, which it loads in the largest pieces.
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
        auto const* const from =
            static_cast<T const*>(__builtin_assume_aligned(&item(first), piece * bytes));
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

  Job const& job_;
  digit_place place_;
  std::byte* memory_;
  int thread_;
  std::uint32_t mine_at_;
};

}  // namespace sam::gpu
