// SPDX-License-Identifier: MIT
// Implements reduce-then-scan by teams of threads, for devices without forward progress between
// teams: a kernel reduces chunks of tiles, one team scans their aggregates, and a kernel scans the
// chunks. It reads the items twice and writes them once.
#pragma once

#include <sam/gpu/fallback/team_tile.hpp>

namespace sam::inline v0_1::gpu {

/// The tiles of a call, and the chunks of tiles that a team handles one after the other. They
/// depend on n alone, so that results have the same bits on all devices.
template <class T, class Policy>
struct team_chunks {
  static constexpr index_t most_single_tiles = 1024;
  index_t n;
  tile_shape<T, Policy> shape;
  int tiles;       // per chunk
  index_t chunks;  // the last one may be shorter

  team_chunks(index_t count, index_t components) : n(count), shape(components) {
    index_t const all = engine::div_up(n, shape.items());
    tiles = all <= most_single_tiles ? 1 : 4;
    chunks = engine::div_up(all, tiles);
  }
  SAM_FUNCTION index_t begin(index_t chunk) const {
    return chunk * tiles * static_cast<index_t>(shape.items());
  }
};

/// Loads tiles to a team's memory and reduces their runs.
template <class Job, class T, class Policy>
struct tile_loader {
  using size = tile_size<T, Policy>;
  using by_type = chunking<T, Policy>;
  static constexpr int K = size::run, Q = size::Q;

  Job const& job;
  by_type const& by;
  tile_shape<T, Policy> const& shape;

  /// Loads the first `count` items of the tile that begins at item `first`.
  template <class Team>
  SAM_FUNCTION void load(Team const& team, tile_item<T>* items, index_t first, int count) const {
    int const across = shape.all_runs();
    team.for_each(across, [&](int r) {
      if (count == shape.items()) {
        uninitialized_array<T, K> x;
        for (int k = 0; k < K; ++k)
          x.at[k] = job.to_accumulator(job.load(first + k * across + r));
        for (int k = 0; k < K; ++k)
          items[k * across + r].value = x.at[k];
      } else {
        for (int i = r; i < count; i += across)
          items[i].value = job.to_accumulator(job.load(first + i));
      }
    });
    team.barrier();
  }
  /// Reduces the first `runs` runs of each component, all of which are full.
  template <class Team>
  SAM_FUNCTION void reduce(Team const& team, tile_memory<T, Policy> const& memory, int runs) const {
    int const s = shape.components();
    team.for_each(runs * s, [&](int r) {
      tile_item<T> const* const x = memory.items + r / s * K * s + r % s;
      uninitialized_array<T, Q> state;
      int k = 0;
      if constexpr (by_type::algebra) {
        for (int q = 0; q < Q; ++q)
          state.at[q] = sam::identity_of<T>(by.policy.op);
      } else {
        state.at[0] = x[0].value;
        k = 1;
      }
      for (; k < K; ++k) {
        if constexpr (by_type::algebra)
          engine::step<Q, Policy::kind>(by.policy.op, state.at, x[k * s].value);
        else
          state.at[0] = by.policy.op(state.at[0], x[k * s].value);
      }
      run_scan<T, Policy>::copy(memory.runs + r * Q, state.at);
    });
    team.barrier();
  }
};

/// Reduces each chunk but the last to an aggregate per component.
template <class Job, class T, class Policy>
struct reduce_chunks {
  using by_type = chunking<T, Policy>;
  using size = tile_size<T, Policy>;
  static constexpr int Q = size::Q, K = size::run;
  /// True if threads may combine items that are not neighbours, which needs no memory of the team.
  static constexpr bool any_order = is_commutative<typename Policy::op_type> && !by_type::algebra;

  Job job;
  team_chunks<T, Policy> in;
  run_scan<T, Policy> scan;
  T* aggregates;

  template <class Team>
  SAM_FUNCTION void operator()(Team const& team) const {
    index_t const chunk = team.index();
    int const s = in.shape.components(), runs = in.shape.runs();
    tile_memory<T, Policy> const memory(team.memory(), in.shape);
    if constexpr (any_order) {
      reduce_strided(team, memory.runs, in.begin(chunk));
      scan.combine(team, memory, s, runs, false);
    } else {
      tile_loader<Job, T, Policy> const loader{job, scan.by, in.shape};
      for (int t = 0; t < in.tiles; ++t) {
        index_t const first = in.begin(chunk) + t * static_cast<index_t>(in.shape.items());
        loader.load(team, memory.items, first, in.shape.items());
        loader.reduce(team, memory, runs);
        scan.combine(team, memory, s, runs, t > 0);
      }
    }
    team.for_each(s * Q, [&](int i) { aggregates[chunk * s * Q + i] = memory.carry[i]; });
  }

