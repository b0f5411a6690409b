// SPDX-License-Identifier: MIT
// Finds the first k keys of each segment, in order. A block takes a segment at a time, and reads it
// once. Short segments may be left to single warps (select_by_warp.hpp).
//
// The block collects keys in shared memory. Once its memory is full, it keeps the first k of them,
// which it finds by their digits. No later key that is not less than the last of these is among the
// first k of the segment, so that the block passes over most keys behind. Of n keys in random
// order, about k log(n / k) are collected, and the memory fills a few times. Keys in the worst
// order fill it again and again: that is much slower, and gives the same result.
//
// Threads collect keys in any order. Keys are compared together with their indices, so that the
// result does not depend on that order.
//
// Sources: Alabi, Blanchard, Gordon, Steinbach, JEA 2012 (selection by digits); Zhang, Naruse, Li,
// Wang, "Parallel top-k algorithms on GPU", SC 2023 (candidates of one pass in shared memory);
// Batcher, "Sorting networks and their applications", AFIPS 1968.
#pragma once

#include <sam/backend/job/select_job.hpp>
#include <sam/gpu/warp/privatized_counters.hpp>
#include <sam/gpu/warp/warp_scan.hpp>

namespace sam::inline v0_1::gpu {

/// Holds the arguments of a launch.
template <class Job>
struct select_arguments {
  Job job;
  int warps;             // of a block
  int capacity;          // of its memory, in keys: at least 2 k
  index_t shortest = 0;  // the fewest keys of a segment that is not passed over
};

/// Runs one block of the kernel.
template <class Device, class Job>
class select_in_segments {
  using key = typename Job::key;
  using ordered_key = typename Job::ordered_key;
  static_assert(sizeof(key) <= 8);
  static constexpr int lanes = Device::warp_size;
  /// Keys as words, from which they are shifted. From arrays of smaller keys, nvcc 13 would extract
  /// all of them first, into registers of their own.
  using vector = item_vector<std::uint32_t>;
  static constexpr int of_vector = int(sizeof(vector) / sizeof(key));
  /// The vectors that a thread loads at a time, of 32 keys at most.
  static constexpr int together = of_vector > 8 ? 32 / of_vector : 4;
  static constexpr int digit_bits = 8, bins = 1 << digit_bits;
  static constexpr int key_digits = int(sizeof(ordered_key)), index_digits = 4;
  static constexpr auto highest = static_cast<ordered_key>(~ordered_key{0});

  static constexpr int of_lane = bins / lanes;  // counts that a lane adds up
  struct shared_layout {
    std::uint32_t counts[bins + lanes];  // zero between passes; see count_of
    std::uint32_t collected;             // may exceed the capacity
    std::uint32_t overflows[3];          // of three turns, one of which is the current one
    std::uint32_t digit, rank, is_last;  // what a pass has found
    std::uint32_t holes, moved;
    std::uint32_t aside[lanes];  // is added to, and never read
  };

 public:
  static constexpr int most_threads = 1024;

  /// Returns the bytes of shared memory for a block that keeps up to k keys.
  static constexpr int shared_bytes(int capacity, int k) {
    return int(sizeof(shared_layout)) + k * int(sizeof(std::uint32_t)) +
           capacity * int(sizeof(ordered_key) + sizeof(std::uint32_t));
  }
  SAM_DEVICE explicit select_in_segments(select_arguments<Job> const& arguments)
      : a_(arguments), shared_(*reinterpret_cast<shared_layout*>(Device::shared_memory() +
                                                                 keys_bytes(arguments.capacity))),
        thread_(Device::warp() * lanes + Device::lane()), threads_(arguments.warps * lanes) {}

  SAM_DEVICE void run() {
    Device::grid_dependency_wait();
    Device::grid_dependency_trigger();
    for (int d = thread_; d < bins; d += threads_)
      count_of(d) = 0;
    if (thread_ == 0)
      shared_.overflows[0] = 0;
    if (a_.shortest > 0)
      return run_long();
    for (index_t row = Device::block(); row < a_.job.segments; row += Device::blocks())
      select(row);
  }

