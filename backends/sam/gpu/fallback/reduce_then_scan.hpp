// SPDX-License-Identifier: MIT
// Implements reduce_then_scan as a sequence of parallel loops, for any device and any policy. Each
// work item handles one chunk of consecutive rows of a component. The aggregates of chunks are
// combined in the same way, level by level, so no work item waits for another.
#pragma once

#include <sam/gpu/fallback/elementwise_kernel.hpp>

#include <vector>

namespace sam::inline v0_1::gpu {

/// Holds the policy and the chunk sizes that the kernels share, for a pass over rows of s
/// components.
template <class T, class Policy>
struct chunking {
  using op_type = typename Policy::op_type;
  static constexpr bool algebra = has_algebra<T, Policy>;
  static constexpr int Q = algebra ? Policy::order : 1;
  static constexpr int rounds = algebra ? 1 : Policy::order;
  static constexpr index_t length = 32;  // rows, or aggregates of the level below, per chunk
  static constexpr bool starts_known = Policy::starts_known || algebra;

  Policy policy;
  index_t s;

  SAM_FUNCTION T first() const {
    if constexpr (Policy::starts_known)
      return policy.start.value;
    else
      return sam::identity_of<T>(policy.op);
  }
  SAM_FUNCTION void append(T* state, T const* run, power_of<op_type, T, Q> const& power) const {
    if constexpr (algebra)
      engine::append<Q>(policy.op, state, run, power);
    else
      *state = policy.op(*state, *run);
  }
};

/// Reduces the items of chunk i / s of component i % s to their aggregate.
template <class Job, class T, class Policy>
struct reduce_items {
  static_assert(!selecting_first<Job>, "items are reduced here without their number");
  Job job;
  chunking<T, Policy> by;
  index_t n;
  T* aggregates;

  SAM_FUNCTION void operator()(index_t i) const {
    using config = chunking<T, Policy>;
    index_t at = i / by.s * config::length * by.s + i % by.s;
    T* const accumulator = aggregates + i * config::Q;
    int rows = 0;
    if constexpr (config::algebra) {
      for (int q = 0; q < config::Q; ++q)
        accumulator[q] = sam::identity_of<T>(by.policy.op);
    } else {
      accumulator[0] = job.to_accumulator(job.load(at));
      rows = 1, at += by.s;
    }
    for (; rows < config::length && at < n; ++rows, at += by.s) {
      T const x = job.to_accumulator(job.load(at));
      if constexpr (config::algebra)
        engine::step<config::Q, Policy::kind>(by.policy.op, accumulator, x);
      else
        accumulator[0] = by.policy.op(accumulator[0], x);
    }
  }
};

/// Reduces a chunk of `length` aggregates of the level below to one aggregate.
template <class T, class Policy>
struct reduce_aggregates {
  chunking<T, Policy> by;
  power_of<typename Policy::op_type, T, chunking<T, Policy>::Q> power;
  T const* below;
  T* above;

  SAM_FUNCTION void operator()(index_t i) const {
    using config = chunking<T, Policy>;
    index_t const from = i / by.s * config::length;
    for (index_t k = 0; k < config::length; ++k) {
      T const* const run = below + ((from + k) * by.s + i % by.s) * config::Q;
      if (k == 0)
        for (int q = 0; q < config::Q; ++q)
          above[i * config::Q + q] = run[q];
      else
        by.append(above + i * config::Q, run, power);
    }
  }
};

/// Replaces each aggregate of a chunk by its exclusive prefix, starting from the chunk's own prefix
/// in `above`. The top level is one chunk of `count` aggregates, and its prefix is the start of the
/// pass.
template <class T, class Policy>
struct spread_states {
  chunking<T, Policy> by;
  power_of<typename Policy::op_type, T, chunking<T, Policy>::Q> power;
  T* states;
  T const* above;  // null at the top level
  index_t count;   // aggregates per component
  index_t length;  // aggregates per chunk

