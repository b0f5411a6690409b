// SPDX-License-Identifier: MIT
// Scans arrays that fit in the caches, with P workers and P + 1 parts. Two of the parts are read
// only once. For such arrays this matters more than how soon the first output is written.
//
// In step 1 one worker scans part 0, whose exclusive prefix is known, while each other worker
// reduces one part. In step 2 the exclusive prefix of every part is known and each worker scans
// one. One worker scans the last part, which was not reduced; the others scan the parts that they
// have just read.
//
// If reducing an item takes r times as long as scanning it, P workers take (1 + r) / (P + r) of one
// worker's time. If all parts were reduced, it would be (1 + r) / P.
//
// Each worker prefers the same items in every call, so they stay in its caches. Part boundaries
// depend on the number of workers, so only operators whose result does not depend on grouping are
// allowed. tests/model/parts.pml is a Spin model of how shares are taken.
#pragma once

#include <sam/carry/decoupled.hpp>
#include <sam/host/scan/single_pass.hpp>

namespace sam::host {

/// Cuts n items into workers + 1 parts. Part 0 has `first` items, all others but the last have
/// `size`.
struct parting {
  index_t n, first, size;
  int workers;

  /// Returns parts of whole granules. Part 0 takes as long to scan as another part takes to reduce.
  static parting of(index_t n, int workers, index_t granule) {
    index_t const size = 2 * n / (2 * workers + 1) / granule * granule;  // assumes r = 1/2
    return {n, size / 2 / granule * granule, size, workers};
  }
  bool has_all_parts() const { return first > 0; }
  index_t begin(int part) const { return part == 0 ? 0 : first + (part - 1) * size; }
  index_t end(int part) const { return part == workers ? n : begin(part + 1); }
};

/// True if a job can be scanned in parts: input and output lie in memory, and regrouping does not
/// change the result.
template <class Carry, job Job, class Kernel>
inline constexpr bool
    scans_in_parts = std::is_same_v<Carry, carry::decoupled>&& Kernel::rounds == 1 &&
                     is_exact<typename Job::accumulator> &&
                     (has_source<Job> || has_reversed_source<Job>)&&stores_scanned<Job> &&
                     !ending<Job>;

/// Marks a share of one of the two steps, which is taken by exactly one worker.
struct alignas(cache_line) share {
  std::atomic<bool> taken{false};
};

/// Takes free shares, beginning with the worker's own, and calls use(share) for each. So a worker
/// also does the shares of workers that have not started yet.
template <class Use>
void take_shares(share* shares, int workers, int own, Use use) {
  for (int k = 0; k < workers; ++k) {
    int const s = (own + k) % workers;
    if (!shares[s].taken.load(std::memory_order_relaxed) &&
        !shares[s].taken.exchange(true, std::memory_order_relaxed))
      use(s);
  }
}

template <class Pool, job Job, class Kernel>
void run_in_parts(Pool& pool, parting const& parts, workspace& memory, Job const& job,
                  Kernel kernel) {
  using T = typename Job::accumulator;
  kernel.tile_is(parts.size);
  int const workers = parts.workers;
  index_t const width = kernel.width();
  workspace::plan plan;
  plan.part<share>(2 * workers).template part<T*>(2 * workers);
  for (int w = 0; w < 2 * workers; ++w)
    plan.part<T>(width);
  memory.reserve(plan);
  memory.rewind();
  auto* const shares = memory.take<share>(2 * workers);
  for (int s = 0; s < 2 * workers; ++s)
    std::construct_at(shares + s);
  auto* const aggregates = memory.take<T*>(2 * workers);  // entry 0: the state after part 0
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
    // Every share has been taken by now, and a worker that holds one finishes it without waiting.
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

}  // namespace sam::host
