// SPDX-License-Identifier: MIT
// Implements the single-pass scan, which reads every item from memory once and writes it once.
#pragma once

#include <sam/backend/tiling.hpp>
#include <sam/host/scan/descriptors.hpp>
#include <sam/host/scan/streamed_output.hpp>
#include <sam/host/scan/values_as_made.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>

namespace sam::inline v0_1::host {

/// Holds the workspace of one worker, for states of type T and scanned values of type V.
template <class T, class V = T>
struct worker_buffers {
  V* tile;             // a tile's values, unless the job's source array has them
  V* piece;            // scanned values until they are stored
  V* part_aggregates;  // stream aggregates that the scan of a tile reuses from its reduction
  T* running;          // the state during the scan of a tile
  std::byte* beside = nullptr;  // further data of a tile's items, see bytes_beside

  template <job Job>
  typename Job::item* items_of(index_t from = 0) const {
    if constexpr (scattering<Job>)
      return reinterpret_cast<typename Job::item*>(beside) + from;
    else
      return nullptr;
  }
};
template <job Job>
using worker_buffers_of = worker_buffers<typename Job::accumulator, scanned_of<Job>>;

/// Returns the bytes that a worker keeps in addition to the values of `items` items. A scatter job
/// keeps the items themselves.
template <job Job>
index_t bytes_beside(index_t items) {
  if constexpr (requires { Job::bytes_beside(items); })
    return Job::bytes_beside(items);
  else
    return held_bytes<Job> * items;
}

/// Loads the items of a tile in the form that a kernel takes.
template <job Job>
auto load_tile(Job const& job, tiling const& tiles, index_t tile,
               worker_buffers_of<Job> const& buffer) {
  if constexpr (requires { job.load_tile(tiles, tile, buffer); })
    return job.load_tile(tiles, tile, buffer);
  else
    return host::values(job, tiles.begin(tile), tiles.count(tile), buffer.tile,
                        buffer.template items_of<Job>());
}

/// Gives the number of tiles that a worker's value buffer holds, for jobs without a source array.
template <job Job>
inline constexpr int tiles_in_hand = 1;
template <job Job>
requires requires { Job::tiles_in_hand; }
inline constexpr int tiles_in_hand<Job> = Job::tiles_in_hand;

/// Describes how a job is divided: tiles fit in the second-level cache, pieces of a tile in the
/// first-level cache.
struct tile_config {
  /// Returns the division of n values of T, if a worker keeps `held` further bytes for each item.
  template <class T, class Accumulator = T, class Kernel>
  static tile_config of(index_t n, Kernel const& kernel, int held = 0) {
    constexpr auto size = index_t{sizeof(T)};
    index_t items = host::bytes_of_tile<Accumulator>() / (size + held);
    if constexpr (is_exact<Accumulator> && requires { requires Kernel::shares_few_items; })
      items = host::items_of_exact_tile(n, size + held);
    return {{n, engine::tile_size_near(items, kernel.granule())},
            engine::tile_size_near(tuned.piece_bytes / size, kernel.piece_granule())};
  }
  tiling tiles;
  index_t piece;
};

/// Sets the smallest number of tiles of an exact reduction, if there are enough items.
inline constexpr index_t fewest_reduced = 32;
/// Tiles of fewer bytes than this would take longer to manage than to reduce.
inline constexpr index_t least_reduced_bytes = index_t{32} << 10;

/// True if a job needs the results of its last items only, and the kernel has a faster way past the
/// others than to scan and store them.
template <class Kernel, class Job>
concept passes_items = reducing<Job> &&
    requires(Kernel const& kernel, typename Job::accumulator* state) {
  kernel.append_items(state, index_t{}, state);
};
/// True if the kernel need not scan these items. Floats are scanned, so that a reduction has the
/// bits of a scan's last item.
template <class Kernel, class Job>
concept appends_for = passes_items<Kernel, Job> && is_exact<typename Job::accumulator>;

/// Returns the number of items of a tile whose results a reduction does not need.
template <job Job, class Kernel>
index_t unwanted_items(tile_config const& config, Kernel const& kernel, index_t tile) {
  index_t granule = kernel.granule();
  if constexpr (appends_for<Kernel, Job>)
    granule = Kernel::appended_granule;
  index_t const before = config.tiles.n - kernel.width() - config.tiles.begin(tile);
  return max_of(min_of(before, config.tiles.count(tile)), 0) / granule * granule;
}

/// Returns the items of a tile that is scanned but not reduced. If only its last result is wanted,
/// they are computed as they are scanned.
template <class Kernel, job Job, class Load>
auto items_to_scan(Job const& job, [[maybe_unused]] index_t begin, Load const& load) {
  constexpr bool as_made = [] {
    if constexpr (passes_items<Kernel, Job> && !appends_for<Kernel, Job> && makes_values_once<Job>)
      return Kernel::template scans_as_made<values_as_made<Job>>;
    else
      return false;
  }();
  if constexpr (as_made)
    return values_as_made<Job>{std::addressof(job), begin};
  else
    return load();
}

/// Stands for results that are not wanted. Compilers leave out what only serves them.
struct no_outputs {
  struct place {
    template <class T>
    void operator=(T const&) const {}
  };
  no_outputs operator+(index_t) const { return {}; }
  place operator[](index_t) const { return {}; }
  template <class V>
  void put(V const&) const {}
};

/// Returns the division of a job of n items.
template <job Job, class Kernel>
tile_config tile_config_for(index_t n, Kernel const& kernel) {
  auto config =
      tile_config::of<scanned_of<Job>, typename Job::accumulator>(n, kernel, held_bytes<Job>);
  // Most kernels scan the last tile of a reduction, which takes longer than reducing it. So tiles
  // are small if the tile size does not change the result.
  if constexpr (reducing<Job> && is_exact<typename Job::accumulator>) {
    index_t least = 1;
    if constexpr (appends_for<Kernel, Job>)
      least = least_reduced_bytes / index_t{sizeof(typename Job::accumulator)};
    index_t const granules = div_up(max_of(div_up(n, fewest_reduced), least), kernel.granule());
    config.tiles.size = min_of(config.tiles.size, granules * kernel.granule());
  }
  return config;
}

/// Adds the buffers of one worker to a plan.
template <job Job, class Kernel>
void plan_worker_buffers(workspace::plan& plan, tile_config const& config, Kernel const& kernel,
                         bool keeps_tile) {
  using V = scanned_of<Job>;
  plan.part<V>(keeps_tile ? tiles_in_hand<Job> * config.tiles.size : 0)
      .template part<V>(config.piece + line)
      .template part<V>(kernel.part_aggregates(config.tiles.size))
      .template part<typename Job::accumulator>(kernel.width())
      .template part<std::byte>(host::bytes_beside<Job>(config.tiles.size));
}
/// Takes the buffers of one worker from the workspace, in the order of plan_worker_buffers.
template <job Job, class Kernel>
worker_buffers_of<Job> take_worker_buffers(workspace& memory, tile_config const& config,
                                           Kernel const& kernel, bool keeps_tile) {
  using V = scanned_of<Job>;
  return {memory.take<V>(keeps_tile ? tiles_in_hand<Job> * config.tiles.size : 0),
          memory.take<V>(config.piece + line),
          memory.take<V>(kernel.part_aggregates(config.tiles.size)),
          memory.take<typename Job::accumulator>(kernel.width()),
          memory.take<std::byte>(host::bytes_beside<Job>(config.tiles.size))};
}

/// Prefetches a tile part by part. It does nothing for a tile number past the last tile.
template <job Job>
struct fetching {
  Job const& job;
  index_t begin, count;

