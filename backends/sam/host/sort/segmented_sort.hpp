// SPDX-License-Identifier: MIT
// Sorts many segments on CPUs. Workers claim stretches of items and sort the segments that begin in
// them in their caches. Segments that do not fit in a cache are then sorted by all workers
// together, one after the other. An item is read and written once, whatever the number of segments.
#pragma once

#include <sam/host/context_base.hpp>
#include <sam/host/sort/msd_radix_sort.hpp>

namespace sam::inline v0_1::host {

/// Returns the number of items in a stretch: at most what a cache holds, and few enough that
/// workers finish at about the same time.
template <class Memory>
index_t stretch_of(Memory const& parts, index_t n) {
  constexpr index_t fewest = 256;
  return engine::min_of(parts.cached, engine::max_of(fewest, n / (16 * parts.workers)));
}
template <class Memory>
index_t stretches(Memory const& parts, index_t n) {
  return engine::div_up(n, host::stretch_of(parts, n));
}

template <class Key, class Value, class Digits, class Heads>
class segments_sort {
  using memory = sort_memory<Key, Value, Digits>;
  using job_type = sort_job<Key, Value, Digits>;

 public:
  /// Constructs the sort. `firsts` has space for one index per stretch.
  segments_sort(any_pool const& pool, memory const& parts, job_type const& job, Heads const& heads,
                index_t* firsts)
      : pool_(pool), memory_(parts), job_(job), heads_(heads), sort_(pool, parts, job),
        firsts_(firsts), stretch_(host::stretch_of(parts, job.n)) {}

  void run() const {
    claims claimed(memory_.workers);
    std::atomic<index_t> large = 0;
    index_t const count = host::stretches(memory_, job_.n);
    pool_.for_each_worker(memory_.workers, [&](int w) {
      for (index_t s; (s = claimed.next()) < count;)
        sort_stretch(w, s, large);
      if (memory_.streams)
        streaming_fence();
    });
    index_t const left = large;
    for (index_t k = 0; k < left; ++k)
      memory_.pending[k].end = end_of_large(memory_.pending[k].begin, count);
    sort_.sort_pending(left);
  }

 private:
  /// Sorts the segments that begin in a stretch. A segment that does not fit in a cache is the
  /// stretch's last and is added to `pending` instead.
  void sort_stretch(int w, index_t s, std::atomic<index_t>& large) const {
    index_t const n = job_.n, begin = s * stretch_, end = min_of(n, begin + stretch_);
    index_t const first = begin == 0 ? 0 : heads_.next(begin - 1, end);
    firsts_[s] = first;
    for (index_t i = first; i < end;) {
      index_t const next = heads_.next(i, engine::min_of(n, i + memory_.cached + 1));
      if (next - i > memory_.cached) {
        index_t const k = large.fetch_add(1, std::memory_order_relaxed);
        memory_.pending[k] = {i, n, job_.end_bit, memory::arrays::input};
        return;
      }
      sort_.sort_in_cache(w, i, next - i);
      i = next;
    }
  }

  /// Returns the end of a segment that is longer than a stretch: the beginning of the next segment.
  index_t end_of_large(index_t begin, index_t count) const {
    for (index_t s = begin / stretch_ + 1; s < count; ++s)
      if (firsts_[s] < engine::min_of(job_.n, (s + 1) * stretch_))
        return firsts_[s];
    return job_.n;
  }

  any_pool const& pool_;
  memory const& memory_;
  job_type const& job_;
  Heads const& heads_;
  radix_sort<Key, Value, Digits> sort_;
  index_t* firsts_;  // per stretch: the begin of its first segment, else its end
  index_t stretch_;
};

/// Returns the workspace of `segmented_sort`: that of `sort`, and one index per stretch.
template <class Key, class Value, class Digits>
workspace::plan segmented_sort_needs(int workers, sort_job<Key, Value, Digits> const& job) {
  return host::sort_needs(workers, job, true)
      .template part<index_t>(
          host::stretches(sort_memory<Key, Value, Digits>(workers, job, true), job.n));
}
/// Sorts each segment of the job and returns when all are sorted.
template <class Key, class Value, class Digits, class Heads>
void segmented_sort(any_pool const& pool, workspace& memory,
                    sort_job<Key, Value, Digits> const& job, Heads const& heads) {
  if (job.n == 0)
    return;
  if (!memory.reserve(host::segmented_sort_needs(pool.workers(), job)))
    return;
  auto const parts = host::sort_parts(pool.workers(), memory, job, true);
  auto* const firsts = memory.take<index_t>(host::stretches(parts, job.n));
  segments_sort<Key, Value, Digits, Heads>(pool, parts, job, heads, firsts).run();
}

template <class Key, class Value, class Digits, class Heads>
void any_context::segmented_sort(sort_job<Key, Value, Digits> const& job, Heads const& heads) {
  work([&](any_pool const& pool, host::workspace& memory) {
    host::segmented_sort(pool, memory, job, heads);
  });
}
template <class Key, class Value, class Digits>
index_t any_context::segmented_sort_workspace(sort_job<Key, Value, Digits> const& job) const {
  return job.n == 0 ? 0 : static_cast<index_t>(host::segmented_sort_needs(workers(), job).bytes);
}

}  // namespace sam::inline v0_1::host
