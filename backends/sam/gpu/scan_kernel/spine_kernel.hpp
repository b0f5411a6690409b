// SPDX-License-Identifier: MIT
// Scans the tiles' aggregates into their exclusive prefixes: the small kernel between the passes of
// a multi-pass scheme.
//
// One block runs. Each warp takes a range of consecutive tiles, and processes it in groups of one
// tile per run of lanes. It first reduces its range and then, from the aggregates of the earlier
// warps, scans it.
#pragma once

#include <sam/gpu/carry/multi_pass_states.hpp>

namespace sam::inline v0_1::gpu {

/// Holds the arguments of a launch.
template <class Device, class T, class Policy>
struct spine_arguments {
  using traits = policy_traits<Device, T, Policy>;
  Policy policy;
  power_tables<traits> tables;
  index_t aggregates;               // how many there are
  index_t of_warp;                  // aggregates per warp, a multiple of `runs`
  typename traits::power by_warps;  // the power of as many tiles
  T const* from;                    // the tiles' aggregates
  T* to;                            // the tiles' exclusive prefixes
};

/// Runs the kernel's only block.
template <class Device, class T, class Policy, int Warps>
class spine_block {
  using arguments = spine_arguments<Device, T, Policy>;
  using traits = policy_traits<Device, T, Policy>;
  using lanes_type = warp_state<Device, T, Policy>;
  using state = typename traits::state;
  static constexpr int Q = traits::Q;
  static constexpr int S = traits::S;
  static constexpr int group = traits::runs;
  /// Number of groups read at a time.
  static constexpr int batch = int(engine::max_of(1, 8 / (Q * words_of<T>)));

  struct shared_layout {
    typename traits::power::ring powers[tile_powers<traits>::values];
    uninitialized_array<T, S * Q> sums[Warps];
  };

 public:
  static constexpr int threads = Warps * Device::warp_size;
  static constexpr int shared_bytes = int(sizeof(shared_layout));

  /// Returns the arguments for tiles of `rows` rows.
  static arguments arguments_for(Policy const& policy, power_tables<traits> const& tables,
                                 index_t aggregates, index_t rows, T const* from, T* to) {
    index_t const of_warp = div_up(aggregates, Warps * group) * group;
    arguments a{policy, tables, aggregates, of_warp, {}, from, to};
    if constexpr (traits::algebra)
      a.by_warps = engine::zero_items<typename traits::power>(Policy::kind, rows * of_warp);
    return a;
  }

  SAM_DEVICE explicit spine_block(arguments const& a)
      : a_(a), lanes_(a.policy, Device::lane()),
        shared_(*reinterpret_cast<shared_layout*>(Device::shared_memory())), powers_{
                                                                                 shared_.powers} {}

  SAM_DEVICE void run() {
    int const warp = Device::warp();
    tile_powers<traits>::copy(a_.tables, shared_.powers, warp * Device::warp_size + Device::lane(),
                              threads);
    Device::sync_block();  // orders the writes of the powers before their reads
    index_t const from = warp * a_.of_warp;
    index_t const to = engine::min_of(from + a_.of_warp, a_.aggregates);
    state all;
    if (to == from + a_.of_warp) {  // no later warp needs an incomplete range
      walk<false>(from, to, all, false);
      if (lanes_.run == 0)
        for (int q = 0; q < Q; ++q)
          shared_.sums[warp].at[lanes_.component * Q + q] = all.at[q];
    }
    Device::sync_block();  // orders the writes of the warps' sums before their reads
    if (from >= to)
      return;
    if constexpr (traits::starts_known)
      lanes_.start(all);
    for (int w = 0; w < warp; ++w) {
      state sum;
      for (int q = 0; q < Q; ++q)
        sum.at[q] = shared_.sums[w].at[lanes_.component * Q + q];
      add(all, w > 0 || traits::starts_known, sum, a_.by_warps);
    }
    walk<true>(from, to, all, warp > 0 || traits::starts_known);
  }

 private:
  SAM_DEVICE void add(state& to, bool known, state const& later,
                      typename traits::power const& rows) const {
    if (known)
      lanes_.append(to, later, rows);
    else
      lanes_type::copy(later, to);
  }
  SAM_DEVICE index_t at(index_t tile) const { return (tile * S + lanes_.component) * Q; }

  /// Appends the aggregates of the full groups of tiles [from, to) to `all`, which has no value yet
  /// unless `known`. With `Stores`, it also stores the prefix after each tile as the exclusive
  /// prefix of the next.
  template <bool Stores>
  SAM_DEVICE void walk(index_t from, index_t to, state& all, bool known) const {
    for (; from < to; from += batch * group) {
      state part[batch];
      auto const tile = [&](int b) { return from + b * group + lanes_.run; };
      auto const mine = [&](int b) { return lanes_.run < group && tile(b) < to; };
#pragma unroll
      for (int b = 0; b < batch; ++b)
        if (mine(b))
          for (int q = 0; q < Q; ++q)
            part[b].at[q] = a_.from[at(tile(b)) + q];
#pragma unroll
      for (int b = 0; b < batch; ++b)
        lanes_.scan_runs(part[b], mine(b), powers_);
#pragma unroll
      for (int b = 0; b < batch; ++b) {
        if (Stores && mine(b)) {
          state upto;
          lanes_type::copy(all, upto);
          add(upto, known, part[b], powers_(lanes_.run + 1));
          for (int q = 0; q < Q; ++q)
            a_.to[at(tile(b) + 1) + q] = upto.at[q];
        }
        if (from + (b + 1) * group <= to) {
          state last;
          lanes_.from_run(part[b], group - 1, last);
          add(all, known, last, powers_(group));
          known = true;
        }
      }
    }
  }

  arguments const& a_;
  lanes_type lanes_;
  shared_layout& shared_;
  tile_powers<traits> powers_;
};

}  // namespace sam::inline v0_1::gpu
