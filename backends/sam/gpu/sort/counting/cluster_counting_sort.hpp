// SPDX-License-Identifier: MIT
// Sorts few 8-bit or 16-bit keys by counting, in one block or one cluster. Each block of a cluster
// reads all keys. It counts the keys in its own range of digits, and the keys below that range, so
// no block needs the counts of another.
//
// Hardware combines the additions of 1 by the lanes of a warp to one word, so equal keys cost no
// more than distinct ones. The position where a digit's keys begin is marked with that digit. The
// key at a position is then the last mark at or before it. Each block writes the keys that it has
// counted. If these could be too many for one block, each block instead writes an equal share,
// marked by the blocks that counted its keys.
#pragma once

#include <sam/gpu/grid/sub_grid.hpp>
#include <sam/gpu/sort/digit_histogram.hpp>
#include <sam/gpu/warp/privatized_counters.hpp>
#include <sam/gpu/warp/warp_scan.hpp>

namespace sam::inline v0_1::gpu {

/// Configures the kernel: warps, 16-byte vectors that a thread loads at once, and blocks of the
/// cluster. With Shared = 0, each block writes the keys it has counted, at most Vectors vectors per
/// thread. Otherwise the blocks share the writing of at most Shared keys.
template <int Warps, int Vectors, int Blocks = 1, int Shared = 0>
struct cluster_counting_config {
  static constexpr int warps = Warps;
  static constexpr int vectors = Vectors;
  static constexpr int blocks = Blocks;
  static constexpr int shared = Shared;
};

/// Sorts a job of at most `size` keys by one block or cluster.
template <class Device, class Job, class Config>
class cluster_counting_sort {
  using traits = radix_traits<Job>;
  using key = typename traits::key;
  using mark = std::conditional_t<sizeof(key) == 1, std::uint8_t, std::uint16_t>;
  using lane_set = typename Device::lane_set;
  static constexpr int lanes = Device::warp_size;
  static constexpr int bits = 8 * int{sizeof(mark)};
  static constexpr int of_word = 4 / int{sizeof(mark)};
  static constexpr int vector_bits = sizeof(mark) == 1 ? 4 : 3, of_vector = 1 << vector_bits;
  static constexpr bool is_alone = Config::blocks == 1;
  static constexpr bool shares = Config::shared != 0;
  static constexpr int buckets = (1 << bits) / Config::blocks;  // counted by one block

 public:
  static constexpr int blocks = Config::blocks;
  static constexpr int threads = Config::warps * lanes;
  /// Largest number of keys.
  static constexpr int size = shares ? Config::shared : threads * Config::vectors * of_vector;
  /// True if keys have 8 or 16 bits and are determined by their digits.
  static constexpr bool is_possible = traits::keys_only && sizeof(key) == sizeof(mark) &&
                                      std::remove_cvref_t<decltype(Job::digits)>::bits == bits;
  /// True if this sort applies to the job.
  static bool takes(Job const& job) {
    return is_possible && job.n <= size && traits::sorts_all_bits(job);
  }

 private:
  static constexpr int own = int(max_of(1, buckets / threads));  // digits that one thread owns
  static constexpr int owners = buckets / own;
  static_assert(owners <= threads && owners % lanes == 0 && Config::warps <= lanes);

  /// Returns the index of a digit's counter. The padding spreads multiples of powers of two, and
  /// sums of few of them, over the banks.
  static SAM_FUNCTION constexpr std::uint32_t place_of(std::uint32_t digit) {
    std::uint32_t const spread = digit + (digit >> 7);
    return spread + (spread >> 2);
  }
  static constexpr auto others = std::uint32_t(buckets);  // all digits outside of the range

  /// Returns share_bits such that each block writes 2^share_bits of this many keys, a whole number
  /// of vectors. The last block writes one vector more if the result is not aligned to vectors. A
  /// power of two avoids a slow division.
  static SAM_FUNCTION constexpr int share_bits(int keys) {
    int b = vector_bits;
    while (blocks << b < keys)
      ++b;
    return b;
  }
  static constexpr int vectors =
      (shares ? 1 << (share_bits(size) - vector_bits) : size / of_vector) + 1;
  static_assert(!shares || (!is_alone && sizeof(mark) == 2));

  struct alignas(16) marks_of_vector {
    std::uint32_t words[4];
  };
  struct shared_layout {
    marks_of_vector marks[vectors];  // of the result or, if writing is shared, of the block's share
    std::uint32_t counts[place_of(others) + 1], begin, end;
    std::uint32_t sums[Config::warps], less[Config::warps], last[2][Config::warps];
    mark before;  // the last mark before the block's share
  };

 public:
  static constexpr int shared_bytes = int(sizeof(shared_layout));

  SAM_DEVICE explicit cluster_counting_sort(sort_arguments<Job> const& arguments)
      : job_(arguments.job), shared_(*reinterpret_cast<shared_layout*>(Device::shared_memory())),
        thread_(Device::warp() * lanes + Device::lane()),
        past_(int(reinterpret_cast<std::uintptr_t>(job_.sorted_keys) % 16 / sizeof(key))),
        share_bits_(shares ? share_bits(int(job_.n)) : 0) {
    if constexpr (!is_alone)
      block_ = Device::block_of_cluster();
  }

