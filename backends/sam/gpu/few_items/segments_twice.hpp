// SPDX-License-Identifier: MIT
// Reduces segments by two kernels, none of whose blocks waits for another.
//
// A block has one tile, which lies in registers from the first load to the last store. Its number
// is that of its tile, so nothing is claimed:
//
//   1. The lanes of a warp load consecutive items, and each thread reduces a run of consecutive
//      ones.
//   2. Warps scan the aggregates of runs, and after a barrier combine those of the warps before.
//   3. The first kernel leaves the aggregate of each tile but the last.
//   4. The second repeats 1 and 2 while the first ends. Then the first warp of each block combines
//      the aggregates of all earlier tiles, and threads store the totals that end in their runs.
//
// The second kernel loads items before it waits for the first one. That is safe since the first one
// lets it start only behind its own wait: all kernels before have then ended, and what they wrote
// can be read. The first kernel writes nothing but aggregates, which the second reads behind its
// wait. No block of the second stores before that, and outputs must not lie over items, since other
// blocks may load later.
#pragma once

#include <sam/gpu/few_items/one_cluster_kernel.hpp>
#include <sam/gpu/grid/exchange_memory.hpp>

namespace sam::inline v0_1::gpu {

/// Configures blocks of `Warps` warps with `Items` items a thread, of which a multiprocessor has
/// room for `Blocks`.
template <int Warps, int Items, int Blocks>
struct segments_config {
  static constexpr int warps = Warps;
  static constexpr int items = Items;
  static constexpr int blocks = Blocks;
};

/// Holds the arguments of both launches: the job, and the memory that keeps the tiles' aggregates
/// from the first to the second.
template <class Device, class Job, class Policy>
struct segments_arguments {
  Job job;
  Policy policy;
  index_t n;
  power_tables<policy_traits<Device, typename Job::accumulator, Policy>> tables;
  exchange_memory* memory;
};

/// Runs a block of either kernel. There are at most `most_tiles` tiles, and at least two.
template <class Device, class Job, class Policy, class Config>
class segments_twice {
  using T = typename Job::accumulator;
  using item = typename Job::item;
  using traits = policy_traits<Device, T, Policy>;
  using lanes_type = warp_state<Device, T, Policy>;
  using state = typename traits::state;
  static constexpr int I = Config::items;
  static constexpr int W = Config::warps;
  static constexpr int lanes = Device::warp_size;
  static_assert(traits::fixed && traits::starts_known && traits::S == 1 && !traits::algebra &&
                W <= lanes);

 public:
  using arguments = segments_arguments<Device, Job, Policy>;
  static constexpr int warp_items = lanes * I;
  static constexpr int tile_items = W * warp_items;
  static constexpr int threads = W * lanes;
  static constexpr int most_tiles = 256;

 private:
  static constexpr int rows_of_words = exchange_memory::most_blocks / most_tiles;
  static_assert(words_of<T> <= 2 * rows_of_words, "the memory of counts");
  struct shared_layout {
    uninitialized_array<T, W> sums;   // aggregates of the warps
    uninitialized_array<T, 1> start;  // the exclusive prefix of the tile
    uninitialized_array<T, staged_items<Device, T>::places(warp_items)> staged[W];
  };

 public:
  static constexpr int shared_bytes = int(sizeof(shared_layout));
  static_assert(shared_bytes <= 48 << 10);

  SAM_DEVICE explicit segments_twice(arguments const& a)
      : a_(a), lanes_(a.policy, Device::lane()),
        shared_(*reinterpret_cast<shared_layout*>(Device::shared_memory())), tile_(Device::block()),
        warp_(Device::warp()), begin_(index_t{tile_} * tile_items + warp_ * warp_items),
        count_(int(engine::max_of(engine::min_of(a.n - begin_, index_t{warp_items}), 0))),
        left_(engine::max_of(engine::min_of(count_ - Device::lane() * I, I), 0)) {}

  /// The first kernel, which has no block for the last tile.
  SAM_DEVICE void sum() {
    Device::grid_dependency_wait();
    Device::grid_dependency_trigger();  // only now, so that the second kernel may load items
    state below, all;
    scan_warp(below);
    if (warp_ > 0)
      return;
    combine_warps(W, all);
    if (Device::lane() == 0)
      gpu::to_words(all.at[0], [&](int w, std::uint32_t bits) { word_of(tile_, w) = bits; });
  }

  /// The second kernel.
  SAM_DEVICE void reduce() {
    Device::grid_dependency_trigger();
    state below, within;
    scan_warp(below);
    if (warp_ > 0 && count_ > 0)
      combine_warps(warp_, within);
    if (warp_ == 0) {
      Device::grid_dependency_wait();
      find_start();
    }
    Device::sync_block();  // orders the write of the tile's prefix before its reads
    if (left_ == 0)
      return;
    T before = shared_.start.at[0];
    if (warp_ > 0)
      before = a_.policy.op(before, within.at[0]);
    if (Device::lane() > 0)
      before = a_.policy.op(before, below.at[0]);
    store(before);
  }

