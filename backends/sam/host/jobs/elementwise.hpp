// SPDX-License-Identifier: MIT
// Runs direct jobs, whose items need no scan and store anywhere, by plain loops over tiles.
#pragma once

#include <sam/host/context_base.hpp>
#include <sam/host/memory/streaming.hpp>

#include <atomic>

namespace sam::inline v0_1::host {

/// Returns how many bytes an item of a direct job moves.
template <direct Job>
index_t bytes_per_item(Job const& job) {
  if constexpr (requires { job.bytes_per_item(); })
    return job.bytes_per_item();
  else
    return sizeof(typename Job::item);
}

/// True if an item is computed from an earlier one, too.
template <class Job>
inline constexpr bool looks_back = requires {
  requires Job::looks_back;
};

/// Makes items [begin, end) in blocks, each of which is made before the one before it is stored. A
/// loop that stores each vector at once would load, with the next one, a value at the place in its
/// page where that vector was stored in another page. x86 takes that for the value itself, and
/// waits for the store.
template <copying Job>
void make_ahead(Job const& job, index_t begin, index_t end) {
  using T = typename Job::item;
  constexpr index_t some = max_of(512 / index_t{sizeof(T)}, 1);
  auto* const to = job.front();
  if (end - begin > 2 * some) {
    uninitialized_array<T, some> made[2];
    int last = 0;
    auto const store = [&] {
      for (index_t k = 0; k < some; ++k)
        to[begin + k] = made[last].at[k];
      begin += some;
    };
    job.make(begin, some, made[last].at);
    while (end - begin > 2 * some) {
      job.make(begin + some, some, made[1 - last].at);
      store();
      last = 1 - last;
    }
    store();
  }
  job.make(begin, end - begin, to + begin);
}

/// Runs items [begin, end). Takes the job by value; otherwise the compiler must assume that each
/// store changes it.
template <direct Job>
void run_items(Job const job, index_t begin, index_t end) {
  if constexpr (copying<Job>) {
    end = min_of(end, job.capacity());
    if constexpr (looks_back<Job>)
      host::make_ahead(job, begin, end);
    else
      job.make(begin, end - begin, job.front() + begin);
  } else {
    for (index_t i = begin; i < end; ++i)
      job.store(i, job.load(i), {});
  }
}

/// Returns how many of n items, which move so many bytes each, one worker takes at a time: at most
/// made_bytes, and few enough that each of many workers gets two tiles.
inline index_t items_of_tile(index_t n, index_t bytes, int workers) {
  index_t const most = engine::max_of(tuning::made_bytes / bytes, 1);
  index_t const fewest = engine::max_of(tuning::least_made_bytes / bytes, 1);
  return engine::min_of(most, engine::max_of(fewest, engine::div_up(n, 2 * workers)));
}

/// Calls visit(worker, tile) for all tiles. A worker takes the same range of tiles in every call of
/// as many tiles, so arrays of repeated calls stay in its caches; then it takes what late workers
/// have left in theirs.
template <class Visit>
void for_each_tile_of_ranges(any_pool const& pool, int workers, index_t tiles, Visit const& visit) {
  if (workers == 1) {
    for (index_t tile = 0; tile < tiles; ++tile)
      visit(0, tile);
    return;
  }
  constexpr int most_ranges = 64;
  struct alignas(cache_line) range {
    std::atomic<index_t> next;
    index_t end;
  };
  range at[most_ranges];
  int const ranges = workers < most_ranges ? workers : most_ranges;
  for (int r = 0; r < ranges; ++r) {
    at[r].next.store(tiles * r / ranges, std::memory_order_relaxed);
    at[r].end = tiles * (r + 1) / ranges;
  }
  pool.for_each_worker(workers, [&](int w) {
    for (int k = 0; k < ranges; ++k) {
      range& own = at[(w + k) % ranges];
      if (own.next.load(std::memory_order_relaxed) >= own.end)
        continue;
      for (index_t tile; (tile = own.next.fetch_add(1, std::memory_order_relaxed)) < own.end;)
        visit(w, tile);
    }
  });
}

template <direct Job, class Policy>
void any_context::run(index_t n, Job const& job, Policy const&) {
  if (measures())
    return;
  work([&](any_pool const& pool, host::workspace&) {
    index_t const bytes = engine::max_of(host::bytes_per_item(job), 1);
    int const most = n < tuned.parallel_bytes / bytes ? 1 : pool.workers();
    index_t const tile = host::items_of_tile(n, bytes, most);
    index_t const tiles = engine::div_up(n, tile);
    int const workers = static_cast<int>(engine::min_of(index_t{most}, tiles));
    host::for_each_tile_of_ranges(pool, workers, tiles, [&](int, index_t t) {
      host::run_items(job, t * tile, engine::min_of((t + 1) * tile, n));
    });
  });
}

}  // namespace sam::inline v0_1::host