  SAM_DEVICE void run() {
    for (int k = thread_; k < int(sizeof(shared_.counts) / 4); k += threads)
      shared_.counts[k] = 0;
    int const marked = shares ? vectors_of_share() : int(div_up(int(job_.n) + past_, of_vector));
    for (int v = thread_; v < marked; v += threads)
      shared_.marks[v] = {};
    if constexpr (shares) {
      if (thread_ == 0)
        shared_.before = 0;
      Device::arrive_at_cluster();
    }
    Device::grid_dependency_wait();
    Device::grid_dependency_trigger();
    Device::sync_block();  // orders the zeros before the counts of other warps
    count();
    if constexpr (!is_alone && !shares)
      Device::cluster_arrive_relaxed();
    Device::sync_block();  // orders the counts before their reads by other warps
    mark_begins();
    if constexpr (shares) {
      Device::arrive_at_cluster();
      Device::await_cluster();  // orders the marks before their reads; all keys have been read
      write_share();
    } else {
      Device::sync_block();  // orders the marks before their reads; this block has read all keys
      if constexpr (!is_alone)
        Device::await_cluster();  // the other blocks have read all keys, too
      write_counted();
    }
  }

 private:
  SAM_DEVICE std::uint32_t first_digit() const { return std::uint32_t(block_ * buckets); }

  SAM_DEVICE void count() {
    std::uint32_t less = 0;
    auto const counts = Device::shared_address_of(shared_.counts);
    std::uint32_t const first = first_digit();
    gpu::for_each_item<sub_grid<Device, blocks>, threads, Config::vectors>(
        job_.keys, job_.n, thread_, [&](key const& k) {
          std::uint32_t const digit = std::uint32_t{job_.digits(k)} - first;
          less += digit >> 31;
          std::uint32_t const place = place_of(is_alone ? digit : min_of(digit, others));
          Device::add_shared(Device::word_at(counts + place * 4), 1u);
        });
    if constexpr (!is_alone) {
      less = gpu::sum_upto_lane<Device>(less);
      if (Device::lane() == lanes - 1)
        shared_.less[Device::warp()] = less;
    }
  }

  SAM_DEVICE void mark_begins() const {
    bool const owns = thread_ < owners;
    int const digit = thread_ * own;
    std::uint32_t counts[own], sum = 0;
#pragma unroll
    for (int k = 0; k < own; ++k) {
      counts[k] = owns ? shared_.counts[place_of(std::uint32_t(digit + k))] : 0;
      sum += counts[k];
    }
    std::uint32_t const upto = gpu::sum_upto_lane<Device>(sum);
    if (owns && Device::lane() == lanes - 1)
      shared_.sums[Device::warp()] = upto;
    Device::sync_block();  // orders the warps' sums before their reads
    if constexpr (shares)
      Device::await_cluster();  // orders the clearing of marks before marks by other blocks
    if (!owns)
      return;
    std::uint32_t before = 0;
    if (Device::lane() < Config::warps) {
      before = Device::lane() < Device::warp() ? shared_.sums[Device::lane()] : 0;
      before += is_alone ? 0 : shared_.less[Device::lane()];
    }
    before = Device::shuffle_from(gpu::sum_upto_lane<Device>(before), lanes - 1);
    std::uint32_t begin = before + upto - sum;
    if (thread_ == 0)
      shared_.begin = begin;
#pragma unroll
    for (int k = 0; k < own; ++k) {
      if (counts[k] != 0)
        put_mark(int(begin) + past_, int(counts[k]),
                 static_cast<mark>(first_digit() + std::uint32_t(digit + k)));
      begin += counts[k];
    }
    if (thread_ == owners - 1)
      shared_.end = begin;
  }

  SAM_DEVICE int vectors_of_share() const {
    return (1 << (share_bits_ - vector_bits)) + (block_ == blocks - 1 ? 1 : 0);
  }
  SAM_DEVICE int block_of(int place) const { return min_of(place >> share_bits_, blocks - 1); }

  /// Marks the position where `count` keys of a digit begin, and the shares into which they extend.
  SAM_DEVICE void put_mark(int place, int count, mark digit) const {
    auto* const marks = reinterpret_cast<mark*>(shared_.marks);
    if constexpr (shares) {
      int const b = block_of(place), upto = block_of(place + count - 1);
      Device::store_in_block(marks + (place - (b << share_bits_)), b, digit);
      for (int k = b + 1; k <= upto; ++k)
        Device::store_in_block(&shared_.before, k, digit);
    } else {
      marks[place] = digit;
    }
  }

  SAM_DEVICE void write_counted() const {
    int const begin = int(shared_.begin), end = int(shared_.end);
    int const upto = int(div_up(end + past_, of_vector));
    std::uint32_t before = 0;
    for (int row = (begin + past_) / of_vector, turn = 0; row < upto; row += threads, turn ^= 1) {
      int const v = row + thread_;
      write_row(v, v < upto ? shared_.marks[v] : marks_of_vector{}, begin, end, before, turn);
    }
  }

