// SPDX-License-Identifier: MIT
// Sorts on CPUs. All workers together split the items by their first bits into buckets that fit in
// the second-level cache. Then each bucket is sorted in cache by one worker.
//
// So items are read and written twice, and keys are read once more for counting. The sort is
// stable, and its result does not depend on which worker sorts what.
//
// A bucket that does not fit in the cache is split again. One worker splits it alone, unless it is
// larger than a fair share of the work. Larger buckets are split by all workers together. There are
// few of them, however many items there are, so the number of parallel regions is bounded.
#pragma once

#include <sam/host/context_base.hpp>
#include <sam/host/sort/in_cache_lsd_sort.hpp>
#include <sam/host/sort/msd_partition.hpp>

#include <algorithm>
#include <atomic>

namespace sam::inline v0_1::host {

template <class Key, class Value, class Digits>
class radix_sort {
  using source = source_columns<Key, Value>;
  using target = columns<Key, Value>;
  using memory = sort_memory<Key, Value, Digits>;
  using job_type = sort_job<Key, Value, Digits>;
  using splits = msd_partition<Key, Value, Digits>;
  using team = typename splits::team;
  using arrays = typename splits::arrays;
  using range = typename splits::range;

 public:
  radix_sort(any_pool const& pool, memory const& parts, job_type const& job)
      : pool_(pool), memory_(parts), job_(job), split_(pool, parts, job) {}

  void run() const {
    if (!memory_.splits)
      return sort_in_cache(0, 0, job_.n);
    memory_.pending[0] = {0, job_.n, job_.end_bit, arrays::input};
    if (memory_.workers == 1)
      sort_alone(0, memory_.pending[0]);
    else
      sort_together(1);
  }

  /// Sorts n of the job's items, which fit in a cache, on worker w. A streaming_fence must follow a
  /// worker's last such call.
  void sort_in_cache(int w, index_t begin, index_t n) const {
    sort_in_cache(w, {begin, begin + n, job_.end_bit, arrays::input});
  }
  /// Sorts the first `count` pending ranges. Workers claim small ranges and sort each of them
  /// alone. Then all workers sort the large ones together, one after the other.
  void sort_pending(index_t count) const {
    range* const end = memory_.pending + count;
    range* const small = std::partition(
        memory_.pending, end, [&](range const& r) { return r.size() > memory_.most_alone; });
    if (small != end)
      for_each_claimed(end - small, [&](int w, index_t k) { sort_alone(w, small[k]); });
    sort_together(small - memory_.pending);
  }

 private:
  /// Calls work(w, k) for k from 0 to count - 1, which workers claim one by one.
  template <class Work>
  void for_each_claimed(index_t count, Work const& work) const {
    claims claimed(memory_.workers);
    pool_.for_each_worker(memory_.workers, [&](int w) {
      for (index_t k; (k = claimed.next()) < count;)
        work(w, k);
      if (memory_.streams)
        streaming_fence();
    });
  }

  void sort_in_cache(int w, range const& all) const {
    index_t const n = all.size();
    source const from = split_.at(all.at).from(all.begin);
    target const to = memory_.sorted.from(all.begin);
    bool const streams = memory_.streams && n >= memory_.fewest_streamed;
    target const there = streams ? buffer(w, 2) : to;
    if (memory_.words_of_worker > 0 && memory::vector_sort::takes(n))
      typename memory::vector_sort(job_.digits, memory_.words + w * memory_.words_of_worker,
                                   memory_.words_of_worker / 2,
                                   buffer(w, 0))(from, there, n, {job_.begin_bit, all.high});
    else
      in_cache_lsd_sort<Key, Value, Digits>(job_.digits, buffer(w, 0),
                                            buffer(w, 1))(from, there, n, job_.begin_bit, all.high);
    if (streams)
      host::stream_items(there, to, n);
  }
  target buffer(int w, int which) const {
    return memory_.buffers.from((w * memory_.buffers_of_worker + which) * memory_.buffer);
  }

