// SPDX-License-Identifier: MIT
// Launches the sorts of few keys: by one block, by one cluster of blocks, or by several clusters or
// blocks whose sorted runs further kernels merge.
#ifndef SAM_LAUNCH_SORT_FEW_KEYS_HPP
#define SAM_LAUNCH_SORT_FEW_KEYS_HPP

#include <sam/gpu/sort/segmented/long_segments.hpp>
#include <sam/launch/device.hpp>
#include <sam/launch/runtime/for_each.hpp>
#include <sam/launch/runtime/launch.hpp>
#include <sam/launch/sort/launch_sort.hpp>
#include <sam/launch/sort/plan.hpp>

namespace sam::inline v0_1::SAM_GPU_WARPS {

template <class Job, class Config>
__global__ void SAM_LAUNCH_BOUNDS(gpu::block_radix_sort<device, Job, Config>::threads, 1)
    block_radix_sort_kernel(SAM_GRID_CONSTANT gpu::sort_arguments<Job> const arguments) {
  SAM_IF_TARGET gpu::block_radix_sort<device, Job, Config>(arguments).run();
}

template <class Job, class Config>
__global__ void SAM_LAUNCH_BOUNDS(gpu::cluster_counting_sort<device, Job, Config>::threads, 1)
    cluster_counting_sort_kernel(SAM_GRID_CONSTANT gpu::sort_arguments<Job> const arguments) {
  SAM_IF_TARGET if constexpr (device::has_clusters || Config::blocks == 1)
      gpu::cluster_counting_sort<device, Job, Config>(arguments)
          .run();
}

template <class Job, class Config>
__global__ void SAM_LAUNCH_BOUNDS(gpu::block_merge_sort<device, Job, Config>::most_threads, 1)
    block_merge_sort_kernel(SAM_GRID_CONSTANT gpu::sort_arguments<Job> const arguments) {
  SAM_IF_TARGET gpu::block_merge_sort<device, Job, Config>(arguments).run();
}

template <class Job, class Config>
__global__ void SAM_LAUNCH_BOUNDS(gpu::cluster_merge_sort<device, Job, Config>::most_threads, 1)
    cluster_merge_sort_kernel(SAM_GRID_CONSTANT gpu::sort_arguments<Job> const arguments) {
  SAM_IF_TARGET if constexpr (device::has_clusters)
      gpu::cluster_merge_sort<device, Job, Config>(arguments)
          .run();
}

template <class Job, class Config>
__global__ void SAM_LAUNCH_BOUNDS(gpu::global_merge<device, Job, Config>::threads, 1)
    global_merge_kernel(SAM_GRID_CONSTANT gpu::runs_arguments<Job> const arguments) {
  SAM_IF_TARGET if constexpr (device::has_clusters)
      gpu::global_merge<device, Job, Config>(arguments)
          .run();
}

// These kernels sort runs by blocks and merge them, where no cluster sorts runs.
template <class Job, class Config>
__global__ void SAM_LAUNCH_BOUNDS(gpu::block_run_sort<device, Job, Config>::most_threads, 1)
    block_run_sort_kernel(SAM_GRID_CONSTANT gpu::sort_arguments<Job> const arguments) {
  SAM_IF_TARGET gpu::block_run_sort<device, Job, Config>(arguments).run();
}
template <class Job, class Config>
__global__ void SAM_LAUNCH_BOUNDS(gpu::global_merge<device, Job, Config>::threads, 1)
    block_runs_merge_kernel(SAM_GRID_CONSTANT gpu::runs_arguments<Job> const arguments) {
  SAM_IF_TARGET gpu::global_merge<device, Job, Config>(arguments).run();
}

// These kernels read the number of keys from device memory.
template <class Job, class Config>
__global__ void SAM_LAUNCH_BOUNDS(gpu::block_radix_sort<device, Job, Config>::threads, 1)
    counted_sort_block_kernel(SAM_GRID_CONSTANT gpu::device_count_arguments<Job> const arguments) {
  SAM_IF_TARGET gpu::with_count<device, true>(
      arguments, [](auto const& a) { gpu::block_radix_sort<device, Job, Config>(a).run(); });
}
template <class Job, class Config>
__global__ void SAM_LAUNCH_BOUNDS(gpu::block_merge_sort<device, Job, Config>::most_threads, 1)
    counted_block_merge_kernel(SAM_GRID_CONSTANT gpu::device_count_arguments<Job> const arguments) {
  SAM_IF_TARGET gpu::with_count<device, true>(
      arguments, [](auto const& a) { gpu::block_merge_sort<device, Job, Config>(a).run(); });
}
template <class Job, class Config>
__global__ void SAM_LAUNCH_BOUNDS(gpu::cluster_merge_sort<device, Job, Config>::most_threads, 1)
    counted_cluster_merge_kernel(
        SAM_GRID_CONSTANT gpu::device_count_arguments<Job> const arguments) {
  SAM_IF_TARGET if constexpr (device::has_clusters) gpu::with_count<device, true>(
      arguments, [](auto const& a) { gpu::cluster_merge_sort<device, Job, Config>(a).run(); });
}
template <class Job, class Config>
__global__ void
SAM_LAUNCH_BOUNDS(gpu::global_merge<device, Job, Config>::threads, 1) counted_global_merge_kernel(
    SAM_GRID_CONSTANT gpu::device_count_arguments<Job, gpu::runs_arguments<Job>> const arguments) {
  SAM_IF_TARGET if constexpr (device::has_clusters) gpu::with_count<device, false>(
      arguments, [](auto const& a) { gpu::global_merge<device, Job, Config>(a).run(); });
}
/// Launches the rows of the plan that sort few keys. If HasDeviceCount, the number of keys is in
/// device memory and job.n is its upper bound.
template <class Job, bool HasDeviceCount>
class few_keys_launch {
  using key = typename gpu::radix_traits<Job>::key;
  using value = typename gpu::radix_traits<Job>::value;

