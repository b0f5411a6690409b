// SPDX-License-Identifier: MIT
// Scans, selects or reduces segments of few items by two kernels, none of whose blocks waits for
// another.
//
// A block has one tile, which lies in registers (few_items_block.hpp) from the first load to the
// last store. Its number is that of its tile, so nothing is claimed:
//
//   1. The first kernel reduces tiles, and leaves their aggregates.
//   2. The second loads and reduces its tile again while the first ends. Then its warps combine
//      the aggregates of all earlier tiles, and scan.
//
// Floats must get the same bits whether a call is captured or launched. So they are combined in the
// groups of the cluster that runs the launched call (one_cluster_kernel.hpp): the first kernel
// leaves the aggregates of warps, and each warp of the second combines those of one block of the
// cluster.
//
// The second kernel loads items before it waits for the first one. That is safe since the first one
// lets it start only behind its own wait: all kernels before have then ended, and what they wrote
// can be read. The first kernel writes nothing but aggregates, which the second reads behind its
// wait. No block of the second stores before that. Other blocks may load later, so no block may
// store over their items.
#pragma once

#include <sam/backend/job.hpp>
#include <sam/gpu/few_items/few_items_block.hpp>
#include <sam/gpu/grid/exchange_memory.hpp>

namespace sam::inline v0_1::gpu {

/// True if two kernels can run a job. Unless its config has groups, they combine aggregates in
/// other groups than other kernels do.
template <class Device, class Job, class Policy>
inline constexpr bool runs_by_two_kernels = [] {
  using T = typename Job::accumulator;
  using traits = policy_traits<Device, T, Policy>;
  if constexpr (!traits::fixed)
    return false;
  else
    return Policy::order == 1 && !traits::algebra && traits::Q == 1 && !uses_total<Job> &&
           (!reducing<Job> || engine::reducing_segments<Job>)&&traits::S * words_of<T> <=
               exchange_memory::most_words;
}();
/// True if no block of the second kernel stores over items of another.
template <class Job>
bool may_run_by_two_kernels([[maybe_unused]] Job const& job) {
  if constexpr (engine::scattering<Job> && requires { job.overwrites(); })
    return !job.overwrites();
  else
    return !engine::scattering<Job>;
}

/// Holds the arguments of both launches: the job, and the memory that keeps the tiles' aggregates
/// from the first to the second.
template <class Device, class Job, class Policy>
struct two_kernel_arguments {
  Job job;
  Policy policy;
  index_t n;
  power_tables<policy_traits<Device, typename Job::accumulator, Policy>> tables;
  exchange_memory* memory;
};

/// Runs a block of either kernel. There are at least two tiles.
template <class Device, class Job, class Policy, class Config>
class two_kernel_scan : few_items_block<Device, Job, Policy, Config> {
  using base = few_items_block<Device, Job, Policy, Config>;
  using base::block_, base::job_, base::lanes_, base::tables_, base::warp_, base::S, base::W,
      base::words;
  using typename base::T, typename base::state;
  static constexpr int together = exchange_memory::together;
  static_assert(runs_by_two_kernels<Device, Job, Policy>);
  static_assert(Config::blocks <= exchange_memory::most_blocks);
  /// The warps of a group, whose aggregates are combined first; 0 if groups do not matter.
  static constexpr int G = Config::group;
  static_assert(G == 0 || (S == 1 && G % W == 0 && G <= Device::warp_size && Config::blocks <= G &&
                           Config::blocks * W <= exchange_memory::most_blocks));

 public:
  using arguments = two_kernel_arguments<Device, Job, Policy>;
  using base::block_items, base::blocks;
  /// The most items: a lane loads the aggregates of one vector.
  static constexpr int most_items =
      engine::min_of(Config::blocks, W*(Device::warp_size / S) * exchange_memory::together) *
      block_items;
  static constexpr int threads = base::most_threads;

 private:
  struct shared_layout {
    typename base::shared_items items;
    uninitialized_array<T, W * S> parts;  // aggregates of the earlier tiles, a part for each warp
    uninitialized_array<T, G + 1> upto;   // those of the first warps of this tile's group
  };

 public:
  static constexpr int shared_bytes = int(sizeof(shared_layout));
  static_assert(shared_bytes <= 48 << 10);

  SAM_DEVICE explicit two_kernel_scan(arguments const& a)
      : base(a.job, a.policy, a.tables, a.n, shared().items), shared_(shared()),
        memory_(*a.memory) {}

  /// The blocks of the first kernel. Groups need the aggregates of the last tile's warps, too.
  static SAM_FUNCTION constexpr int blocks_of_sums(index_t n) {
    return blocks(n) - (G == 0 ? 1 : 0);
  }
  /// The first kernel.
  SAM_DEVICE void sum() {
    Device::grid_dependency_wait();
    Device::grid_dependency_trigger();  // only now, so that the second kernel may load items
    bool const has_effect = this->has_effect();
    this->load();
    if (!has_effect)
      return;
    state below, all;
    this->scan_warp(below);
    if constexpr (G > 0) {
      if (lanes_.run == 0)
        leave(warp_of_all(), this->sum_of_warp(warp_, 0));
    } else if (warp_ == 0) {
      this->combine_warps(W, all);
      if (lanes_.run == 0)
        leave(block_, all.at[0]);
    }
  }

