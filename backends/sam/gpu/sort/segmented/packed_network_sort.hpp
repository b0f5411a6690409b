// SPDX-License-Identifier: MIT
// Sorts the short segments of a block's window with sorting networks in registers, each segment by
// as few lanes as can hold it.
//
// Segments are listed by the number of lanes that sort them. A warp takes as many from one list as
// it has lanes for, so its lanes have similar amounts of work.
#pragma once

#include <sam/gpu/sort/radix_traits.hpp>
#include <sam/gpu/warp/sorting_network.hpp>
#include <sam/gpu/warp/warp_scan.hpp>

#include <type_traits>

namespace sam::inline v0_1::gpu {

/// Holds an ordered key and the original index of its item, and compares them in this order.
template <class OrderedKey>
struct placed_ordered_key {
  struct parts {
    std::uint32_t at[sizeof(OrderedKey) / 4];
  };
  parts ordered_key;
  std::uint32_t place;

  friend SAM_FUNCTION bool operator<(placed_ordered_key const& a, placed_ordered_key const& b) {
    auto const x = __builtin_bit_cast(OrderedKey, a.ordered_key),
               y = __builtin_bit_cast(OrderedKey, b.ordered_key);
    if constexpr (sizeof(OrderedKey) == 4) {  // compiles to two instructions
      return (std::uint64_t{x} << 32 | a.place) < (std::uint64_t{y} << 32 | b.place);
    } else {
      // Evaluating all comparisons avoids branches.
      bool const is_less = x < y, is_equal = x == y, lay_before = a.place < b.place;
      return is_less | (is_equal & lay_before);
    }
  }
};

/// Describes the segments of a window: head flags as bits, the number of heads before each word,
/// and the number of segments.
struct window_heads {
  std::uint64_t const* words;
  std::uint32_t const* before;
  int segments;
};

/// Sorts items [begin, end), relative to item `first`: the segments that begin in the window. Flags
/// after the last of these heads only tell where its segment ends.
template <class Device, class Job, class Config, int Window>
class packed_network_sort {
  using traits = radix_traits<Job>;
  using key = typename traits::key;
  using value = typename traits::value;
  using ordered_key = typename traits::ordered_key;
  using placed = placed_ordered_key<ordered_key>;
  using word = std::uint64_t;
  static constexpr int lanes = Device::warp_size;
  static constexpr int threads = Config::warps * lanes;
  static constexpr int size = Window;
  static constexpr int word_bits = 64;

  /// Number of items that a lane holds in registers.
  template <class Item>
  static constexpr int slots = sizeof(Item) <= 12 ? 16 : 4;
  template <class Item>
  using network = sorting_network<Device, Item, slots<Item>>;

 public:
  /// Length of the longest segment if ordered keys are sorted alone and, below, together with
  /// indices.
  static constexpr int longest = int(engine::min_of(size, slots<ordered_key>* lanes));
  static constexpr int longest_placed = int(engine::min_of(size, slots<placed>* lanes));
  /// Heads in the same word of flags need no check: they are closer than this.
  static_assert(longest_placed >= word_bits);

 private:
  static constexpr int rows = size / threads + int(div_up(longest, threads));

  // Layout of shared memory.
  static constexpr int ordered_keys_at = 0;
  static constexpr int begins_at = rows * threads * int(sizeof(ordered_key));
  static constexpr int lists_at = (begins_at + (size + 1) * 2 + 3) / 4 * 4;
  static constexpr int lists_end = lists_at + (size + size / 2 + lanes) * 4;
  static constexpr int counts_at = lists_end;

 public:
  static constexpr int shared_bytes = counts_at + lanes * 4;

  SAM_DEVICE packed_network_sort(Job const& job, window_heads const& heads, index_t first,
                                 int begin, int end)
      : job_(job), heads_(heads), memory_(Device::shared_memory()),
        thread_(Device::warp() * lanes + Device::lane()), first_(first), begin_(begin), end_(end) {}

