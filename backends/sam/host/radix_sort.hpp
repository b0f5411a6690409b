// SPDX-License-Identifier: MIT
// The sort on CPUs: items are split by their first digits, by all workers, into buckets that fit
// into the second-level cache; each of these is then sorted there by one worker. So memory sees the
// items twice, and the keys once more to count them. Stable, and the same whoever sorts what.
#pragma once

#include <sam/host/cached_sort.hpp>
#include <sam/host/combined_stores.hpp>
#include <sam/host/pool.hpp>
#include <sam/host/sort_memory.hpp>

#include <algorithm>
#include <atomic>

namespace sam::host {

template <class Key, class Value, class Digits>
class radix_sort {
  using image = typename Digits::image;
  using source = source_columns<Key, Value>;
  using target = columns<Key, Value>;
  using window = bit_window<image>;
  using memory = sort_memory<Key, Value, Digits>;
  using place = typename memory::place;
  using range = typename memory::range;
  using job_type = sort_job<Key, Value, Digits>;

 public:
  radix_sort(any_pool const& pool, memory const& parts, job_type const& job)
      : pool_(pool), with_(parts), job_(job) {}

  void run() const {
    if (!with_.splits)
      return sort_in_cache(0, 0, job_.n);
    with_.pending[0] = {0, job_.n, job_.end_bit, place::given};
    sort_pending(1);
  }

  /// Sorts n of the job's items, which fit into a cache, as worker w; a streaming_fence goes behind
  /// its last one.
  void sort_in_cache(int w, index_t begin, index_t n) const {
    sort_in_cache(w, at(place::given).from(begin), with_.sorted.from(begin), n, job_.end_bit);
  }
  /// Sorts the first `count` ranges that are pending.
  void sort_pending(index_t count) const {
    while (count > 0)
      split(with_.pending[--count], count);
  }

 private:
  void sort_in_cache(int w, source const& from, target const& to, index_t n, int high) const {
    cached_sort<Key, Value, Digits> const sort(job_.digits, room(w, 0), room(w, 1));
    if (!with_.streams || n < with_.fewest_streamed)
      return sort(from, to, n, job_.begin_bit, high);
    sort(from, room(w, 2), n, job_.begin_bit, high);
    host::stream_items(room(w, 2), to, n);
  }
  target room(int w, int which) const {
    return with_.rooms.from((w * with_.rooms_of_worker + which) * with_.room);
  }
  source at(place where) const {
    return where == place::given   ? source(job_.keys, job_.values)
           : where == place::spare ? source(with_.spare)
                                   : source(with_.sorted);
  }

  /// Worker w's part of n items.
  index_t part(int w, index_t n) const {
    return n / with_.workers * w + sam::min_of(w, n % with_.workers);
  }

  /// Splits a range by its first digit, then sorts what fits into a cache; the rest is pending.
  void split(range const all, index_t& pending) const {
    index_t const n = all.size();
    int const low = job_.begin_bit;
    source const from = at(all.at).from(all.begin);
    window const digit = count_first_digit(from, n, all.high);
    if (digit.mask == 0)
      return move(from, with_.sorted.from(all.begin), n);
    auto const buckets = static_cast<index_t>(digit.mask) + 1;
    set_starts(buckets);

    bool const is_last = digit.low == low;
    bool const straight = is_last && !from.are_in(with_.sorted.from(all.begin));
    place const next = straight || all.at == place::spare ? place::sorted : place::spare;
    target const& to = next == place::sorted ? with_.sorted : with_.spare;
    scatter(from, to.from(all.begin), n, digit, buckets);
    if (is_last) {
      if (next != place::sorted)
        move(to.from(all.begin), with_.sorted.from(all.begin), n);
      return;
    }
    for (index_t b = 0; b < buckets; ++b)
      if (with_.starts[b + 1] - with_.starts[b] > with_.cached)
        with_.pending[pending++] = {all.begin + with_.starts[b], all.begin + with_.starts[b + 1],
                                    digit.low, next};
    sort_buckets(to.from(all.begin), with_.sorted.from(all.begin), buckets, digit.low);
  }

  void sort_buckets(source const& from, target const& to, index_t buckets, int high) const {
    std::atomic<index_t> claimed = 0;
    pool_.for_each_worker(with_.workers, [&](int w) {
      for (index_t b; (b = claimed.fetch_add(1, std::memory_order_relaxed)) < buckets;) {
        index_t const begin = with_.starts[b], size = with_.starts[b + 1] - begin;
        if (size > 0 && size <= with_.cached)
          sort_in_cache(w, from.from(begin), to.from(begin), size, high);
      }
      if (with_.streams)
        streaming_fence();
    });
  }

