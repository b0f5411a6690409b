// SPDX-License-Identifier: MIT
// A sort of many short segments: each block, of which there are as many as windows, takes the
// segments that begin in a window of items and that it has room for, twice a window, and leaves the
// others, of which at most one begins in a window, alone.
//
// Where no segment has more items than a word has bits, an item's place is found by counting those
// of its segment that go before it: where segments begin is said by bits, of which the item's word
// and the two around it say all. Else the segments are sorted together, by digits.
//
// Source: Knuth, "The art of computer programming", volume 3, 5.2, algorithm C (comparison
// counting); for digits see sort_ranks.
#pragma once

#include <sam/gpu/window_sort.hpp>

namespace sam::gpu {

/// What a window tells of segments that are left alone.
struct window_record {
  std::uint32_t lead;      // items before the first segment that begins in the window
  std::uint32_t trail;     // items from where a segment begins for which there is no room; else 0
  std::uint32_t has_head;  // whether a segment begins in the window
};

template <class Job, class Heads>
struct window_arguments {
  Job job;
  Heads heads;
  window_record* records;  // a window's; null if nobody asks
  ranking how;
};

template <class Device, class Job, class Heads, class Shape>
class sort_windows {
 public:
  using traits = sort_traits<Job>;
  using value = typename traits::value;
  using image = typename traits::image;
  static constexpr int lanes = Device::warp_size;
  static constexpr int warps = Shape::warps;
  static constexpr int threads = warps * lanes;
  static constexpr int room_for = threads * Shape::items;
  static constexpr int size = room_for / 2;  // of a window
  /// Segments of so many items are always sorted, and of so many by counting.
  static constexpr int longest = room_for - size;
  static constexpr int longest_counted = 64;
  static constexpr int rows = Shape::items / 2;
  static_assert(Shape::items % 2 == 0 && threads % longest_counted == 0);

 private:
  using all_items = window_sort<Device, Job, Shape>;
  /// Windows of segments that are not the longest ones seldom have more items.
  static constexpr int fewer_items = (Shape::items * 5 + 7) / 8;
  using fewer =
      window_sort<Device, Job, sort_shape<warps, fewer_items, Shape::digit_bits, Shape::blocks>>;
  static_assert(int{all_items::keys_at} == int{fewer::keys_at});

  // Shared memory.
  static constexpr int images_at = all_items::keys_at;
  static constexpr int images_end = images_at + (size + threads) * int(sizeof(image));
  static constexpr int bits_at = int(max_of(all_items::shared_bytes, images_end) + 15) / 16 * 16;
  using word = std::uint64_t;
  static constexpr int word_bits = 64;
  static constexpr int before_at = bits_at + (room_for / word_bits + 2) * int(sizeof(word));

 public:
  static constexpr int shared_bytes = before_at + room_for / 32 * 4;

  static SAM_FUNCTION index_t windows(index_t n) { return div_up(n, size); }

  SAM_DEVICE explicit sort_windows(window_arguments<Job, Heads> const& arguments)
      : a_(arguments), memory_(Device::shared_memory()),
        thread_(Device::warp() * lanes + Device::lane()) {}

  SAM_DEVICE void run() {
    Device::await_previous_kernel();
    Device::let_next_kernel_start();
    sort_window(Device::block());
  }

 private:
  SAM_DEVICE void sort_window(index_t window) {
    first_ = window * size;
    auto const left = int(min_of(a_.job.n - first_, room_for + 1));
    note_heads<rows + 1>(0);
    Device::sync_block();  // publishes bits
    bool fits = true;
    int last = 0;
    begin_ = first_head(0, size);
    if (begin_ >= 0) {
      last = last_head();
      end_ = find_end(left);
      fits = end_ >= 0;
      if (!fits)
        end_ = last;
    }
    if (thread_ == 0 && a_.records != nullptr) {
      auto const upto = int(min_of(left, size));
      a_.records[window] = {std::uint32_t(begin_ < 0 ? upto : begin_),
                            std::uint32_t(fits ? 0 : upto - last), begin_ >= 0};
    }
    if (begin_ < 0 || begin_ == end_)
      return;
    if (end_ - last <= longest_counted && are_close(last))
      sort_by_counting();
    else
      sort_by_digits();
  }

