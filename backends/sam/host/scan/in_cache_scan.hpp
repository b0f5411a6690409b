// SPDX-License-Identifier: MIT
// One part more than there are workers: for items that the caches hold, where reading some of them
// twice costs more than how soon the first output is there.
//
// First one worker scans part 0, as all that lies before it is known, while each of the others
// reduces one part. Then all that lies before any part is known, and each worker scans one: the
// first the last part, which nobody has reduced, the others those that they have just read. If
// reducing an item takes r times as long as scanning it, P workers take (1 + r) / (P + r) of one
// worker's time, in place of (1 + r) / P where all is reduced. The same worker takes the same items
// in every call, so that they stay in its caches. Where parts end depends on the number of workers,
// so this is for values that regrouping leaves alone. Spin goes through how shares are taken, see
// tests/model/parts.pml.
#pragma once

#include <sam/carry/decoupled.hpp>
#include <sam/host/scan/single_pass.hpp>

namespace sam::host {

/// n items cut into as many parts, the first `first` items long, all others but the last `size`.
struct parting {
  index_t n, first, size;
  int workers;

  /// In whole granules; the first part takes as long to scan as the next to reduce.
  static parting of(index_t n, int workers, index_t granule) {
    index_t const size = 2 * n / (2 * workers + 1) / granule * granule;  // r = 1/2
    return {n, size / 2 / granule * granule, size, workers};
  }
  bool has_all_parts() const { return first > 0; }
  index_t begin(int part) const { return part == 0 ? 0 : first + (part - 1) * size; }
  index_t end(int part) const { return part == workers ? n : begin(part + 1); }
};

/// Whether a job may be scanned in parts: in memory, with values that regrouping leaves alone.
template <class Carry, job Job, class Kernel>
inline constexpr bool
    scans_in_parts = std::is_same_v<Carry, carry::decoupled>&& Kernel::rounds == 1 &&
                     is_exact<typename Job::accumulator> &&
                     (has_source<Job> || has_reversed_source<Job>)&&stores_scanned<Job> &&
                     !ending<Job>;

/// A share of one of the two steps, which somebody takes.
struct alignas(cache_line) share {
  std::atomic<bool> taken{false};
};

/// Takes shares and calls use(share): a worker's own, and those of workers who come late.
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
  auto* const aggregates = memory.take<T*>(2 * workers);  // of part 0 the state behind it
  auto* const states = aggregates + workers;              // one for each worker
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
    // By now each share is taken by somebody who does not wait before it is done.
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