 private:
  /// Passes over segments that are no longer than a.shortest - 1 keys, a number of lanes at a time.
  SAM_DEVICE void run_long() {
    for (index_t first = index_t{Device::block()} * lanes; first < a_.job.segments;
         first += index_t{Device::blocks()} * lanes) {
      index_t const row = first + Device::lane();
      auto left = Device::lanes_where(row < a_.job.segments &&
                                      a_.job.rows.end(row) - a_.job.rows.begin(row) >= a_.shortest);
      for (; left != 0; left &= left - 1)
        select(first + Device::first(left));
    }
  }
  /// The number of keys with a digit. A word lies between those of two lanes, so that lanes use
  /// different banks.
  SAM_DEVICE std::uint32_t& count_of(int digit) const {
    static_assert(of_lane % 2 == 0);
    return shared_.counts[digit + digit / of_lane];
  }
  static SAM_FUNCTION int keys_bytes(int capacity) { return capacity * int(sizeof(ordered_key)); }
  SAM_DEVICE ordered_key& key_at(int i) const {
    return reinterpret_cast<ordered_key*>(Device::shared_memory())[i];
  }
  SAM_DEVICE std::uint32_t* words() const { return reinterpret_cast<std::uint32_t*>(&shared_ + 1); }
  /// The index, in the segment, of a collected key.
  SAM_DEVICE std::uint32_t& index_at(int i) const { return words()[i]; }
  /// The places, among the first k, whose keys are not kept.
  SAM_DEVICE std::uint32_t& hole(int i) const { return words()[a_.capacity + i]; }
  SAM_DEVICE int k() const { return int(a_.job.k); }

  SAM_DEVICE void select(index_t row) {
    index_t const begin = a_.job.rows.begin(row), end = a_.job.rows.end(row);
    if (begin >= end)
      return;
    Device::sync_block();  // orders the reads of shared memory before the next segment's writes
    if (thread_ == 0)
      shared_.collected = 0;
    is_open_ = true;
    bound_ = highest;
    Device::sync_block();  // orders this write before the updates
    collect(a_.job.keys + begin, std::uint32_t(end - begin));
    auto const found = int(shared_.collected);
    sort(found);
    for (int r = thread_; r < found; r += threads_)
      a_.job.put(row * a_.job.k + r, begin + index_at(r));
  }

  static constexpr int most_taken = together * of_vector;
  /// A bound is the key of rank k of at least so many times k.
  static constexpr std::uint32_t least_per_kept = 4;
  static_assert(most_taken <= 32);
  /// Tells, for each of some keys that a thread has looked at, whether it may be among the first k.
  struct candidates {
    std::uint32_t left = 0;   // a bit for each key
    std::uint32_t index = 0;  // of key 0 in the segment
    int step = 0;             // from a vector of of_vector keys to the next one
    SAM_DEVICE std::uint32_t index_of(int i) const {
      return index + std::uint32_t(i / of_vector * step + i % of_vector);
    }
    SAM_DEVICE int first() const { return engine::count_bits((left & (0u - left)) - 1); }
  };

  /// Collects the first k keys of the segment, or all if there are fewer. Keys before the first and
  /// behind the last whole vector come last.
  SAM_DEVICE void collect(key const* keys, std::uint32_t length) {
    auto const past =
        std::uint32_t(reinterpret_cast<std::uintptr_t>(keys) % sizeof(vector) / sizeof(key));
    auto const head = std::uint32_t(min_of(length, past == 0 ? 0 : of_vector - past));
    std::uint32_t const vectors = (length - head) / of_vector;
    std::uint32_t const tail = head + vectors * of_vector, own = std::uint32_t(thread_);
    candidates some;
    for (std::uint32_t begin = 0; begin < vectors;) {
      // Without a bound all keys are collected. A few of them give one early.
      std::uint32_t const wanted = std::uint32_t(threads_) * (is_open_ ? 1 : together);
      auto const end = std::uint32_t(min_of(vectors, index_t{begin} + wanted));
      bool const are_enough = is_open_ && length > std::uint32_t(a_.capacity) &&
                              end * of_vector >= least_per_kept * std::uint32_t(k());
      some.index = head + (begin + own) * of_vector;
      some.step = threads_ * of_vector;
      some.left = look_at(reinterpret_cast<vector const*>(keys + head), end, begin + own);
      collect_some(keys, some, false, are_enough);
      begin = end;
    }
    some.index = own < head ? own : tail + (own - head);
    some.left = some.index < length ? 1 : 0;
    collect_some(keys, some, true, false);
  }
  /// Loads vectors of keys, and returns the bits of those that may be among the first k.
  SAM_DEVICE std::uint32_t look_at(vector const* from, std::uint32_t end,
                                   std::uint32_t first) const {
    uninitialized_array<vector, together> loaded;
#pragma unroll
    for (int v = 0; v < together; ++v)
      if (std::uint32_t const at = first + std::uint32_t(v * threads_); at < end)
        loaded.at[v] = from[at];
      else
        loaded.at[v] = from[0];
    // A key like the bound that comes behind k others is not one of the first.
    ordered_key const limit = is_open_ ? highest : static_cast<ordered_key>(bound_ - 1);
    std::uint32_t may_be = 0;
#pragma unroll
    for (int i = 0; i < most_taken; ++i)
      may_be |= ordered(key_of(loaded.at[i / of_vector], i % of_vector)) <= limit ? 1u << i : 0;
    if (!is_open_ && bound_ == 0)
      return 0;
    constexpr std::uint32_t all = of_vector < 32 ? (1u << of_vector % 32) - 1 : ~0u;
#pragma unroll
    for (int v = 0; v < together; ++v)
      if (first + std::uint32_t(v * threads_) >= end)
        may_be &= ~(all << v * of_vector);
    return may_be;
  }
  static SAM_DEVICE key key_of(vector const& from, int i) {
    ordered_key bits;
    if constexpr (sizeof(key) == 8) {
      bits = from[2 * i] | ordered_key{from[2 * i + 1]} << 32;
    } else {
      constexpr int of_word = 4 / int(sizeof(key));
      bits = static_cast<ordered_key>(from[i / of_word] >> i % of_word * 8 * int(sizeof(key)));
    }
    return __builtin_bit_cast(key, bits);
  }
  SAM_DEVICE ordered_key ordered(key const& x) const {
    return static_cast<ordered_key>(typename Job::digits{}(x) ^ a_.job.flip);
  }

