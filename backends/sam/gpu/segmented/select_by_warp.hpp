// SPDX-License-Identifier: MIT
// Finds the first k keys of a short segment, in order, by one warp.
//
// The lanes hold all keys of the segment in registers. Interpolation and bisection in turn find a
// bound within which between k and k' keys lie, where k' is k rounded up to a power of two. A step
// counts the keys up to a point of an interval, which takes two instructions for each, and no
// shared memory. It takes at most twice as many steps as a key has bits, and few if keys are spread
// evenly. Where more than k' keys are equal to the bound, another bisection bounds their indices.
// The keys within are sorted by a network, together with their indices.
//
// Source: Batcher, "Sorting networks and their applications", AFIPS 1968.
#pragma once

#include <sam/backend/job/select_job.hpp>
#include <sam/gpu/segmented/ordered_entry.hpp>
#include <sam/gpu/warp/warp_scan.hpp>

namespace sam::inline v0_1::gpu {

/// Selects by one warp at a time.
template <class Device, class Job>
class select_by_warp {
  using key = typename Job::key;
  using ordered_key = typename Job::ordered_key;
  using kept_key = ordered_entry<key>;
  /// Ordered keys as words. Padding is behind all keys, or equal to the last one.
  using word = typename ordered_entry<key>::word;
  static constexpr int lanes = Device::warp_size;
  static constexpr auto highest = static_cast<word>(~word{0});

 public:
  /// The most keys of a segment, and the most that are found.
  static constexpr int most_keys = 1024, most_kept = 128;
  /// Shared memory of a warp.
  struct shared_memory {
    word keys[most_kept];
    std::uint32_t indices[most_kept];
  };

  /// Runs one block of the kernel, of `warps` warps. Passes over segments of more keys.
  static SAM_DEVICE void run(Job const& job, int warps) {
    Device::grid_dependency_wait();
    Device::grid_dependency_trigger();
    auto* const shared = reinterpret_cast<shared_memory*>(Device::shared_memory());
    for (index_t row = index_t{Device::block()} * warps + Device::warp(); row < job.segments;
         row += index_t{Device::blocks()} * warps) {
      index_t const begin = job.rows.begin(row), length = job.rows.end(row) - begin;
      if (0 < length && length <= most_keys)
        select_by_warp(job, shared[Device::warp()]).select(row, begin, std::uint32_t(length));
    }
  }

 private:
  SAM_DEVICE select_by_warp(Job const& job, shared_memory& shared) : job_(job), shared_(shared) {}

  /// Finds the first keys of a segment of 1 to most_keys, from key `begin` on.
  SAM_DEVICE void select(index_t row, index_t begin, std::uint32_t length) {
    auto const k = std::uint32_t(min_of(job_.k, length));
    length_ = length;
    segment_ = job_.keys + begin;
    load(segment_);
    std::uint32_t room = lanes;  // for keys within the bound
    while (room < k)
      room *= 2;
    bisect(k, room);
    collect();
    sort(int(room));
    auto const lane = std::uint32_t(Device::lane());
#pragma unroll
    for (int p = 0; p < kept_parts; ++p)
      if (std::uint32_t const r = std::uint32_t(p * lanes) + lane; r < k)
        job_.put(row * job_.k + r, begin + kept_[p].index);
  }

  static constexpr int parts = most_keys / lanes, kept_parts = most_kept / lanes;
  /// Keys of a lane that are passed over together if the segment is shorter.
  static constexpr int together = 256 / lanes;
  /// Calls use(i) for each key i of this lane, and for some that do not exist.
  template <class Use>
  SAM_DEVICE void for_each_key(Use const& use) const {
#pragma unroll
    for (int first = 0; first < parts; first += together)
      if (std::uint32_t(first * lanes) < length_) {
#pragma unroll
        for (int i = first; i < first + together; ++i)
          use(i);
      }
  }
  SAM_DEVICE std::uint32_t index_of(int i) const {
    return std::uint32_t(i * lanes) + std::uint32_t(Device::lane());
  }

