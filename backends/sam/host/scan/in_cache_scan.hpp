// SPDX-License-Identifier: MIT
// Implements a two-step parallel scan for arrays that fit in the caches. It cuts the array into P +
// 1 parts for P workers.
//
// In step 1 one worker scans part 0, whose initial state is known, and each other worker reduces
// one of the parts 1 to P - 1. Then the exclusive prefix of every part can be computed. In step 2
// worker 0 scans the last part, which needs no reduction; each other worker scans the part that it
// has just reduced. A worker that is late loses its shares to other workers. Let reducing an item
// take r times as long as scanning it. Then P workers take (1 + r) / (P + r) of the time of one
// worker, where reducing all items gives (1 + r) / P.
//
// A worker takes the same items in every call, so they stay in its caches. The boundaries of parts
// depend on the number of workers, so the scan is only for types whose results do not depend on
// grouping. Spin checks how workers take shares: tests/model/parts.pml.
#pragma once

#include <sam/carry/decoupled.hpp>
#include <sam/host/scan/single_pass.hpp>

namespace sam::inline v0_1::host {

/// Describes the parts of n items. Part 0 has `first` items, the last part has the rest, and every
/// other part has `size` items.
struct parting {
  index_t n, first, size;
  int workers;

  /// Returns parts of whole granules, such that scanning part 0 takes as long as reducing part 1.
  static parting of(index_t n, int workers, index_t granule) {
    index_t const size = 2 * n / (2 * workers + 1) / granule * granule;  // assumes r = 1/2
    return {n, size / 2 / granule * granule, size, workers};
  }
  bool has_all_parts() const { return first > 0; }
  index_t begin(int part) const { return part == 0 ? 0 : first + (part - 1) * size; }
  index_t end(int part) const { return part == workers ? n : begin(part + 1); }
};

/// True if a job can be scanned in parts: its source and target are arrays, and its results do not
/// depend on how items are grouped.
template <class Carry, job Job, class Kernel>
inline constexpr bool
    scans_in_parts = std::is_same_v<Carry, carry::decoupled>&& Kernel::rounds == 1 &&
                     is_exact<typename Job::accumulator> &&
                     (has_source<Job> || has_reversed_source<Job>)&&stores_scanned<Job> &&
                     !reducing<Job>;

/// Marks one share of a step as taken or not. Exactly one worker takes each share.
struct alignas(cache_line) share {
  std::atomic<bool> taken{false};
};

/// Takes shares and calls use(share) for each: first the share of this worker, then any shares that
/// other workers have not yet taken.
template <class Use>
void take_shares(share* shares, int workers, int own, Use use) {
  for (int k = 0; k < workers; ++k) {
    int const s = (own + k) % workers;
    if (!shares[s].taken.load(std::memory_order_relaxed) &&
        !shares[s].taken.exchange(true, std::memory_order_relaxed))
      use(s);
  }
}

/// Runs the scan in two steps on the workers of the pool.
template <class Pool, job Job, class Kernel>
void run_in_parts(Pool& pool, parting const& parts, workspace& memory, Job const& job,
                  Kernel kernel) {
  using T = typename Job::accumulator;
  kernel.set_tile_items(parts.size);
  int const workers = parts.workers;
  index_t const width = kernel.width();
  workspace::plan plan;
  plan.part<share>(2 * workers).template part<T*>(2 * workers);
  for (int w = 0; w < 2 * workers; ++w)
    plan.part<T>(width);
  if (!memory.reserve(plan))
    return;
  memory.rewind();
  auto* const shares = memory.take<share>(2 * workers);
  for (int s = 0; s < 2 * workers; ++s)
    std::construct_at(shares + s);
  auto* const aggregates = memory.take<T*>(2 * workers);  // for part 0: the state after it
  auto* const states = aggregates + workers;              // one per worker
  for (int k = 0; k < 2 * workers; ++k)
    aggregates[k] = memory.take<T>(width);
  auto const scan = [&](int p, T* state, bool known) {
    index_t const begin = parts.begin(p);
    kernel.scan(job.source() + begin, job.target() + begin, parts.end(p) - begin, 0, state, known,
                nullptr);
  };
  std::atomic<int> done{0};
  pool.for_each_worker(workers, [&](int w) {
    host::take_shares(shares, workers, w, [&](int p) {
      T* const accumulator = aggregates[p];
      if (p == 0)
        scan(0, accumulator, kernel.start(accumulator));
      else
        kernel.reduce(job.source() + parts.begin(p), parts.size, accumulator, nullptr);
      done.fetch_add(1, std::memory_order_release);
    });
    // Each share is now taken, and its worker completes it without waiting for other workers.
    host::wait_until([&] { return done.load(std::memory_order_acquire) == workers; });
    host::take_shares(shares + workers, workers, w, [&](int s) {
      int const p = s == 0 ? workers : s;
      T* const state = states[w];
      for (index_t k = 0; k < width; ++k)
        state[k] = aggregates[0][k];
      for (int before = 1; before < p; ++before)
        kernel.append(state, aggregates[before]);
      scan(p, state, true);
    });
  });
}

}  // namespace sam::inline v0_1::host
