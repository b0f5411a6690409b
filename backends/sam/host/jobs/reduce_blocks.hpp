// SPDX-License-Identifier: MIT
// Runs block-reducing jobs: each worker combines blocks of items in ascending order, and the values
// of the workers are combined at the end. A job that settles early stops all workers.
#pragma once

#include <sam/host/context_base.hpp>

#include <atomic>

namespace sam::inline v0_1::host {

/// Combines a tile of blocks into `sum`. Returns true if no later item can change the result.
template <block_reducing Job>
bool accumulate_tile(Job const& job, typename Job::accumulator& sum, index_t begin, index_t end) {
  for (; begin < end; begin += Job::block_items) {
    job.accumulate(sum, begin, engine::min_of(Job::block_items, end - begin));
    if (job.settles(sum))
      return true;
  }
  return false;
}

template <block_reducing Job, class Policy>
void run_reduce_blocks(any_pool const& pool, int workers, workspace& memory, index_t n,
                       Job const& job, Policy const& policy) {
  using T = typename Job::accumulator;
  constexpr index_t blocks =
      engine::max_of(tuning::made_bytes / (Job::item_bytes * Job::block_items), 1);  // of a tile
  constexpr index_t tile_items = blocks * Job::block_items;
  index_t const tiles = engine::div_up(n, tile_items);
  workers = static_cast<int>(engine::min_of(workers, tiles));
  if (!memory.reserve(workspace::plan().part<T>(workers)))
    return;
  memory.rewind();
  T* const sums = memory.take<T>(workers);
  // A worker claims tiles in ascending order. It stops behind a tile that settled the result.
  claims claimed(workers);
  std::atomic<index_t> last{tiles};
  pool.for_each_worker(workers, [&](int w) {
    T sum = sam::identity_of<T>(policy.op);
    for (index_t tile = 0; (tile = claimed.next()) < last.load(std::memory_order_relaxed);) {
      index_t const begin = tile * tile_items;
      if (host::accumulate_tile(job, sum, begin, engine::min_of(begin + tile_items, n))) {
        if (workers > 1)  // else no worker asks
          for (index_t known = last; tile < known && !last.compare_exchange_weak(known, tile);) {
          }
        break;
      }
    }
    sums[w] = sum;
  });
  T all = sums[0];
  for (int w = 1; w < workers; ++w)
    all = policy.op(all, sums[w]);
  job.store(n - 1, job.load(n - 1), all);
}

template <block_reducing Job, class Policy>
void any_context::run(index_t n, Job const& job, Policy const& policy) {
  work([&](any_pool const& pool, host::workspace& memory) {
    int const workers = n < tuned.parallel_bytes / Job::item_bytes ? 1 : pool.workers();
    host::run_reduce_blocks(pool, workers, memory, n, job, policy);
  });
}

}  // namespace sam::inline v0_1::host