  SAM_FUNCTION void operator()(index_t i) const {
    using config = chunking<T, Policy>;
    index_t const from = i / by.s * length;
    uninitialized_array<T, config::Q> state;
    bool known = above != nullptr && (i >= by.s || config::starts_known);
    if (known) {
      for (int q = 0; q < config::Q; ++q)
        state.at[q] = above[i * config::Q + q];
    } else if constexpr (config::starts_known) {
      for (int q = 0; q < config::Q; ++q)
        state.at[q] = by.first();
      known = true;
    }
    for (index_t k = from; k < min_of(from + length, count); ++k, known = true) {
      T* const place = states + (k * by.s + i % by.s) * config::Q;
      uninitialized_array<T, config::Q> accumulator;
      for (int q = 0; q < config::Q; ++q) {
        accumulator.at[q] = place[q];
        if (known)
          place[q] = state.at[q];
      }
      if (k + 1 == count)
        return;  // no chunk needs the prefix
      if (known)
        by.append(state.at, accumulator.at, power);
      else
        for (int q = 0; q < config::Q; ++q)
          state.at[q] = accumulator.at[q];
    }
  }
};

/// Scans the items of chunk i / s of component i % s from the chunk's exclusive prefix.
template <class Job, class T, class Policy>
struct scan_items {
  Job job;
  chunking<T, Policy> by;
  index_t n;
  T const* states;

  SAM_FUNCTION void operator()(index_t i) const {
    using config = chunking<T, Policy>;
    index_t at = i / by.s * config::length * by.s + i % by.s;
    uninitialized_array<T, config::Q> state;
    int rows = 0;
    if (i >= by.s || config::starts_known) {
      for (int q = 0; q < config::Q; ++q)
        state.at[q] = states[i * config::Q + q];
    } else {
      auto const item = job.load(at);
      state.at[0] = job.to_accumulator(item);
      job.store(at, item, state.at[0]);
      rows = 1, at += by.s;
    }
    for (; rows < config::length && at < n; ++rows, at += by.s) {
      auto const item = job.load(at);
      job.store(
          at, item,
          engine::step<config::Q, Policy::kind>(by.policy.op, state.at, job.to_accumulator(item)));
    }
  }
};

/// Runs `job` over n items. launch(label, count, f) queues the calls f(0) ... f(count - 1) after
/// all work queued before. reserve(n) returns memory for n values of Job::accumulator, which stays
/// valid until the work is done.
template <class Launch, class Reserve, job Job, class Policy>
void reduce_then_scan(Launch const& launch, Reserve const& reserve, index_t n, Job const& job,
                      Policy const& policy) {
  using T = typename Job::accumulator;
  using config = chunking<T, Policy>;
  using power = power_of<typename Policy::op_type, T, config::Q>;
  config const by{policy, engine::min_of(policy.components, n)};

  std::vector<index_t> counts{
      engine::div_up(engine::div_up(n, by.s), config::length)};  // chunks per component
  while (counts.back() > config::length)
    counts.push_back(engine::div_up(counts.back(), config::length));
  index_t values = 0;
  for (index_t const count : counts)
    values += count * by.s * config::Q;
  T* const base = reserve(values);

  // The last chunk of a level may be incomplete. Its aggregate is not computed, since no chunk
  // follows it.
  std::vector<T*> levels;
  std::vector<power> powers;
  index_t rows = config::length;
  T* next = base;
  for (index_t const count : counts) {
    levels.push_back(next);
    next += count * by.s * config::Q;
    if constexpr (config::algebra)
      powers.push_back(engine::zero_items<power>(Policy::kind, rows));
    else
      powers.push_back({});
    rows *= config::length;
  }
  auto const all = [&](index_t chunks) { return chunks * by.s; };
  launch("sam::reduce", all(counts[0] - 1), reduce_items<Job, T, Policy>{job, by, n, levels[0]});
  for (std::size_t l = 1; l < counts.size(); ++l)
    launch("sam::reduce", all(counts[l] - 1),
           reduce_aggregates<T, Policy>{by, powers[l - 1], levels[l - 1], levels[l]});
  for (std::size_t l = counts.size(); l-- > 0;) {
    bool const top = l + 1 == counts.size();
    launch("sam::spread", all(top ? 1 : counts[l + 1]),
           spread_states<T, Policy>{by, powers[l], levels[l], top ? nullptr : levels[l + 1],
                                    counts[l], config::length});
  }
  launch("sam::scan", engine::min_of(all(counts[0]), n),
         scan_items<Job, T, Policy>{job, by, n, levels[0]});
  if constexpr (config::rounds > 1) {
    auto const once = engine::one_round(policy);
    for (int r = 1; r < config::rounds; ++r)
      gpu::reduce_then_scan(launch, reserve, n, job.again(), once);
  }
}

/// Runs an elementwise job as a single kernel.
template <class Launch, class Reserve, job Job, class Policy>
requires elementwise<Job>
void reduce_then_scan(Launch const& launch, Reserve const&, index_t n, Job const& job,
                      Policy const&) {
  store_elementwise<Job> const all{job, n};
  launch("sam::for_each", all.threads(), all);
}

}  // namespace sam::inline v0_1::gpu