  /// Counts the keys by the first bits in which any differ, in each worker's `ends`, and says which
  /// bits these are; none if all keys agree.
  window count_first_digit(source const& from, index_t n, int high) const {
    int const low = job_.begin_bit;
    window const sorted_by(low, high);
    image const first = job_.digits(from.keys[0]);
    // A few keys say which bits these will be; nearly always they are right.
    image differ = 0;
    for (index_t i = 0; i < n; i += div_up(n, 256))
      differ |= static_cast<image>(job_.digits(from.keys[i]) ^ first);
    for (int guess = low + host::width_of(sorted_by(differ));;) {
      auto const wanted = width_of(static_cast<std::uint64_t>(2 * n / with_.cached));
      int const bits = static_cast<int>(
          min_of(max_of(wanted, tuning::fewest_split_bits), tuning::most_split_bits));
      window const digit(static_cast<int>(max_of(low, guess - bits)), guess);
      count(from, n, first, digit);
      differ = 0;
      for (int w = 0; w < with_.workers; ++w)
        differ |= with_.seen[w * with_.padded(1)];
      int const found = low + host::width_of(sorted_by(differ));
      if (found <= guess)
        return digit;
      guess = found;
    }
  }
  void count(source const& from, index_t n, image first, window const& digit) const {
    pool_.for_each_worker(with_.workers, [&](int w) {
      index_t* const counts = with_.ends + w * with_.places;
      std::fill_n(counts, static_cast<index_t>(digit.mask) + 1, 0);
      with_.seen[w * with_.padded(1)] = count_part(
          job_.digits, from.from(part(w, n)), part(w + 1, n) - part(w, n), first, digit, counts);
    });
  }
  // By value, or each store might change them.
  static image count_part(Digits const digits, source const from, index_t n, image first,
                          window const digit, index_t* counts) {
    image differ = 0;
    for (index_t i = 0; i < n; ++i) {
      image const x = digits(from.keys[i]);
      differ |= static_cast<image>(x ^ first);
      ++counts[digit(x)];
    }
    return differ;
  }

  /// From counts to where each worker's part of each bucket begins.
  void set_starts(index_t buckets) const {
    index_t before = 0;
    for (index_t b = 0; b < buckets; ++b) {
      with_.starts[b] = before;
      for (int w = 0; w < with_.workers; ++w) {
        index_t const k = w * with_.places + b;
        before += std::exchange(with_.ends[k], before);
        with_.begins[k] = with_.ends[k];
      }
    }
    with_.starts[buckets] = before;
  }

  void scatter(source const& from, target const& to, index_t n, window const& digit,
               index_t buckets) const {
    pool_.for_each_worker(with_.workers, [&](int w) {
      index_t* const ends = with_.ends + w * with_.places;
      index_t const* const begins = with_.begins + w * with_.places;
      combined_stores<Key> const keys(
          to.keys, with_.lines.keys + w * combined_stores<Key>::room(with_.places), begins,
          with_.streams);
      combined_stores<Value> const values(
          to.values, with_.lines.values + w * combined_stores<Value>::room(with_.places), begins,
          with_.streams);
      scatter_part(job_.digits, from.from(part(w, n)), part(w + 1, n) - part(w, n), digit, ends,
                   keys, values);
      for (index_t b = 0; b < buckets; ++b) {
        keys.finish(b, ends[b]);
        if constexpr (job_type::has_values)
          values.finish(b, ends[b]);
      }
      if (with_.streams)
        streaming_fence();
    });
  }
  static void scatter_part(Digits const digits, source const from, index_t n, window const digit,
                           index_t* ends, combined_stores<Key> const keys,
                           combined_stores<Value> const values) {
    for (index_t i = 0; i < n; ++i) {
      Key const key = from.keys[i];
      auto const bucket = static_cast<index_t>(digit(digits(key)));
      index_t const end = ends[bucket]++;
      keys.put(bucket, end, key);
      if constexpr (job_type::has_values)
        values.put(bucket, end, from.value(i));
    }
  }

  void move(source const& from, target const& to, index_t n) const {
    pool_.for_each_worker(with_.workers, [&](int w) {
      index_t const begin = part(w, n);
      host::move_items(from.from(begin), to.from(begin), part(w + 1, n) - begin);
    });
  }

  any_pool const& pool_;
  memory const& with_;
  job_type const& job_;
};

/// What `sort` needs of a workspace.
template <class Key, class Value, class Digits>
workspace::plan sort_needs(int workers, sort_job<Key, Value, Digits> const& job) {
  workspace::plan all;
  sort_memory<Key, Value, Digits>(workers, job)
      .lay_out(
          [&]<class T>(std::type_identity<T>, index_t count) {
            all.part<T>(count);
            return static_cast<T*>(nullptr);
          },
          job);
  return all;
}
template <class Pool, class Key, class Value, class Digits>
index_t sort_workspace(Pool const& pool, sort_job<Key, Value, Digits> const& job) {
  return job.n == 0 ? 0 : static_cast<index_t>(host::sort_needs(pool.workers(), job).bytes);
}

/// The arrays of a sort, laid out in a workspace with room for them.
template <class Key, class Value, class Digits>
sort_memory<Key, Value, Digits> sort_parts(int workers, workspace& memory,
                                           sort_job<Key, Value, Digits> const& job) {
  sort_memory<Key, Value, Digits> parts(workers, job);
  memory.rewind();
  parts.lay_out(
      [&]<class T>(std::type_identity<T>, index_t count) { return memory.take<T>(count); }, job);
  return parts;
}

/// Sorts as the job says, and returns when all is done.
template <class Key, class Value, class Digits>
void sort(any_pool const& pool, workspace& memory, sort_job<Key, Value, Digits> const& job) {
  if (job.n == 0)
    return;
  memory.reserve(host::sort_needs(pool.workers(), job));
  auto const parts = host::sort_parts(pool.workers(), memory, job);
  radix_sort<Key, Value, Digits>(pool, parts, job).run();
}
template <class Pool, class Key, class Value, class Digits>
void sort(Pool& pool, workspace& memory, sort_job<Key, Value, Digits> const& job) {
  host::sort(any_pool(pool), memory, job);
}

}  // namespace sam::host
