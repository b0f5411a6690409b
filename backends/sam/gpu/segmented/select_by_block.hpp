// SPDX-License-Identifier: MIT
// Finds the first k keys of a segment of some thousand keys, in order, by one block.
//
// The threads hold all keys of the segment in registers. The block cuts the interval between the
// first and the last key into 256 parts, and counts the keys of each in shared memory. It goes on
// with the part that has the key of rank k, until few more than k keys lie up to its end. One step
// is enough if keys are spread evenly, and a step takes one barrier: each warp adds up the counts
// for itself. It takes at most as many steps as a key has bytes. Where too many keys are equal to
// the last one, further steps narrow their indices.
//
// The keys within are ranked, rather than sorted: the lanes of a group count those that come before
// its key. That takes no barrier, where a network takes one for each of its steps.
//
// Source: Alabi, Blanchard, Gordon, Steinbach, JEA 2012 (selection by buckets).
#pragma once

#include <sam/backend/job/select_job.hpp>
#include <sam/gpu/segmented/ordered_entry.hpp>
#include <sam/gpu/warp/warp_scan.hpp>

namespace sam::inline v0_1::gpu {

/// Holds the arguments of a launch of blocks of `warps` warps.
template <class Job>
struct block_selection {
  Job job;
  int warps;
};

/// Selects by one block at a time.
template <class Device, class Job>
class select_by_block {
  using key = typename Job::key;
  using ordered_key = typename Job::ordered_key;
  using entry = ordered_entry<key>;
  using word = typename entry::word;
  static constexpr int lanes = Device::warp_size;
  static constexpr auto highest = static_cast<word>(~word{0});
  static constexpr int bins = 256, digit_bits = 8;

 public:
  /// The keys of a thread, the most that are found, and the most warps of a block.
  static constexpr int parts = 8, most_found = 128, most_warps = 1024 / lanes;
  /// The most keys that are ranked.
  static constexpr int most_room = most_found + most_found / 2;
  /// Returns the most keys of a segment that a block of `warps` warps takes.
  static constexpr index_t most_keys(int warps) { return index_t{parts} * lanes * warps; }

  /// Shared memory of a block.
  struct shared_memory {
    entry found[std::size_t{most_room}];
    std::uint32_t counts[3][std::size_t{bins}];  // of the current step, and zeros of the next one
    word low[std::size_t{most_warps}], high[std::size_t{most_warps}];
    std::uint32_t all_found;
    std::uint32_t aside[std::size_t{lanes}];  // is added to, and never read
  };

  /// Runs one block of the kernel. No segment has more than most_keys(warps) keys.
  static SAM_DEVICE void run(block_selection<Job> const& arguments) {
    Job const& job = arguments.job;
    select_by_block block(job, arguments.warps);
    for (int b = block.thread_; b < bins; b += block.threads_)
      block.shared_.counts[0][b] = 0;
    Device::grid_dependency_wait();
    Device::grid_dependency_trigger();
    for (index_t row = Device::block(); row < job.segments; row += Device::blocks()) {
      index_t const begin = job.rows.begin(row), length = job.rows.end(row) - begin;
      if (0 < length)
        block.select(row, begin, int(length));
    }
  }

 private:
  SAM_DEVICE select_by_block(Job const& job, int warps)
      : job_(job), shared_(*reinterpret_cast<shared_memory*>(Device::shared_memory())),
        thread_(Device::warp() * lanes + Device::lane()), warps_(warps), threads_(warps * lanes) {}

  /// Finds the first keys of a segment of at least one key, from key `begin` on.
  SAM_DEVICE void select(index_t row, index_t begin, int length) {
    auto const k = std::uint32_t(min_of(job_.k, length));
    length_ = std::uint32_t(length);
    load(job_.keys + begin);
    range_of<word> values{};
    find_range(values);
    // Few keys are ranked as fast as fewer, so that one step is enough for most k.
    std::uint32_t const room = k + (k < 64 ? 32 : k / 2);
    narrow(values, k, room, [this](int i, word& x) {
      x = keys_[i];
      return is_one(i);
    });
    word const bound = values.high;
    std::uint32_t last = ~0u;  // the highest index of those that are equal to the bound
    if (values.within > room) {
      range_of<std::uint32_t> indices{0, std::uint32_t(length - 1), values.before, 0};
      narrow(indices, k, room, [this, bound](int i, std::uint32_t& x) {
        x = index_of(i);
        return is_one(i) && keys_[i] == bound;
      });
      last = indices.high;
    }
    collect(bound, last);
    rank(k, [this, row, begin](std::uint32_t rank, std::uint32_t index) {
      job_.put(row * job_.k + rank, begin + index);
    });
  }

  SAM_DEVICE std::uint32_t index_of(int i) const { return std::uint32_t(i * threads_ + thread_); }
  SAM_DEVICE bool is_one(int i) const { return index_of(i) < length_; }
  SAM_DEVICE void load(key const* from) {
    from += thread_;
    key loaded[std::size_t{parts}];
#pragma unroll
    for (int i = 0; i < parts; ++i)
      loaded[i] = from[is_one(i) ? i * threads_ : -thread_];
#pragma unroll
    for (int i = 0; i < parts; ++i)
      keys_[i] = static_cast<ordered_key>(typename Job::digits{}(loaded[i]) ^ job_.flip);
  }