 private:
  /// Reduces the items of a chunk whose index leaves remainder r when divided by the number of runs
  /// of all components, to the aggregate of run r.
  template <class Team>
  SAM_FUNCTION void reduce_strided(Team const& team, T* aggregates_of_runs, index_t first) const {
    index_t const across = in.shape.all_runs();
    team.for_each(static_cast<int>(across), [&](int r) {
      uninitialized_array<T, K> x;
      load_strided(first + r, x);
      T all = x.at[0];
      for (int k = 1; k < K; ++k)
        all = scan.by.policy.op(all, x.at[k]);
      for (int t = 1; t < in.tiles; ++t) {
        load_strided(first + t * static_cast<index_t>(in.shape.items()) + r, x);
        for (int k = 0; k < K; ++k)
          all = scan.by.policy.op(all, x.at[k]);
      }
      aggregates_of_runs[r] = all;
    });
    team.barrier();
  }
  SAM_FUNCTION void load_strided(index_t at, uninitialized_array<T, K>& x) const {
    index_t const across = in.shape.all_runs();
    for (int k = 0; k < K; ++k)
      x.at[k] = job.to_accumulator(job.load(at + k * across));
  }
};

/// Replaces the aggregates of chunks by their exclusive prefixes, for one team. A thread handles
/// `length` consecutive chunks of a component.
template <class T, class Policy>
struct scan_aggregates {
  using size = tile_size<T, Policy>;
  using power = power_of<typename Policy::op_type, T, size::Q>;
  static constexpr int Q = size::Q;

  tile_shape<T, Policy> shape;
  run_scan<T, Policy> scan;
  power chunk;
  index_t length, chunks;
  T* states;

  template <class Team>
  SAM_FUNCTION void operator()(Team const& team) const {
    int const s = shape.components();
    int const runs = static_cast<int>((chunks + length - 1) / length);
    tile_memory<T, Policy> const memory(team.memory(), shape);
    bool constexpr known = chunking<T, Policy>::starts_known;
    if constexpr (known)
      team.for_each(s * Q, [&](int i) { memory.carry[i] = scan.by.first(); });
    team.for_each((runs - 1) * s, [&](int r) {  // those with a successor, which are full
      T const* const x = states + (r / s * length * s + r % s) * Q;
      uninitialized_array<T, Q> state;
      scan.copy(state.at, x);
      for (index_t k = 1; k < length; ++k)
        scan.by.append(state.at, x + k * s * Q, chunk);
      scan.copy(memory.runs + r * Q, state.at);
    });
    team.barrier();
    scan.combine(team, memory, s, runs - 1, known);
    scan.spread(team, memory, s, runs, known);
    team.for_each(runs * s, [&](int r) {
      index_t const begin = r / s * length, end = min_of(begin + length, chunks);
      bool const begun = known || begin > 0;
      uninitialized_array<T, Q> state;
      scan.copy(state.at, begun ? memory.runs + r * Q : states + r * Q);
      for (index_t k = begun ? begin : 1; k < end; ++k) {
        T* const place = states + (k * s + r % s) * Q;
        if (k + 1 == chunks)  // the last chunk has no aggregate
          return scan.copy(place, state.at);
        uninitialized_array<T, Q> aggregate;
        scan.copy(aggregate.at, place);
        scan.copy(place, state.at);
        scan.by.append(state.at, aggregate.at, chunk);
      }
    });
  }
};

/// Scans chunks from their exclusive prefixes, the last one first, since the cache may still hold
/// its items.
template <class Job, class T, class Policy>
struct scan_chunks {
  using by_type = chunking<T, Policy>;
  using size = tile_size<T, Policy>;
  static constexpr int Q = size::Q, K = size::run;

  Job job;
  team_chunks<T, Policy> in;
  run_scan<T, Policy> scan;
  T const* states;

  template <class Team>
  SAM_FUNCTION void operator()(Team const& team) const {
    index_t const chunk = in.chunks - 1 - team.index();
    int const s = in.shape.components();
    tile_memory<T, Policy> const memory(team.memory(), in.shape);
    bool known = chunk > 0 || by_type::starts_known;
    team.for_each(known ? s * Q : 0, [&](int i) {
      if (chunk > 0)
        memory.carry[i] = states[chunk * s * Q + i];
      else if constexpr (by_type::starts_known)
        memory.carry[i] = scan.by.first();
    });
    for (int t = 0; t < in.tiles; ++t, known = true) {
      index_t const first = in.begin(chunk) + t * static_cast<index_t>(in.shape.items());
      if (first >= in.n)
        return;
      scan_tile(team, memory, first, static_cast<int>(min_of(in.shape.items(), in.n - first)),
                known);
    }
  }

