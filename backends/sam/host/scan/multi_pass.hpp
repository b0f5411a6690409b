// SPDX-License-Identifier: MIT
// Implements the carry schemes that sweep over the items more than once. No worker waits for
// another within a sweep.
#pragma once

#include <sam/host/scan/single_pass.hpp>
#include <sam/host/scan/values_as_made.hpp>
#include <sam/host/simd/simd.hpp>

#include <memory>

namespace sam::inline v0_1::host {

/// True if a scan without outputs appends the aggregates of groups of items, which the kernel
/// computes by themselves. The last tile of a reduction then waits for no other.
template <class Kernel, class Job>
concept appends_groups =
    passes_items<Kernel, Job> && !appends_for<Kernel, Job> && (Kernel::items_of_group > 0);
/// Returns the number of groups in the last tile whose aggregates are kept.
template <job Job, class Kernel>
index_t groups_of(Kernel const& kernel, tile_config const& config) {
  if constexpr (appends_groups<Kernel, Job>)
    return host::unwanted_items<Job>(config, kernel, config.tiles.tiles() - 1) /
           Kernel::items_of_group;
  else
    return 0;
}

/// Returns the most groups that a tile may have: memory for them does not depend on n, so that
/// fewer items never need more.
template <job Job, class Kernel>
index_t most_groups_of(tile_config const& config) {
  if constexpr (appends_groups<Kernel, Job>)
    return config.tiles.size / Kernel::items_of_group;
  else
    return 0;
}

/// Holds the workspace of a multi-pass scan: buffers for each worker and a state for each tile.
template <job Job, class Kernel>
struct multi_pass_memory {
  using T = typename Job::accumulator;

  multi_pass_memory(workspace& memory, tile_config const& config, int workers, Kernel const& kernel,
                    bool keeps_tile)
      : width(kernel.width()), tiles(config.tiles.tiles()) {
    workspace::plan plan;
    plan.part<T>(tiles * width).template part<T>(2 * width);
    for (int w = 0; w < workers; ++w)
      host::plan_worker_buffers<Job>(plan, config, kernel, keeps_tile);
    plan.part<worker_buffers_of<Job>>(workers).template part<T>(
        host::most_groups_of<Job, Kernel>(config));
    has_memory = memory.reserve(plan);
    if (!has_memory)
      return;
    memory.rewind();
    states = memory.take<T>(tiles * width);
    spare = memory.take<T>(2 * width);
    buffers = memory.take<worker_buffers_of<Job>>(workers);
    for (int w = 0; w < workers; ++w)
      buffers[w] = host::take_worker_buffers<Job>(memory, config, kernel, keeps_tile);
    groups = memory.take<T>(host::most_groups_of<Job, Kernel>(config));
  }

  T* state(index_t tile) { return states + tile * width; }
  void copy(T const* from, T* to) const {
    for (index_t k = 0; k < width; ++k)
      to[k] = from[k];
  }