  fetching(Job const& j, tiling const& tiles, index_t tile)
      : job(j), begin(tiles.begin(tile)), count(tile < tiles.tiles() ? tiles.count(tile) : 0) {}
  void operator()(index_t from, index_t some) const {
    if (from + some <= count)  // `some` is often a compile-time constant here
      host::prefetch(job, begin + from, some);
    else if (from < count)
      host::prefetch(job, begin + from, count - from);
  }
};

/// Loads, reduces and prefetches the tiles of one worker. Jobs may specialize it to do some of that
/// work ahead. If `alone`, there is a single worker, which needs no reductions.
template <job Job, class Kernel>
struct tile_loader {
  using T = typename Job::accumulator;
  Job const& job;
  Kernel const& kernel;
  tiling tiles;
  worker_buffers_of<Job> const& buffer;
  bool alone = false;

  auto items(index_t tile) const { return host::load_tile(job, tiles, tile, buffer); }
  template <class Items>
  void reduce(Items items, index_t tile, T* accumulator) const {
    kernel.reduce(items, tiles.count(tile), accumulator, buffer.part_aggregates);
  }
  auto ahead(index_t tile) const { return fetching(job, tiles, tile); }
};

/// True if the job needs the results of any item of a tile.
template <job Job>
bool is_wanted(tiling const& tiles, index_t tile, index_t components) {
  if constexpr (reducing<Job>)
    return tiles.begin(tile) + tiles.count(tile) > tiles.n - components;
  else
    return true;
}

/// True if a kernel scans a whole tile per call and calls back to prefetch and to store lines.
template <class Kernel>
inline constexpr bool scans_tiles = requires {
  requires Kernel::whole_tiles;
};

/// Scans one tile from the state in buffer.running and stores its results. Meanwhile it calls
/// ahead(from, some) for each part of the tile that this worker takes next.
template <job Job, class Kernel, class Items, class Ahead>
requires scans_tiles<Kernel>
void scan_tile(Job const& job, Kernel const& kernel, tile_config const& config, index_t tile,
               Items items, worker_buffers_of<Job> const& buffer, bool, scanned_of<Job> const*,
               bool streaming, Ahead const& ahead, index_t = 0) {
  index_t const begin = config.tiles.begin(tile);
  index_t const count = config.tiles.count(tile);
  if (!streaming)
    return kernel.scan(items, job.target() + begin, count, buffer.running, ahead);
  if (host::past_line(job.target(), begin) == 0)
    return kernel.scan(items, host::past_caches(job.target() + begin), count, buffer.running,
                       ahead);
  streamed_output<Job> out(job, begin, buffer.piece, config.piece);
  kernel.scan(items, out.ring(), count, buffer.running, [&](index_t from, index_t some) {
    ahead(from, some);
    out.send(from);
  });
  out.send_all(count);
}

/// Scans one tile piece by piece from the state in buffer.running, and stores its results. Arrays
/// that fit in the caches are scanned in one call, because the hardware prefetcher suffices there.
/// A reduction may have taken buffer.running past the first `passed` items.
template <job Job, class Kernel, class Items, class Ahead>
void scan_tile(Job const& job, Kernel const& kernel, tile_config const& config, index_t tile,
               Items items, worker_buffers_of<Job> const& buffer, bool known,
               scanned_of<Job> const* part_aggregates, bool streaming, Ahead const& ahead,
               index_t passed = 0) {
  index_t const begin = config.tiles.begin(tile);
  index_t const count = config.tiles.count(tile);
  if constexpr (stores_scanned<Job>)
    if (!host::outgrows_caches<Job>(config.tiles.n))
      return kernel.scan(items, job.target() + begin, count, 0, buffer.running, known,
                         part_aggregates);
  auto const outgoing_items = host::in_order_of_target<Job>(buffer.piece, config.piece + line);
  if constexpr (passes_items<Kernel, Job>) {
    index_t const unwanted = host::unwanted_items<Job>(config, kernel, tile);
    if (passed < unwanted) {
      if constexpr (appends_for<Kernel, Job>)
        kernel.append_items(items, unwanted, buffer.running);
      else
        kernel.scan(items, no_outputs{}, unwanted, 0, buffer.running, known, part_aggregates);
      passed = unwanted;
    }
  }
  index_t held = 0;  // outputs that wait for the rest of their cache line
  for (index_t at = passed; at < count; at += config.piece) {
    index_t const m = min_of(config.piece, count - at);
    ahead(at, m);
    auto const scan = [&](auto out) {
      kernel.scan(items + at, out, m, at, buffer.running, known, part_aggregates);
    };
    if constexpr (stores_scanned<Job>)
      if (!streaming) {
        scan(job.target() + (begin + at));
        continue;
      }
    scan(outgoing_items + held);
    index_t const ready = held + m;
    index_t const past = streaming && at + m < count ? host::past_line(job, begin + at + m) : 0;
    held = min_of(past, ready);
    index_t const from = at + m - ready;
    index_t skipped = 0;  // a reduction has no use for the results of its earlier items
    if constexpr (reducing<Job>)
      skipped = min_of(max_of(config.tiles.n - kernel.width() - (begin + from), 0), ready - held);
    host::store(job, begin + from + skipped, ready - held - skipped, outgoing_items + skipped,
                streaming, buffer.template items_of<Job>(from));
    for (index_t k = 0; k < held; ++k)
      outgoing_items[k] = outgoing_items[ready - held + k];
  }
}

/// Runs a whole scan on a single worker, without reductions or descriptors.
template <job Job, class Kernel>
void scan_alone(workspace& memory, index_t n, Job const& job, Kernel const& kernel) {
  auto const config = host::tile_config_for<Job>(n, kernel);
  workspace::plan plan;
  host::plan_worker_buffers<Job>(plan, config, kernel, !scans_source<Job>);
  if (!memory.reserve(plan))
    return;
  memory.rewind();
  auto const buffer = host::take_worker_buffers<Job>(memory, config, kernel, !scans_source<Job>);
  bool known = kernel.start(buffer.running);
  bool const streaming = host::should_stream<Job>(n);
  tile_loader<Job, Kernel> take{job, kernel, config.tiles, buffer, true};
  for (index_t tile = 0; tile < config.tiles.tiles(); ++tile, known = true) {
    auto const items = host::items_to_scan<Kernel>(job, config.tiles.begin(tile),
                                                   [&] { return take.items(tile); });
    host::scan_tile(job, kernel, config, tile, items, buffer, known, nullptr, streaming,
                    take.ahead(tile + 1));
  }
  if (streaming)
    streaming_fence();
}

/// Runs one worker of a single-pass scan. The worker claims its next tile as soon as it has
/// published the aggregate of the current one, so that it prefetches the next tile while it scans.
template <class Carry, job Job, class Kernel, class T = typename Job::accumulator>
void work(Job const& job, Kernel const& kernel, tile_config const& config, claims& claimed,
          ring<T> const* rings, T* known_values, worker_buffers_of<Job> const& buffer) {
  constexpr int rounds = Kernel::rounds;
  using mail_type = descriptors<T, Kernel>;
  auto const ends = [&]<int... R>(std::integer_sequence<int, R...>) {
    return std::array<mail_type, std::size_t{rounds}>{mail_type(rings[R], kernel)...};
  };
  auto descriptors = ends(std::make_integer_sequence<int, rounds>{});
  typename mail_type::state known[std::size_t{rounds}];
  for (int r = 0; r < rounds; ++r) {
    known[r].values = known_values + r * kernel.width();
    known[r].known = kernel.start(known[r].values);
  }
  bool const streaming = host::should_stream<Job>(config.tiles.n);
  tile_loader<Job, Kernel> take{job, kernel, config.tiles, buffer};
  for (index_t tile = claimed.next(), next = tile; tile < config.tiles.tiles(); tile = next) {
    index_t const count = config.tiles.count(tile);
    bool const last = config.tiles.is_last(tile);  // no tile needs its aggregate
    auto items = take.items(tile);
    for (int r = 0; r < rounds; ++r) {
      mail_type& of_round = descriptors[static_cast<std::size_t>(r)];
      if (!last) {
        take.reduce(items, tile, of_round.buffer_for(tile));
        Carry::announce(of_round, tile);
      }
      if (r == 0)
        next = claimed.next();
      Carry::exclusive_prefix(of_round, tile, known[r]);
      bool const started = known[r].known;
      for (index_t k = 0; k < kernel.width(); ++k)
        buffer.running[k] = known[r].values[k];
      if (!last)
        of_round.publish_inclusive_prefix(tile, known[r]);
      auto* const part_aggregates = last ? nullptr : buffer.part_aggregates;
      if (!last)
        kernel.place(part_aggregates, count, buffer.running, started);
      if constexpr (rounds > 1)
        if (r + 1 < rounds) {
          kernel.scan(items, buffer.tile, count, 0, buffer.running, started, part_aggregates);
          items = buffer.tile;
          continue;
        }
      if (host::is_wanted<Job>(config.tiles, tile, kernel.width()))
        host::scan_tile(job, kernel, config, tile, items, buffer, started, part_aggregates,
                        streaming, take.ahead(next));
    }
  }
  if (streaming)
    streaming_fence();
}

/// Runs a single-pass scan on `workers` workers of the pool.
template <class Carry, class Pool, job Job, class Kernel>
void run_single_pass(Pool& pool, int workers, workspace& memory, index_t n, Job const& job,
                     Kernel const& kernel) {
  using T = typename Job::accumulator;
  constexpr int rounds = Kernel::rounds;
  constexpr bool keeps_tile = !scans_source<Job> || rounds > 1;
  auto const config = host::tile_config_for<Job>(n, kernel);
  index_t const window = ring<T>::depth_for(workers);
  workspace::plan plan;
  for (int r = 0; r < rounds; ++r)
    plan.part<slot>(2 * window).template part<T>(4 * window * kernel.width());
  for (int w = 0; w < workers; ++w) {
    host::plan_worker_buffers<Job>(plan, config, kernel, keeps_tile);
    plan.part<T>(rounds * kernel.width());
  }
  struct worker_state {
    worker_buffers_of<Job> buffer;
    T* known;
  };
  plan.part<worker_state>(workers);
  if (!memory.reserve(plan))
    return;
  memory.rewind();
  ring<T> rings[std::size_t{rounds}];
  for (ring<T>& ring : rings)
    ring = {empty_slots(memory.take<slot>(2 * window), 2 * window),
            memory.take<T>(4 * window * kernel.width()), kernel.width(), window};
  auto* const worker_states = memory.take<worker_state>(workers);
  for (int w = 0; w < workers; ++w) {
    auto const buffer = host::take_worker_buffers<Job>(memory, config, kernel, keeps_tile);
    worker_states[w] = {buffer, memory.take<T>(rounds * kernel.width())};
  }
  claims claimed(workers);
  pool.for_each_worker(workers, [&](int w) {
    auto const& [buffer, known] = worker_states[w];
    host::work<Carry>(job, kernel, config, claimed, rings, known, buffer);
  });
}

}  // namespace sam::inline v0_1::host
