// SPDX-License-Identifier: MIT
// Sorts many short segments, several in each block. Each block sorts all segments that begin in its
// window of items and fit in its buffer, which is at least twice a window. At most one segment that
// begins in a window does not fit. It is listed for a kernel with larger blocks or, if it does not
// fit there either, recorded as long.
//
// If all segments of a window are short, each is sorted in registers by as few lanes as can hold
// it. Otherwise they are sorted together, by digits.
#pragma once

#include <sam/gpu/sort/segmented/block_per_segment.hpp>
#include <sam/gpu/sort/segmented/packed_network_sort.hpp>
#include <sam/gpu/sort/segmented/packed_radix_sort.hpp>

namespace sam::inline v0_1::gpu {

/// Describes the items of a window that belong to long segments, which this kernel does not sort.
struct window_record {
  std::uint32_t lead;      // items before the first segment that begins in the window
  std::uint32_t trail;     // items of a long segment that begins in the window; else 0
  std::uint32_t has_head;  // 1 if a segment begins in the window
};

template <class Job, class Heads>
struct window_arguments {
  Job job;
  Heads heads;
  window_record* records;  // one for each window; null if no segment can be long
  segment_lists lists;
  rank_choice ranks;
};

/// Sorts the short segments of one window in each block.
template <class Device, class Job, class Heads, class Config>
class packed_segments {
 public:
  static constexpr int lanes = Device::warp_size;
  static constexpr int warps = Config::warps;
  static constexpr int threads = warps * lanes;
  static constexpr int buffer_for = threads * Config::items;
  /// Number of items of a window: at most half of the buffer. One warp must also be able to scan
  /// the flags of the window and one row more, and all threads to scan a byte of flags each.
  static constexpr int size =
      int(min_of(buffer_for / 2, min_of((lanes * 64 - threads) / threads * threads, 8 * threads)));
  /// Segments of at most this length are always sorted here.
  static constexpr int longest = buffer_for - size;
  static constexpr int rows = size / threads;

 private:
  using all_items = packed_radix_sort<Device, Job, Config>;
  /// Items per thread of a smaller sort, which suffices for most windows unless a segment is near
  /// the longest.
  static constexpr int fewer_items =
      size < buffer_for / 2 ? 2 * rows + 2 : (Config::items * 5 + 7) / 8;
  using fewer =
      packed_radix_sort<Device, Job,
                        sort_config<warps, fewer_items, Config::digit_bits, Config::blocks>>;
  using by_lanes = packed_network_sort<Device, Job, Config, size>;
  using lane_set = typename Device::lane_set;

  // Layout of shared memory.
  static constexpr int bits_at =
      int(engine::max_of(all_items::shared_bytes, by_lanes::shared_bytes) + 15) / 16 * 16;
  using word = std::uint64_t;
  static constexpr int word_bits = 64;
  static_assert(size % threads == 0 && threads % word_bits == 0);
  static constexpr int before_at = bits_at + buffer_for / word_bits * int(sizeof(word));
  static constexpr int seen_at = before_at + buffer_for / 32 * 4;
  static constexpr int heads_of_warps_at = seen_at + 16;

 public:
  static constexpr int shared_bytes = heads_of_warps_at + warps * 4;

  static SAM_FUNCTION index_t windows(index_t n) { return div_up(n, size); }

  SAM_DEVICE explicit packed_segments(window_arguments<Job, Heads> const& arguments)
      : a_(arguments), memory_(Device::shared_memory()), n_(arguments.job.n),
        thread_(Device::warp() * lanes + Device::lane()) {}

  SAM_DEVICE void run() {
    Device::grid_dependency_wait();
    Device::grid_dependency_trigger();
    sort_window(Device::block());
  }