  /// An interval of values, the keys before it, and those up to its end.
  template <class T>
  struct range_of {
    T low, high;
    std::uint32_t before, within;
  };
  /// Finds the first and the last key.
  SAM_DEVICE void find_range(range_of<word>& values) {
    word low = highest, high = 0;
#pragma unroll
    for (int i = 0; i < parts; ++i)
      if (is_one(i)) {
        low = keys_[i] < low ? keys_[i] : low;
        high = high < keys_[i] ? keys_[i] : high;
      }
    gpu::least_and_greatest<Device>(low, high);
    if (Device::lane() == 0) {
      shared_.low[Device::warp()] = low;
      shared_.high[Device::warp()] = high;
    }
    Device::sync_block();  // orders these before their reads, and the last reads before writes
    int const other = Device::lane() < warps_ ? Device::lane() : 0;
    low = shared_.low[other], high = shared_.high[other];
    gpu::least_and_greatest<Device>(low, high);
    values = {low, high, 0, 0};
    if (thread_ == 0)
      shared_.all_found = 0;
  }

  /// Narrows a range, at whose end at least k keys lie, until there are at most `room`, or one
  /// value is left. take(i, x) tells whether there is a key i, of the value x.
  template <class T, class Take>
  SAM_DEVICE void narrow(range_of<T>& range, std::uint32_t k, std::uint32_t room,
                         Take const& take) {
    int shift = 0;
    while ((range.high - range.low) >> shift >= bins)
      ++shift;
    for (;;) {
      std::uint32_t* const counts = shared_.counts[turn_];
      turn_ = turn_ == 2 ? 0 : turn_ + 1;
      for (int b = thread_; b < bins; b += threads_)
        shared_.counts[turn_][b] = 0;
#pragma unroll
      for (int i = 0; i < parts; ++i)
        if (T x; take(i, x) && range.low <= x && x <= range.high)
          Device::add_shared(counts + int((x - range.low) >> shift), 1u);
      Device::sync_block();  // orders the counts, and the zeros, before later accesses
      int const bin = find_bin(counts, range, k);
      T const rest = range.high - range.low, first = static_cast<T>(T(bin) << shift);
      range.low = static_cast<T>(range.low + first);
      auto const last = static_cast<T>((T{1} << shift) - 1);
      range.high = static_cast<T>(range.low + (rest - first < last ? rest - first : last));
      if (range.within <= room || shift == 0)
        return;
      shift = shift < digit_bits ? 0 : shift - digit_bits;
    }
  }
  /// Returns the part with the key of rank k, and sets the keys before it and up to its end.
  template <class T>
  SAM_DEVICE int find_bin(std::uint32_t const* counts, range_of<T>& range, std::uint32_t k) const {
    constexpr int own = bins / lanes;
    counts += Device::lane() * own;
    uninitialized_array<std::uint32_t, own> mine;
    std::uint32_t sum = 0;
#pragma unroll
    for (int b = 0; b < own; ++b)
      sum += mine.at[b] = counts[b];
    std::uint32_t const upto = range.before + gpu::sum_upto_lane<Device>(sum);
    int const lane = Device::first_lane_where(upto >= k);
    int bin = 0;
    std::uint32_t before = upto - sum, within = before + mine.at[0];
#pragma unroll
    for (int b = 1; b < own; ++b)
      if (within < k) {
        bin = b;
        before = within;
        within += mine.at[b];
      }
    range.before = Device::shuffle_from(before, lane);
    range.within = Device::shuffle_from(within, lane);
    return lane * own + int(Device::shuffle_from(std::uint32_t(bin), lane));
  }

  /// Collects the keys before the bound, and those equal to it up to the last index, in any order.
  SAM_DEVICE void collect(word bound, std::uint32_t last) {
    std::uint32_t chosen = 0;
#pragma unroll
    for (int i = 0; i < parts; ++i)
      if (is_one(i) && (keys_[i] < bound || (keys_[i] == bound && index_of(i) <= last)))
        chosen |= 1u << i;
    auto const mine = std::uint32_t(engine::count_bits(chosen));
    if (!Device::all_lanes(chosen == 0)) {
      std::uint32_t const upto = gpu::sum_upto_lane<Device>(mine);
      bool const is_last = Device::lane() == lanes - 1;
      std::uint32_t const before = Device::add_by_lanes(
          is_last ? &shared_.all_found : shared_.aside + Device::lane(), is_last ? upto : 0);
      std::uint32_t to = Device::shuffle_from(before, lanes - 1) + upto - mine;
#pragma unroll
      for (int i = 0; i < parts; ++i)
        if ((chosen >> i & 1) != 0)
          shared_.found[to++] = {keys_[i], index_of(i)};
    }
    Device::sync_block();  // orders the keys before their reads
  }
  /// Calls put(rank, index) for the first k of the collected keys.
  template <class Put>
  SAM_DEVICE void rank(std::uint32_t k, Put const& put) const {
    auto const all = int(shared_.all_found);
    int bits = 0;  // of the number of a lane in its group
    while (1 << bits < lanes && 2 * all << bits <= threads_)
      ++bits;
    int const group = 1 << bits, part = thread_ & (group - 1), own = thread_ >> bits;
    for (int first = 0; first < all; first += threads_ >> bits) {
      bool const is_one = first + own < all;
      entry const x = shared_.found[is_one ? first + own : 0];
      std::uint32_t before = 0;
#pragma unroll 4
      for (int i = part; i < all; i += group)
        before += shared_.found[i].is_before(x) ? 1u : 0u;
      for (int step = group / 2; step > 0; step /= 2)
        before += Device::shuffle_from(before, Device::lane() ^ step);
      if (part == 0 && is_one && before < k)
        put(before, x.index);
    }
  }

  Job const& job_;
  shared_memory& shared_;
  int thread_, warps_, threads_;
  std::uint32_t length_ = 0;
  int turn_ = 0;  // of the counts
  word keys_[std::size_t{parts}];
};

}  // namespace sam::inline v0_1::gpu