  /// Returns the longest segment to sort by networks. If a window has a longer one, sorting all of
  /// its segments by digits is faster.
  static SAM_FUNCTION int most_items(Job const& job) {
    constexpr int few_bits = 16, few_items = int(min_of(longest_placed, 64));
    return sorts_ordered_keys(job)                   ? longest
           : job.end_bit - job.begin_bit <= few_bits ? few_items
                                                     : longest_placed;
  }

  SAM_DEVICE void run() {
    if constexpr (traits::keys_only)
      if (sorts_ordered_keys(job_)) {
        sort<ordered_key>();
        write_keys();
        return;
      }
    sort<placed>();
    move_items();
  }

 private:
  /// True if ordered keys are sorted alone, because they determine their keys.
  static SAM_FUNCTION bool sorts_ordered_keys(Job const& job) {
    return traits::keys_only && traits::sorts_all_bits(job);
  }

  /// Calls f(j, p) with the position p of the thread's item of each row j.
  template <class F>
  SAM_DEVICE void for_each_row(F const& f) const {
    constexpr int most = size / threads + 1;  // enough for most windows
    for_rows<0, most>(f);
    if constexpr (rows > most)
      if (end_ > most * threads)
        for_rows<most, rows>(f);
  }
  template <int First, int End, class F>
  SAM_DEVICE void for_rows(F const& f) const {
#pragma unroll
    for (int j = First; j < End; ++j) {
      int const p = j * threads + thread_;
      if (p >= begin_ && p < end_)
        f(j, p);
    }
  }
  /// Returns the address in an array of the thread's item of row 0.
  template <class T>
  SAM_DEVICE T* mine(T* array) const {
    return array + (first_ + thread_);
  }

  template <class Item>
  SAM_DEVICE void sort() {
    {
      uninitialized_array<key, rows> keys;
      key const* const from = mine(job_.keys);
      for_each_row([&](int j, int) { keys.at[j] = from[j * threads]; });
      list_segments();
      if (Device::warp() == Config::warps - 1)
        list_count(Device::lane()) = 0;
      bits_between const bits_of{job_.begin_bit, job_.end_bit};
      for_each_row([&](int j, int p) {
        ordered_key_at(p) = bits_of(static_cast<ordered_key>(job_.digits(keys.at[j])));
      });
    }
    Device::sync_block();  // orders the ordered keys and segments' begins before their reads
    list_by_lanes<Item>();
    Device::sync_block();  // orders the lists before their reads by other warps
    sort_lists<Item>();
    Device::sync_block();  // orders the sorted items before their reads by other warps
  }

  // --- Lists -------------------------------------------------------------------------------------

  /// Stores where segments begin; each thread handles one byte of the flags.
  SAM_DEVICE void list_segments() const {
    static_assert(size <= 8 * threads);
    if (thread_ == 0)
      begins()[heads_.segments] = std::uint16_t(end_);
    if (thread_ * 8 >= size)
      return;
    int const shift = thread_ * 8 % word_bits;
    word const own = heads_.words[thread_ * 8 / word_bits];
    word const earlier = own & ((word{1} << shift) - 1);
    std::uint16_t* to = begins() + heads_.before[thread_ * 8 / word_bits] +
                        Device::count(std::uint32_t(earlier)) +
                        Device::count(std::uint32_t(earlier >> 32));
    for (auto left = std::uint32_t(own >> shift) & 0xff; left != 0; left &= left - 1)
      *to++ = std::uint16_t(thread_ * 8 + Device::first(left));
  }

