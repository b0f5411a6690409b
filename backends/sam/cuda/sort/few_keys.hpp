// SPDX-License-Identifier: MIT
// Sorting few keys on a CUDA device: by one block, by a cluster of blocks, or by several clusters,
// whose runs are merged. Queued and checked.
#pragma once

#include <sam/cuda/device/device.hpp>
#include <sam/cuda/runtime/for_each.hpp>
#include <sam/cuda/runtime/launch.hpp>
#include <sam/gpu/sort/block_radix_sort.hpp>
#include <sam/gpu/sort/counting/cluster_counting_sort.hpp>
#include <sam/gpu/sort/merge/global_merge.hpp>
#include <sam/gpu/sort/segmented/long_segments.hpp>

#include <tuple>

namespace sam::cuda {

template <class Job, class Config>
__global__ void __launch_bounds__(gpu::block_radix_sort<device, Job, Config>::threads, 1)
    block_radix_sort_kernel(__grid_constant__ gpu::sort_arguments<Job> const arguments) {
  gpu::block_radix_sort<device, Job, Config>(arguments).run();
}

template <class Job, class Config>
__global__ void __launch_bounds__(gpu::cluster_counting_sort<device, Job, Config>::threads, 1)
    cluster_counting_sort_kernel(__grid_constant__ gpu::sort_arguments<Job> const arguments) {
  if constexpr (device::has_clusters || Config::blocks == 1)
    gpu::cluster_counting_sort<device, Job, Config>(arguments).run();
}

template <class Job, class Config>
__global__ void __launch_bounds__(gpu::block_merge_sort<device, Job, Config>::most_threads, 1)
    block_merge_sort_kernel(__grid_constant__ gpu::sort_arguments<Job> const arguments) {
  gpu::block_merge_sort<device, Job, Config>(arguments).run();
}

template <class Job, class Config>
__global__ void __launch_bounds__(gpu::cluster_merge_sort<device, Job, Config>::most_threads, 1)
    cluster_merge_sort_kernel(__grid_constant__ gpu::sort_arguments<Job> const arguments) {
  if constexpr (device::has_clusters)
    gpu::cluster_merge_sort<device, Job, Config>(arguments).run();
}

template <class Job, class Config>
__global__ void __launch_bounds__(gpu::global_merge<device, Job, Config>::threads, 1)
    global_merge_kernel(__grid_constant__ gpu::runs_arguments<Job> const arguments) {
  if constexpr (device::has_clusters)
    gpu::global_merge<device, Job, Config>(arguments).run();
}

// The same for as many keys as are known on the device.
template <class Job, class Config>
__global__ void __launch_bounds__(gpu::block_radix_sort<device, Job, Config>::threads, 1)
    counted_sort_block_kernel(__grid_constant__ gpu::device_count_arguments<Job> const arguments) {
  gpu::with_count<device>(
      arguments, 1, [](auto const& a) { gpu::block_radix_sort<device, Job, Config>(a).run(); });
}

/// How many blocks of a kernel of a sort a multiprocessor holds.
template <class Config, class Arguments>
int resident_for_sort(context& context, void (*kernel)(Arguments)) {
  int const resident = cuda::resident_blocks<Config>(context, kernel);
  if (resident == 0)
    sam::detail::fail<device_error>("sam::cuda",
                                    "the device has too little shared memory for a sort",
                                    std::source_location::current());
  return resident;
}

/// Queues a kernel of a sort for so many tiles.
template <class Config, class Arguments>
void launch_sort(context& context, void (*kernel)(Arguments), index_t tiles,
                 std::type_identity_t<Arguments> const& a) {
  index_t const resident = cuda::resident_for_sort<Config>(context, kernel);
  cuda::launch(context, kernel, limited(context, tiles, resident * context.multiprocessors()),
               Config::threads, Config::shared_bytes, a);
}

/// Whether a config's blocks form clusters: one, or several.
template <class Config>
inline constexpr bool has_clusters = false;
template <int Warps, int Vectors, int Blocks, int Shared>
inline constexpr bool has_clusters<gpu::cluster_counting_config<Warps, Vectors, Blocks, Shared>> =
    Blocks > 1;
template <int Warps, int Slots, int Blocks>
inline constexpr bool has_clusters<gpu::cluster_merge_config<Warps, Slots, Blocks>> = true;
template <class Cluster, int Runs, int Warps, int Slots>
inline constexpr bool has_clusters<gpu::global_merge_config<Cluster, Runs, Warps, Slots>> = true;

/// How a job of few keys is sorted under a tuning, by the first of its configs that fits. If it is
/// counted, the device knows of how many keys, job.n at most.
template <class Job, class Tuning, bool HasDeviceCount = false>
class few_keys_sorter {
  using key = typename gpu::radix_traits<Job>::key;
  using value = typename gpu::radix_traits<Job>::value;
  template <class Config>
  using block = gpu::block_radix_sort<device, Job, Config>;
  template <class Config>
  using cluster_counting_sort = gpu::cluster_counting_sort<device, Job, Config>;
  template <class Config>
  using block_merge_sort = gpu::block_merge_sort<device, Job, Config>;
  template <class Config>
  using cluster_merge_sort = gpu::cluster_merge_sort<device, Job, Config>;
  template <class Config>
  using global_merge = gpu::global_merge<device, Job, Config>;

