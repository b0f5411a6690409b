// SPDX-License-Identifier: MIT
// Implements a single-pass engine for work that prepares all results of a tile, except their
// dependence on the exclusive prefix, while it reads the tile. So no item is read twice, not even
// from a cache.
#pragma once

#include <sam/backend/tiling.hpp>
#include <sam/host/kernels/scalar_kernel.hpp>
#include <sam/host/memory/pool.hpp>
#include <sam/host/memory/streaming.hpp>
#include <sam/host/scan/descriptors.hpp>

#include <atomic>
#include <memory>

namespace sam::inline v0_1::host {

// The type Work has these members:
//
// tiles                            the tiling of the items
// accumulator                      the type of a tile's aggregate, a single value
// worker_state                     data that a worker keeps from reading a tile to writing its
//                                  results
// plan(plan)                       adds the memory of a worker_state to a plan
// worker_state_in(memory)          returns a worker_state in that memory
// take(worker_state, tile)         reads a tile and returns its aggregate
// put(worker_state, tile, before, next)
//                                  writes the results of a tile, given its exclusive prefix; it may
//                                  leave that to take(worker_state, next) if `next` is a tile

/// Processes tiles on one of several workers until all tiles are claimed.
template <class Carry, class Work, class Kernel, class T = typename Work::accumulator>
void take_and_put(Work const& work, Kernel const& kernel, claims& claimed, ring<T> const& ring,
                  T* known_value, typename Work::worker_state& worker_state) {
  using mail_type = descriptors<T, Kernel>;
  mail_type descriptors(ring, kernel);
  typename mail_type::state known{known_value, 0, kernel.start(known_value)};
  for (index_t tile = claimed.next(), next = tile; tile < work.tiles.tiles(); tile = next) {
    bool const last = work.tiles.is_last(tile);  // no tile needs its aggregate
    T const own = work.take(worker_state, tile);
    if (!last) {
      *descriptors.buffer_for(tile) = own;
      Carry::announce(descriptors, tile);
    }
    next = claimed.next();
    Carry::exclusive_prefix(descriptors, tile, known);
    T const before = *known.values;
    if (!last)
      descriptors.publish_inclusive_prefix(tile, known);
    work.put(worker_state, tile, before, next);
  }
}

/// Processes all tiles on a single worker, without descriptors. The aggregates are combined in the
/// order that several workers use.
template <class Work, class Kernel>
void take_and_put_alone(workspace& memory, Work const& work, Kernel const& kernel) {
  workspace::plan plan;
  work.plan(plan);
  if (!memory.reserve(plan))
    return;
  memory.rewind();
  auto worker_state = work.worker_state_in(memory);
  uninitialized_array<typename Work::accumulator, 1> known;
  kernel.start(known.at);
  for (index_t tile = 0; tile < work.tiles.tiles(); ++tile) {
    auto const before = known.at[0];
    auto const own = work.take(worker_state, tile);
    kernel.append(known.at, std::addressof(own));
    work.put(worker_state, tile, before, tile + 1);
  }
}

/// Runs `work` on at most `workers` workers, with an exclusive scan over the aggregates of its
/// tiles.
template <class Work, class Policy>
void run_once(any_pool const& pool, int workers, workspace& memory, Policy const& policy,
              Work const& work) {
  static_assert(Policy::starts_known && Policy::order == 1 && Policy::tuple_size == 1);
  using T = typename Work::accumulator;
  scalar_kernel<T, Policy> const kernel(policy);
  workers = static_cast<int>(engine::min_of(workers, work.tiles.tiles()));
  if (workers == 1) {
    host::take_and_put_alone(memory, work, kernel);
    return streaming_fence();
  }
  index_t const window = ring<T>::depth_for(workers);
  workspace::plan plan;
  plan.part<slot>(2 * window).template part<T>(4 * window);
  for (int w = 0; w < workers; ++w) {
    work.plan(plan);
    plan.part<T>(1);
  }
  struct place {
    typename Work::worker_state worker_state;
    T* known;
  };
  plan.part<place>(workers);
  if (!memory.reserve(plan))
    return;
  memory.rewind();
  ring<T> const ring{empty_slots(memory.take<slot>(2 * window), 2 * window),
                     memory.take<T>(4 * window), 1, window};
  auto* const places = memory.take<place>(workers);
  for (int w = 0; w < workers; ++w) {
    auto const worker_state = work.worker_state_in(memory);
    std::construct_at(places + w, place{worker_state, memory.take<T>(1)});
  }
  claims claimed(workers);
  pool.for_each_worker(workers, [&](int w) {
    auto& [worker_state, known] = places[w];
    host::take_and_put<typename Policy::carry>(work, kernel, claimed, ring, known, worker_state);
    streaming_fence();
  });
}

}  // namespace sam::inline v0_1::host
