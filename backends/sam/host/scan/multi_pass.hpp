// SPDX-License-Identifier: MIT
// Implements the schemes that make two passes over the items. Workers never wait for each other
// within a pass.
#pragma once

#include <sam/host/scan/single_pass.hpp>
#include <sam/host/simd/simd.hpp>

#include <memory>

namespace sam::host {

/// Holds the memory of a multi-pass scan: buffers for each worker and a state for each tile.
template <job Job, class Kernel>
struct multi_pass_memory {
  using T = typename Job::accumulator;

  multi_pass_memory(workspace& memory, shape const& shape, int workers, Kernel const& kernel,
                    bool keeps_tile)
      : width(kernel.width()), tiles(shape.tiles.tiles()) {
    workspace::plan plan;
    plan.part<T>(tiles * width).template part<T>(2 * width);
    for (int w = 0; w < workers; ++w)
      host::plan_worker_buffers<Job>(plan, shape, kernel, keeps_tile);
    plan.part<worker_buffers_of<Job>>(workers);
    memory.reserve(plan);
    memory.rewind();
    states = memory.take<T>(tiles * width);
    spare = memory.take<T>(2 * width);
    buffers = memory.take<worker_buffers_of<Job>>(workers);
    for (int w = 0; w < workers; ++w)
      buffers[w] = host::take_worker_buffers<Job>(memory, shape, kernel, keeps_tile);
  }

  T* state(index_t tile) { return states + tile * width; }
  void copy(T const* from, T* to) const {
    for (index_t k = 0; k < width; ++k)
      to[k] = from[k];
  }

  /// Replaces the tiles' aggregates by their exclusive prefixes. The start is in `spare` if
  /// `known`. The last tile's aggregate is not read.
  void aggregates_to_states(Kernel const& kernel, bool known) {
    T* const total = spare;
    T* const accumulator = spare + width;
    for (index_t tile = 0; tile < tiles; ++tile, known = true) {
      copy(state(tile), accumulator);
      if (known)
        copy(total, state(tile));
      if (tile + 1 == tiles)
        return;
      if (known)
        kernel.append(total, accumulator);
      else
        copy(accumulator, total);
    }
  }

