// SPDX-License-Identifier: MIT
// Scans, selects or reduces segments of few items by two kernels, none of whose blocks waits for
// another.
//
// A block has one tile, which lies in registers (few_items_block.hpp) from the first load to the
// last store. Its number is that of its tile, so nothing is claimed:
//
//   1. The first kernel reduces tiles, and leaves the aggregate of each but the last.
//   2. The second loads and reduces its tile again while the first ends. Then its warps combine
//      the aggregates of all earlier tiles, and scan.
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

/// True if two kernels can run a job. They combine aggregates in other groups than the scan kernel
/// does, so that the bits of floats depend on whether they do.
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
  };

 public:
  static constexpr int shared_bytes = int(sizeof(shared_layout));
  static_assert(shared_bytes <= 48 << 10);

  SAM_DEVICE explicit two_kernel_scan(arguments const& a)
      : base(a.job, a.policy, a.tables, a.n, shared().items), shared_(shared()),
        memory_(*a.memory) {}

  /// The first kernel, which has no block for the last tile.
  SAM_DEVICE void sum() {
    Device::grid_dependency_wait();
    Device::grid_dependency_trigger();  // only now, so that the second kernel may load items
    bool const has_effect = this->has_effect();
    this->load();
    if (!has_effect)
      return;
    state below, all;
    this->scan_warp(below);
    if (warp_ > 0)
      return;
    this->combine_warps(W, all);
    if (lanes_.run == 0)
      gpu::to_words(all.at[0], [&](int w, std::uint32_t bits) { word_of(block_, w) = bits; });
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
    if (warp_ > 0)
      this->combine_warps(warp_, within);
    Device::grid_dependency_wait();
    sum_earlier_tiles();
    Device::sync_block();  // orders the writes of the tiles' aggregates before their reads
    bool known = this->begin_prefix(start);
    for (int part = 0; part * tiles_of_warp() < block_; ++part) {
      state of_part;
      of_part.at[0] = part_of_warp(part);
      this->append(start, known, of_part, tables_.tiles(1));
    }
    this->append_own(start, known, within, below);
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
  /// A word of a tile's aggregate.
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

  static SAM_DEVICE shared_layout& shared() {
    return *reinterpret_cast<shared_layout*>(Device::shared_memory());
  }

  shared_layout& shared_;
  exchange_memory& memory_;
};

}  // namespace sam::inline v0_1::gpu