  SAM_DEVICE word ordered(key const& x) const {
    return static_cast<ordered_key>(typename Job::digits{}(x) ^ job_.flip);
  }

  /// Loads the keys, and finds the first and the last one.
  SAM_DEVICE void load(key const* from) {
    auto const none = __builtin_bit_cast(ordered_key, Job::digits::key_of(job_.flip));  // is first
    from += Device::lane();
#pragma unroll
    for (int i = 0; i < parts; ++i) {
      keys_[i] = none;
      if (index_of(i) < length_)
        keys_[i] = __builtin_bit_cast(ordered_key, from[i * lanes]);
    }
    low_ = highest, high_ = 0;
    for_each_key([&](int i) {
      auto const bits = static_cast<ordered_key>(keys_[i]);
      word const x = ordered(__builtin_bit_cast(key, bits));
      bool const is_one = index_of(i) < length_;
      keys_[i] = is_one ? x : highest;
      low_ = keys_[i] < low_ ? keys_[i] : low_;
      high_ = x < high_ ? high_ : x;
    });
    gpu::least_and_greatest<Device>(low_, high_);
  }

  /// Finds a bound within which at least k keys lie, and at most `room`.
  SAM_DEVICE void bisect(std::uint32_t k, std::uint32_t room) {
    std::uint32_t below = 0, all = length_;  // keys before low_, and up to high_
    within_ = all_keys();
    for (bool halves = false; all > room && low_ < high_; halves = !halves) {
      // Steps go in turn to where the bound would be if keys were spread evenly, and to the middle.
      word const width = high_ - low_;
      word to = width / 2;
      if (!halves) {
        float const share = float((k + room) / 2 - below) / float(all - below);
        to = static_cast<word>(float(width) * share);
        to = to < width ? to : width - 1;
      }
      word const bound = low_ + to;
      std::uint32_t const within = keys_within(up_to{*this, bound});
      std::uint32_t const sum = sum_of_bits(within);
      if (sum < k)
        low_ = bound + 1, below = sum;
      else
        high_ = bound, all = sum, within_ = within;
    }
    // If there are more keys than room for them, those behind the first `room` are equal to the
    // bound.
    for (std::uint32_t first = 0, last = length_ - 1; all > room;) {
      std::uint32_t const middle = first + (last - first) / 2;
      std::uint32_t const within = keys_within(kept_up_to{*this, middle});
      std::uint32_t const sum = sum_of_bits(within);
      if (sum < k)
        first = middle + 1;
      else
        last = middle, all = sum, within_ = within;
    }
  }
  static SAM_DEVICE std::uint32_t sum_of_bits(std::uint32_t bits) {
    return Device::sum_of_all(std::uint32_t(engine::count_bits(bits)));
  }

  // Sets of keys of this lane, as bits: the upper 16 are for even keys, the lower ones for odd
  // ones, each from the last key down. So two words of bits are made that do not wait for one
  // another.

  /// Appends a bit that is 1 if a key is at most a bound, which is below the highest word.
  struct up_to {
    select_by_warp const& of;
    word bound;
    SAM_DEVICE void append_to(std::uint32_t& bits, int i) const {
      if constexpr (sizeof(word) == 4)  // by the carry: nvcc 13 would take three instructions
        bits = std::uint32_t(((std::uint64_t{2 * bits + 1} << 32 | bound) - of.keys_[i]) >> 32);
      else
        bits = 2 * bits + (of.keys_[i] <= bound ? 1 : 0);
    }
  };
  /// Appends a bit that is 1 if a key is before the bound, or equal to it and of an index up to
  /// `last`.
  struct kept_up_to {
    select_by_warp const& of;
    std::uint32_t last;
    SAM_DEVICE void append_to(std::uint32_t& bits, int i) const {
      word const x = of.keys_[i];
      bits = 2 * bits + (x < of.high_ || (x == of.high_ && of.index_of(i) <= last) ? 1 : 0);
    }
  };
  template <class Within>
  SAM_DEVICE std::uint32_t keys_within(Within const& within) const {
    std::uint32_t even = 0, odd = 0;
    for_each_key([&](int i) { within.append_to(i % 2 == 0 ? even : odd, i); });
    return even << 16 | odd;
  }
  /// Returns half the number of keys for which there are bits.
  SAM_DEVICE std::uint32_t half_of_keys() const {
    constexpr auto keys = std::uint32_t(together * lanes);
    return (length_ + keys - 1) / keys * (together / 2);
  }
  SAM_DEVICE std::uint32_t all_keys() const {
    auto const lane = std::uint32_t(Device::lane());
    std::uint32_t const own = lane < length_ ? (length_ - lane - 1) / lanes + 1 : 0;
    std::uint32_t const even = (own + 1) / 2, odd = own / 2, half = half_of_keys();
    return ((1u << even) - 1) << (half - even) << 16 | ((1u << odd) - 1) << (half - odd);
  }

