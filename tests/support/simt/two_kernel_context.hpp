// SPDX-License-Identifier: MIT
// A back end that runs jobs by the two kernels of few items on fibers.
#pragma once

#include <sam/gpu/few_items/two_kernels.hpp>

#include "context.hpp"

#include <algorithm>
#include <memory>

namespace simt {

/// An execution context on fibers that runs what it can by two kernels, from two tiles on.
template <int Warp, class Config = sam::gpu::few_items_config<3, 4, 256>>
class two_kernel_context : public context<Warp> {
  using base = context<Warp>;

 public:
  static constexpr int tile_items = Config::warps * Config::items * Warp;  // of one component
  static constexpr int most_items =
      std::min(Config::blocks, Config::warps* Warp* sam::gpu::exchange_memory::together) *
      tile_items;

  explicit two_kernel_context(std::uint64_t seed) : base(3, seed), seed_(seed) {}
  /// The number of jobs that ran by two kernels.
  int pairs() const { return pairs_; }

  template <sam::engine::job Job, class Policy>
  void run(index_t n, Job const& job, Policy const& policy) {
    if constexpr (sam::engine::limiting_first<Job>)  // as launches do
      run(n, job.marked(), policy);
    else if (!runs_by_pair(n, job, policy))
      base::run(n, job, policy);
  }

 private:
  template <class Job, class Policy>
  bool runs_by_pair(index_t n, Job const& job, Policy const& policy) {
    using device_type = device<Warp>;
    if constexpr (sam::engine::elementwise<Job> || Policy::tuple_size > Warp ||
                  Policy::tuple_size == sam::run_time_tuple) {
      return false;
    } else if constexpr (sam::gpu::runs_by_two_kernels<device_type, Job, Policy>) {
      using kernels = sam::gpu::two_kernel_scan<device_type, Job, Policy, Config>;
      using traits = sam::gpu::policy_traits<device_type, typename Job::accumulator, Policy>;
      if (n <= kernels::block_items || n > kernels::most_items ||
          !sam::gpu::may_run_by_two_kernels(job))
        return false;
      typename kernels::arguments const arguments{
          job, policy, n,
          sam::gpu::power_tables<traits>::make(index_t{Config::items}, Config::warps),
          words_.get()};
      grid g = this->conditions;
      g.warps = Config::warps;
      g.warp_size = Warp;
      g.shared_bytes = kernels::shared_bytes;
      g.seed = seed_ + static_cast<std::uint64_t>(pairs_++);
      g.blocks = kernels::blocks_of_sums(n);
      launch(g, [&] { kernels(arguments).sum(); });
      g.blocks = kernels::blocks(n);
      launch(g, [&] { kernels(arguments).scan(); });
      return true;
    } else {
      return false;
    }
  }

  std::uint64_t seed_;
  int pairs_ = 0;
  std::unique_ptr<sam::gpu::exchange_memory> words_ = std::make_unique<sam::gpu::exchange_memory>();
};

}  // namespace simt
