// SPDX-License-Identifier: MIT
// Runs scans and other jobs over tiles on a CUDA device: chooses the kernels and their numbers of
// blocks, queues them and checks for errors. It reuses the memory that the context holds.
#ifndef SAM_LAUNCH_SCAN_RUN_HPP
#define SAM_LAUNCH_SCAN_RUN_HPP

#include <sam/gpu/fallback/move_kernel.hpp>
#include <sam/gpu/fallback/reduce_then_scan.hpp>
#include <sam/gpu/scan_kernel/multi_pass.hpp>
#include <sam/launch/device.hpp>
#include <sam/launch/runtime/for_each.hpp>
#include <sam/launch/runtime/launch.hpp>
#include <sam/launch/scan/occupancy.hpp>
#include <sam/launch/scan/plan.hpp>
#include <sam/launch/scan/reduce.hpp>
#include <sam/launch/scan/search.hpp>

#include <array>

namespace sam::inline v0_1::SAM_GPU_WARPS {

/// Runs gpu::scan_block as a kernel.
template <class Job, class Policy, class Config>
__global__ void SAM_LAUNCH_BOUNDS(gpu::scan_config<device, Job, Policy, Config>::threads,
                                  Config::blocks)
    scan_kernel(
        SAM_GRID_CONSTANT gpu::scan_arguments<device, Job, Policy, Config> const arguments) {
  SAM_IF_TARGET if constexpr (!(Config::for_run_time_stages && device::has_fixed_stages))
      gpu::scan_block<device, Job, Policy, Config>(arguments)
          .run();
}

/// Runs gpu::move_block as a kernel.
template <class Job>
__global__ void SAM_LAUNCH_BOUNDS(gpu::move_block<device, Job>::threads)
    move_kernel(SAM_GRID_CONSTANT gpu::move_arguments<Job> const arguments) {
  SAM_IF_TARGET gpu::move_block<device, Job>(arguments).run();
}

template <class T, class Policy>
using spine_block = gpu::spine_block<device, T, Policy, scan_tuning::spine_warps<T, Policy>>;
/// Runs gpu::spine_block as a kernel.
template <class T, class Policy>
__global__ void SAM_LAUNCH_BOUNDS(spine_block<T, Policy>::threads)
    spine_kernel(SAM_GRID_CONSTANT gpu::spine_arguments<device, T, Policy> const arguments) {
  SAM_IF_TARGET spine_block<T, Policy>(arguments).run();
}

/// Queues one kernel of a config for `tiles` tiles. Returns false if the device cannot run it.
/// descriptors() returns the memory of the tile descriptors, which form `rings` rings.
template <class Config, job Job, class Policy, class Descriptors>
bool launch_kernel(context& context, index_t n, index_t tiles, Job const& job, Policy const& policy,
                   typename gpu::scan_config<device, Job, Policy, Config>::tables const& tables,
                   Descriptors descriptors, index_t rings = 1) {
  using config = gpu::scan_config<device, Job, Policy, Config>;
  static_assert(self::context::smallest_ring_depth > 2 * config::lookback_type::classes);
  static_assert(config::threads <= device::most_warps * device::warp_size);
  range const named([&] {
    return "sam: scan of order " + std::to_string(Policy::order) + ", tuples of " +
           std::to_string(policy.components) + ", " + std::to_string(n) + " items";
  });
  auto* const kernel = &scan_kernel<Job, Policy, Config>;
  occupancy const use = self::occupancy_of<config>(context, kernel, config::threads);
  if (use.blocks == 0)
    return false;
  index_t const most = gpu::evenly_on(rings, index_t(use.blocks) * context.multiprocessors());
  self::launch(context, kernel, limited(context, tiles, most), config::threads, use.bytes,
               {job, policy, n, tables, descriptors(), use.stages});
  return true;
}

/// Queues the scan kernel for tuples of a fixed size. Returns false if the device cannot run it.
/// `states` are the arrays of aggregates and prefixes of a multi-pass scheme.
template <class Config, job Job, class Policy, class... States>
bool launch_scan(context& context, index_t n, Job const& job, Policy const& policy,
                 States... states) {
  using config = gpu::scan_config<device, Job, Policy, Config>;
  using traits = typename config::traits;
  static auto const tables = config::tables::make(config::items, config::warps);
  constexpr int words =
      sizeof...(States) == 0 ? gpu::words_of_slot<traits, typename Job::accumulator> : 0;
  return self::launch_kernel<Config>(
      context, n, engine::div_up(n, config::tile_items), job, policy, tables, [&] {
        return typename config::lookback_type::memory{context.ring_for(words), states...};
      });
}

/// Runs gpu::one_cluster_scan as a kernel.
template <class Job, class Policy, class Config>
__global__ void SAM_LAUNCH_BOUNDS(gpu::one_cluster_scan<device, Job, Policy, Config>::most_threads,
                                  1)
    one_cluster_kernel(
        SAM_GRID_CONSTANT gpu::one_cluster_arguments<device, Job, Policy> const arguments) {
  SAM_IF_TARGET gpu::one_cluster_scan<device, Job, Policy, Config>(arguments).run();
}

/// Returns the blocks of the cluster that runs n items by `kernel`, which is one_cluster_kernel; 0
/// if there are too many items, or if the device lacks the clusters that they need.
template <class Config, job Job, class Policy>
int blocks_for_cluster(context& context,
                       void (*kernel)(gpu::one_cluster_arguments<device, Job, Policy>), index_t n) {
  using scan = gpu::one_cluster_scan<device, Job, Policy, Config>;
  if (n == 0 || n > min_of(index_t{scan::most_items}, context.most_cluster_items()))
    return 0;
  int most = 1;
  if constexpr (Config::blocks > 1)
    if (context.has_clusters())
      most = self::blocks_of_cluster(context, kernel, Config::blocks, scan::most_threads,
                                     scan::shared_bytes);
  int const blocks = scan::blocks(n);
  return blocks <= max_of(1, most) ? blocks : 0;
}
/// Queues the kernel that runs few items in one block or one cluster of blocks. Returns false if
/// they do not fit there.
template <class Config, job Job, class Policy>
bool launch_one_cluster(context& context, index_t n, Job const& job, Policy const& policy) {
  using scan = gpu::one_cluster_scan<device, Job, Policy, Config>;
  using traits = gpu::policy_traits<device, typename Job::accumulator, Policy>;
  auto* const kernel = &one_cluster_kernel<Job, Policy, Config>;
  int const blocks = self::blocks_for_cluster<Config, Job, Policy>(context, kernel, n);
  if (blocks == 0)
    return false;
  if (Config::blocks == 1 && context.starts_early())
    self::share_half(context, reinterpret_cast<void const*>(kernel));
  range const named([&] { return "sam: one cluster, " + std::to_string(n) + " items"; });
  static auto const tables = gpu::power_tables<traits>::make(Config::items, Config::warps);
  self::launch(context, kernel, blocks, scan::threads(n), scan::shared_bytes,
               {job, policy, n, tables}, true, blocks);
  return true;
}

template <class Job, class Policy>
using two_kernel_block =
    gpu::two_kernel_scan<device, Job, Policy, scan_tuning::two_kernels<Job, Policy>>;

/// Runs the two kernels of gpu::two_kernel_scan.
template <class Job, class Policy>
__global__ void SAM_LAUNCH_BOUNDS(two_kernel_block<Job, Policy>::threads,
                                  scan_tuning::two_kernel_blocks)
    tile_sums_kernel(
        SAM_GRID_CONSTANT gpu::two_kernel_arguments<device, Job, Policy> const arguments) {
  SAM_IF_TARGET two_kernel_block<Job, Policy>(arguments).sum();
}
template <class Job, class Policy>
__global__ void SAM_LAUNCH_BOUNDS(two_kernel_block<Job, Policy>::threads,
                                  scan_tuning::two_kernel_blocks)
    tile_scans_kernel(
        SAM_GRID_CONSTANT gpu::two_kernel_arguments<device, Job, Policy> const arguments) {
  SAM_IF_TARGET two_kernel_block<Job, Policy>(arguments).scan();
}

/// True if two kernels are the fastest way to run a job. They are only in a graph: else the launch
/// of a second kernel costs the host more than it saves. They also need kernels that start early,
/// and outputs apart from the items of other tiles, which are loaded again.
template <job Job, class Policy>
bool suits_two_kernels(context& context, index_t n, Job const& job) {
  using block = two_kernel_block<Job, Policy>;
  if (n < scan_tuning::least_for_two_kernels<Job, Policy> ||
      n > scan_tuning::most_for_two_kernels<Job, Policy> || !gpu::may_run_by_two_kernels(job))
    return false;
  index_t const tiles = block::blocks(n);
  // A block's number is its tile's, so that a context with fewer blocks cannot run this.
  if (!context.starts_early() || self::limited(context, tiles, tiles) != tiles ||
      !self::is_captured(context.stream()))
    return false;
  if constexpr (!is_exact<typename Job::accumulator>) {
    using config = scan_tuning::cluster<Job, Policy>;
    return !self::is_large<Job, Policy>(n, context.small_bytes()) &&
           self::blocks_for_cluster<config, Job, Policy>(
               context, &one_cluster_kernel<Job, Policy, config>, n) > 0;
  }
  return true;
}
/// Queues the two kernels.
template <job Job, class Policy>
void run_by_two_kernels(context& context, index_t n, Job const& job, Policy const& policy) {
  using block = two_kernel_block<Job, Policy>;
  using config = scan_tuning::two_kernels<Job, Policy>;
  using traits = gpu::policy_traits<device, typename Job::accumulator, Policy>;
  static_assert(scan_tuning::least_for_two_kernels<Job, Policy> > block::block_items);  // two tiles
  range const named([&] { return "sam: two kernels, " + std::to_string(n) + " items"; });
  static auto const tables = gpu::power_tables<traits>::make(config::items, config::warps);
  int const tiles = block::blocks(n);
  auto const queue = [&](auto* kernel, int blocks) {
    self::launch_sharing_half(context, kernel, blocks, block::threads, block::shared_bytes,
                              {job, policy, n, tables, context.exchange()});
  };
  queue(&tile_sums_kernel<Job, Policy>, block::blocks_of_sums(n));
  queue(&tile_scans_kernel<Job, Policy>, tiles);
}

/// Queues the kernels of a multi-pass scheme, which share one config.
template <class Config, class T, class Policy>
class multi_pass_launcher {
 public:
  multi_pass_launcher(context& context, index_t n, index_t tiles, Policy const& policy)
      : context_(context), n_(n), tiles_(tiles), policy_(policy) {
    index_t const values = tiles * Policy::tuple_size * traits::Q;
    aggregates_ = static_cast<T*>(context.kernel_workspace(std::size_t(2 * values) * sizeof(T)));
    before_ = aggregates_ + values;
  }