  /// Sorts the first `count` pending ranges. All workers split each range together, then claim its
  /// buckets. Buckets that are too large for one worker become pending ranges themselves.
  void sort_together(index_t count) const {
    team const who = split_.all_workers();
    while (count > 0) {
      range all = memory_.pending[--count];
      index_t const buckets = split_(who, all);
      if (buckets == 0)
        continue;
      bool all_fit = true;
      for (index_t b = 0; b < buckets; ++b) {
        range const part = splits::bucket(who, all, b);
        all_fit = all_fit && part.size() <= memory_.cached;
        if (part.size() > memory_.most_alone)
          memory_.pending[count++] = part;
      }
      // Claim the buckets that fit in no cache first, since they take longest.
      index_t const first_turn = all_fit ? 0 : buckets;
      for_each_claimed(first_turn + buckets, [&](int w, index_t k) {
        bool const is_first_turn = k < first_turn;
        range const part = splits::bucket(who, all, is_first_turn ? k : k - first_turn);
        bool const fits = part.size() <= memory_.cached;
        if (is_first_turn && !fits && part.size() <= memory_.most_alone)
          sort_alone(w, part);
        else if (!is_first_turn && fits && part.size() > 0)
          sort_in_cache(w, part);
      });
    }
  }
  /// Sorts a range on worker w alone.
  void sort_alone(int w, range const& all) const {
    team const who = split_.one_worker(w);
    range* const stack = memory_.stacks + w * memory_.stack_stride;
    index_t waiting = 0;
    stack[waiting++] = all;
    while (waiting > 0) {
      range parts = stack[--waiting];
      index_t const buckets = split_(who, parts);
      for (index_t b = 0; b < buckets; ++b) {
        range const part = splits::bucket(who, parts, b);
        if (part.size() > memory_.cached)
          stack[waiting++] = part;
        else if (part.size() > 0)
          sort_in_cache(w, part);
      }
    }
  }

  any_pool const& pool_;
  memory const& memory_;
  job_type const& job_;
  splits split_;
};

/// Returns the workspace that `sort` needs.
template <class Key, class Value, class Digits>
workspace::plan sort_needs(int workers, sort_job<Key, Value, Digits> const& job,
                           bool of_segments = false) {
  workspace::plan all;
  sort_memory<Key, Value, Digits>(workers, job, of_segments)
      .lay_out(
          [&]<class T>(std::type_identity<T>, index_t count) {
            all.part<T>(count);
            return static_cast<T*>(nullptr);
          },
          job);
  return all;
}
/// Lays out the arrays of a sort in a workspace that has space for them.
template <class Key, class Value, class Digits>
sort_memory<Key, Value, Digits> sort_parts(int workers, workspace& memory,
                                           sort_job<Key, Value, Digits> const& job,
                                           bool of_segments = false) {
  sort_memory<Key, Value, Digits> parts(workers, job, of_segments);
  memory.rewind();
  parts.lay_out(
      [&]<class T>(std::type_identity<T>, index_t count) { return memory.take<T>(count); }, job);
  return parts;
}

/// Sorts the items of the job and returns when all are sorted.
template <class Key, class Value, class Digits>
void sort(any_pool const& pool, workspace& memory, sort_job<Key, Value, Digits> const& job) {
  if (job.n == 0)
    return;
  if (!memory.reserve(host::sort_needs(pool.workers(), job)))
    return;
  auto const parts = host::sort_parts(pool.workers(), memory, job);
  radix_sort<Key, Value, Digits>(pool, parts, job).run();
}

template <class Key, class Value, class Digits>
void any_context::sort(sort_job<Key, Value, Digits> const& job) {
  work([&](any_pool const& pool, host::workspace& memory) { host::sort(pool, memory, job); });
}
template <class Key, class Value, class Digits>
index_t any_context::sort_workspace(sort_job<Key, Value, Digits> const& job) const {
  return job.n == 0 ? 0 : static_cast<index_t>(host::sort_needs(workers(), job).bytes);
}

}  // namespace sam::inline v0_1::host
