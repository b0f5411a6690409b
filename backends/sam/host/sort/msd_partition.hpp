// SPDX-License-Identifier: MIT
// Splits a range of items into buckets by the first bits in which any two of its keys differ: one
// pass of the sort on CPUs.
//
// A team of workers splits a range. Each worker counts and writes a part of it, or claims several
// small ones of many items, so that none waits long for a slow one. A team of one worker starts no
// parallel region, so that several workers can split one range each at the same time.
#pragma once

#include <sam/host/memory/pool.hpp>
#include <sam/host/memory/prefetch.hpp>
#include <sam/host/memory/tuning.hpp>
#include <sam/host/memory/write_combining.hpp>
#include <sam/host/sort/ordered_key_block.hpp>
#include <sam/host/sort/sort_memory.hpp>

#include <algorithm>
#include <atomic>

namespace sam::inline v0_1::host {

template <class Key, class Value, class Digits>
class msd_partition {
  using ordered_key = typename Digits::ordered_key;
  using source = source_columns<Key, Value>;
  using target = columns<Key, Value>;
  using window = bit_window<ordered_key>;
  using memory = sort_memory<Key, Value, Digits>;
  using job_type = sort_job<Key, Value, Digits>;

 public:
  using arrays = typename memory::arrays;
  using range = typename memory::range;

  /// Holds the parts into which one worker or all divide a range, and the buffer for the beginnings
  /// of its buckets.
  struct team {
    int first, parts;
    index_t* starts;
    int end() const { return first + parts; }
  };

  msd_partition(any_pool const& pool, memory const& parts, job_type const& job)
      : pool_(pool), memory_(parts), job_(job) {}

  team all_workers() const { return {0, memory_.parts, memory_.starts}; }
  team one_worker(int w) const {
    return {w, 1, memory_.starts + (w + 1) * memory_.buffer_for_starts};
  }

  source at(arrays where) const {
    return where == arrays::input   ? source(job_.keys, job_.values)
           : where == arrays::spare ? source(memory_.spare)
                                    : source(memory_.sorted);
  }

  /// Splits a range and returns how many buckets remain to be sorted: 0 if this pass has sorted
  /// everything. Updates `all` with the array that holds the buckets and the bits in which their
  /// keys agree.
  index_t operator()(team const& who, range& all) const {
    index_t const n = all.size();
    int const low = job_.begin_bit;
    source const from = at(all.at).from(all.begin);
    window const digit = count_first_digit(who, from, n, all.high);
    if (digit.mask == 0) {
      move(who, from, memory_.sorted.from(all.begin), n);
      return 0;
    }
    auto const buckets = static_cast<index_t>(digit.mask) + 1;
    set_starts(who, buckets);

    bool const is_last = digit.low == low;
    bool const straight = is_last && !from.are_in(memory_.sorted.from(all.begin));
    arrays const next = straight || all.at == arrays::spare ? arrays::sorted : arrays::spare;
    target const& to = next == arrays::sorted ? memory_.sorted : memory_.spare;
    scatter(who, from, to.from(all.begin), n, digit, buckets);
    if (is_last && next != arrays::sorted)
      move(who, to.from(all.begin), memory_.sorted.from(all.begin), n);
    all.high = digit.low;
    all.at = next;
    return is_last ? 0 : buckets;
  }

  /// Returns bucket b of a range that has been split.
  static range bucket(team const& who, range const& split, index_t b) {
    return {split.begin + who.starts[b], split.begin + who.starts[b + 1], split.high, split.at};
  }

 private:
  /// Calls work(w, p) for each part p, on worker w.
  template <class Work>
  void for_each_part(team const& who, Work const& work) const {
    if (who.parts == 1)
      return work(who.first, who.first);
    // As many parts as workers stay with the same ones, in whose caches they are.
    bool const each_own = who.parts == memory_.workers;
    std::atomic<int> claimed = 0;
    pool_.for_each_worker(memory_.workers, [&](int w) {
      if (each_own)
        return work(w, w);
      for (int p; (p = claimed.fetch_add(1, std::memory_order_relaxed)) < who.parts;)
        work(w, p);
    });
  }
  /// Returns the beginning of part p of n items.
  static index_t part(team const& who, int p, index_t n) {
    int const k = p - who.first;
    return n / who.parts * k + engine::min_of(k, n % who.parts);
  }