  /// Collects keys. Unless they are the last, earlier calls had keys of lower indices. After the
  /// last ones, there are at most k. If they are enough, more than k, the first k are kept.
  SAM_DEVICE void collect_some(key const* keys, candidates& some, bool are_last, bool are_enough) {
    for (;;) {
      if (!Device::all_lanes(some.left == 0))
        put(keys, some);
      if (some.left != 0)
        shared_.overflows[turn_] = 1;
      int const next = turn_ == 2 ? 0 : turn_ + 1;
      if (thread_ == 0)
        shared_.overflows[next] = 0;
      Device::sync_block();  // orders what was collected, and the flag, before their reads
      bool const is_full = shared_.overflows[turn_] != 0;
      turn_ = next;
      if (!is_full && !are_enough && !(are_last && shared_.collected > std::uint32_t(k())))
        return;
      are_enough = false;
      keep_first(int(min_of(shared_.collected, a_.capacity)));
      std::uint32_t may_be = 0;
      for (; some.left != 0; some.left &= some.left - 1) {
        int const i = some.first();
        if (ordered(keys[some.index_of(i)]) <= bound_)  // one like the bound may have a lower index
          may_be |= 1u << i;
      }
      some.left = may_be;
    }
  }
  /// Stores keys, as far as there is room. Those are read again: few are stored, and all would take
  /// many registers.
  SAM_DEVICE void put(key const* keys, candidates& some) {
    std::uint32_t to = claim(&shared_.collected, std::uint32_t(engine::count_bits(some.left)));
    for (; some.left != 0 && to < std::uint32_t(a_.capacity); some.left &= some.left - 1, ++to) {
      std::uint32_t const index = some.index_of(some.first());
      key_at(int(to)) = ordered(keys[index]);
      index_at(int(to)) = index;
    }
  }
  /// Adds `mine` of all lanes to a word of shared memory, and returns the sum before this lane's.
  SAM_DEVICE std::uint32_t claim(std::uint32_t* word, std::uint32_t mine) const {
    bool const is_last = Device::lane() == lanes - 1;
    std::uint32_t const upto = gpu::sum_upto_lane<Device>(mine);
    std::uint32_t const found =
        Device::add_by_lanes(is_last ? word : shared_.aside + Device::lane(), is_last ? upto : 0);
    return Device::shuffle_from(found, lanes - 1) + upto - mine;
  }

