// SPDX-License-Identifier: MIT
// Sorts the segments that offsets describe in a single kernel, for few keys.
//
// A block takes a group of consecutive segments. As many of them as fit its shared memory are
// sorted together: by networks in registers if all are short, else by the digits of keys and of
// segments. So the block decides by the lengths, and nothing has to be marked or listed before. A
// segment that exceeds a block is listed for another kernel, in as many parts as blocks sort it.
// Groups of short segments list all that are too long for networks: without the code for digits,
// blocks need fewer registers.
#pragma once

#include <sam/backend/job/cut_offsets.hpp>
#include <sam/gpu/carry/descriptor_memory.hpp>
#include <sam/gpu/sort/segmented/blocks_per_segment.hpp>
#include <sam/gpu/sort/segmented/packed_network_sort.hpp>
#include <sam/gpu/sort/segmented/packed_radix_sort.hpp>

namespace sam::inline v0_1::gpu {

/// Holds the arguments of a launch.
template <class Job, class Offset>
struct group_arguments {
  Job job;
  engine::offsets_of_kernel<Offset> offsets;
  index_t segments;
  int group;                       // segments of a block
  int longest;                     // longer segments are listed
  listed_part* entries = nullptr;  // null if no segment is longer
  int most_entries = 0;            // the size of that array, enough if the offsets ascend
  int of_part = 1;  // items of a part, unless a segment would have more than most_parts
  int most_parts = 1;
  control* shared = nullptr;  // `claims` counts the entries
  rank_choice ranks = {};
};

/// Sorts one group of segments. Without HasDigits, none of them is longer than networks sort.
template <class Device, class Job, class Offset, class Config, bool HasDigits = true>
class segment_groups {
 public:
  static constexpr int lanes = Device::warp_size;
  static constexpr int threads = Config::warps * lanes;
  static constexpr int blocks = Config::blocks;
  using arguments = group_arguments<Job, Offset>;

 private:
  static constexpr int most_by_digits = threads * Config::items;
  using all_items = packed_radix_sort<Device, Job, Config>;
  /// Sorts with fewer items per thread, for fewer keys.
  template <int Items>
  using some_items = packed_radix_sort<Device, Job,
                                       sort_config<Config::warps, int(min_of(Items, Config::items)),
                                                   Config::digit_bits, Config::blocks>>;
  using word = std::uint64_t;
  static constexpr int word_bits = 64;

 public:
  /// The most keys that are sorted by networks together.
  static constexpr int window =
      int(min_of(most_by_digits, (Config::blocks == 1 ? 4 : 7) * threads) / word_bits * word_bits);
  /// The most keys that are sorted together.
  static constexpr int size = HasDigits ? most_by_digits : window;
  static constexpr int most_segments = int(max_of(threads, window / 2));  // of a group

 private:
  using by_lanes = packed_network_sort<Device, Job, Config, window>;
  static_assert(size % word_bits == 0 && window % word_bits == 0);

  struct shared_layout {
    word bits[size / word_bits];      // heads of the segments that are sorted together
    std::uint32_t before[size / 32];  // heads before each word of 32 or 64 flags
    int begins[most_segments + 1];    // offsets of the group, from its first one on
    std::uint32_t heads, has_longer, is_wrong, may_need_digits, has_failed;
  };
  static constexpr int layout_at =
      int(max_of(HasDigits ? all_items::shared_bytes : 0, by_lanes::shared_bytes) + 15) / 16 * 16;

 public:
  static constexpr int shared_bytes = layout_at + int(sizeof(shared_layout));

  /// Returns the longest segment that is not listed.
  static SAM_FUNCTION int longest(Job const& job) {
    return HasDigits ? size : int(min_of(by_lanes::most_items(job), window));
  }

  SAM_DEVICE explicit segment_groups(arguments const& all)
      : a_(all), shared_(*reinterpret_cast<shared_layout*>(Device::shared_memory() + layout_at)),
        thread_(Device::warp() * lanes + Device::lane()) {}

  SAM_DEVICE void run() {
    Device::grid_dependency_wait();
    Device::grid_dependency_trigger();
    index_t const begin = index_t{Device::block()} * a_.group;
    int const count = int(min_of(a_.group, a_.segments - begin));
    first_ = static_cast<index_t>(a_.offsets[begin]);
    if (thread_ == 0) {
      shared_.is_wrong = first_ < 0 ? 1 : 0;
      shared_.may_need_digits = 0;
      shared_.has_failed = a_.ranks.template has_failed<Device>();
    }
    Device::sync_block();  // orders these writes before later ones
    note_begins(begin, count);
    Device::sync_block();  // orders the offsets before their reads
    if (shared_.is_wrong != 0)
      return;  // the offsets do not ascend: no access outside of the arrays
    int const most = shared_.may_need_digits != 0 ? size : window;
    for (int k = 0; k < count;) {
      if (length_of(k) > a_.longest) {
        list(k++);
      } else {
        int const end = end_of_run(k, count, most);
        sort_run(k, end);
        k = end;
      }
    }
  }