 public:
  using arguments_type = std::conditional_t<HasDeviceCount, gpu::device_count_arguments<Job>,
                                            gpu::sort_arguments<Job>>;

  /// Whether one block is sure to sort all keys. Whether clusters can be had is known only once
  /// they are asked for.
  static bool is_one_block(context const& context, Job const& job) {
    return with_config(context, job, []<class Config>(Config) { return !has_clusters<Config>; });
  }
  /// How many bytes of memory run() needs at most.
  static index_t workspace(context const& context, Job const& job) {
    index_t bytes = 0;
    with_config(context, job, [&](auto config) {
      bytes = workspace_of(config, job);
      return has_clusters<decltype(config)>;
    });
    return bytes;
  }
  /// False if nothing was queued: there are too many keys, or clusters cannot be had.
  static bool run(context& context, arguments_type const& a, std::byte* memory) {
    return with_config(context, a.job,
                       [&](auto config) { return start(context, config, a, memory); });
  }

 private:
  template <class Config>
  static index_t workspace_of(Config, Job const&) {
    return 0;
  }
  template <class Cluster, int Runs, int Warps, int Slots>
  static index_t workspace_of(gpu::global_merge_config<Cluster, Runs, Warps, Slots> config,
                              Job const& job) {
    return global_merge<decltype(config)>::workspace(job);
  }

  template <class Config>
  static auto* block_kernel() {
    if constexpr (HasDeviceCount)
      return &counted_sort_block_kernel<Job, Config>;
    else
      return &block_radix_sort_kernel<Job, Config>;
  }

  /// Calls f with each config that fits, until f is true; false if it never is.
  template <class F>
  static bool with_config(context const& context, Job const& job, F const& f) {
    auto const use = [&](auto config) { return fits(context, config, job) && f(config); };
    return std::apply([&](auto... configs) { return (use(configs) || ...); },
                      typename Tuning::blocks{});
  }

  /// Whether there are clusters, and so many blocks are not more than a caller allows.
  static bool has_room_for(context const& context, index_t blocks) {
    return context.has_clusters() && limited(context, blocks, blocks) == blocks;
  }

