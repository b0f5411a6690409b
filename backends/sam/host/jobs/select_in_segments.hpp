// SPDX-License-Identifier: MIT
// Finds the first keys of each segment on CPUs. A worker takes some segments at a time, and reads
// each once. It collects keys, and keeps the first k of them as soon as there are many; the last of
// these bounds later ones. With keys in random order nearly all of them are passed over, in blocks
// that compilers can vectorize.
//
// The bound is found by bisection of the values between the least and the greatest key. Each step
// counts the keys below a value, by vectors and without a branch that depends on one key. What is
// kept stays in the order of its indices, so that equal keys need no other one, and is ranked at
// the end.
#pragma once

#include <sam/backend/job/select_job.hpp>
#include <sam/host/context_base.hpp>
#include <sam/host/jobs/elementwise.hpp>
#include <sam/host/scan/multi_pass.hpp>
#include <sam/host/simd/truth_word.hpp>
#include <sam/host/sort/rank_sort.hpp>

#include <algorithm>
#include <bit>

namespace sam::inline v0_1::host {

template <class Job>
class segment_selection {
  using key = typename Job::key;
  /// Ordered keys, in lanes that can count those of a segment.
  using word = std::conditional_t<(sizeof(key) < 4), std::uint32_t, typename Job::ordered_key>;
  static constexpr index_t window = 64, fewest_collected = 1024, most_compared = 256;

  /// Holds what is collected of a segment, in the order of indices, and the ranks of what is left.
  /// There is space for a window more.
  struct collection {
    word *keys, *places;
    index_t* indices;
  };

 public:
  explicit segment_selection(Job const& job)
      : job_(job), capacity_(engine::max_of(fewest_collected, room())) {}

  /// True if this is faster than sorts of the segments, which all workers take part in if the
  /// segments are long. One worker passes over few keys before others have started.
  static bool is_faster(Job const& job, int workers) {
    constexpr index_t few = 1 << 17;
    return job.n / job.segments >= max_of(64, 8 * job.k) &&
           (job.n <= few || job.segments * 16 >= workers);
  }

  void run(any_pool const& pool, workspace& memory, index_t parallel_bytes) const {
    bool const alone = job_.n * index_t{sizeof(key)} < parallel_bytes;
    int const most = alone ? 1 : static_cast<int>(min_of(pool.workers(), job_.segments));
    index_t const mean = job_.n / job_.segments;
    index_t const rows = host::items_of_tile(job_.segments, mean * index_t{sizeof(key)}, most);
    index_t const tiles = engine::div_up(job_.segments, rows);
    int const workers = static_cast<int>(min_of(most, tiles));
    index_t const space = workers * (capacity_ + window);
    if (!memory.reserve(
            workspace::plan().part<word>(space).template part<word>(space).template part<index_t>(
                space)))
      return;
    memory.rewind();
    collection const all{memory.take<word>(space), memory.take<word>(space),
                         memory.take<index_t>(space)};
    host::for_each_tile_of_ranges(pool, workers, tiles, [&](int w, index_t tile) {
      index_t const own = w * (capacity_ + window), end = min_of((tile + 1) * rows, job_.segments);
      for (index_t row = tile * rows; row < end; ++row)
        select(row, {all.keys + own, all.places + own, all.indices + own});
    });
  }

 private:
  /// Returns how many keys may be kept where k would do, which saves steps.
  index_t kept_most() const { return job_.k + job_.k / 4 + 8; }
  /// Returns how many keys there are at most when a new bound is found. A new one soon pays off.
  index_t room() const { return engine::div_up(2 * kept_most() + window, window) * window; }
  word ordered(index_t i) const {
    return static_cast<word>(
        static_cast<typename Job::ordered_key>(typename Job::digits{}(job_.keys[i]) ^ job_.flip));
  }

  void select(index_t row, collection const& kept) const {
    index_t const begin = job_.rows.begin(row), end = job_.rows.end(row);
    index_t count = engine::min_of(end - begin, capacity_), i = begin + count;
    collect_first(begin, count, kept);
    if (count > kept_most()) {
      word bound = keep_first(kept, count);
      while (i < end) {
        i = collect_within(i, end, bound, kept, count);
        if (count > kept_most())
          bound = keep_first(kept, count);
      }
    }
    put(row, kept, count);
  }
  // Takes arrays by value; otherwise the compiler must assume that each store changes them.
  void collect_first(index_t begin, index_t count, collection const kept) const {
    segment_selection const self = *this;
    for (index_t j = 0; j < count; ++j)
      kept.keys[j] = self.ordered(begin + j);
    for (index_t j = 0; j < count; ++j)
      kept.indices[j] = begin + j;
  }