  index_t width, tiles;
  T* states;
  T* spare;
  worker_buffers_of<Job>* buffers;  // one per worker
};

/// Runs one pass over all tiles. Workers claim tiles one by one and call visit(worker, tile, next),
/// where `next` is the tile the worker claims next.
template <class Pool, class Visit>
void for_each_tile(Pool& pool, int workers, index_t tiles, Visit visit) {
  std::atomic<index_t> claims{0};
  pool.for_each_worker(workers, [&](int w) {
    auto const claim = [&] { return claims.fetch_add(1, std::memory_order_relaxed); };
    for (index_t tile = claim(), next = tile; tile < tiles; tile = next) {
      next = claim();
      visit(w, tile, next);
    }
    streaming_fence();
  });
}

template <class Pool, job Job, class Kernel>
void run_pass(carry::reduce_then_scan, Pool& pool, int workers, workspace& memory, index_t n,
              Job const& job, Kernel const& kernel) {
  auto const shape = host::shape_of<Job>(n, kernel);
  multi_pass_memory<Job, Kernel> kept(memory, shape, workers, kernel, !scans_source<Job>);
  host::for_each_tile(pool, workers, kept.tiles - 1, [&](int w, index_t tile, index_t) {
    auto const& buffer = kept.buffers[w];
    auto const reduce = [&](auto const& from) {
      kernel.reduce(from, shape.tiles.size, kept.state(tile), buffer.notes);
    };
    using ahead = fetched_ahead<typename Job::accumulator>;
    constexpr bool takes_any = requires { kernel.reduce(ahead{}, 0, buffer.notes, buffer.notes); };
    if constexpr (makes_values_once<Job> && takes_any)
      reduce(values_as_made<Job>{std::addressof(job), shape.tiles.begin(tile)});
    else if constexpr (has_source<Job> && takes_any)
      reduce(ahead{host::load_tile(job, shape.tiles, tile, buffer)});
    else
      reduce(host::load_tile(job, shape.tiles, tile, buffer));
  });
  bool const starts_known = kernel.start(kept.spare);
  kept.aggregates_to_states(kernel, starts_known);
  bool const streaming = host::should_stream<Job>(n);
  auto const scan = [&](int w, index_t tile, index_t next) {
    auto const& buffer = kept.buffers[w];
    auto const items = host::load_tile(job, shape.tiles, tile, buffer);
    constexpr bool can_do_without = requires { requires Kernel::scans_without_notes; };
    bool const notes =
        !can_do_without && !shape.tiles.is_last(tile) && kernel.notes(shape.tiles.size) > 0;
    if (notes)  // reduced again to group items as in a single pass
      kernel.reduce(items, shape.tiles.size, buffer.running, buffer.notes);
    bool const known = starts_known || tile > 0;
    kept.copy(kept.state(tile), buffer.running);
    if (notes)
      kernel.place(buffer.notes, shape.tiles.size, buffer.running, known);
    host::scan_tile(job, kernel, shape, tile, items, buffer, known, notes ? buffer.notes : nullptr,
                    streaming, fetching(job, shape.tiles, next));
  };
  if constexpr (ending<Job>) {
    for (index_t tile = sam::max_of(kept.tiles - 2, 0); tile < kept.tiles; ++tile)
      if (host::is_wanted<Job>(shape.tiles, tile, kernel.width()))
        scan(0, tile, tile + 1);
  } else {
    host::for_each_tile(pool, workers, kept.tiles, scan);
  }
}

template <class Pool, job Job, class Kernel>
void run_pass(carry::scan_then_propagate, Pool& pool, int workers, workspace& memory, index_t n,
              Job const& job, Kernel const& kernel) {
  auto const shape = host::shape_of<Job>(n, kernel);
  multi_pass_memory<Job, Kernel> kept(memory, shape, workers, kernel, true);
  host::for_each_tile(pool, workers, kept.tiles, [&](int w, index_t tile, index_t next) {
    auto const& buffer = kept.buffers[w];
    auto const items = host::load_tile(job, shape.tiles, tile, buffer);
    bool const known =
        tile == 0 ? kernel.start(buffer.running) : kernel.start_apart(buffer.running);
    host::scan_tile(job, kernel, shape, tile, items, buffer, known, nullptr, false,
                    fetching(job, shape.tiles, next));
    kept.copy(buffer.running, kept.state(tile));
  });
  kept.aggregates_to_states(kernel, false);  // tile 0's aggregate includes the start
  auto const again = job.again();
  host::for_each_tile(pool, workers, kept.tiles - 1, [&](int w, index_t before, index_t) {
    auto const& buffer = kept.buffers[w];
    index_t const tile = before + 1;
    index_t const begin = shape.tiles.begin(tile), count = shape.tiles.count(tile);
    for (index_t i = 0; i < count; ++i)
      buffer.tile[i] = again.to_accumulator(again.load(begin + i));
    kernel.propagate(buffer.tile, count, kept.state(tile));
    host::store(again, begin, count, buffer.tile, false);
  });
}

/// Runs a multi-pass scan. If the operator has no algebra for orders above 1, all passes run once
/// per order.
template <multi_pass_scheme Carry, class Pool, job Job, class Kernel>
void run_multi_pass(Pool& pool, int workers, workspace& memory, index_t n, Job const& job,
                    Kernel const& kernel) {
  static_assert(!scattering<Job>, "sam: a multi-pass scheme loads items twice");
  host::run_pass(Carry{}, pool, workers, memory, n, job, kernel);
  if constexpr (Kernel::rounds > 1) {
    auto const again = job.again();
    for (int r = 1; r < Kernel::rounds; ++r)
      host::run_pass(Carry{}, pool, workers, memory, n, again, kernel);
  }
}

}  // namespace sam::host