  // By digits:
  template <class Config>
  static bool fits(context const& context, Config, Job const& job) {
    return job.n <= block<Config>::size &&
           block<Config>::shared_bytes <= int(context.shared_bytes());
  }
  template <class Config>
  static bool start(context& context, Config, arguments_type const& a, std::byte*) {
    cuda::launch_sort<block<Config>>(context, block_kernel<Config>(), 1, a);
    return true;
  }
  // By counts alone, and maybe by several blocks; false if the device, or this part of it, holds no
  // such cluster.
  template <int Warps, int Vectors, int Blocks, int Shared>
  static bool fits(context const& context,
                   gpu::cluster_counting_config<Warps, Vectors, Blocks, Shared> config,
                   Job const& job) {
    using counting = cluster_counting_sort<decltype(config)>;
    return !HasDeviceCount && counting::takes(job) &&
           counting::shared_bytes <= int(context.shared_bytes()) &&
           (Blocks == 1 || has_room_for(context, Blocks));
  }
  template <int Warps, int Vectors, int Blocks, int Shared>
  static bool start(context& context,
                    gpu::cluster_counting_config<Warps, Vectors, Blocks, Shared> config,
                    arguments_type const& a, std::byte*) {
    using counting = cluster_counting_sort<decltype(config)>;
    if constexpr (!HasDeviceCount && counting::is_possible) {
      auto* const kernel = &cluster_counting_sort_kernel<Job, decltype(config)>;
      constexpr int threads = counting::threads, bytes = counting::shared_bytes;
      if (Blocks == 1)
        cuda::resident_for_sort<counting>(context, kernel);
      else if (Blocks > cuda::blocks_of_cluster(context, kernel, Blocks, threads, bytes))
        return false;
      cuda::launch(context, kernel, Blocks, threads, bytes, a, true, Blocks);
    }
    return true;
  }
  // By comparisons, of as many keys as the host knows of:
  template <int Warps, int Slots>
  static bool fits(context const& context, gpu::block_merge_config<Warps, Slots> config,
                   Job const& job) {
    using merging = block_merge_sort<decltype(config)>;
    return !HasDeviceCount && merging::takes(job) &&
           merging::shared_bytes(job.n) <= int(context.shared_bytes());
  }
  template <int Warps, int Slots>
  static bool start(context& context, gpu::block_merge_config<Warps, Slots> config,
                    arguments_type const& a, std::byte*) {
    using merging = block_merge_sort<decltype(config)>;
    if constexpr (!HasDeviceCount && merging::is_possible) {
      auto* const kernel = &block_merge_sort_kernel<Job, decltype(config)>;
      index_t const most =
          sam::min_of(merging::shared_bytes(merging::size), context.shared_bytes());
      cuda::resident_blocks(context, kernel, merging::most_threads, int(most));
      cuda::launch(context, kernel, 1, merging::threads(a.job.n), merging::shared_bytes(a.job.n),
                   a);
    }
    return true;
  }
  // And by several blocks; false if the device, or this part of it, holds no such cluster.
  template <int Warps, int Slots, int Blocks>
  static bool fits(context const& context, gpu::cluster_merge_config<Warps, Slots, Blocks> config,
                   Job const& job) {
    using merging = cluster_merge_sort<decltype(config)>;
    return !HasDeviceCount && merging::takes(job) && has_room_for(context, merging::blocks(job.n));
  }
  template <int Warps, int Slots, int Blocks>
  static bool start(context& context, gpu::cluster_merge_config<Warps, Slots, Blocks> config,
                    arguments_type const& a, std::byte*) {
    using merging = cluster_merge_sort<decltype(config)>;
    int const blocks = merging::blocks(a.job.n);
    if (!holds_clusters<decltype(config)>(context, blocks))
      return false;
    launch_clusters(context, config, 1, blocks, a);
    return true;
  }
  template <class Config>
  static bool holds_clusters(context& context, int of_cluster) {
    using merging = cluster_merge_sort<Config>;
    if constexpr (!HasDeviceCount && merging::is_possible)
      return of_cluster <= cuda::blocks_of_cluster(context, &cluster_merge_sort_kernel<Job, Config>,
                                                   merging::most_blocks, merging::most_threads,
                                                   merging::shared_bytes);
    else
      return false;
  }
  template <class Config>
  static void launch_clusters(context& context, Config, index_t clusters, int of_cluster,
                              arguments_type const& a) {
    using merging = cluster_merge_sort<Config>;
    if constexpr (!HasDeviceCount && merging::is_possible)
      cuda::launch(context, &cluster_merge_sort_kernel<Job, Config>, clusters * of_cluster,
                   merging::most_threads, merging::shared_bytes, a, true, of_cluster);
  }
  /// Copies what has a place in that memory to there, and says that it lies there.
  static void copy_aside(context& context, std::byte* memory, index_t keys_at, index_t values_at,
                         Job& job) {
    using copies = gpu::copies_of<Job>;
    copies const f{job.keys, job.values,
                   keys_at < 0 ? nullptr : reinterpret_cast<key*>(memory + keys_at),
                   values_at < 0 ? nullptr : reinterpret_cast<value*>(memory + values_at)};
    if (f.keys_to == nullptr && f.values_to == nullptr)
      return;
    share_half(context, reinterpret_cast<void const*>(&for_each_kernel<copies>));
    cuda::for_each(context, "sam: copies of what is sorted in place", job.n, f);
    job.keys = f.keys_to != nullptr ? f.keys_to : job.keys;
    job.values = f.values_to != nullptr ? f.values_to : job.values;
  }
  // And by several clusters, where large tiles are not asked for.
  template <class Cluster, int Runs, int Warps, int Slots>
  static bool fits(context const& context,
                   gpu::global_merge_config<Cluster, Runs, Warps, Slots> config, Job const& job) {
    using merging = global_merge<decltype(config)>;
    index_t const blocks =
        sam::max_of(merging::runs(job.n) * Cluster::blocks, merging::blocks(job.n));
    return !HasDeviceCount && context.small_bytes() != 0 && merging::takes(job) &&
           has_room_for(context, blocks);
  }
  template <class Cluster, int Runs, int Warps, int Slots>
  static bool start(context& context, gpu::global_merge_config<Cluster, Runs, Warps, Slots> config,
                    arguments_type const& a, std::byte* memory) {
    using merging = global_merge<decltype(config)>;
    if constexpr (!HasDeviceCount && merging::is_possible) {
      if (!holds_clusters<Cluster>(context, Cluster::blocks))
        return false;
      using stored = typename merging::stored;
      auto const at = merging::layout(a.job);
      auto const runs_at = [&](int k) { return reinterpret_cast<stored*>(memory + at.runs[k]); };
      stored* in_turns[2];
      if constexpr (merging::are_numbered) {
        in_turns[0] = runs_at(0);
        in_turns[1] = runs_at(1);
      } else {
        in_turns[0] = a.job.spare_keys != nullptr ? a.job.spare_keys : runs_at(0);
        in_turns[1] = a.job.sorted_keys;  // the last is the result
      }
      arguments_type of_runs = a;
      Job& job = of_runs.job;
      index_t const n = job.n;
      if constexpr (merging::are_numbered)
        copy_aside(context, memory, at.keys, at.values, job);
      int left = merging::rounds(n);
      of_runs.runs = in_turns[left % 2 == 0];
      launch_clusters(context, Cluster{}, merging::runs(n), Cluster::blocks, of_runs);
      auto* const kernel = &global_merge_kernel<Job, decltype(config)>;
      share_half(context, reinterpret_cast<void const*>(kernel));
      gpu::runs_arguments<Job> next{job, nullptr, static_cast<stored*>(of_runs.runs),
                                    merging::run_size};
      for (; left != 0; next.length *= 2) {
        next.from = next.to;
        next.to = --left == 0 ? nullptr : in_turns[left % 2 == 0];
        cuda::launch(context, kernel, merging::blocks(n), merging::threads, 0, next);
      }
      return true;
    } else {
      return false;
    }
  }
};

}  // namespace sam::cuda