 private:
  /// Returns the most items of a segment that is sorted by networks.
  SAM_DEVICE int most_by_lanes() const { return int(min_of(by_lanes::most_items(a_.job), window)); }
  SAM_DEVICE int length_of(int k) const { return shared_.begins[k + 1] - shared_.begins[k]; }
  SAM_DEVICE void note_begins(index_t begin, int count) const {
    int const most = most_by_lanes();
    for (int k = thread_; k <= count; k += threads) {
      auto const at = static_cast<index_t>(a_.offsets[begin + k]);
      auto const next = k < count ? static_cast<index_t>(a_.offsets[begin + k + 1]) : at;
      if (at < first_ || next < at || next > a_.job.n)
        shared_.is_wrong = 1;
      if (next - at > most)
        shared_.may_need_digits = 1;
      shared_.begins[k] = int(at - first_);
    }
  }
  /// Returns the end of the segments from k on that are sorted together: at most `most` items, of
  /// which segment k has no more. Without digits they end before a segment that is listed.
  SAM_DEVICE int end_of_run(int k, int count, int most) const {
    int low = k + 1, high = count;
    while (low < high) {
      int const middle = (low + high + 1) / 2;
      if (shared_.begins[middle] - shared_.begins[k] <= most)
        low = middle;
      else
        high = middle - 1;
    }
    return !HasDigits && shared_.may_need_digits != 0 ? first_listed(k + 1, low) : low;
  }
  /// Returns the first of the segments [from, end) that is listed; `end` if none is.
  SAM_DEVICE int first_listed(int from, int end) const {
    for (; from < end; from += lanes) {
      int const own = from + Device::lane();
      auto const longer = Device::lanes_where(own < end && length_of(own) > a_.longest);
      if (longer != 0)
        return from + Device::first(longer);
    }
    return end;
  }
  /// Lists the parts of segment k.
  SAM_DEVICE void list(int k) const {
    if (Device::warp() != 0)
      return;
    int const length = length_of(k);
    int const parts = int(min_of(div_up(length, a_.of_part), a_.most_parts));
    std::uint32_t const claimed =
        Device::lane() == 0 ? Device::add(&a_.shared->claims, std::uint32_t(parts)) : 0;
    auto const to = int(Device::shuffle_from(claimed, 0));
    for (int p = Device::lane(); p < parts && to + p < a_.most_entries; p += lanes)
      a_.entries[to + p] = {first_ + shared_.begins[k], length, p,
                            to + parts <= a_.most_entries ? parts : 0, 0};
  }

  SAM_DEVICE void sort_run(int k, int end) {
    int const begin = shared_.begins[k], items = shared_.begins[end] - begin;
    if (items == 0)
      return;
    mark(k, end, items, most_by_lanes());
    bool const has_longer = HasDigits && (shared_.has_longer != 0 || items > window);
    has_longer ? number(items, 32) : number(window, word_bits);
    Device::sync_block();  // orders the numbers of heads before their reads
    if (!has_longer)
      by_lanes(a_.job, {shared_.bits, shared_.before, int(shared_.heads)}, first_ + begin, 0, items)
          .run();
    else if constexpr (HasDigits)
      with_items_for_digits(
          items, [&](auto some) { by_digits<some_items<decltype(some)::value>>(begin, items); });
    Device::sync_block();  // orders the reads of shared memory before the next run's writes
  }
  /// Calls f with the smallest of some numbers of items per thread that suffices, as a constant.
  template <class F>
  static SAM_DEVICE void with_items_for_digits(int items, F const& f) {
    constexpr bool is_large = Config::items > 16;
    constexpr int few = int(min_of(is_large || Config::items <= 8 ? 4 : 10, Config::items)),
                  some = is_large ? 12 : few;
    if (items <= few * threads)
      f(std::integral_constant<int, few>{});
    else if (is_large && items <= some * threads)
      f(std::integral_constant<int, some>{});
    else
      f(std::integral_constant<int, Config::items>{});
  }
  /// Sets a bit for each segment that has items, and notes if one has more than `most`.
  SAM_DEVICE void mark(int k, int end, int items, int most) const {
    for (int w = thread_; w < int(div_up(max_of(items, window), word_bits)); w += threads)
      shared_.bits[w] = 0;
    if (thread_ == 0)
      shared_.has_longer = 0;
    Device::sync_block();  // orders the writes of zeros before updates
    for (int s = k + thread_; s < end; s += threads) {
      int const at = shared_.begins[s] - shared_.begins[k], length = length_of(s);
      if (length > 0)
        Device::set_shared_bits(bits() + at / 32, 1u << (at % 32));
      if (length > most)
        shared_.has_longer = 1;
    }
    Device::sync_block();  // orders the updates before their reads
  }
  SAM_DEVICE std::uint32_t* bits() const { return reinterpret_cast<std::uint32_t*>(shared_.bits); }
  /// Computes the number of heads before each word of `width` flags, by one warp.
  SAM_DEVICE void number(int items, int width) const {
    if (Device::warp() != 0)
      return;
    int const all = int(div_up(items, width)), of_word = width / 32;
    std::uint32_t before = 0;
    for (int k = 0; k < all; k += lanes) {
      int const mine = k + Device::lane();
      std::uint32_t own = 0;
      for (int w = 0; w < of_word && mine < all; ++w)
        own += std::uint32_t(Device::count(bits()[mine * of_word + w]));
      std::uint32_t const upto = gpu::sum_upto_lane<Device>(own);
      if (mine < all)
        shared_.before[mine] = before + upto - own;
      before += Device::shuffle_from(upto, lanes - 1);
    }
    if (Device::lane() == 0)
      shared_.heads = before;
  }
  template <class Sort>
  SAM_DEVICE void by_digits(int begin, int items) const {
    auto job = noted<Job>::job_with(a_.job.digits);
    auto const segment_of = [this](int p) {
      std::uint32_t const upto = bits()[p / 32] << (31 - p % 32);
      return int(shared_.before[p / 32]) + Device::count(upto) - 1;
    };
    Sort(a_.job, job, first_ + begin, items)
        .run(a_.ranks, shared_.has_failed != 0, segment_of, int(shared_.heads));
  }

  group_arguments<Job, Offset> const& a_;
  shared_layout& shared_;
  int thread_;
  index_t first_ = 0;  // the first item of the group
};

}  // namespace sam::inline v0_1::gpu