  /// Keeps the first k of `found` keys, which are more, and sets the bound of later ones.
  SAM_DEVICE void keep_first(int found) {
    ordered_key last = 0;
    std::uint32_t last_index = 0, rank = std::uint32_t(k());
    bool is_found = false;
    // The digits of the key of rank k. Its lower ones may be any if all keys with the same higher
    // ones are kept.
    for (int shift = 8 * key_digits; shift > 0 && !is_found;) {
      shift -= digit_bits;
      for (int i = thread_; i < found; i += threads_) {
        ordered_key const x = key_at(i);
        if (shift + digit_bits == 8 * key_digits || (x ^ last) >> (shift + digit_bits) == 0)
          Device::add_shared(&count_of(int(x >> shift & (bins - 1))), 1u);
      }
      is_found = find_digit(rank);
      last = static_cast<ordered_key>(last | static_cast<ordered_key>(shared_.digit) << shift);
      if (is_found) {
        last = static_cast<ordered_key>(last | ((ordered_key{1} << shift) - 1));
        last_index = ~0u;
      }
    }
    // Keys that are equal to the last one count by their indices, the lowest first.
    for (int shift = 32; shift > 0 && !is_found;) {
      shift -= digit_bits;
      for (int i = thread_; i < found; i += threads_) {
        std::uint32_t const x = index_at(i);
        if (key_at(i) == last && (shift == 24 || (x ^ last_index) >> (shift + digit_bits) == 0))
          Device::add_shared(&count_of(int(x >> shift & (bins - 1))), 1u);
      }
      is_found = find_digit(rank);
      last_index |= shared_.digit << shift | (is_found ? (1u << shift) - 1 : 0);
    }
    bound_ = last;
    is_open_ = false;
    move_to_front(found, [=, this](int i) {
      ordered_key const x = key_at(i);
      return x < last || (x == last && index_at(i) <= last_index);
    });
  }
  /// Finds the digit with the key of a rank, from 1 on, among the counted ones. Returns true if it
  /// is the last one with that digit, else sets its rank among these. The digit is shared_.digit
  /// until the next call.
  SAM_DEVICE bool find_digit(std::uint32_t& rank) {
    constexpr int own = of_lane;
    Device::sync_block();  // orders the counts before their reads
    if (Device::warp() == 0) {
      std::uint32_t* const counts = &count_of(Device::lane() * own);
      std::uint32_t sum = 0;
#pragma unroll
      for (int b = 0; b < own; ++b)
        sum += counts[b];
      std::uint32_t before = gpu::sum_upto_lane<Device>(sum) - sum;
#pragma unroll
      for (int b = 0; b < own; ++b) {
        std::uint32_t const upto = before + counts[b];
        if (before < rank && rank <= upto) {
          shared_.digit = std::uint32_t(Device::lane() * own + b);
          shared_.rank = rank - before;
          shared_.is_last = rank == upto ? 1 : 0;
        }
        before = upto;
        counts[b] = 0;
      }
      if (Device::lane() == 0)
        shared_.holes = shared_.moved = 0;
    }
    Device::sync_block();  // orders the digit, and the zeros, before their reads and later counts
    rank = shared_.rank;
    return shared_.is_last != 0;
  }
  /// Moves k of `found` keys to the first places, those that are to be kept.
  template <class Keeps>
  SAM_DEVICE void move_to_front(int found, Keeps const& keeps) {
    for (int first = 0; first < k(); first += threads_) {
      int const i = first + thread_;
      bool const is_hole = i < k() && !keeps(i);
      if (Device::all_lanes(!is_hole))
        continue;
      std::uint32_t const at = claim(&shared_.holes, is_hole ? 1 : 0);
      if (is_hole)
        hole(int(at)) = std::uint32_t(i);
    }
    Device::sync_block();  // orders the list of holes before its reads
    for (int first = k(); first < found; first += threads_) {
      int const i = first + thread_;
      bool const moves = i < found && keeps(i);
      if (Device::all_lanes(!moves))
        continue;
      std::uint32_t const at = claim(&shared_.moved, moves ? 1 : 0);
      if (moves) {
        auto const to = int(hole(int(at)));
        key_at(to) = key_at(i);
        index_at(to) = index_at(i);
      }
    }
    if (thread_ == 0)
      shared_.collected = std::uint32_t(k());
    Device::sync_block();  // orders the keys and their number before later accesses
  }

  /// Sorts the first `found` keys by a network.
  SAM_DEVICE void sort(int found) const {
    int size = 1;
    while (size < found)
      size *= 2;
    for (int i = found + thread_; i < size; i += threads_) {
      key_at(i) = highest;  // behind all keys, whose indices are lower
      index_at(i) = ~0u;
    }
    Device::sync_block();  // orders these writes before their reads
    bool const by_warp = size <= 2 * lanes;
    if (by_warp && Device::warp() > 0)
      size = 0;
    for (int run = 2; run <= size; run *= 2)
      for (int step = run / 2; step > 0; step /= 2) {
        for (int t = thread_; t < size / 2; t += threads_) {
          int const i = 2 * t - (t & (step - 1));
          exchange(i, i + step, (i & run) == 0);
        }
        if (by_warp)
          Device::sync_warp();  // orders this step before the next one
        else
          Device::sync_block();  // likewise
      }
    if (by_warp)
      Device::sync_block();  // orders the warp's writes before the reads of others
  }
  /// Exchanges keys i and j if they are not in order: ascending, or descending.
  SAM_DEVICE void exchange(int i, int j, bool ascends) const {
    ordered_key const x = key_at(i), y = key_at(j);
    std::uint32_t const at_x = index_at(i), at_y = index_at(j);
    if ((y < x || (x == y && at_y < at_x)) == ascends) {
      key_at(i) = y, key_at(j) = x;
      index_at(i) = at_y, index_at(j) = at_x;
    }
  }

  select_arguments<Job> const& a_;
  shared_layout& shared_;
  int thread_, threads_;
  int turn_ = 0;                 // of the flags of overflows
  bool is_open_ = true;          // no keys have been left out, so that there is no bound
  ordered_key bound_ = highest;  // that the first k of the keys so far do not exceed
};

}  // namespace sam::inline v0_1::gpu