 private:
  SAM_DEVICE void sort_window(index_t window) {
    first_ = window * size;
    if constexpr (requires { a_.heads.ends_at; }) {
      n_ = a_.heads.ends_at.upto(a_.job.n);
      if (first_ >= n_) {  // a window of no items, in which nothing is long
        if (thread_ == 0 && a_.records != nullptr)
          a_.records[window] = {0, 0, 1};
        return;
      }
    }
    auto const left = int(engine::min_of(n_ - first_, buffer_for + 1));
    std::uint32_t const has_failed = thread_ == teller ? a_.ranks.template has_failed<Device>() : 0;
    note_heads<rows + 1>(0);
    Device::sync_block();  // orders the flags before their reads by warp 0
    int const longest_by_lanes = by_lanes::most_items(a_.job);
    if (Device::warp() == 0)
      look_at_heads(longest_by_lanes, has_failed);
    Device::sync_block();  // orders the writes of `seen` before its reads
    seen const seen = what_was_seen();
    begin_ = seen.begin;
    if (begin_ >= 0) {
      end_ = find_end(left, seen.behind);
      bool const fits = end_ >= 0;
      if (!fits)
        end_ = seen.last;
      if (begin_ < end_) {
        if (seen.are_close && end_ - seen.last <= longest_by_lanes)
          by_lanes(a_.job, {&heads(0), &heads_before(0), seen.heads - (fits ? 0 : 1)}, first_,
                   begin_, end_)
              .run();
        else
          sort_by_digits();
      }
    }
    tell(window);
  }
  /// Lists or records the segment that was not sorted. It runs after the sort, which needs the
  /// registers.
  SAM_DEVICE void tell(index_t window) const {
    seen const seen = what_was_seen();
    bool is_left = seen.begin >= 0 && end_ == seen.last;
    if (is_left && list(first_ + seen.last))
      is_left = false;
    if (thread_ != 0 || a_.records == nullptr)
      return;
    auto const upto = int(engine::min_of(n_ - first_, size));
    a_.records[window] = {std::uint32_t(seen.begin < 0 ? upto : seen.begin),
                          std::uint32_t(is_left ? upto - seen.last : 0), seen.begin >= 0};
  }

  /// True if head flags are given as bits.
  static constexpr bool asks_words = requires(Heads const& heads) { heads.words; };