  /// Number of items up to which a segment belongs to list 0. Each further list has segments up to
  /// twice as long as the list before.
  static constexpr int fewest = network<ordered_key>::fewest;
  static constexpr int lists = [] {
    int count = 1;
    while (fewest << (count - 1) < longest)
      ++count;
    return count;
  }();
  static_assert(lists <= lanes);
  /// Returns list k. Its capacity is the greatest number of segments of such length in a window.
  SAM_DEVICE std::uint32_t* list(int k) const {
    return word_at(lists_at) + (k == 0 ? 0 : size + size / 2 - (size >> k) + k);
  }
  static SAM_DEVICE std::uint32_t entry(int begin, int length) {
    return std::uint32_t(begin) | std::uint32_t(length) << 16;
  }

  template <class Item>
  SAM_DEVICE void list_by_lanes() const {
    int const all = heads_.segments;
#pragma unroll 1
    for (int k = Device::warp() * lanes; k < all; k += threads) {
      int const own = k + Device::lane();
      int begin = 0, length = 0;
      if (own < all) {
        begin = begins()[own];
        length = begins()[own + 1] - begin;
      }
      if constexpr (std::is_same_v<Item, placed>)
        if (length == 1)
          ordered_key_at(begin) = static_cast<ordered_key>(begin);
      int const which =
          length > 1 ? Device::last(std::uint32_t(length - 1) / fewest) + 1 : int{lists};
      typename Device::lane_set same = 0, counted = 0;
#pragma unroll
      for (int l = 0; l < lists; ++l) {
        auto const of_list = Device::lanes_where(which == l);
        same = which == l ? of_list : same;
        counted = Device::lane() == l ? of_list : counted;
      }
      // Each lane adds the count of the list with its number: no two lanes share a word.
      std::uint32_t const before =
          Device::add_by_lanes(&list_count(Device::lane()), std::uint32_t(Device::count(counted)));
      std::uint32_t const of_mine = Device::shuffle_from(before, which);
      if (length > 1)
        list(which)[int(of_mine) + Device::count(same & Device::lower_lanes())] =
            entry(begin, length);
    }
  }

  // --- Networks ----------------------------------------------------------------------------------

  static SAM_FUNCTION constexpr int log_of(int power_of_2) {
    int log = 0;
    while (1 << log < power_of_2)
      ++log;
    return log;
  }
  static constexpr int log_lanes = log_of(lanes);
  /// Returns the logarithm of the number of lanes that sort a segment of list k together.
  template <class Item>
  static SAM_DEVICE int log_together(int k) {
    return int(engine::max_of(0, k + (log_of(fewest) - log_of(slots<Item>))));
  }

