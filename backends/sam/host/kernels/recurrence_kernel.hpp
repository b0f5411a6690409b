// SPDX-License-Identifier: MIT
// This header defines the kernel that sends numbers through a recursive filter of order q. A state
// is q numbers, and the kernel combines the states of runs by powers of z that it computes
// beforehand.
#pragma once

#include <sam/algebra/filter_ring.hpp>
#include <sam/backend/job.hpp>
#include <sam/host/kernels/state.hpp>
#include <sam/host/simd/simd.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>

namespace sam::inline v0_1::host {

/// True if a job is a recurrence (filter) of arithmetic values of at most 8 bytes, which vectors
/// can hold.
template <class Job>
concept fits_filter = recurrence<Job> && std::is_arithmetic_v<output_of<Job>> &&
                      sizeof(output_of<Job>) <= 8;

/// Presents a filter job to the scan engine as a scan of terms.
template <fits_filter Job>
struct filter_terms_of {
  using item = typename Job::item;
  using accumulator = output_of<Job>;
  Job job;

  item load(index_t i) const { return job.load(i); }
  accumulator to_accumulator(item const& x) const { return static_cast<accumulator>(x); }
  void store(index_t i, item const&, accumulator const& y) const { job.target()[i] = y; }
  auto reads() const { return job.reads(); }
  item load(index_t i, item const* x) const { return job.load(i, x); }
  accumulator const* source() const requires std::is_same_v<item, accumulator> {
    return job.source();
  }
  accumulator* target() const { return job.target(); }
};

/// Scans the terms of a recurrence, for single-pass schemes. Its states are those of the
/// filter_ring. scalar_kernel.hpp describes the kernel interface.
///
/// Each lane holds one run of consecutive items of a block, so a vector goes through the filter
/// like a single item. A first sweep computes the state behind each run, from a zero state. The
/// log-step method combines these states: carrying a state across K runs multiplies it by a
/// precomputed power of z. A second sweep filters every run again, from the state before it.
///
/// The dependent chain from block to block is therefore one product long. The two sweeps overlap,
/// because the first one works on the next block.
template <class Job, class Policy>
class recurrence_kernel {
  using T = output_of<Job>;
  using ring_type = decltype(Job::ring);
  using state_type = typename ring_type::value;
  static constexpr int Q = ring_type::order;
  using lane = typename lane_type<T, plus>::type;
  using V = vec<lane>;
  static constexpr int W = lanes<lane>;
  static constexpr int run = std::max(chunk<lane>, vector_bytes == 64 ? 16 : 8);
  static constexpr int block = run * W;
  static constexpr int steps = std::bit_width(unsigned{W}) - 1;

 public:
  static constexpr int rounds = 1;
  static constexpr bool takes_reversed = false;

  recurrence_kernel(Job const& job, Policy const& policy) : ring_(job.ring) {
    if constexpr (Policy::starts_known)
      start_ = job.state(policy.start.value);
    for (int k = 0; k < Q; ++k)
      c_[k] = static_cast<lane>(ring_.c[k]);
    state_type const over_run = ring_.power(run);
    state_type power = over_run;
    for (int k = 0; k < steps; ++k, power = ring_.multiply(power, power))
      for (int to = 1 << k; to < W; ++to)
        put_rows(power, to, over_runs_[k]);
    for (int l = 0; l < W; ++l)
      put_rows(power, l, over_block_);
    power = ring_.power(0);
    for (int to = 0; to < W; ++to, power = ring_.multiply(power, over_run))
      put_rows(power, to, to_runs_);
  }

  /// The number of items below which no block is whole, so that filter_few gives the same results.
  static constexpr index_t least_items = block;
  /// Filters items one by one, without a kernel, whose tables take longer to compute than few
  /// items.
  static void filter_few(Job const& job, Policy const& policy, index_t n) {
    ring_type const ring = job.ring;
    state_type last{};
    if constexpr (Policy::starts_known)
      last = job.state(policy.start.value);
    T* const out = job.target();
    for (index_t i = 0; i < n; ++i) {
      last = next(ring, last, static_cast<T>(job.load(i)));
      out[i] = last.at[Q - 1];
    }
  }

  index_t width() const { return Q; }
  index_t granule() const { return block; }
  index_t piece_granule() const { return block; }
  index_t part_aggregates(index_t) const { return 0; }
  void set_tile_items(index_t items) { over_tile_ = ring_.power(items); }

  bool start(T* state) const {
    std::copy_n(start_.at, Q, state);
    return true;
  }

  void reduce(T const* items, index_t count, T* accumulator, T*) const {
    lane_states sum = states_behind_runs(items);
    for (index_t i = block; i < count; i += block)
      sum = moved(over_block_, sum, states_behind_runs(items + i));
    sum = put_together(sum);
    for (int k = 0; k < Q; ++k)
      accumulator[k] = static_cast<T>(sum.at[k][W - 1]);
  }

  void place(T*, index_t, T*, bool) const {}