  /// Collects keys from key i on that are less than a bound, until there may be no space for more.
  /// Returns the next key. An equal key would come behind, because of its index.
  index_t collect_within(index_t i, index_t end, word bound, collection const kept,
                         index_t& count) const {
    segment_selection const self = *this;
    index_t const room = self.room();
    index_t held = count;
    for (; i + window <= end && held + window <= room; i += window) {
      std::uint64_t bits =
          host::word_where<word>([&self, i, bound](int l) { return self.ordered(i + l) < bound; });
      for (; bits != 0; bits &= bits - 1, ++held)
        kept.indices[held] = i + std::countr_zero(bits);
    }
    for (; end - i < window && i < end && held + window <= room; ++i)
      if (self.ordered(i) < bound)
        kept.indices[held++] = i;
    for (; count < held; ++count)
      kept.keys[count] = self.ordered(kept.indices[count]);
    return i;
  }

  static index_t count_within(word const* keys, index_t count, word bound) {
    word within = 0;
    for (index_t j = 0; j < count; ++j)
      within += keys[j] <= bound ? 1 : 0;
    return static_cast<index_t>(within);
  }
  /// Keeps the first k of more keys, or somewhat more than k, and returns a bound: that of which no
  /// later key is among the first that is not less.
  word keep_first(collection const& kept, index_t& count) const {
    word low = kept.keys[0], high = kept.keys[0];
    for (index_t j = 1; j < count; ++j) {
      low = kept.keys[j] < low ? kept.keys[j] : low;
      high = kept.keys[j] > high ? kept.keys[j] : high;
    }
    // At least k keys are within `high`, and fewer within what is less than `low`.
    index_t within = count;
    while (low < high && within > kept_most()) {
      auto const middle = static_cast<word>(low + (high - low) / 2);
      index_t const some = count_within(kept.keys, count, middle);
      if (some >= job_.k)
        high = middle, within = some;
      else
        low = static_cast<word>(middle + 1);
    }
    // If too many are equal to the bound, the first of them are kept.
    index_t const less =
        high == 0 ? 0 : count_within(kept.keys, count, static_cast<word>(high - 1));
    count = move_kept(kept, count, high, within > kept_most() ? job_.k - less : within - less);
    return high;
  }
  /// Moves keys less than a bound to the front, and the first `equal` of those equal to it. Returns
  /// their number.
  static index_t move_kept(collection const kept, index_t count, word bound, index_t equal) {
    index_t to = 0;
    for (index_t from = 0; from < count; from += window) {
      word const* const keys = kept.keys + from;
      auto const valid = ~std::uint64_t{0} >> (window - engine::min_of(window, count - from));
      std::uint64_t same =
          valid & host::word_where<word>([keys, bound](int l) { return keys[l] == bound; });
      std::uint64_t bits =
          valid & host::word_where<word>([keys, bound](int l) { return keys[l] < bound; });
      for (; same != 0 && equal > 0; same &= same - 1, --equal)
        bits |= same & (~same + 1);
      for (; bits != 0; bits &= bits - 1, ++to) {
        index_t const at = from + std::countr_zero(bits);
        kept.keys[to] = kept.keys[at];
        kept.indices[to] = kept.indices[at];
      }
    }
    return to;
  }

  void put(index_t row, collection const& kept, index_t count) const {
    if constexpr (most_ranked < word >> 0) {
      if (count <= most_compared) {
        host::rank_many(kept.keys, count, kept.places);
        for (index_t j = 0; j < count; ++j)
          if (auto const r = static_cast<index_t>(kept.places[j]); r < job_.k)
            job_.put(row * job_.k + r, kept.indices[j]);
        return;
      }
    }
    for (index_t j = 0; j < count; ++j)
      kept.places[j] = static_cast<word>(j);
    std::sort(kept.places, kept.places + count, [keys = kept.keys](word a, word b) {
      return keys[a] != keys[b] ? keys[a] < keys[b] : a < b;
    });
    for (index_t r = 0; r < engine::min_of(count, job_.k); ++r)
      job_.put(row * job_.k + r, kept.indices[kept.places[r]]);
  }

  Job const job_;
  index_t capacity_;
};

template <class Job>
bool any_context::select_in_segments(Job const& job) {
  using selection = segment_selection<Job>;
  if (!selection::is_faster(job, workers()))
    return false;
  work([&](any_pool const& pool, host::workspace& memory) {
    selection(job).run(pool, memory, tuned.parallel_bytes);
  });
  return true;
}

}  // namespace sam::inline v0_1::host