  /// Stores the head flags of Rows rows of items, from item `from` of the window on, as bits.
  template <int Rows>
  SAM_DEVICE void note_heads(int from) {
    if constexpr (asks_words)
      copy_heads<Rows>(from);
    else
      ask_heads<Rows>(from);
  }
  template <int Rows>
  SAM_DEVICE void copy_heads(int from) {
    static_assert(Rows <= 32);
    if (thread_ >= Rows * threads / 32)
      return;
    index_t const i = first_ + from + thread_ * 32, left = n_ - i;
    std::uint32_t found = left > 0 ? a_.heads.words[i / 32] : 0;
    if (left < 32)
      found &= (1u << max_of(0, left)) - 1;
    bits(from / 32 + thread_) = found | (i == 0 ? 1 : 0);
  }
  template <int Rows>
  SAM_DEVICE void ask_heads(int from) {
    bool heads[Rows];
#pragma unroll
    for (int j = 0; j < Rows; ++j) {
      index_t const i = first_ + from + j * threads + thread_;
      heads[j] = i < n_ && (i == 0 || a_.heads.at(i));
    }
#pragma unroll
    for (int j = 0; j < Rows; ++j) {
      auto const set = Device::lanes_where(heads[j]);
#pragma unroll
      for (int k = 0; k < lanes / 32; ++k)
        if (Device::lane() == k)
          bits((from + j * threads + Device::warp() * lanes) / 32 + k) =
              std::uint32_t(set >> (k * 32 % lanes));
    }
  }
  static SAM_DEVICE int first_bit(word x) {
    auto const low = std::uint32_t(x);
    return low != 0 ? Device::first(low) : 32 + Device::first(std::uint32_t(x >> 32));
  }
  static SAM_DEVICE int last_bit(word x) {
    auto const high = std::uint32_t(x >> 32);
    return high != 0 ? 32 + Device::last(high) : Device::last(std::uint32_t(x));
  }
  /// Holds what one warp finds in the flags of a window and of the row after it. `begin` and `last`
  /// are the first and last head of the window, `behind` the first head after it; -1 if there is
  /// none. `heads` is the number of heads in the window. `are_close` is true if all neighbouring
  /// heads are close enough for packed_network_sort, and `has_failed` is the block's answer of
  /// rank_choice.
  struct seen {
    int begin, last, behind;
    std::int16_t heads;
    bool are_close, has_failed;
  };
  static constexpr int teller = lanes - 1;  // the thread that writes `seen`
  /// Finds `seen`, and in heads_before() the number of heads before each word. `most` is the
  /// longest segment for packed_network_sort.
  SAM_DEVICE void look_at_heads(int most, std::uint32_t has_failed) const {
    constexpr int words = size / word_bits, all = words + threads / word_bits;
    static_assert(all <= lanes);
    int const own = Device::lane();
    word const x = own < all ? heads(own) : 0;
    int const first = own * word_bits + first_bit(x), last = own * word_bits + last_bit(x);
    lane_set const have = Device::lanes_where(x != 0);
    lane_set const inside = have & ((lane_set{1} << words) - 1), behind = have ^ inside;
    lane_set const later = inside & ~Device::lower_lanes() & ~(lane_set{1} << own);
    int const next = in_lane(first, later);
    bool const is_close = later == 0 || x == 0 || next - last <= most;
    int const begin = in_lane(first, inside), first_behind = in_lane(first, behind);
    auto const of_last =
        Device::shuffle_from(std::uint32_t(last), inside != 0 ? Device::last(inside) : 0);
    bool const are_close = Device::all_lanes(is_close);
    std::uint32_t const mine = own < words ? count_of(x) : 0,
                        upto = gpu::sum_upto_lane<Device>(mine);
    if (own < words)
      heads_before(own) = upto - mine;
    if (thread_ == teller)
      what_was_seen() = {inside != 0 ? begin : -1, int(of_last), behind != 0 ? first_behind : -1,
                         std::int16_t(upto),       are_close,    has_failed != 0};
  }
  static SAM_DEVICE std::uint32_t count_of(word x) {
    return std::uint32_t(Device::count(std::uint32_t(x)) + Device::count(std::uint32_t(x >> 32)));
  }
  /// Returns x of the first lane of a set.
  static SAM_DEVICE int in_lane(int x, lane_set some) {
    return int(Device::shuffle_from(std::uint32_t(x), some != 0 ? Device::first(some) : 0));
  }
  /// Returns the first head among items [from, from + threads) of the window; -1 if there is none.
  SAM_DEVICE int first_head(int from) const {
    int const own = from / word_bits + Device::lane();
    word const x = Device::lane() < threads / word_bits ? heads(own) : 0;
    lane_set const have = Device::lanes_where(x != 0);
    int const first = in_lane(own * word_bits + first_bit(x), have);
    return have != 0 ? first : -1;
  }
  /// Returns where the last segment that begins in the window ends; -1 if it does not fit in the
  /// buffer. `behind` is the first head in the row after the window.
  SAM_DEVICE int find_end(int left, int behind) {
    if (left <= size)
      return left;
    if (behind >= 0)
      return behind;
    for (int from = size + threads;; from += threads) {
      if (left <= from)
        return left;
      if (from == buffer_for)
        return -1;
      note_heads<1>(from);
      Device::sync_block();  // orders the flags before their reads by other warps
      if (int const found = first_head(from); found >= 0)
        return found;
    }
  }