  SAM_DEVICE void write_share() const {
    int const first = block_ << (share_bits_ - vector_bits), all = vectors_of_share();
    std::uint32_t before = shared_.before;
    for (int row = 0, turn = 0; row < all; row += threads, turn ^= 1) {
      int const v = row + thread_;
      bool const has_one = v < all;
      write_row(first + v, has_one ? shared_.marks[v] : marks_of_vector{}, 0,
                has_one ? int(job_.n) : 0, before, turn);
    }
  }

  /// Writes one vector of each thread, as far as its keys are in [begin, end). All threads of the
  /// block call it, with consecutive vectors. `before` is the last mark before the vectors on
  /// entry, and the last mark up to their end on return.
  SAM_DEVICE void write_row(int v, marks_of_vector const& marks, int begin, int end,
                            std::uint32_t& before, int turn) const {
    // Digits ascend, so the last mark is the greatest: that of the last thread that has any.
    std::uint32_t const last = greatest(marks);
    lane_set const with = Device::lanes_where(last != 0), lower = with & Device::lower_lanes();
    std::uint32_t const of_lower = Device::shuffle_from(last, Device::last(lower | 1));
    if (Device::lane() == Device::last(with | 1))
      shared_.last[turn][Device::warp()] = last;
    Device::sync_block();  // orders the warps' last marks before their reads
    auto const& of_warps = shared_.last[turn];
    lane_set const warps =
        Device::lanes_where(Device::lane() < Config::warps && of_warps[Device::lane()] != 0);
    lane_set const lower_warps = warps & ((lane_set{1} << Device::warp()) - 1);
    int const first = v * of_vector - past_;
    if (first < end) {
      std::uint32_t const digit = lower != 0         ? of_lower
                                  : lower_warps != 0 ? of_warps[Device::last(lower_warps)]
                                                     : before;
      write_vector(first, begin, end, keys_from(digit, marks));
    }
    if (warps != 0)
      before = of_warps[Device::last(warps)];
  }
  static SAM_DEVICE std::uint32_t greatest(marks_of_vector const& marks) {
    std::uint32_t greatest = 0;
    if constexpr (of_word == 2) {
#pragma unroll
      for (std::uint32_t const two : marks.words)
        greatest = Device::greater_halves(greatest, two);
      return max_of(greatest & 0xffff, greatest >> 16);
    } else {
#pragma unroll
      for (int s = 0; s < of_vector; ++s)
        greatest = max_of(greatest, std::uint32_t{in_place(marks.words, s)});
      return greatest;
    }
  }
  /// Returns the keys of the last mark at or before each position. `digit` is the last mark before
  /// the first position.
  SAM_DEVICE marks_of_vector keys_from(std::uint32_t digit, marks_of_vector marks) const {
#pragma unroll
    for (std::uint32_t& word : marks.words) {
      if constexpr (of_word == 2) {
        word = Device::greater_halves(word, word << 16);
        word = Device::greater_halves(word, Device::lower_halves(digit, digit));
        digit = word >> 16;
        if constexpr (are_integers<typename traits::inner_digits>) {
          std::uint32_t const flip = traits::flip_of(job_.digits) & 0xffff;
          word ^= Device::lower_halves(flip, flip);
        } else {
          word = Device::lower_halves(key_of(word & 0xffff), key_of(digit));
        }
      } else {
        std::uint32_t const all = word;
        word = 0;
#pragma unroll
        for (int s = 0; s < 32; s += bits) {
          digit = max_of(digit, std::uint32_t{static_cast<mark>(all >> s)});
          word |= key_of(digit) << s;
        }
      }
    }
    return marks;
  }
  SAM_DEVICE std::uint32_t key_of(std::uint32_t digit) const {
    return __builtin_bit_cast(mark, gpu::key_of_ordered_key<key>(job_.digits, digit));
  }
  /// Writes the keys of a vector that are in [begin, end); `first` is the index of its first key.
  SAM_DEVICE void write_vector(int first, int begin, int end, marks_of_vector const& keys) const {
    if (first >= begin && first + of_vector <= end) {
      Device::store_vector(job_.sorted_keys + first, keys.words);
    } else {
#pragma unroll
      for (int s = 0; s < of_vector; ++s)
        if (first + s >= begin && first + s < end)
          job_.sorted_keys[first + s] = __builtin_bit_cast(key, in_place(keys.words, s));
    }
  }
  static SAM_DEVICE mark in_place(std::uint32_t const (&words)[4], int s) {
    return static_cast<mark>(words[s / of_word] >> (s % of_word * bits));
  }

  Job const& job_;
  shared_layout& shared_;
  int thread_;
  int past_;  // keys between the aligned vector that contains the result's first key, and that key
  int share_bits_;
  int block_ = 0;
};

}  // namespace sam::inline v0_1::gpu