 private:
  template <class Team>
  SAM_FUNCTION void scan_tile(Team const& team, tile_memory<T, Policy> const& memory, index_t first,
                              int count, bool known) const {
    tile_loader<Job, T, Policy> const loader{job, scan.by, in.shape};
    int const s = in.shape.components();
    int const runs = (in.shape.rows(0, count) + K - 1) / K;
    int const full = count == in.shape.items() ? runs : runs - 1;  // no run follows the last one
    loader.load(team, memory.items, first, count);
    loader.reduce(team, memory, full);
    scan.combine(team, memory, s, full, known);
    scan.spread(team, memory, s, runs, known);
    team.for_each(runs * s, [&](int r) {
      int const begin = r / s * K;
      int const rows = static_cast<int>(min_of(in.shape.rows(r % s, count) - begin, index_t{K}));
      scan_run(memory.items + begin * s + r % s, rows, memory.runs + r * Q, known || begin > 0);
    });
    team.barrier();
    store(team, memory.items, first, count);
    team.barrier();
  }
  /// Replaces the items of a run by their scan values, given its exclusive prefix.
  SAM_FUNCTION void scan_run(tile_item<T>* items, int rows, T const* prefix, bool known) const {
    if (rows <= 0)
      return;
    uninitialized_array<T, Q> state;
    if constexpr (by_type::starts_known)
      scan.copy(state.at, prefix);
    else
      state.at[0] = known ? *prefix : items[0].value;
    for (int k = known ? 0 : 1; k < rows; ++k) {
      T& x = items[k * in.shape.components()].value;
      x = engine::step<Q, Policy::kind>(scan.by.policy.op, state.at, x);
    }
  }
  /// Stores the results. Items are loaded again, unless the compiler sees that the job ignores
  /// them. No other thread stores to the item that a thread loads.
  template <class Team>
  SAM_FUNCTION void store(Team const& team, tile_item<T> const* values, index_t first,
                          int count) const {
    int const across = in.shape.all_runs();
    team.for_each(across, [&](int r) {
      if (count == in.shape.items()) {
        for (int k = 0; k < K; ++k)
          store_item(first, k * across + r, values);
      } else {
        for (int i = r; i < count; i += across)
          store_item(first, i, values);
      }
    });
  }
  SAM_FUNCTION void store_item(index_t first, int i, tile_item<T> const* values) const {
    job.store(first + i, job.load(first + i), values[i].value);
  }
};

/// Runs one round of team_reduce_then_scan over s components.
template <class Launch, class Reserve, job Job, class Policy>
void scan_by_teams(Launch const& launch, Reserve const& reserve, index_t n, Job const& job,
                   Policy const& policy, index_t s) {
  using T = typename Job::accumulator;
  using size = tile_size<T, Policy>;
  using scan_type = run_scan<T, Policy>;
  chunking<T, Policy> const by{policy, s};
  team_chunks<T, Policy> const in(n, s);
  int const runs = in.shape.runs();
  auto const power_of_rows = [](index_t rows) {
    using power = typename scan_type::power;
    if constexpr (chunking<T, Policy>::algebra)
      return engine::zero_items<power>(Policy::kind, rows);
    else
      return power{};
  };
  // Returns the scan of runs of `length` rows.
  auto const scan_of = [&](index_t length) {
    return scan_type{by,
                     {power_of_rows(length), power_of_rows(size::group * length),
                      power_of_rows(runs % size::group * length)}};
  };
  scan_type const scan = scan_of(size::run);
  T* states = nullptr;
  if (in.chunks > 1) {
    states = reserve(in.chunks * s * size::Q);
    launch.teams("sam::reduce", in.chunks - 1, size::runs, size::bytes,
                 reduce_chunks<Job, T, Policy>{job, in, scan, states});
    index_t const rows = static_cast<index_t>(in.tiles) * runs * size::run;  // of a chunk
    index_t const length = engine::div_up(in.chunks, runs);
    launch.teams("sam::spread", 1, size::runs, size::bytes,
                 scan_aggregates<T, Policy>{in.shape, scan_of(length * rows), power_of_rows(rows),
                                            length, in.chunks, states});
  }
  index_t chunks = in.chunks;
  if constexpr (reducing<Job>)  // only the last s items have results
    chunks = engine::min_of(chunks, n - in.begin(in.chunks - 1) < s ? 2 : 1);
  launch.teams("sam::scan", chunks, size::runs, size::bytes,
               scan_chunks<Job, T, Policy>{job, in, scan, states});
}

/// Runs a job over n items by teams. launch.teams(label, count, threads, bytes, f) queues the calls
/// f(team) of `count` teams with that much memory. Everything else is as for reduce_then_scan,
/// which runs policies with many components, and items too large for a team's memory.
template <class Launch, class Reserve, job Job, class Policy>
void team_reduce_then_scan(Launch const& launch, Reserve const& reserve, index_t n, Job const& job,
                           Policy const& policy) {
  using T = typename Job::accumulator;
  using size = tile_size<T, Policy>;
  if constexpr (elementwise<Job> || !size::fits) {
    gpu::reduce_then_scan(launch, reserve, n, job, policy);
  } else {
    index_t const s = tile_shape<T, Policy>::is_constant ? policy.components
                                                         : engine::min_of(policy.components, n);
    if (s > engine::min_of(size::most_components, size::runs))
      return gpu::reduce_then_scan(launch, reserve, n, job, policy);
    gpu::scan_by_teams(launch, reserve, n, job, policy, s);
    if constexpr (chunking<T, Policy>::rounds > 1) {
      auto const once = engine::one_round(policy);
      for (int r = 1; r < chunking<T, Policy>::rounds; ++r)
        gpu::team_reduce_then_scan(launch, reserve, n, job.again(), once);
    }
  }
}

}  // namespace sam::inline v0_1::gpu
