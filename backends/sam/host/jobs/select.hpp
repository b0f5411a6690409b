// SPDX-License-Identifier: MIT
// Jobs that only write a value for each item they keep. A tile is packed into the worker's scratch
// as it is loaded, a block of items at a time; once it is known how many were kept before, what was
// packed moves out in one piece. So only what is kept is held.
#pragma once

#include <sam/host/scan/job_io.hpp>
#include <sam/host/scan/read_once.hpp>
#include <sam/host/simd/compress.hpp>
#include <sam/host/simd/truth_word.hpp>

namespace sam::host {

/// Whether the job keeps items i to i + 63, the first in the lowest bit.
template <selecting Job>
std::uint64_t kept_word(Job const& job, index_t i) {
  if constexpr (requires { job.keeps_from(i); }) {
    return host::flag_word(job.keeps_from(i));
  } else {
    return host::word_where<asked_about_t<Job>>(
        [job, i](int k) { return job.keeps(job.load(i + k)); });
  }
}

/// Packs what the job keeps of items [begin, begin + count) to `out`, which has room for a block
/// more, and returns how many they are. The job by value: what it reads of itself for some items
/// only, as a predicate with && does, could not be read for all of a vector elsewhere.
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
    std::uint64_t const kept = host::kept_word(job, i);
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

/// Moves what was packed of `count` items from `begin` on to its place behind `before` others.
template <selecting Job>
void put_packed(Job const& job, index_t begin, index_t count, index_t before,
                typename Job::value_type const* packed, index_t kept, bool streaming) {
  index_t const fit = sam::min_of(kept, job.capacity() - before);
  // Else values that another worker may be reading would be written over themselves. It reads
  // beyond its tile at most the item before, so an item that stays though not all do is no worry.
  bool const stay = kept == count && job.stays(begin, before);
  if (fit <= 0 || stay)
    return;
  auto const bytes = static_cast<std::size_t>(fit) * sizeof *packed;
  if (streaming)
    host::streaming_copy(job.front() + before, packed, bytes);
  else
    std::memcpy(static_cast<void*>(job.front() + before), packed, bytes);
}

/// Tiles whose values fit into the second-level cache: of the items nothing is held.
template <class Value>
tiling selecting_tiles(index_t n) {
  return {n, tile_size_near(tuning::tile_bytes / index_t{sizeof(Value)}, packed_block)};
}

/// See read_once.hpp for what this offers.
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
    own.kept = host::pack_items(job, tiles.begin(tile), tiles.count(tile), own.packed);
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
                "sam: a counting job takes an exclusive sum");
  using V = typename Job::value_type;
  bool const streaming = has_streaming_stores && n * index_t{sizeof(V)} >= tuning::streaming_bytes;
  host::run_once(pool, workers, memory, policy,
                 select_work<Job>{job, host::selecting_tiles<V>(n), streaming});
}

}  // namespace sam::host