  /// The second kernel.
  SAM_DEVICE void scan() {
    Device::grid_dependency_trigger();
    bool const has_effect = this->has_effect();
    bool const by_vectors = this->load();
    int const stored = this->stored();
    if (!has_effect)
      return;
    state below, within, start;
    this->scan_warp(below);
    if (G == 0 && warp_ > 0 && this->count_ > 0)
      this->combine_warps(warp_, within);
    Device::grid_dependency_wait();
    if constexpr (G > 0)
      combine_groups();
    else
      sum_earlier_tiles();
    Device::sync_block();  // orders the writes of aggregates before their reads
    bool known = this->begin_prefix(start);
    for (int part = 0; part < earlier_parts(); ++part) {
      state of_part;
      of_part.at[0] = part_of_warp(part);
      this->append(start, known, of_part, tables_.tiles(1));
    }
    if constexpr (G > 0) {
      int const warps = warp_of_all() % G;  // of the group, before this one
      if (warps > 0 && this->left_ > 0) {
        within.at[0] = shared_.upto.at[warps - 1];
        this->append(start, known, within, tables_.tiles(1));
      }
      if (lanes_.run > 0 && this->left_ > 0)
        this->append(start, known, below, tables_.tiles(1));
    } else {
      this->append_own(start, known, within, below);
    }
    this->scan_and_store(start, known, by_vectors, stored);
  }

 private:
  /// True unless the work says that only items before this tile have an effect. The first tile
  /// always runs: a kernel that has ended has also waited for the one before. Selections run all
  /// tiles, since the last item of all stores the count.
  SAM_DEVICE bool has_effect() const {
    if constexpr (engine::needing_first<Job>)
      return block_ == 0 || index_t{block_} * block_items < job_.needed();
    else
      return true;
  }
  /// Leaves the aggregate of a tile or a warp for the second kernel.
  SAM_DEVICE void leave(int at, T const& x) const {
    gpu::to_words(x, [&](int w, std::uint32_t bits) { word_of(at, w) = bits; });
  }
  /// A word of the aggregate of a tile or a warp.
  SAM_DEVICE std::uint32_t& word_of(int tile, int w) const {
    return memory_.aggregates[lanes_.component * words + w][tile / together].of[tile % together];
  }
  /// The aggregate of the earlier tiles that a warp combines.
  SAM_DEVICE T& part_of_warp(int warp) const {
    return shared_.parts.at[warp * S + lanes_.component];
  }
  SAM_DEVICE int tiles_of_warp() const { return lanes_.runs * together; }
  /// Combines the aggregates of all earlier tiles, of which each lane loads those of consecutive
  /// tiles at once. Most launches have no more tiles than one warp takes.
  SAM_DEVICE void sum_earlier_tiles() const {
    int const left = block_ - warp_ * tiles_of_warp();
    if (left <= 0)
      return;
    int const first = lanes_.run * together;
    bool const mine = lanes_.run < lanes_.runs && first < left;
    state sum, all;
    if (mine) {
      exchange_memory::vector x[words];
#pragma unroll
      for (int w = 0; w < words; ++w)
        x[w] = memory_.aggregates[lanes_.component * words + w][warp_ * lanes_.runs + lanes_.run];
#pragma unroll
      for (int u = 0; u < together; ++u)
        if (first + u < left) {
          T const next = gpu::from_words<T>([&](int w) { return x[w].of[u]; });
          sum.at[0] = u == 0 ? next : this->policy_.op(sum.at[0], next);
        }
    }
    Device::sync_warp();
    lanes_.scan_runs(
        sum, mine, [&](int d) -> auto& { return tables_.runs(d); });
    int const count = engine::min_of(left, tiles_of_warp());
    lanes_.from_run(sum, (count - 1) / together, all);
    if (lanes_.run == 0)
      part_of_warp(warp_) = all.at[0];
  }

  /// The number of this warp among those of all blocks.
  SAM_DEVICE int warp_of_all() const { return block_ * W + warp_; }
  /// The number of groups before that of this block, or of warps that combine earlier tiles.
  SAM_DEVICE int earlier_parts() const {
    if constexpr (G > 0)
      return block_ * W / G;
    else
      return engine::div_up(block_, tiles_of_warp());
  }
  /// Combines the aggregates of the warps of a group: all of an earlier one, or in this tile's
  /// group those up to each warp.
  SAM_DEVICE void combine_groups() const {
    if constexpr (G > 0) {
      if (warp_ > earlier_parts())
        return;
      int const lane = lanes_.run, at = warp_ * G + lane;
      // Warps behind this block may have no items, or no aggregate if nothing is wanted of them.
      bool const mine =
          lane < G && at < engine::min_of(int(this->n_ / base::warp_items), (block_ + 1) * W);
      state part;
      if (mine)
        part.at[0] = gpu::from_words<T>([&](int w) { return word_of(at, w); });
      lanes_.template scan_runs<G>(
          part, mine, [&](int d) -> auto& { return tables_.warps(d); });
      if (mine && warp_ == earlier_parts())
        shared_.upto.at[lane] = part.at[0];
      else if (mine && lane == G - 1)
        part_of_warp(warp_) = part.at[0];
    }
  }

  static SAM_DEVICE shared_layout& shared() {
    return *reinterpret_cast<shared_layout*>(Device::shared_memory());
  }

  shared_layout& shared_;
  exchange_memory& memory_;
};

}  // namespace sam::inline v0_1::gpu