 public:
  using arguments_type = std::conditional_t<HasDeviceCount, gpu::device_count_arguments<Job>,
                                            gpu::sort_arguments<Job>>;

  /// Returns an upper bound, in bytes, of the memory that start() needs for a row.
  template <class Row>
  static index_t workspace(std::type_identity<Row>, Job const&) {
    return 0;
  }
  template <class Config>
  static index_t workspace(std::type_identity<sort_rows::global_merge<Job, Config>>,
                           Job const& job) {
    return sort_rows::global_merge<Job, Config>::kernel::workspace(job);
  }
  template <class Config>
  static index_t workspace(std::type_identity<sort_rows::block_runs<Job, Config>>, Job const& job) {
    return sort_rows::block_runs<Job, Config>::kernel::workspace(job);
  }

  /// Queues the kernels of a row. Returns false, and queues nothing, if the device lacks the
  /// clusters that the row needs.
  template <class Config>
  static bool start(context& context, std::type_identity<sort_rows::block_radix<Job, Config>>,
                    arguments_type const& a, std::byte*) {
    using sort = gpu::block_radix_sort<device, Job, Config>;
    if constexpr (HasDeviceCount)
      self::launch_sort<sort>(context, &counted_sort_block_kernel<Job, Config>, 1, a);
    else
      self::launch_sort<sort>(context, &block_radix_sort_kernel<Job, Config>, 1, a);
    return true;
  }
  template <class Config>
  static bool start(context& context, std::type_identity<sort_rows::cluster_counting<Job, Config>>,
                    arguments_type const& a, std::byte*) {
    using counting = gpu::cluster_counting_sort<device, Job, Config>;
    auto* const kernel = &cluster_counting_sort_kernel<Job, Config>;
    constexpr int threads = counting::threads, bytes = counting::shared_bytes;
    if (Config::blocks == 1)
      self::resident_for_sort<counting>(context, kernel);
    else if (Config::blocks >
             self::blocks_of_cluster(context, kernel, Config::blocks, threads, bytes))
      return false;
    self::launch(context, kernel, Config::blocks, threads, bytes, a, true, Config::blocks);
    return true;
  }
  template <class Config>
  static bool start(context& context, std::type_identity<sort_rows::block_merge<Job, Config>>,
                    arguments_type const& a, std::byte*) {
    using merging = gpu::block_merge_sort<device, Job, Config>;
    auto* const kernel = [] {
      if constexpr (HasDeviceCount)
        return &counted_block_merge_kernel<Job, Config>;
      else
        return &block_merge_sort_kernel<Job, Config>;
    }();
    index_t const most =
        engine::min_of(merging::shared_bytes(merging::size), context.shared_bytes());
    self::resident_blocks(context, kernel, merging::most_threads, int(most));
    self::launch(context, kernel, 1, merging::threads(a.job.n), merging::shared_bytes(a.job.n), a);
    return true;
  }
  template <class Config>
  static bool start(context& context, std::type_identity<sort_rows::cluster_merge<Job, Config>>,
                    arguments_type const& a, std::byte*) {
    int const blocks = gpu::cluster_merge_sort<device, Job, Config>::blocks(a.job.n);
    auto* const kernel = cluster_kernel<Config>();
    if (!holds_clusters<Config>(context, kernel, blocks))
      return false;
    launch_clusters<Config>(context, kernel, 1, blocks, a);
    return true;
  }
  template <class Config>
  static bool start(context& context, std::type_identity<sort_rows::global_merge<Job, Config>>,
                    arguments_type const& a, std::byte* memory) {
    using merging = gpu::global_merge<device, Job, Config>;
    using cluster = typename Config::cluster;
    auto* const sorting_kernel = cluster_kernel<cluster>();
    if (!holds_clusters<cluster>(context, sorting_kernel, cluster::blocks))
      return false;
    auto const at = merging::layout(a.job);
    auto const in_turns = buffers_of_runs<merging>(a.job, memory, at);
    arguments_type of_runs = a;
    Job& job = of_runs.job;
    if constexpr (merging::are_numbered)
      copy_aside(context, memory, at.keys, at.values, job);
    of_runs.runs = in_turns.before(merging::rounds(job.n));
    launch_clusters<cluster>(context, sorting_kernel, merging::runs(job.n), cluster::blocks,
                             of_runs);
    auto* const kernel = [] {
      if constexpr (HasDeviceCount)
        return &counted_global_merge_kernel<Job, Config>;
      else
        return &global_merge_kernel<Job, Config>;
    }();
    share_half(context, reinterpret_cast<void const*>(kernel));
    auto const first = first_merge<merging>(of_runs);
    if constexpr (HasDeviceCount)
      merge_runs<merging>(context, kernel, {first, a.count}, in_turns);
    else
      merge_runs<merging>(context, kernel, first, in_turns);
    return true;
  }
  template <class Config>
  static bool start(context& context, std::type_identity<sort_rows::block_runs<Job, Config>>,
                    arguments_type const& a, std::byte* memory) {
    using merging = gpu::global_merge<device, Job, Config>;
    using block = typename Config::cluster;
    using sorting = gpu::block_run_sort<device, Job, block>;
    static_assert(!merging::are_numbered && !HasDeviceCount);
    static_assert(sorting::shared_bytes <= 48 << 10);  // what kernels may have anyway
    auto const in_turns = buffers_of_runs<merging>(a.job, memory, merging::layout(a.job));
    arguments_type of_runs = a;
    of_runs.runs = in_turns.before(merging::rounds(a.job.n));
    self::launch(context, &block_run_sort_kernel<Job, block>, merging::runs(a.job.n),
                 sorting::most_threads, sorting::shared_bytes, of_runs);
    merge_runs<merging>(context, &block_runs_merge_kernel<Job, Config>,
                        first_merge<merging>(of_runs), in_turns);
    return true;
  }