  /// Sets the bits of heads among so many rows of items.
  template <int Rows>
  SAM_DEVICE void note_heads(int from) {
    if constexpr (requires { a_.heads.words; })
      copy_heads<Rows>(from);
    else
      ask_heads<Rows>(from);
  }
  template <int Rows>
  SAM_DEVICE void copy_heads(int from) {
    static_assert(Rows <= 32);
    if (thread_ >= Rows * threads / 32)
      return;
    index_t const i = first_ + from + thread_ * 32, left = a_.job.n - i;
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
      heads[j] = i < a_.job.n && (i == 0 || a_.heads.at(i));
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
  /// The first of the heads in words for items [from, upto); -1 if there is none.
  SAM_DEVICE int first_head(int from, int upto) const {
    int const end = upto / word_bits;
    for (int k = from / word_bits; k < end; k += lanes) {
      int const own = k + Device::lane();
      word const x = own < end ? heads(own) : 0;
      if (auto const set = Device::lanes_where(x != 0); set != 0)
        return int(Device::shuffle_from(std::uint32_t(own * word_bits + first_bit(x)),
                                        Device::first(set)));
    }
    return -1;
  }
  /// The last one that the window has; there is one.
  SAM_DEVICE int last_head() const {
    std::uint32_t found = 0;
    for (int k = 0; k < size / word_bits; k += lanes) {
      int const own = k + Device::lane();
      word const x = own < size / word_bits ? heads(own) : 0;
      if (auto const set = Device::lanes_where(x != 0); set != 0)
        found =
            Device::shuffle_from(std::uint32_t(own * word_bits + last_bit(x)), Device::last(set));
    }
    return int(found);
  }
  /// Whether no two neighbours among the window's heads lie more than a word apart.
  SAM_DEVICE bool are_close(int last) const {
    bool close = true;
    for (int k = begin_ / word_bits + Device::lane(); k < last / word_bits; k += lanes) {
      word const x = heads(k), next = heads(k + 1);
      close = close && x != 0 && (next == 0 || first_bit(next) <= last_bit(x));
    }
    return Device::all_lanes(close);
  }
  /// Where the last segment that begins in the window ends; -1 if there is no room for it.
  SAM_DEVICE int find_end(int left) {
    if (left <= size)
      return left;
    for (int from = size;; from += threads) {
      int const found = first_head(from, from + threads);
      if (found >= 0)
        return found;
      if (left <= from + threads)
        return left;
      if (from + threads == room_for)
        return -1;
      note_heads<1>(from + threads);
      Device::sync_block();  // publishes bits
    }
  }

  // --- Counting ----------------------------------------------------------------------------------

  /// Where an item's segment lies.
  struct part {
    int begin, end;
  };
  SAM_DEVICE part part_around(int p) const {
    // By half words: all lanes of a row look at the same.
    int const k = p / 32, bit = p % 32;
    std::uint32_t const own = bits(k), upto = own << (31 - bit), behind = own >> bit >> 1;
    std::uint32_t const before = bits(k - 1), after = bits(k + 1), after_that = bits(k + 2);
    int const begin = before != 0 ? (k - 1) * 32 + Device::last(before)
                                  : (k - 2) * 32 + Device::last(bits(k - 2));
    int const next = after != 0        ? (k + 1) * 32 + Device::first(after)
                     : after_that != 0 ? (k + 2) * 32 + Device::first(after_that)
                                       : end_;
    return {upto != 0 ? p - 31 + Device::last(upto) : begin,
            int(min_of(behind != 0 ? p + 1 + Device::first(behind) : next, end_))};
  }

  /// Calls f(j, p) for the place p of each of the thread's items that are sorted.
  template <class F>
  SAM_DEVICE void for_each_row(F const& f) const {
#pragma unroll
    for (int j = 0; j <= rows; ++j) {
      int const p = j * threads + thread_;
      if (p >= begin_ && p < end_)
        f(j, p);
    }
  }

  SAM_DEVICE void sort_by_counting() {
    Job const& job = a_.job;
    room<typename traits::key, rows + 1> keys;
    for_each_row([&](int j, int p) { keys.at[j] = job.keys[first_ + p]; });
    bits_between const bits_of{job.begin_bit, job.end_bit};
    for_each_row(
        [&](int j, int p) { image_at(p) = bits_of(static_cast<image>(job.digits(keys.at[j]))); });
    Device::sync_block();  // publishes images; all keys have been read
    packed_numbers<Device, rows + 1> to;
#pragma unroll
    for (int j = 0; j <= rows; ++j) {
      int const p = j * threads + thread_;
      std::uint32_t place = 0;
      if (p >= begin_ && p < end_) {
        place = place_of(p);
        if (job.sorted_keys != nullptr)
          job.sorted_keys[first_ + place] = keys.at[j];
      }
      to.set(j, place);
    }
    if constexpr (traits::has_values) {
      if constexpr (integer<value>)
        if (job.values == nullptr) {
          for_each_row([&](int j, int p) {
            job.sorted_values[first_ + to[j]] = static_cast<value>(first_ + p);
          });
          return;
        }
      room<value, rows + 1> values;
      for_each_row([&](int j, int p) { values.at[j] = job.values[first_ + p]; });
      Device::sync_block();  // all values have been read
      for_each_row([&](int j, int) { job.sorted_values[first_ + to[j]] = values.at[j]; });
    }
  }
  SAM_DEVICE std::uint32_t place_of(int p) const {
    part const own = part_around(p);
    image const x = image_at(p);
    auto place = std::uint32_t(own.begin);
#pragma unroll 4
    for (int q = own.begin; q < own.end; ++q)
      place += goes_before(image_at(q), q, x, p) ? 1 : 0;
    return place;
  }
  static SAM_DEVICE bool goes_before(image y, int q, image x, int p) {
    if constexpr (sizeof(image) == 4)  // two instructions
      return (std::uint64_t{y} << 32 | std::uint32_t(q)) <
             (std::uint64_t{x} << 32 | std::uint32_t(p));
    else
      return y < x || (y == x && q < p);
  }

  // --- Digits ------------------------------------------------------------------------------------

  SAM_DEVICE void sort_by_digits() {
    number_words();
    Device::sync_block();  // publishes what lies before each word
    if constexpr (fewer_items < Shape::items)
      if (end_ - begin_ <= fewer::size)
        return sort_by_digits_in<fewer>();
    sort_by_digits_in<all_items>();
  }
  template <class Sort>
  SAM_DEVICE void sort_by_digits_in() {
    typename noted<Job>::job job{};
    job.digits.inner = a_.job.digits;
    auto const segment_of = [this](int p) { return heads_upto(begin_ + p) - 1; };
    Sort(a_.job, job, first_ + begin_, end_ - begin_).run(a_.how, segment_of, heads_upto(end_ - 1));
  }
  /// One warp adds up how many heads lie before each word.
  SAM_DEVICE void number_words() {
    if (Device::warp() != 0)
      return;
    int const end = (end_ + 31) / 32;
    std::uint32_t before = 0;
    for (int k = 0; k < end; k += lanes) {
      int const mine = k + Device::lane();
      auto const own = mine < end ? std::uint32_t(Device::count(bits(mine))) : 0;
      std::uint32_t upto = own;
#pragma unroll
      for (int step = 1; step < lanes; step *= 2) {
        std::uint32_t const earlier = Device::shuffle_up(upto, step);
        upto += Device::lane() >= step ? earlier : 0;
      }
      if (mine < end)
        heads_before(mine) = before + upto - own;
      before += Device::shuffle_from(upto, lanes - 1);
    }
  }
  SAM_DEVICE int heads_upto(int p) const {
    std::uint32_t const upto = bits(p / 32) << (31 - p % 32);
    return int(heads_before(p / 32)) + Device::count(upto);
  }

  SAM_DEVICE word heads(int k) const { return word{bits(2 * k)} | word{bits(2 * k + 1)} << 32; }
  /// The same by half words: there are two before the first.
  SAM_DEVICE std::uint32_t& bits(int k) const {
    return reinterpret_cast<std::uint32_t*>(memory_ + bits_at)[k + 2];
  }
  SAM_DEVICE std::uint32_t& heads_before(int k) const {
    return reinterpret_cast<std::uint32_t*>(memory_ + before_at)[k];
  }
  SAM_DEVICE image& image_at(int p) const {
    return reinterpret_cast<image*>(memory_ + images_at)[p];
  }
  window_arguments<Job, Heads> const& a_;
  std::byte* memory_;
  int thread_;
  index_t first_ = 0;        // of the window
  int begin_ = 0, end_ = 0;  // of what is sorted, from there
};

}  // namespace sam::gpu