  /// Adds the segment that begins at item `begin` to a list. Returns false if it is too long for
  /// all lists.
  SAM_DEVICE bool list(index_t begin) const {
    int const longest_listed = a_.lists.longest();
    index_t const upto = engine::min_of(n_, begin + longest_listed + 1);
    index_t end = first_far_head(first_ + buffer_for, upto);
    if (end < 0 && upto == n_)
      end = n_;
    if (end < 0 || end - begin > longest_listed)
      return false;
    if (thread_ == 0)
      a_.lists.template add<Device>({begin, int(end - begin)});
    return true;
  }
  /// Returns the first head among items [from, end), where `from` is the first item of a row; -1 if
  /// there is none.
  SAM_DEVICE index_t first_far_head(index_t from, index_t end) const {
    constexpr int each = asks_words ? 32 : 8, none = threads * each;
    for (; from < end; from += none) {
      int const own = first_head_of_few<each>(from + thread_ * each, end);
      lane_set const have = Device::lanes_where(own < each);
      int const found = in_lane(thread_ * each + own, have);
      if (Device::lane() == 0)
        head_of_warp(Device::warp()) = have != 0 ? found : none;
      Device::sync_block();  // orders the warps' heads before their reads
      int first = none;
      for (int w = 0; w < warps; ++w)
        first = int(engine::min_of(first, head_of_warp(w)));
      Device::sync_block();  // orders these reads before the next writes
      if (first < none)
        return from + first;
    }
    return -1;
  }
  /// Returns the first head among Count items from i on but before `end`, counted from i; Count if
  /// there is none.
  template <int Count>
  SAM_DEVICE int first_head_of_few(index_t i, index_t end) const {
    std::uint32_t found = 0;
    if constexpr (asks_words) {
      found = i < end ? a_.heads.words[i / 32] : 0;
      if (end - i < 32)
        found &= (1u << max_of(0, end - i)) - 1;
    } else {
#pragma unroll
      for (int k = 0; k < Count; ++k)
        found |= std::uint32_t(i + k < end && a_.heads.at(i + k)) << k;
    }
    return found != 0 ? Device::first(found) : Count;
  }

  // --- Digits ------------------------------------------------------------------------------------

  SAM_DEVICE void sort_by_digits() {
    number_words();
    Device::sync_block();  // orders the prefixes of words before their reads
    if constexpr (fewer_items < Config::items)
      if (end_ - begin_ <= fewer::size)
        return sort_by_digits_in<fewer>();
    sort_by_digits_in<all_items>();
  }
  template <class Sort>
  SAM_DEVICE void sort_by_digits_in() {
    auto job = noted<Job>::job_with(a_.job.digits);
    auto const segment_of = [this](int p) { return heads_upto(begin_ + p) - 1; };
    Sort(a_.job, job, first_ + begin_, end_ - begin_)
        .run(a_.ranks, what_was_seen().has_failed, segment_of, heads_upto(end_ - 1));
  }
  /// Computes in heads_before() the number of heads before each word of flags, by one warp.
  SAM_DEVICE void number_words() {
    if (Device::warp() != 0)
      return;
    int const end = (end_ + 31) / 32;
    std::uint32_t before = 0;
    for (int k = 0; k < end; k += lanes) {
      int const mine = k + Device::lane();
      auto const own = mine < end ? std::uint32_t(Device::count(bits(mine))) : 0;
      std::uint32_t const upto = gpu::sum_upto_lane<Device>(own);
      if (mine < end)
        heads_before(mine) = before + upto - own;
      before += Device::shuffle_from(upto, lanes - 1);
    }
  }
  /// Returns the number of heads among the items up to and including p.
  SAM_DEVICE int heads_upto(int p) const {
    std::uint32_t const upto = bits(p / 32) << (31 - p % 32);
    return int(heads_before(p / 32)) + Device::count(upto);
  }

  SAM_DEVICE word& heads(int k) const { return reinterpret_cast<word*>(memory_ + bits_at)[k]; }
  SAM_DEVICE std::uint32_t& bits(int k) const {
    return reinterpret_cast<std::uint32_t*>(memory_ + bits_at)[k];
  }
  SAM_DEVICE std::uint32_t& heads_before(int k) const {
    return reinterpret_cast<std::uint32_t*>(memory_ + before_at)[k];
  }
  SAM_DEVICE int& head_of_warp(int w) const {
    return reinterpret_cast<int*>(memory_ + heads_of_warps_at)[w];
  }
  SAM_DEVICE seen& what_was_seen() const { return *reinterpret_cast<seen*>(memory_ + seen_at); }
  window_arguments<Job, Heads> const& a_;
  std::byte* memory_;
  index_t n_;  // the number of items, which may lie in memory
  int thread_;
  index_t first_ = 0;        // first item of the window
  int begin_ = 0, end_ = 0;  // sorted items, relative to the window
};

}  // namespace sam::inline v0_1::gpu
