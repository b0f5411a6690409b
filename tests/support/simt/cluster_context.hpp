// SPDX-License-Identifier: MIT
// A back end that runs scans by the kernel of one cluster on fibers.
#pragma once

#include <sam/gpu/few_items/one_cluster_kernel.hpp>
#include <sam/gpu/few_items/split_in_cluster.hpp>
#include <sam/gpu/scan/reduce_kernel.hpp>
#include <sam/gpu/scan/split_block.hpp>

#include "context.hpp"

namespace simt {

/// An execution context on fibers whose clusters are so small that a few hundred items fill them.
/// It takes no more items than a cluster does. Blocks that reduce in any order, or that partition
/// after a count, have some numbers of warps.
template <int Warp, class Cluster = sam::gpu::few_items_config<4, 4, 3>, int ReduceWarps = 3,
          int SplitWarps = 4>
class cluster_context : public context<Warp> {
  using base = context<Warp>;
  template <class Job, class Policy>
  using scan = sam::gpu::one_cluster_scan<device<Warp>, Job, Policy, Cluster>;

 public:
  static constexpr bool limits_items = false;  // a cluster's kernel does not ask a job

  explicit cluster_context(std::uint64_t seed) : base(3, seed), cluster_seed_(seed) {}
  /// The number of calls that ran in a cluster.
  int clusters() const { return clusters_; }

  /// The number of blocks by which reductions in any order run; 0 if they run in a cluster.
  int reduce_blocks = 0;
  /// The words by which blocks exchange values.
  sam::gpu::exchange_memory words{};
  /// The number of blocks that partition items, and of the tiles that each keeps, or `counts_first`
  /// if two kernels partition them; 0 blocks if a cluster does.
  static constexpr int counts_first = -1;
  int split_blocks = 0, held = 0;

  template <sam::engine::job Job, class Policy>
  void run(index_t n, Job const& job, Policy const& policy) {
    if constexpr (sam::engine::elementwise<Job> || Policy::tuple_size > Warp ||
                  Policy::tuple_size == sam::run_time_tuple) {
      base::run(n, job, policy);
    } else if constexpr (Policy::order == 1 ||
                         sam::engine::has_algebra<typename Job::accumulator, Policy>) {
      if constexpr (sam::gpu::reduces_in_any_order<Job, Policy>)
        if (reduce_blocks > 0)
          return launch_reduction(n, job, policy);
      if (n == 0 || n > scan<Job, Policy>::most_items)
        throw failure("a cluster does not take so many items");
      launch_cluster(n, job, policy);
    } else {
      auto const once = sam::engine::one_round(policy);
      run(n, job, once);
      for (int round = 1; round < Policy::order; ++round)
        run(n, job.again(), once);
    }
  }
  template <class Item, class Count, class Kind>
  bool split(sam::engine::split_job<Item, Count, Kind> const& job) {
    return split_any(job);
  }
  template <class Item, class Count, class Kind, class Number>
  bool split_first(sam::engine::first_split_job<Item, Count, Kind, Number> const& job) {
    return split_any(job);
  }
  template <class Offset, sam::engine::job Job, class Policy>
  void run_marked(sam::engine::mark_job<Offset> const& marks, index_t n, Job const& job,
                  Policy const& policy) {
    run(n, sam::gpu::marked_job<Job, Offset>{job, marks}, policy);
  }
  template <sam::engine::job First, sam::engine::job Second, class Policy>
  void run_two(index_t n, First const& first, Second const& second, Policy const& policy) {
    run(n, first, policy);
    run(n, second, policy);
  }

 private:
  template <class Split>
  bool split_any(Split const& job) {
    if (split_blocks > 0)
      return split_by_blocks(job);
    run(job.n, sam::gpu::split_in_cluster<Split>{job},
        sam::engine::resolve_policy<sam::engine::bound::exclusive>(
            sam::scan_policy<sam::plus>{}, sam::engine::from_value<std::uint32_t>{0}));
    return true;
  }
  template <class Job, class Policy>
  void launch_reduction(index_t n, Job const& job, Policy const& policy) {
    using block = sam::gpu::reduce_block<device<Warp>, Job, Policy, ReduceWarps>;
    int const warps = block::warps(n, job, reduce_blocks);
    sam::gpu::reduce_arguments<Job, Policy> const arguments{
        job, policy, n, &words, warps, (reduce_blocks + 1) / 2};
    grid g = this->conditions;
    g.blocks = reduce_blocks;
    g.warps = warps;
    g.warp_size = Warp;
    g.shared_bytes = block::shared_bytes;
    g.seed = cluster_seed_ + words.launches;
    launch(g, [&] { block(arguments).run(); });
    if (words.claims != 0 || words.sum != 0)
      throw failure("claims or a sum are left");
  }
  template <class Split>
  bool split_by_blocks(Split const& job) {
    using block = sam::gpu::split_block<device<Warp>, Split, SplitWarps>;
    index_t const tiles = sam::engine::div_up(job.n, block::tile_items);
    index_t const of_block = sam::engine::div_up(tiles, split_blocks);
    sam::gpu::split_arguments<Split> const arguments{job, &words, static_cast<int>(of_block),
                                                     std::max(held, 0)};
    grid g = this->conditions;
    g.blocks = static_cast<int>(sam::engine::div_up(tiles, of_block));
    g.warps = block::threads / Warp;
    g.warp_size = Warp;
    g.shared_bytes = block::shared_bytes_of(std::max(held, 0));
    g.seed = cluster_seed_ + words.launches;
    if (held == counts_first) {
      launch(g, [&] { block(arguments).count(); });
      launch(g, [&] { block(arguments).place(); });
    } else {
      launch(g, [&] { block(arguments).run(); });
    }
    return true;
  }
  template <class Job, class Policy>
  void launch_cluster(index_t n, Job const& job, Policy const& policy) {
    using kernel = scan<Job, Policy>;
    using traits =
        sam::gpu::policy_traits<typename base::device_type, typename Job::accumulator, Policy>;
    typename kernel::arguments const arguments{
        job, policy, n,
        sam::gpu::power_tables<traits>::make(index_t{Cluster::items}, Cluster::warps)};
    grid g = this->conditions;
    g.blocks = kernel::blocks(n);
    g.warps = kernel::threads(n) / Warp;
    g.warp_size = Warp;
    g.shared_bytes = kernel::shared_bytes;
    g.seed = cluster_seed_ + static_cast<std::uint64_t>(clusters_++);
    launch(g, [&] { kernel(arguments).run(); });
  }
  std::uint64_t cluster_seed_;
  int clusters_ = 0;
};
static_assert(sam::context<cluster_context<32>>);

}  // namespace simt
