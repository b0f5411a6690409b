// SPDX-License-Identifier: MIT
// Runs selection jobs, which write a value for each item that they keep. A tile is packed into the
// worker's buffer block by block as it is loaded. So only kept values are buffered. Once the number
// of items kept before it is known, the packed values move to the output: in one piece, or past the
// caches while the worker packs its next tile.
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

/// Holds packed values on their way past the caches to their place.
struct outgoing_bytes {
  std::byte* to = nullptr;
  std::byte const* from = nullptr;
  index_t count = 0, sent = 0;

  /// Stores the bytes before byte `end`, but for those in its cache line.
  void send_before(index_t end) {
    end = end < count ? end - host::past_line(to, end) : count;
    if (end <= sent)
      return;
    host::streaming_copy(to + sent, from + sent, static_cast<std::size_t>(end - sent));
    sent = end;
  }
};

/// Packs the kept values of items [begin, begin + count) to `out`, which has space for one block
/// more, and returns their number. Meanwhile it sends the values of an earlier tile, because memory
/// is faster if it is read and written at once. Takes the job by value. A predicate with && reads
/// some members only for some items, and the compiler could not vectorize such reads from memory.
template <selecting Job>
index_t pack_items(Job const job, index_t begin, index_t count, typename Job::value_type* out,
                   outgoing_bytes& earlier) {
  using V = typename Job::value_type;
  V* const first = out;
  constexpr index_t ahead = max_of(tuning::ahead_bytes / index_t{sizeof(V)}, index_t{packed_block});
  index_t const whole = count / packed_block * packed_block;
  index_t const per_block = engine::div_up(earlier.count, max_of(whole / packed_block, 1));
  index_t due = 0;
  for (index_t i = begin; i < begin + whole; i += packed_block) {
    earlier.send_before(due += per_block);
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
  earlier.send_before(earlier.count);
  for (int k = 0; k < static_cast<int>(count - whole); ++k) {
    auto const x = job.load(begin + whole + k);
    *out = job.value(begin + whole + k, x);
    out += job.keeps(x) ? 1 : 0;
  }
  return out - first;
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
    V* other;  // space for the packed values of the next tile while those of this one are sent
    index_t kept;
    outgoing_bytes earlier;
  };
  Job const& job;
  tiling tiles;
  bool streaming;

  index_t space() const { return tiles.size + packed_block; }
  index_t other_space() const { return streaming ? space() : 0; }
  void plan(workspace::plan& plan) const { plan.part<V>(space()).template part<V>(other_space()); }
  worker_state worker_state_in(workspace& memory) const {
    auto* const packed = memory.take<V>(space());
    return {packed, memory.take<V>(other_space()), 0, {}};
  }

  accumulator take(worker_state& own, index_t tile) const {
    index_t const begin = tiles.begin(tile), count = tiles.count(tile);
    if constexpr (requires { job.pack(begin, count, own.packed); }) {
      own.earlier.send_before(own.earlier.count);
      own.kept = job.pack(begin, count, own.packed);
    } else {
      own.kept = host::pack_items(job, begin, count, own.packed, own.earlier);
    }
    return static_cast<accumulator>(own.kept);
  }
  /// Moves the packed values of a tile on to their place, or leaves that to the next `take`.
  void put(worker_state& own, index_t tile, accumulator kept_before, index_t next) const {
    auto const before = static_cast<index_t>(kept_before);
    index_t const fit = engine::min_of(own.kept, job.capacity() - before);
    // True if all items stay in place. Storing them would overwrite values that another worker may
    // be reading. A worker reads at most one item before its tile, so no such check is needed for
    // single items that stay.
    bool const stay = own.kept == tiles.count(tile) && job.stays(tiles.begin(tile), before);
    if (fit > 0 && !stay)
      put_packed(own, job.front() + before, fit * index_t{sizeof(V)}, next < tiles.tiles());
    if (tiles.is_last(tile))
      job.close(before + own.kept);
  }

 private:
  void put_packed(worker_state& own, V* to, index_t bytes, bool later) const {
    if (!streaming) {
      std::memcpy(static_cast<void*>(to), own.packed, static_cast<std::size_t>(bytes));
      return;
    }
    own.earlier = {reinterpret_cast<std::byte*>(to), reinterpret_cast<std::byte*>(own.packed),
                   bytes};
    if (later)
      std::swap(own.packed, own.other);
    else
      own.earlier.send_before(bytes);
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