 private:
  SAM_DEVICE T& staged(int at) const {
    return shared_.staged[warp_].at[staged_items<Device, T>::place(at)];
  }
  /// A word of a tile's aggregate.
  SAM_DEVICE std::uint32_t& word_of(int tile, int w) const {
    return a_.memory->counts[w / rows_of_words][w % rows_of_words * most_tiles + tile];
  }

  /// Loads the warp's items, leaves their aggregate in shared memory, and computes that of the
  /// warp's items before the thread's run, which is valid from the second lane on.
  SAM_DEVICE void scan_warp(state& below) {
    if (count_ > 0) {
      load();
      state sum;
      sum.at[0] = run_.at[0];
#pragma unroll
      for (int k = 1; k < I; ++k)
        if (k < left_)
          sum.at[0] = a_.policy.op(sum.at[0], run_.at[k]);
      lanes_.scan_runs(
          sum, left_ > 0, [&](int d) -> auto& { return a_.tables.runs(d); });
      lanes_.from_below(sum, 1, below);
      if (Device::lane() == (count_ - 1) / I)
        shared_.sums.at[warp_] = sum.at[0];
    }
    Device::sync_block();  // orders the writes of the warps' aggregates before their reads
  }
  /// Loads items with consecutive ones in consecutive lanes, and passes each thread the aggregates
  /// of its run. The last item also stands for those that a warp lacks.
  SAM_DEVICE void load() {
    uninitialized_array<item, I> items;
#pragma unroll
    for (int k = 0; k < I; ++k) {
      int const at = k * lanes + Device::lane();
      items.at[k] = a_.job.load(begin_ + (at < count_ ? at : count_ - 1));
    }
#pragma unroll
    for (int k = 0; k < I; ++k)
      staged(k * lanes + Device::lane()) = a_.job.to_accumulator(items.at[k]);
    Device::sync_warp();  // orders the writes of the aggregates before their reads
#pragma unroll
    for (int k = 0; k < I; ++k)
      run_.at[k] = staged(Device::lane() * I + k);
  }
  /// Combines the aggregates of the first `upto` warps of the block, which all are full.
  SAM_DEVICE void combine_warps(int upto, state& all) const {
    state part;
    bool const mine = Device::lane() < upto;
    if (mine)
      part.at[0] = shared_.sums.at[Device::lane()];
    lanes_.template scan_runs<W>(
        part, mine, [&](int d) -> auto& { return a_.tables.warps(d); });
    lanes_.from_run(part, upto - 1, all);
  }

  /// Computes the exclusive prefix of the tile, by the first warp. Each lane combines the
  /// aggregates of consecutive tiles.
  SAM_DEVICE void find_start() const {
    state start, sum, all;
    lanes_.start(start);
    if (tile_ > 0) {
      constexpr int together = 4;
      int const of_lane = engine::div_up(tile_, lanes);
      int const first = Device::lane() * of_lane;
      int const end = engine::min_of(first + of_lane, tile_);
#pragma unroll 1
      for (int from = first; from < end; from += together) {
        uninitialized_array<T, together> x;
#pragma unroll
        for (int u = 0; u < together; ++u)
          if (from + u < end)
            x.at[u] = gpu::from_words<T>([&](int w) { return word_of(from + u, w); });
#pragma unroll
        for (int u = 0; u < together; ++u)
          if (from + u < end)
            sum.at[0] = from + u == first ? x.at[u] : a_.policy.op(sum.at[0], x.at[u]);
      }
      Device::sync_warp();
      lanes_.scan_runs(
          sum, first < end, [&](int d) -> auto& { return a_.tables.runs(d); });
      lanes_.from_run(sum, (tile_ - 1) / of_lane, all);
      start.at[0] = a_.policy.op(start.at[0], all.at[0]);
    }
    if (Device::lane() == 0)
      shared_.start.at[0] = start.at[0];
  }

  /// Passes the job each head of the thread's run and the last item of all, with the prefix before
  /// it. `before` is the prefix of the run.
  SAM_DEVICE void store(T before) const {
    index_t const first = begin_ + Device::lane() * I;
#pragma unroll
    for (int k = 0; k < I; ++k)
      if (k < left_) {
        if (run_.at[k].heads != 0 || first + k + 1 == a_.n)
          a_.job.store(first + k, a_.job.load(first + k), before);
        before = a_.policy.op(before, run_.at[k]);
      }
  }

  arguments const& a_;
  lanes_type const lanes_;
  shared_layout& shared_;
  int const tile_, warp_;
  index_t const begin_;  // the index of the warp's first item
  int const count_;      // the number of its items
  int const left_;       // the number of items of the thread
  uninitialized_array<T, I> run_;
};

}  // namespace sam::inline v0_1::gpu
