// SPDX-License-Identifier: MIT
// Runs jobs that generate their output without a scan, a block at a time. Large outputs are
// generated in the caches and then stored past them.
#pragma once

#include <sam/host/context_base.hpp>
#include <sam/host/scan/multi_pass.hpp>

namespace sam::inline v0_1::host {

template <made_in_blocks Job>
void run_generate(any_pool const& pool, int workers, workspace& memory, index_t n, Job const& job) {
  using T = output_of<Job>;
  constexpr auto size = index_t{sizeof(T)};
  tiling const tiles{n, tile_size_near(tuning::made_bytes / size, 1)};
  bool const streaming = has_streaming_stores && n * size >= tuned.streaming_bytes;
  workers = static_cast<int>(min_of(workers, tiles.tiles()));
  workspace::plan plan;
  for (int w = 0; w < workers; ++w)
    plan.part<T>(tiles.size);
  plan.part<T*>(workers);
  if (!memory.reserve(plan))
    return;
  memory.rewind();
  auto* const buffers = memory.take<T*>(workers);
  for (int w = 0; w < workers; ++w)
    buffers[w] = memory.take<T>(tiles.size);
  host::for_each_tile(pool, workers, tiles.tiles(), [&](int w, index_t tile, index_t) {
    index_t const begin = tiles.begin(tile), count = tiles.count(tile);
    T* const to = job.target() + begin;
    T* const buffer = buffers[w];
    job.make(begin, count, streaming ? buffer : to);
    if (streaming)
      host::streaming_copy(to, buffer, static_cast<std::size_t>(count) * sizeof(T));
  });
}

template <made_in_blocks Job, class Policy>
void any_context::run(index_t n, Job const& job, Policy const&) {
  work_on<Job>(n, [&](any_pool const& pool, int workers, host::workspace& memory) {
    host::run_generate(pool, workers, memory, n, job);
  });
}

}  // namespace sam::inline v0_1::host