  /// Replaces the aggregate of each tile by its exclusive prefix. If `known`, `spare` holds the
  /// initial state. The aggregate of the last tile is not used.
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
  bool has_memory;  // false while calls are measured
  T* states = nullptr;
  T* spare = nullptr;
  worker_buffers_of<Job>* buffers = nullptr;  // one per worker
  T* groups = nullptr;                        // aggregates within the last tile
};

/// Sweeps once over all tiles, which workers claim one by one. Calls visit(worker, tile, next),
/// where `next` is the tile that this worker visits next.
template <class Pool, class Visit>
void for_each_tile(Pool& pool, int workers, index_t tiles, Visit visit) {
  claims claimed(workers);
  pool.for_each_worker(workers, [&](int w) {
    for (index_t tile = claimed.next(), next = tile; tile < tiles; tile = next) {
      next = claimed.next();
      visit(w, tile, next);
    }
    streaming_fence();
  });
}

/// Runs one reduce-then-scan: reduces all tiles but the last, scans the aggregates, then scans
/// the tiles from their exclusive prefixes. If a job needs only the last row, only the last tiles
/// are scanned.
template <class Pool, job Job, class Kernel>
void run_pass(carry::reduce_then_scan, Pool& pool, int workers, workspace& memory, index_t n,
              Job const& job, Kernel const& kernel) {
  auto const config = host::tile_config_for<Job>(n, kernel);
  multi_pass_memory<Job, Kernel> kept(memory, config, workers, kernel, !scans_source<Job>);
  if (!kept.has_memory)
    return;
  // From a cache, prefetches of items that are not next take longer than they save.
  index_t const distance = host::outgrows_caches<Job>(n) ? tuning::ahead_bytes : 0;
  index_t const groups = host::groups_of<Job>(kernel, config);
  index_t const reduced = kept.tiles - (groups > 0 ? 0 : 1);
  host::for_each_tile(pool, workers, reduced, [&](int w, index_t tile, index_t) {
    auto const& buffer = kept.buffers[w];
    auto const reduce = [&](auto const& from) {
      if constexpr (appends_groups<Kernel, Job>)
        if (config.tiles.is_last(tile))
          return kernel.put_groups(from, groups, kept.groups);
      kernel.reduce(from, config.tiles.size, kept.state(tile), buffer.part_aggregates);
    };
    using ahead = fetched_ahead<typename Job::accumulator>;
    constexpr bool takes_any = requires {
      kernel.reduce(ahead{}, 0, buffer.part_aggregates, buffer.part_aggregates);
    };
    if constexpr (makes_values_once<Job> && takes_any)
      reduce(values_as_made<Job>{std::addressof(job), config.tiles.begin(tile)});
    else if constexpr (has_source<Job> && takes_any)
      reduce(ahead{host::load_tile(job, config.tiles, tile, buffer), distance});
    else
      reduce(host::load_tile(job, config.tiles, tile, buffer));
  });
  bool const starts_known = kernel.start(kept.spare);
  kept.aggregates_to_states(kernel, starts_known);
  bool const streaming = host::should_stream<Job>(n);
  auto const scan = [&](int w, index_t tile, index_t next) {
    auto const& buffer = kept.buffers[w];
    auto const items = host::items_to_scan<Kernel>(job, config.tiles.begin(tile), [&] {
      return host::load_tile(job, config.tiles, tile, buffer);
    });
    constexpr bool can_do_without = requires { requires Kernel::scans_without_part_aggregates; };
    bool const part_aggregates = !can_do_without && !config.tiles.is_last(tile) &&
                                 kernel.part_aggregates(config.tiles.size) > 0;
    if (part_aggregates)  // reduce again, so that the scan groups items as a single-pass scan does
      kernel.reduce(items, config.tiles.size, buffer.running, buffer.part_aggregates);
    bool const known = starts_known || tile > 0;
    kept.copy(kept.state(tile), buffer.running);
    if (part_aggregates)
      kernel.place(buffer.part_aggregates, config.tiles.size, buffer.running, known);
    index_t passed = 0;
    if constexpr (appends_groups<Kernel, Job>)
      if (config.tiles.is_last(tile)) {
        kernel.append_groups(kept.groups, groups, buffer.running);
        passed = groups * Kernel::items_of_group;
      }
    host::scan_tile(job, kernel, config, tile, items, buffer, known,
                    part_aggregates ? buffer.part_aggregates : nullptr, streaming,
                    fetching(job, config.tiles, next), passed);
  };
  if constexpr (reducing<Job>) {
    for (index_t tile = engine::max_of(kept.tiles - 2, 0); tile < kept.tiles; ++tile)
      if (host::is_wanted<Job>(config.tiles, tile, kernel.width()))
        scan(0, tile, tile + 1);
  } else {
    host::for_each_tile(pool, workers, kept.tiles, scan);
  }
}

/// Runs one scan-then-propagate: scans every tile on its own, scans the aggregates, then combines
/// the exclusive prefix of each tile with its stored results.
template <class Pool, job Job, class Kernel>
void run_pass(carry::scan_then_propagate, Pool& pool, int workers, workspace& memory, index_t n,
              Job const& job, Kernel const& kernel) {
  auto const config = host::tile_config_for<Job>(n, kernel);
  multi_pass_memory<Job, Kernel> kept(memory, config, workers, kernel, true);
  if (!kept.has_memory)
    return;
  host::for_each_tile(pool, workers, kept.tiles, [&](int w, index_t tile, index_t next) {
    auto const& buffer = kept.buffers[w];
    auto const items = host::load_tile(job, config.tiles, tile, buffer);
    bool const known =
        tile == 0 ? kernel.start(buffer.running) : kernel.start_apart(buffer.running);
    host::scan_tile(job, kernel, config, tile, items, buffer, known, nullptr, false,
                    fetching(job, config.tiles, next));
    kept.copy(buffer.running, kept.state(tile));
  });
  kept.aggregates_to_states(kernel, false);  // tile 0's aggregate includes the initial state
  auto const again = job.again();
  host::for_each_tile(pool, workers, kept.tiles - 1, [&](int w, index_t before, index_t) {
    auto const& buffer = kept.buffers[w];
    index_t const tile = before + 1;
    index_t const begin = config.tiles.begin(tile), count = config.tiles.count(tile);
    host::put_values(again, begin, count, buffer.tile);
    kernel.propagate(buffer.tile, count, kept.state(tile));
    host::store(again, begin, count, buffer.tile, false);
  });
}

/// Runs a multi-pass scan. A scan of order Q whose operator has no algebra runs all sweeps Q times.
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

}  // namespace sam::inline v0_1::host