  /// Counts the keys by the first bits in which any differ, into each worker's `ends`, and returns
  /// these bits. There are none if all keys agree.
  window count_first_digit(team const& who, source const& from, index_t n, int high) const {
    int const low = job_.begin_bit;
    window const sorted_by(low, high);
    ordered_key const first = job_.digits(from.keys[0]);
    // Guess the bits from a few keys; nearly always the guess is right.
    ordered_key differ = 0;
    for (index_t i = 0; i < n; i += engine::div_up(n, 256))
      differ |= static_cast<ordered_key>(job_.digits(from.keys[i]) ^ first);
    for (int guess = low + host::width_of(sorted_by(differ));;) {
      auto const wanted = host::width_of(static_cast<std::uint64_t>(2 * n / memory_.cached));
      int const bits = static_cast<int>(
          engine::min_of(engine::max_of(wanted, tuned.fewest_split_bits), memory_.split_bits));
      window const digit(static_cast<int>(max_of(low, guess - bits)), guess);
      count(who, from, n, first, digit);
      differ = 0;
      for (int p = who.first; p < who.end(); ++p)
        differ |= memory_.seen[p * memory_.padded(1)];
      int const found = low + host::width_of(sorted_by(differ));
      if (found <= guess)
        return digit;
      guess = found;
    }
  }
  void count(team const& who, source const& from, index_t n, ordered_key first,
             window const& digit) const {
    for_each_part(who, [&](int, int p) {
      index_t const begin = part(who, p, n), end = part(who, p + 1, n);
      index_t* const counts = memory_.ends + p * memory_.places;
      std::fill_n(counts, static_cast<index_t>(digit.mask) + 1, 0);
      memory_.seen[p * memory_.padded(1)] =
          count_part(job_.digits, from.from(begin), end - begin, first, digit, counts);
    });
  }
  /// Calls visit(i, count) for items [i, i + count), some at a time, and requests later ones from
  /// memory. The hardware prefetcher falls behind where each item is stored at another place.
  template <class Visit>
  [[gnu::always_inline]] static inline void for_each_step(source const& from, index_t n,
                                                          Visit const& visit) {
    constexpr index_t step = 64;
    constexpr index_t ahead = engine::max_of(tuning::ahead_bytes / index_t{sizeof(Key)}, step);
    for (index_t i = 0; i < n; i += step) {
      if (i + ahead + step <= n) {
        host::prefetch_items<second_level>(from.keys + i + ahead, step);
        if (job_type::has_values && from.values != nullptr)
          host::prefetch_items<second_level>(from.values + i + ahead, step);
      }
      visit(i, engine::min_of(step, n - i));
    }
  }

  // Takes its arguments by value; otherwise the compiler must assume that each store changes them.
  static ordered_key count_part(Digits const digits, source const from, index_t n,
                                ordered_key first, window const digit, index_t* counts) {
    ordered_key differ = 0;
    for_each_step(source(from.keys, nullptr), n, [&](index_t begin, index_t count) {
      host::for_each_ordered_key<Digits>(from.keys + begin, count, digits,
                                         [&](index_t, ordered_key x) {
                                           differ |= static_cast<ordered_key>(x ^ first);
                                           ++counts[digit(x)];
                                         });
    });
    return differ;
  }

  /// Sets where each part begins in each bucket, and replaces its counts by where it ends. Goes
  /// from part to part, whose counts lie side by side.
  void set_starts(team const& who, index_t buckets) const {
    index_t* const starts = who.starts;
    std::fill_n(starts, buckets + 1, 0);
    for (int p = who.first; p < who.end(); ++p) {
      index_t const* const counts = memory_.ends + p * memory_.places;
      for (index_t b = 0; b < buckets; ++b)
        starts[b + 1] += counts[b];
    }
    for (index_t b = 0; b < buckets; ++b)
      starts[b + 1] += starts[b];
    index_t const* before = starts;
    for (int p = who.first; p < who.end(); ++p) {
      index_t* const begins = memory_.begins + p * memory_.places;
      index_t* const ends = memory_.ends + p * memory_.places;
      for (index_t b = 0; b < buckets; ++b) {
        begins[b] = before[b];
        ends[b] += before[b];
      }
      before = ends;
    }
  }