  /// Distributes the keys within the bound over the lanes. The last places are padded. Few keys of
  /// a lane are within, so that these are read again: registers have no index.
  SAM_DEVICE void collect() {
    auto const mine = std::uint32_t(engine::count_bits(within_));
    std::uint32_t const upto = gpu::sum_upto_lane<Device>(mine), half = half_of_keys();
    std::uint32_t to = upto - mine;
    for (std::uint32_t left = within_; left != 0; left &= left - 1, ++to) {
      auto const bit = std::uint32_t(engine::count_bits((left & (0u - left)) - 1));
      int const i = int(2 * (half - 1 - bit % 16) + (bit < 16 ? 1 : 0));
      shared_.keys[to] = ordered(segment_[index_of(i)]);
      shared_.indices[to] = index_of(i);
    }
    std::uint32_t const all = Device::shuffle_from(upto, lanes - 1);
    Device::sync_warp();  // orders the keys before their reads
#pragma unroll
    for (int p = 0; p < kept_parts; ++p) {
      kept_[p] = {highest, ~0u};
      if (std::uint32_t const at = index_of(p); at < all)
        kept_[p] = {shared_.keys[at], shared_.indices[at]};
    }
    Device::sync_warp();  // orders these reads before the next segment's writes
  }

  /// Sorts the first `size` places, of which number p * lanes + l is that of lane l.
  SAM_DEVICE void sort(int size) {
    for (int run = 2; run <= size; run *= 2)
      for (int step = run / 2; step > 0; step /= 2) {
        if (step < lanes)
          exchange_lanes(size, run, step);
        else
          exchange_parts(run, step / lanes);
      }
  }
  SAM_DEVICE void exchange_lanes(int size, int run, int step) {
    int const lane = Device::lane();
#pragma unroll
    for (int p = 0; p < kept_parts; ++p)
      if (p * lanes < size) {
        kept_key const mine = kept_[p];
        kept_key const other{gpu::shuffle_from<Device>(mine.key, lane ^ step),
                             Device::shuffle_from(mine.index, lane ^ step)};
        bool const ascends = ((p * lanes + lane) & run) == 0, is_low = (lane & step) == 0;
        kept_[p] = other.is_before(mine) == (ascends == is_low) ? other : mine;
      }
  }
  SAM_DEVICE void exchange_parts(int run, int step) {
#pragma unroll
    for (int distance = 1; distance < kept_parts; distance *= 2)
      if (step == distance) {
#pragma unroll
        for (int p = 0; p < kept_parts; ++p)
          if ((p & distance) == 0) {
            kept_key const x = kept_[p], y = kept_[p + distance];
            bool const swaps = y.is_before(x) == ((p * lanes & run) == 0);
            kept_[p] = swaps ? y : x;
            kept_[p + distance] = swaps ? x : y;
          }
      }
  }

  Job const& job_;
  shared_memory& shared_;
  key const* segment_ = nullptr;
  std::uint32_t length_ = 0;
  word keys_[std::size_t{parts}];
  word low_, high_;       // bounds of the last one of the first keys
  std::uint32_t within_;  // the keys of this lane within the bound
  kept_key kept_[std::size_t{kept_parts}];
};

}  // namespace sam::inline v0_1::gpu