  void append(T* state, T const* tile) const {
    state_type const carried = ring_.multiply(as_state(state), over_tile_);
    std::copy_n(ring_.add(carried, as_state(tile)).at, Q, state);
  }

  void scan(T const* items, T* out, index_t count, index_t, T* state, bool, T const*) const {
    index_t i = 0;
    if (count >= block) {
      lane_states carry;
      for (int k = 0; k < Q; ++k)
        carry.at[k] = host::all_lanes(static_cast<lane>(state[k]));
      lane_states next = put_together(states_behind_runs(items));
      for (; i + block <= count; i += block) {
        lane_states const upto = next;
        if (i + 2 * block <= count)
          next = put_together(states_behind_runs(items + (i + block)));
        scan_block(items + i, out + i, upto, carry);
      }
      for (int k = 0; k < Q; ++k)
        state[k] = static_cast<T>(carry.at[k][0]);
    }
    state_type last = as_state(state);
    for (; i < count; ++i) {
      last = next(ring_, last, items[i]);
      out[i] = last.at[Q - 1];
    }
    std::copy_n(last.at, Q, state);
  }

 private:
  using lane_states = polynomial<V, Q>;
  // Carries a state forward. Row k of the matrix is a power of z times z^k, and multiplies
  // coefficient k of the state.
  using rows = V[std::size_t{Q}][std::size_t{Q}];

  void put_rows(state_type power, int to_run, rows& to) const {
    for (int k = 0; k < Q; ++k, power = ring_.shifted(power))
      for (int j = 0; j < Q; ++j)
        to[k][j][host::lane_of<lane>(to_run)] = static_cast<lane>(power.at[j]);
  }

  static state_type next(ring_type const& ring, state_type const& last, T item) {
    return ring.add(ring.shifted(last), engine::monomial<T, Q>(item, Q - 1));
  }

  static state_type as_state(T const* values) {
    state_type state;
    std::copy_n(values, Q, state.at);
    return state;
  }

  // Returns `then` plus `state` carried forward by the matrix `on`.
  [[gnu::always_inline]] static lane_states moved(rows const& on, lane_states const& state,
                                                  lane_states then) {
#pragma GCC unroll 16
    for (int j = 0; j < Q; ++j)
#pragma GCC unroll 16
      for (int k = 0; k < Q; ++k)
        then.at[j] += on[k][j] * state.at[k];
    return then;
  }

  // Sends one item in each lane through the filter.
  [[gnu::always_inline]] void step(lane_states& state, V x) const {
    V const last = state.at[Q - 1];
#pragma GCC unroll 16
    for (int k = Q - 1; k > 0; --k)
      state.at[k] = c_[Q - 1 - k] * last + (k == Q - 1 ? state.at[k - 1] + x : state.at[k - 1]);
    state.at[0] = Q == 1 ? c_[0] * last + x : c_[Q - 1] * last;
  }

  [[gnu::always_inline]] lane_states states_behind_runs(T const* items) const {
    V v[std::size_t{run}];
    host::load_in_order<run, lane>(v, items);
    host::to_columns<run, lane>(v);
    lane_states state{};
    state.at[Q - 1] = v[0];
#pragma GCC unroll 16
    for (int r = 1; r < run; ++r)
      step(state, v[r]);
    return state;
  }

  template <int Runs>
  [[gnu::always_inline]] static lane_states move_up(lane_states state) {
#pragma GCC unroll 16
    for (int k = 0; k < Q; ++k)
      state.at[k] = host::move_up_runs<Runs, lane>(V{}, state.at[k]);
    return state;
  }

  // Converts the state behind each run alone to the state behind that run and all runs before it.
  [[gnu::always_inline]] lane_states put_together(lane_states state) const {
    host::unrolled<steps>(
        [&](auto k) { state = moved(over_runs_[k], move_up<1 << k>(state), state); });
    return state;
  }

  [[gnu::always_inline]] void scan_block(T const* items, T* out, lane_states const& upto,
                                         lane_states& carry) const {
    V v[std::size_t{run}];
    host::load_in_order<run, lane>(v, items);
    host::to_columns<run, lane>(v);
    lane_states before = moved(to_runs_, carry, move_up<1>(upto));
#pragma GCC unroll 16
    for (int r = 0; r < run; ++r) {
      step(before, v[r]);
      v[r] = before.at[Q - 1];
    }
    lane_states last;
#pragma GCC unroll 16
    for (int k = 0; k < Q; ++k)
      last.at[k] = host::repeat_last<1, lane>(upto.at[k]);
    carry = moved(over_block_, carry, last);
    host::to_rows<run, lane>(v);
#pragma GCC unroll 16
    for (int r = 0; r < run; ++r)
      host::store(out + r * W, v[r]);
  }

  rows over_runs_[std::size_t{steps}]{},  // 0 in lanes with no run before them
      over_block_, to_runs_;
  ring_type ring_;
  lane c_[std::size_t{Q}];
  state_type over_tile_{}, start_{};
};

}  // namespace sam::inline v0_1::host