 private:
  /// The two arrays that hold runs by turns.
  template <class Stored>
  struct buffers {
    Stored* of[2];
    /// Returns where runs lie that so many rounds merge. The last round reads the first buffer: the
    /// second one of plain keys is the job's result, which that round writes.
    Stored* before(int rounds) const { return of[rounds % 2 == 0]; }
  };
  template <class Merging>
  static auto buffers_of_runs(Job const& job, std::byte* memory,
                              typename Merging::places const& at) {
    using stored = typename Merging::stored;
    auto const runs_at = [&](int k) { return reinterpret_cast<stored*>(memory + at.runs[k]); };
    if constexpr (Merging::are_numbered)
      return buffers<stored>{{runs_at(0), runs_at(1)}};
    else
      return buffers<stored>{
          {job.spare_keys != nullptr ? job.spare_keys : runs_at(0), job.sorted_keys}};
  }
  template <class Merging>
  static gpu::runs_arguments<Job> first_merge(arguments_type const& of_runs) {
    return {of_runs.job, nullptr, static_cast<typename Merging::stored*>(of_runs.runs),
            Merging::run_size};
  }
  /// Queues a kernel for each round of merges. The last one writes the job's result.
  template <class Merging, class Arguments>
  static void merge_runs(context& context, void (*kernel)(Arguments),
                         std::remove_const_t<Arguments> next,
                         buffers<typename Merging::stored> const& in_turns) {
    index_t const n = next.job.n;
    for (int left = Merging::rounds(n); left != 0; next.length *= 2) {
      next.from = next.to;
      next.to = --left == 0 ? nullptr : in_turns.before(left);
      self::launch(context, kernel, Merging::blocks(n), Merging::threads, 0, next);
    }
  }
  template <class Config>
  static auto* cluster_kernel() {
    if constexpr (HasDeviceCount)
      return &counted_cluster_merge_kernel<Job, Config>;
    else
      return &cluster_merge_sort_kernel<Job, Config>;
  }
  template <class Config>
  static bool holds_clusters(context& context, void (*kernel)(arguments_type), int of_cluster) {
    using merging = gpu::cluster_merge_sort<device, Job, Config>;
    return of_cluster <= self::blocks_of_cluster(context, kernel, merging::most_blocks,
                                                 merging::most_threads, merging::shared_bytes);
  }
  template <class Config>
  static void launch_clusters(context& context, void (*kernel)(arguments_type), index_t clusters,
                              int of_cluster, arguments_type const& a) {
    using merging = gpu::cluster_merge_sort<device, Job, Config>;
    self::launch(context, kernel, clusters * of_cluster, merging::most_threads,
                 merging::shared_bytes, a, true, of_cluster);
  }
  /// Copies keys and values that are sorted in place to `memory`, and makes the job read the
  /// copies.
  static void copy_aside(context& context, std::byte* memory, index_t keys_at, index_t values_at,
                         Job& job) {
    using copies = gpu::copies_of<Job>;
    copies const f{job.keys, job.values,
                   keys_at < 0 ? nullptr : reinterpret_cast<key*>(memory + keys_at),
                   values_at < 0 ? nullptr : reinterpret_cast<value*>(memory + values_at)};
    if (f.keys_to == nullptr && f.values_to == nullptr)
      return;
    self::for_each(context, "sam: copies of what is sorted in place", job.n, f, true);
    job.keys = f.keys_to != nullptr ? f.keys_to : job.keys;
    job.values = f.values_to != nullptr ? f.values_to : job.values;
  }
};

}  // namespace sam::inline v0_1::SAM_GPU_WARPS

#endif