  template <job Job, class Part>
  void tiles(Job const& job, Part const& part) const {
    if (!self::launch_scan<Config>(context_, n_, job, part, aggregates_, before_))
      sam::detail::fail<device_error>(
          platform::name,
          "the device has too little shared memory for a kernel of a multi-pass scheme",
          std::source_location::current());
  }
  void states() const {
    using block = spine_block<T, Policy>;
    auto* const kernel = &spine_kernel<T, Policy>;
    self::resident_blocks<block>(context_, kernel);
    index_t const rows = Config::warps * index_t{traits::runs} * Config::items;
    static auto const tables =
        gpu::power_tables<traits>::make(index_t{Config::items}, Config::warps);
    self::launch(context_, kernel, 1, block::threads, block::shared_bytes,
                 block::arguments_for(policy_, tables, tiles_ - 1, rows, aggregates_, before_),
                 false);
  }

 private:
  using traits = gpu::policy_traits<device, T, Policy>;
  context& context_;
  index_t n_, tiles_;
  Policy const& policy_;
  T *aggregates_, *before_;
};

template <class Config, job Job, class Policy>
requires multi_pass_scheme<typename Policy::carry>
bool launch_scan(context& context, index_t n, Job const& job, Policy const& policy) {
  using config = gpu::scan_config<device, Job, Policy, Config>;
  if (self::stages_for<config>(context, 1) == 0)
    return false;
  index_t const tiles = engine::div_up(n, config::tile_items);
  auto const scan =
      engine::with_carry_scheme<gpu::scan_tiles>(policy);  // one spine kernel for all schemes
  multi_pass_launcher<Config, typename Job::accumulator, std::remove_const_t<decltype(scan)>> const
      queue(context, n, tiles, scan);
  gpu::run_scheme(typename Policy::carry{}, queue, tiles, job, policy);
  return true;
}

/// Queues the kernel that scans column panels, for tuples of a size known only at run time. Returns
/// false if the device cannot run it.
template <class Config, job Job, class Policy>
bool launch_panels(context& context, index_t n, Job const& job, Policy const& policy) {
  using T = typename Job::accumulator;
  using config = gpu::scan_config<device, Job, Policy, Config>;
  using traits = typename config::traits;
  static_assert(self::context::smallest_panel_ring_depth >
                2 * config::lookback_warps);  // the depth of each ring
  static auto const tables = [] {
    std::array<typename config::tables, traits::algebra ? traits::runs : 1> for_runs;
    for (int r = 0; r < int(for_runs.size()); ++r)
      for_runs[std::size_t(r)] = config::tables::make(config::items, config::warps, r + 1);
    return for_runs;
  }();
  auto const by = gpu::panels::of<device>(n, policy.components, config::warps * config::items,
                                          int(sizeof(T)), context::most_rings);
  // Scans of items below 4 bytes are compute-bound and use all blocks. Others are memory-bound and
  // use a multiple of the number of rings.
  index_t const rings = sizeof(T) < 4 ? 1 : by.rings;
  return self::launch_kernel<Config>(
      context, n, by.all_tiles(), job, policy,
      tables[traits::algebra ? std::size_t(by.runs - 1) : 0],
      [&] { return context.ring_for(gpu::words_of_slot<traits, T>, by); }, rings);
}

// --- The algorithms of the plan ------------------------------------------------------------------

template <scan_algorithm Algorithm>
using by = std::integral_constant<scan_algorithm, Algorithm>;

/// Queues a job by the algorithm of the first row of the plan that holds.
template <job Job, class Policy>
void run_by_plan(context& context, index_t n, Job const& job, Policy const& policy);

/// Returns the job over all items, for kernels that do not ask a job how many there are.
template <job Job>
Job const& marked_job(Job const& job) {
  return job;
}
template <limiting_first Job>
auto const& marked_job(Job const& job) {
  return job.marked();
}

/// Runs a job by kernels that reduce runs of rows and scan them, or by one kernel if the job needs
/// no scan.
template <job Job, class Policy>
void run_by(by<scan_algorithm::chunks>, context& context, index_t n, Job const& job,
            Policy const& policy) {
  auto const launch = [&](char const* label, index_t count, auto const& f) {
    self::for_each(context, label, count, f);
  };
  auto const reserve = [&](index_t count) {
    using T = typename Job::accumulator;
    return static_cast<T*>(context.kernel_workspace(std::size_t(count) * sizeof(T)));
  };
  gpu::reduce_then_scan(launch, reserve, n, self::marked_job(job), policy);
}
template <job Job, class Policy>
void run_by(by<scan_algorithm::elementwise>, context& context, index_t n, Job const& job,
            Policy const&) {
  if constexpr (engine::moves_items<Job>)
    if (n <= limits::most_moved_early) {
      using block = gpu::move_block<device, Job>;
      range const named("sam::for_each");
      if (n > 0)
        self::launch(context, &move_kernel<Job>, engine::div_up(n, block::threads), block::threads,
                     0, {job, static_cast<std::uint32_t>(n)});
      return;
    }
  gpu::store_elementwise<Job, device::warp_size> const all{job, n};
  self::for_each(context, "sam::for_each", all.threads(), all);
}
template <job Job, class Policy>
void run_by(by<scan_algorithm::search>, context& context, index_t n, Job const& job,
            Policy const&) {
  self::queue_search_for_values(context, n, job);
}

/// Runs one scan of order 1 for each order.
template <job Job, class Policy>
void run_by(by<scan_algorithm::rounds>, context& context, index_t n, Job const& job,
            Policy const& policy) {
  auto const once = engine::one_round(policy);
  self::run_by_plan(context, n, job, once);
  for (int round = 1; round < Policy::order; ++round)
    self::run_by_plan(context, n, job.again(), once);
}

/// Queues a scan of column panels. With so few rows that a thread may take a column, the scan by
/// passes is a single kernel.
template <job Job, class Policy>
void run_by(by<scan_algorithm::column_panels>, context& context, index_t n, Job const& job,
            Policy const& policy) {
  using T = typename Job::accumulator;
  bool const few_rows = engine::div_up(n, gpu::chunking<T, Policy>::length) <= policy.components;
  if (few_rows || !self::launch_panels<scan_tuning::panels<T, Policy>>(context, n, job, policy))
    self::run_by(by<scan_algorithm::chunks>{}, context, n, job, policy);
}

/// Queues a reduction whose items may be regrouped.
template <job Job, class Policy>
void run_by(by<scan_algorithm::reduction>, context& context, index_t n, Job const& job,
            Policy const& policy) {
  self::launch_reduction(context, n, job, policy);
}

/// Queues a scan of tiles, with the large config if there are enough items and the device has
/// enough shared memory, else with the medium one if the job has one: a look-back takes as long for
/// a medium tile as for a small one. Reductions have a simpler kernel.
template <job Job, class Policy>
void launch_tiles(context& context, index_t n, Job const& job, Policy const& policy) {
  using large = scan_tuning::large<Job, Policy>;
  using small = scan_tuning::small<Job, Policy>;
  // Larger tiles would make in-place calls fail on some devices: see limits::largest_held.
  static_assert(!scattering<Job> ||
                gpu::scan_config<device, Job, Policy, small>::shared_bytes <= 64 << 10);
  bool const is_large = self::is_large<Job, Policy>(n, context.small_bytes());
  bool const has_large = is_large && self::has_large_tiles<Job, Policy>(context);
  if constexpr (gpu::reduces_by_tiles<device, Job, Policy>) {
    if (has_large)
      self::launch_tile_reduction<large>(context, n, job, policy);
    else
      self::launch_tile_reduction<small>(context, n, job, policy);
  } else {
    if (has_large && self::launch_scan<large>(context, n, job, policy))
      return;
    if constexpr (scan_tuning::has_medium<Job, Policy>)
      if (is_large && !context.has_fixed_stages() &&
          self::launch_scan<scan_tuning::medium<Job, Policy>>(context, n, job, policy))
        return;
    if (!self::launch_scan<small>(context, n, job, policy))
      sam::detail::fail<device_error>(platform::name,
                                      "the device has too little shared memory for the scan",
                                      std::source_location::current());
  }
}
/// Queues a scan of few items in one cluster or by two kernels, or a scan of tiles.
template <job Job, class Policy>
void run_by(by<scan_algorithm::tiles>, context& context, index_t n, Job const& job,
            Policy const& policy) {
  auto const& marked = self::marked_job(job);
  using Marked = std::remove_cvref_t<decltype(marked)>;
  if constexpr (scan_tuning::has_two_kernels<Marked, Policy>)
    if (self::suits_two_kernels<Marked, Policy>(context, n, marked))
      return self::run_by_two_kernels(context, n, marked, policy);
  if constexpr (scan_tuning::has_cluster<Marked, Policy>)
    if (!self::is_large<Marked, Policy>(n, context.small_bytes()) &&
        !engine::reads_overwritten(marked) &&
        self::launch_one_cluster<scan_tuning::cluster<Marked, Policy>>(context, n, marked, policy))
      return;
  self::launch_tiles(context, n, job, policy);
}

template <job Job, class Policy>
void run_by_plan(context& context, index_t n, Job const& job, Policy const& policy) {
  self::run_by(by<scan_algorithm_of<Job, Policy>>{}, context, n, job, policy);
}

/// Queues `job` over n items under a resolved policy. Frequent tuple sizes that are known only at
/// run time run as if they were known at compile time, and large ones as if they were not.
template <job Job, class Policy>
void queue_job(context& context, index_t n, Job const& job, Policy const& policy) {
  if constexpr (Policy::tuple_size == run_time_tuple && !elementwise<Job> &&
                single_pass_scheme<typename Policy::carry>) {
    if (policy.components == 1)
      return self::queue_job(context, n, job, engine::with_tuple_size<1>(policy));
    if constexpr (lanewise_operator<typename Policy::op_type, typename Job::accumulator>) {
      if (policy.components == 2)
        return self::queue_job(context, n, job, engine::with_tuple_size<2>(policy));
      if (policy.components == 3)
        return self::queue_job(context, n, job, engine::with_tuple_size<3>(policy));
      if (policy.components == 4)
        return self::queue_job(context, n, job, engine::with_tuple_size<4>(policy));
    }
  }
  if constexpr (Policy::tuple_size > device::warp_size)
    self::run_by_plan(context, n, job, engine::with_tuple_size<run_time_tuple>(policy));
  else
    self::run_by_plan(context, n, job, policy);
}

}  // namespace sam::inline v0_1::SAM_GPU_WARPS

#endif
