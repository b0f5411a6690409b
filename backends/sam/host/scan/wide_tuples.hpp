// SPDX-License-Identifier: MIT
// Implements the scan of tuples larger than an eighth of a tile. Workers share the components of
// a tuple, so that no carry passes between workers.
#pragma once

#include <sam/backend/tiling.hpp>
#include <sam/host/kernels/state.hpp>
#include <sam/host/memory/pool.hpp>
#include <sam/host/memory/workspace.hpp>
#include <sam/host/scan/job_io.hpp>

namespace sam::inline v0_1::host {

/// True if a tile would have fewer than 8 rows, too few for publishing its aggregate to pay off.
template <class T>
bool are_wide(index_t components) {
  return components * index_t{sizeof(T)} * 8 > tuning::tile_bytes;
}

/// Scans columns [begin, begin + m) from the first row to the last. `state` has m values for each
/// order of the scan.
template <class Policy, job Job, class T>
void scan_columns(Job const& job, Policy const& policy, index_t n, index_t begin, index_t m,
                  T* state, T* loaded, T* scanned, bool streaming) {
  constexpr int Q = Policy::order;
  bool known = host::start_state<has_identity<typename Policy::op_type, T>>(policy, state, Q * m);
  for (index_t i = begin; i < n; i += policy.components, known = true) {
    index_t const count = min_of(m, n - i);
    T const* const items = host::values(job, i, count, loaded);
    if (known)
      for (index_t c = 0; c < count; ++c)
        scanned[c] = engine::step<Q, Policy::kind>(policy.op, state + c, items[c], m);
    else
      for (index_t c = 0; c < count; ++c) {
        scanned[c] = items[c];
        for (int q = 0; q < Q; ++q)
          state[q * m + c] = items[c];
      }
    host::store(job, i, count, scanned, streaming);
  }
}

/// Scans a job of wide tuples. Workers claim blocks of columns one by one.
template <class Pool, job Job, class Policy>
void run_wide_tuples(Pool& pool, int workers, workspace& memory, index_t n, Job const& job,
                     Policy const& policy) {
  static_assert(!scattering<Job>, "sam: here items are not held");
  using T = typename Job::accumulator;
  constexpr int Q = Policy::order;
  index_t const m = max_of(tuned.piece_bytes / index_t{sizeof(T)} / 2, 1);
  workspace::plan plan;
  for (int w = 0; w < workers; ++w)
    plan.part<T>(m).template part<T>(m).template part<T>(Q * m);
  struct worker_state {
    T *loaded, *scanned, *state;
  };
  plan.part<worker_state>(workers);
  if (!memory.reserve(plan))
    return;
  memory.rewind();
  auto* const worker_states = memory.take<worker_state>(workers);
  for (int w = 0; w < workers; ++w) {
    T* const loaded = memory.take<T>(m);
    T* const scanned = memory.take<T>(m);
    worker_states[w] = {loaded, scanned, memory.take<T>(Q * m)};
  }
  bool const streaming = host::should_stream<Job>(n);
  tiling const columns{engine::min_of(policy.components, n), m};
  claims claimed(workers);
  pool.for_each_worker(workers, [&](int w) {
    worker_state const& d = worker_states[w];
    for (index_t block; (block = claimed.next()) < columns.tiles();)
      host::scan_columns(job, policy, n, columns.begin(block), columns.count(block), d.state,
                         d.loaded, d.scanned, streaming);
    streaming_fence();
  });
}

}  // namespace sam::inline v0_1::host