  /// Sorts the segments of all lists. Warps take turns, longest segments first.
  template <class Item>
  SAM_DEVICE void sort_lists() const {
    // Each lane holds the count of one list; lane 0 has the last list.
    int const of_lane = lists - 1 - Device::lane();
    std::uint32_t const count = of_lane >= 0 ? list_count(of_lane) : 0;
    std::uint32_t const turns = ((count << log_together<Item>(of_lane)) + (lanes - 1)) >> log_lanes;
    std::uint32_t const upto = gpu::sum_upto_lane<Device, lists>(turns);
    auto const all = int(Device::shuffle_from(upto, lists - 1));
#pragma unroll 1
    for (int turn = Device::warp(); turn < all; turn += Config::warps) {
      int const lane = Device::first(Device::lanes_where(upto > std::uint32_t(turn)));
      int const k = lists - 1 - lane, log = log_together<Item>(k);
      int const of_list = turn - int(Device::shuffle_from(upto - turns, lane));
      int const own = (of_list << (log_lanes - log)) + (Device::lane() >> log);
      sort_one<Item>(own < int(Device::shuffle_from(count, lane)) ? list(k)[own] : 0, log,
                     fewest << k);
    }
  }
  /// Sorts a segment of at most `most` items by 2^log lanes.
  template <class Item>
  SAM_DEVICE void sort_one(std::uint32_t found, int log, int most) const {
    int const begin = int(found & 0xffff), length = int(found >> 16);
    int const lane = Device::lane() & ((1 << log) - 1);
    int const mine = (length - lane + ((1 << log) - 1)) >> log;
    network<Item> items;
    items.fill(most, filler<Item>(), [&](int s, Item& item) {
      if (s < mine)
        item = item_at<Item>(begin + lane + (s << log));
    });
    Device::sync_warp();  // orders the loads before the stores of other lanes
    items.sort_own(most);
    items.merge_lanes(1 << log);
    int const skipped = lane * slots<Item>;
    put<slots<Item>>(items, most, begin + skipped, length - skipped);
  }
  template <int N, class Item>
  SAM_DEVICE void put(network<Item> const& items, int most, int begin, int length) const {
    constexpr int from = N > fewest ? N / 2 : 0;
    if constexpr (N > fewest) {
      put<N / 2>(items, most, begin, length);
      if (most < N)
        return;
    }
#pragma unroll
    for (int s = from; s < N; ++s) {
      if (s >= length)
        continue;
      if constexpr (std::is_same_v<Item, placed>)
        ordered_key_at(begin + s) = static_cast<ordered_key>(items.at[s].place);
      else
        ordered_key_at(begin + s) = items.at[s];
    }
  }
  template <class Item>
  SAM_DEVICE Item item_at(int p) const {
    if constexpr (std::is_same_v<Item, placed>)
      return {__builtin_bit_cast(typename placed::parts, ordered_key_at(p)), std::uint32_t(p)};
    else
      return ordered_key_at(p);
  }
  template <class Item>
  static SAM_DEVICE Item filler() {
    constexpr auto last = static_cast<ordered_key>(~ordered_key(0));
    if constexpr (std::is_same_v<Item, placed>)
      return {__builtin_bit_cast(typename placed::parts, last), ~0u};
    else
      return last;
  }

  // --- Where items go ----------------------------------------------------------------------------

  SAM_DEVICE void write_keys() const {
    key* const to = mine(job_.sorted_keys);
    for_each_row([&](int j, int p) {
      to[j * threads] = gpu::key_of_ordered_key<key>(job_.digits, ordered_key_at(p));
    });
  }
  /// Moves keys and values to their sorted positions. Each ordered key in shared memory has been
  /// replaced by the original index of the item that belongs there.
  SAM_DEVICE void move_items() const {
    if (job_.sorted_keys != nullptr)
      move(job_.keys, job_.sorted_keys);
    if constexpr (traits::has_values) {
      if constexpr (integer<value>)
        if (job_.values == nullptr) {
          value* const to = mine(job_.sorted_values);
          for_each_row(
              [&](int j, int p) { to[j * threads] = static_cast<value>(first_ + source(p)); });
          return;
        }
      move(job_.values, job_.sorted_values);
    }
  }
  template <class T>
  SAM_DEVICE void move(T const* from, T* to) const {
    uninitialized_array<T, rows> items;
    T const* const all = from + first_;
    for_each_row([&](int j, int p) { items.at[j] = all[source(p)]; });
    if (from == to)
      Device::sync_block();  // orders the loads before the stores, for in-place sorts
    T* const own = mine(to);
    for_each_row([&](int j, int) { own[j * threads] = items.at[j]; });
  }
  SAM_DEVICE int source(int p) const { return int(ordered_key_at(p)); }

  SAM_DEVICE ordered_key& ordered_key_at(int p) const {
    return reinterpret_cast<ordered_key*>(memory_ + ordered_keys_at)[p];
  }
  SAM_DEVICE std::uint16_t* begins() const {
    return reinterpret_cast<std::uint16_t*>(memory_ + begins_at);
  }
  SAM_DEVICE std::uint32_t* word_at(int bytes) const {
    return reinterpret_cast<std::uint32_t*>(memory_ + bytes);
  }
  SAM_DEVICE std::uint32_t& list_count(int k) const { return word_at(counts_at)[k]; }

  Job const& job_;
  window_heads const& heads_;
  std::byte* memory_;
  int thread_;
  index_t first_;
  int begin_, end_;
};

}  // namespace sam::inline v0_1::gpu
