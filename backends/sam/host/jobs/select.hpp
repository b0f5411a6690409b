// SPDX-License-Identifier: MIT
// Runs selection jobs, which write a value for each item that they keep. A tile is packed into the
// worker's buffer block by block as it is loaded. Once the number of items kept before it is known,
// the packed values move to the output in one piece. So only kept values are buffered.
#pragma once

#include <sam/host/scan/job_io.hpp>
#include <sam/host/scan/read_once.hpp>
#include <sam/host/scan/run.hpp>
#include <sam/host/simd/compress.hpp>
#include <sam/host/simd/truth_word.hpp>

namespace sam::inline v0_1::host {

/// Returns flags that say whether the job keeps items i to i + 63, in the form that suits
/// pack_values: a word, or a mask for each vector.
template <selecting Job>
[[gnu::always_inline]] inline auto kept_flags(Job const& job, index_t i) {
  using T = asked_about_t<Job>;
  auto const keeps = [job, i](int k) { return job.keeps(job.load(i + k)); };
  if constexpr (requires { job.keeps_from(i); })
    return host::flag_word(job.keeps_from(i));
#ifdef SAM_HAVE_STREAMING_STORES
  else if constexpr (is_answered_in_lanes<T> && is_packed_by_masks<T, typename Job::value_type>)
    return host::masks_where<T>(keeps);
#endif
  else
    return host::word_where<T>(keeps);
}

/// Packs the kept values of items [begin, begin + count) to `out`, which has space for one block
/// more, and returns their number. Takes the job by value. A predicate with && reads some members
/// only for some items, and the compiler could not vectorize such reads from memory.
template <selecting Job>
index_t pack_items(Job const job, index_t begin, index_t count, typename Job::value_type* out) {
  using V = typename Job::value_type;
  V* const first = out;
  constexpr index_t ahead = max_of(tuning::ahead_bytes / index_t{sizeof(V)}, index_t{packed_block});
  index_t const whole = count / packed_block * packed_block;
  for (index_t i = begin; i < begin + whole; i += packed_block) {
    if constexpr (reading<Job>)
      if (i + ahead + packed_block <= begin + count)
        host::prefetch(job, i + ahead, packed_block);
    auto const kept = host::kept_flags(job, i);
    if constexpr (requires { job.values_from(i); }) {
      out = host::pack_values(job.values_from(i), kept, out);
    } else {
      alignas(64) V values[packed_block];
      for (int k = 0; k < packed_block; ++k)
        values[k] = job.value(i + k, job.load(i + k));
      out = host::pack_values(values, kept, out);
    }
  }
  for (int k = 0; k < static_cast<int>(count - whole); ++k) {
    auto const x = job.load(begin + whole + k);
    *out = job.value(begin + whole + k, x);
    out += job.keeps(x) ? 1 : 0;
  }
  return out - first;
}

/// Moves the packed values of the `count` items from `begin` on to their place after `before`
/// others.
template <selecting Job>
void put_packed(Job const& job, index_t begin, index_t count, index_t before,
                typename Job::value_type const* packed, index_t kept, bool streaming) {
  index_t const fit = engine::min_of(kept, job.capacity() - before);
  // True if all items stay in place. Storing them would overwrite values that another worker may be
  // reading. A worker reads at most one item before its tile, so no such check is needed for single
  // items that stay.
  bool const stay = kept == count && job.stays(begin, before);
  if (fit <= 0 || stay)
    return;
  auto const bytes = static_cast<std::size_t>(fit) * sizeof *packed;
  if (streaming)
    host::streaming_copy(job.front() + before, packed, bytes);
  else
    std::memcpy(static_cast<void*>(job.front() + before), packed, bytes);
}

/// Returns tiles whose values fit in the second-level cache. Their items are not buffered.
template <selecting Job>
tiling selecting_tiles(index_t n) {
  constexpr auto size = index_t{sizeof(typename Job::value_type)};
  return {n, tile_size_near(host::items_of_exact_tile(n, size), packed_block)};
}

/// Implements the Work interface of read_once.hpp for a selection.
template <selecting Job>
struct select_work {
  using accumulator = typename Job::accumulator;
  using V = typename Job::value_type;
  struct worker_state {
    V* packed;
    index_t kept;
  };
  Job const& job;
  tiling tiles;
  bool streaming;

  void plan(workspace::plan& plan) const { plan.part<V>(tiles.size + packed_block); }
  worker_state worker_state_in(workspace& memory) const {
    return {memory.take<V>(tiles.size + packed_block), 0};
  }

  accumulator take(worker_state& own, index_t tile) const {
    index_t const begin = tiles.begin(tile), count = tiles.count(tile);
    if constexpr (requires { job.pack(begin, count, own.packed); })
      own.kept = job.pack(begin, count, own.packed);
    else
      own.kept = host::pack_items(job, begin, count, own.packed);
    return static_cast<accumulator>(own.kept);
  }
  void put(worker_state const& own, index_t tile, accumulator kept_before) const {
    auto const before = static_cast<index_t>(kept_before);
    host::put_packed(job, tiles.begin(tile), tiles.count(tile), before, own.packed, own.kept,
                     streaming);
    if (tiles.is_last(tile))
      job.close(before + own.kept);
  }
};

template <selecting Job, class Policy>
void run_select(any_pool const& pool, int workers, workspace& memory, index_t n, Job const& job,
                Policy const& policy) {
  static_assert(Policy::order == 1 && Policy::tuple_size == 1 && Policy::kind == bound::exclusive,
                "sam: a predicate job takes an exclusive sum");
  using V = typename Job::value_type;
  bool const streaming = has_streaming_stores && n * index_t{sizeof(V)} >= tuned.streaming_bytes;
  host::run_once(pool, workers, memory, policy,
                 select_work<Job>{job, host::selecting_tiles<Job>(n), streaming});
}

template <selecting Job, class Policy>
void any_context::run(index_t n, Job const& job, Policy const& policy) {
  work_on<Job>(n, [&](any_pool const& pool, int workers, host::workspace& memory) {
    if constexpr (single_pass_scheme<typename Policy::carry>)
      host::run_select(pool, workers, memory, n, job, policy);
    else
      host::run_scan(pool, workers, memory, n, job, policy);
  });
}

}  // namespace sam::inline v0_1::host