  void scatter(team const& who, source const& from, target const& to, index_t n,
               window const& digit, index_t buckets) const {
    for_each_part(who, [&](int w, int p) {
      index_t const begin = part(who, p, n), end = part(who, p + 1, n);
      index_t* const ends = memory_.ends + p * memory_.places;
      index_t const* const begins = memory_.begins + p * memory_.places;
      if constexpr (memory::checks_places)
        std::copy_n(ends, buckets, memory_.limits + p * memory_.places);
      std::copy_n(begins, buckets, ends);  // from here on, the places of the next items
      write_combining_stores<Key> const keys(
          to.keys, memory_.lines.keys + w * write_combining_stores<Key>::capacity(memory_.places),
          begins, memory_.streams);
      write_combining_stores<Value> const values(
          to.values,
          memory_.lines.values + w * write_combining_stores<Value>::capacity(memory_.places),
          begins, memory_.streams);
      if constexpr (memory::checks_places)
        scatter_part_within(memory_.limits + p * memory_.places, buckets, job_.digits,
                            from.from(begin), end - begin, digit, ends, keys, values);
      else
        scatter_part(job_.digits, from.from(begin), end - begin, digit, ends, keys, values);
      for (index_t b = 0; b < buckets; ++b) {
        keys.finish(b, ends[b]);
        if constexpr (job_type::has_values)
          values.finish(b, ends[b]);
      }
      if (memory_.streams)
        streaming_fence();
    });
  }
  static void scatter_part(Digits const digits, source const from, index_t n, window const digit,
                           index_t* ends, write_combining_stores<Key> const keys,
                           write_combining_stores<Value> const values) {
    for_each_step(from, n, [=](index_t begin, index_t count) {
      for (index_t i = begin; i < begin + count; ++i) {
        Key const key = from.keys[i];
        auto const bucket = static_cast<index_t>(digit(digits(key)));
        index_t const end = ends[bucket]++;
        keys.put(bucket, end, key);
        if constexpr (job_type::has_values)
          values.put(bucket, end, from.value(i));
      }
    });
  }

  /// Scatters as scatter_part does, but writes no more items to a bucket than were counted. If
  /// fewer come, the first item fills the places left, so that every key written is one of the
  /// caller's.
  static void scatter_part_within(index_t const* limits, index_t buckets, Digits const digits,
                                  source const from, index_t n, window const digit, index_t* ends,
                                  write_combining_stores<Key> const keys,
                                  write_combining_stores<Value> const values) {
    auto const put = [=](index_t bucket, index_t i) {
      index_t const end = ends[bucket]++;
      keys.put(bucket, end, from.keys[i]);
      if constexpr (job_type::has_values)
        values.put(bucket, end, from.value(i));
    };
    for_each_step(from, n, [=](index_t begin, index_t count) {
      host::for_each_ordered_key<Digits>(
          from.keys + begin, count, [=](Key const& key) { return digit(digits(key)); },
          [=](index_t i, ordered_key x) {
            if (auto const bucket = static_cast<index_t>(x); ends[bucket] < limits[bucket])
              put(bucket, begin + i);
          });
    });
    for (index_t b = 0; b < buckets; ++b)
      while (ends[b] < limits[b])
        put(b, 0);
  }

  void move(team const& who, source const& from, target const& to, index_t n) const {
    for_each_part(who, [&](int, int p) {
      index_t const begin = part(who, p, n), end = part(who, p + 1, n);
      host::move_items(from.from(begin), to.from(begin), end - begin);
    });
  }

  any_pool const& pool_;
  memory const& memory_;
  job_type const& job_;
};

}  // namespace sam::inline v0_1::host
