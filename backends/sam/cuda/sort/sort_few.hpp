// SPDX-License-Identifier: MIT
// Sorting few keys on a CUDA device: by one block, by a cluster of blocks, or by several clusters,
// whose runs are merged. Queued and checked.
#pragma once

#include <sam/cuda/device/device.hpp>
#include <sam/cuda/runtime/for_each.hpp>
#include <sam/cuda/runtime/launch.hpp>
#include <sam/gpu/sort/counting/count_block.hpp>
#include <sam/gpu/sort/merge/merge_runs.hpp>
#include <sam/gpu/sort/segmented/long_segments.hpp>
#include <sam/gpu/sort/sort_block.hpp>

#include <tuple>

namespace sam::cuda {

template <class Job, class Shape>
__global__ void __launch_bounds__(gpu::sort_block<device, Job, Shape>::threads, 1)
    sort_block_kernel(__grid_constant__ gpu::sort_arguments<Job> const arguments) {
  gpu::sort_block<device, Job, Shape>(arguments).run();
}

template <class Job, class Shape>
__global__ void __launch_bounds__(gpu::count_block<device, Job, Shape>::threads, 1)
    count_block_kernel(__grid_constant__ gpu::sort_arguments<Job> const arguments) {
  if constexpr (device::has_clusters || Shape::blocks == 1)
    gpu::count_block<device, Job, Shape>(arguments).run();
}

template <class Job, class Shape>
__global__ void __launch_bounds__(gpu::merge_block<device, Job, Shape>::most_threads, 1)
    merge_block_kernel(__grid_constant__ gpu::sort_arguments<Job> const arguments) {
  gpu::merge_block<device, Job, Shape>(arguments).run();
}

template <class Job, class Shape>
__global__ void __launch_bounds__(gpu::merge_cluster<device, Job, Shape>::most_threads, 1)
    merge_cluster_kernel(__grid_constant__ gpu::sort_arguments<Job> const arguments) {
  if constexpr (device::has_clusters)
    gpu::merge_cluster<device, Job, Shape>(arguments).run();
}

template <class Job, class Shape>
__global__ void __launch_bounds__(gpu::merge_runs<device, Job, Shape>::threads, 1)
    merge_runs_kernel(__grid_constant__ gpu::runs_arguments<Job> const arguments) {
  if constexpr (device::has_clusters)
    gpu::merge_runs<device, Job, Shape>(arguments).run();
}

// The same for as many keys as are known on the device.
template <class Job, class Shape>
__global__ void __launch_bounds__(gpu::sort_block<device, Job, Shape>::threads, 1)
    counted_sort_block_kernel(__grid_constant__ gpu::counted_arguments<Job> const arguments) {
  gpu::with_count<device>(arguments, 1,
                          [](auto const& a) { gpu::sort_block<device, Job, Shape>(a).run(); });
}

/// How many blocks of a kernel of a sort a multiprocessor holds.
template <class Shape, class Arguments>
int resident_for_sort(context& context, void (*kernel)(Arguments)) {
  int const resident = cuda::resident_blocks<Shape>(context, kernel);
  if (resident == 0)
    sam::detail::fail<device_error>("sam::cuda",
                                    "the device has too little shared memory for a sort",
                                    std::source_location::current());
  return resident;
}

/// Queues a kernel of a sort for so many tiles.
template <class Shape, class Arguments>
void launch_sort(context& context, void (*kernel)(Arguments), index_t tiles,
                 std::type_identity_t<Arguments> const& a) {
  index_t const resident = cuda::resident_for_sort<Shape>(context, kernel);
  cuda::launch(context, kernel, limited(context, tiles, resident * context.multiprocessors()),
               Shape::threads, Shape::shared_bytes, a);
}

/// Whether a shape's blocks form clusters: one, or several.
template <class Shape>
inline constexpr bool has_clusters = false;
template <int Warps, int Vectors, int Blocks, int Shared>
inline constexpr bool has_clusters<gpu::count_shape<Warps, Vectors, Blocks, Shared>> = Blocks > 1;
template <int Warps, int Slots, int Blocks>
inline constexpr bool has_clusters<gpu::cluster_shape<Warps, Slots, Blocks>> = true;
template <class Cluster, int Runs, int Warps, int Slots>
inline constexpr bool has_clusters<gpu::runs_shape<Cluster, Runs, Warps, Slots>> = true;

/// How a job of few keys is sorted under a tuning, by the first of its shapes that fits. If it is
/// counted, the device knows of how many keys, job.n at most.
template <class Job, class Tuning, bool IsCounted = false>
class few_keys_sorter {
  using key = typename gpu::sort_traits<Job>::key;
  using value = typename gpu::sort_traits<Job>::value;
  template <class Shape>
  using block = gpu::sort_block<device, Job, Shape>;
  template <class Shape>
  using count_block = gpu::count_block<device, Job, Shape>;
  template <class Shape>
  using merge_block = gpu::merge_block<device, Job, Shape>;
  template <class Shape>
  using merge_cluster = gpu::merge_cluster<device, Job, Shape>;
  template <class Shape>
  using merge_runs = gpu::merge_runs<device, Job, Shape>;

 public:
  using arguments_type =
      std::conditional_t<IsCounted, gpu::counted_arguments<Job>, gpu::sort_arguments<Job>>;

  /// Whether one block is sure to sort all keys. Whether clusters can be had is known only once
  /// they are asked for.
  static bool is_one_block(context const& context, Job const& job) {
    return with_shape(context, job, []<class Shape>(Shape) { return !has_clusters<Shape>; });
  }
  /// How many bytes of memory run() needs at most.
  static index_t workspace(context const& context, Job const& job) {
    index_t bytes = 0;
    with_shape(context, job, [&](auto shape) {
      bytes = workspace_of(shape, job);
      return has_clusters<decltype(shape)>;
    });
    return bytes;
  }
  /// False if nothing was queued: there are too many keys, or clusters cannot be had.
  static bool run(context& context, arguments_type const& a, std::byte* memory) {
    return with_shape(context, a.job, [&](auto shape) { return start(context, shape, a, memory); });
  }

 private:
  template <class Shape>
  static index_t workspace_of(Shape, Job const&) {
    return 0;
  }
  template <class Cluster, int Runs, int Warps, int Slots>
  static index_t workspace_of(gpu::runs_shape<Cluster, Runs, Warps, Slots> shape, Job const& job) {
    return merge_runs<decltype(shape)>::workspace(job);
  }

  template <class Shape>
  static auto* block_kernel() {
    if constexpr (IsCounted)
      return &counted_sort_block_kernel<Job, Shape>;
    else
      return &sort_block_kernel<Job, Shape>;
  }

  /// Calls f with each shape that fits, until f is true; false if it never is.
  template <class F>
  static bool with_shape(context const& context, Job const& job, F const& f) {
    auto const use = [&](auto shape) { return fits(context, shape, job) && f(shape); };
    return std::apply([&](auto... shapes) { return (use(shapes) || ...); },
                      typename Tuning::blocks{});
  }

  /// Whether there are clusters, and so many blocks are not more than a caller allows.
  static bool has_room_for(context const& context, index_t blocks) {
    return context.has_clusters() && limited(context, blocks, blocks) == blocks;
  }

  // By digits:
  template <class Shape>
  static bool fits(context const& context, Shape, Job const& job) {
    return job.n <= block<Shape>::size && block<Shape>::shared_bytes <= int(context.shared_bytes());
  }
  template <class Shape>
  static bool start(context& context, Shape, arguments_type const& a, std::byte*) {
    cuda::launch_sort<block<Shape>>(context, block_kernel<Shape>(), 1, a);
    return true;
  }
  // By counts alone, and maybe by several blocks; false if the device, or this part of it, holds no
  // such cluster.
  template <int Warps, int Vectors, int Blocks, int Shared>
  static bool fits(context const& context, gpu::count_shape<Warps, Vectors, Blocks, Shared> shape,
                   Job const& job) {
    using counting = count_block<decltype(shape)>;
    return !IsCounted && counting::takes(job) &&
           counting::shared_bytes <= int(context.shared_bytes()) &&
           (Blocks == 1 || has_room_for(context, Blocks));
  }
  template <int Warps, int Vectors, int Blocks, int Shared>
  static bool start(context& context, gpu::count_shape<Warps, Vectors, Blocks, Shared> shape,
                    arguments_type const& a, std::byte*) {
    using counting = count_block<decltype(shape)>;
    if constexpr (!IsCounted && counting::is_possible) {
      auto* const kernel = &count_block_kernel<Job, decltype(shape)>;
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
  static bool fits(context const& context, gpu::merge_shape<Warps, Slots> shape, Job const& job) {
    using merging = merge_block<decltype(shape)>;
    return !IsCounted && merging::takes(job) &&
           merging::shared_bytes(job.n) <= int(context.shared_bytes());
  }
  template <int Warps, int Slots>
  static bool start(context& context, gpu::merge_shape<Warps, Slots> shape, arguments_type const& a,
                    std::byte*) {
    using merging = merge_block<decltype(shape)>;
    if constexpr (!IsCounted && merging::is_possible) {
      auto* const kernel = &merge_block_kernel<Job, decltype(shape)>;
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
  static bool fits(context const& context, gpu::cluster_shape<Warps, Slots, Blocks> shape,
                   Job const& job) {
    using merging = merge_cluster<decltype(shape)>;
    return !IsCounted && merging::takes(job) && has_room_for(context, merging::blocks(job.n));
  }
  template <int Warps, int Slots, int Blocks>
  static bool start(context& context, gpu::cluster_shape<Warps, Slots, Blocks> shape,
                    arguments_type const& a, std::byte*) {
    using merging = merge_cluster<decltype(shape)>;
    int const blocks = merging::blocks(a.job.n);
    if (!holds_clusters<decltype(shape)>(context, blocks))
      return false;
    launch_clusters(context, shape, 1, blocks, a);
    return true;
  }
  template <class Shape>
  static bool holds_clusters(context& context, int of_cluster) {
    using merging = merge_cluster<Shape>;
    if constexpr (!IsCounted && merging::is_possible)
      return of_cluster <= cuda::blocks_of_cluster(context, &merge_cluster_kernel<Job, Shape>,
                                                   merging::most_blocks, merging::most_threads,
                                                   merging::shared_bytes);
    else
      return false;
  }
  template <class Shape>
  static void launch_clusters(context& context, Shape, index_t clusters, int of_cluster,
                              arguments_type const& a) {
    using merging = merge_cluster<Shape>;
    if constexpr (!IsCounted && merging::is_possible)
      cuda::launch(context, &merge_cluster_kernel<Job, Shape>, clusters * of_cluster,
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
  static bool fits(context const& context, gpu::runs_shape<Cluster, Runs, Warps, Slots> shape,
                   Job const& job) {
    using merging = merge_runs<decltype(shape)>;
    index_t const blocks =
        sam::max_of(merging::runs(job.n) * Cluster::blocks, merging::blocks(job.n));
    return !IsCounted && context.small_bytes() != 0 && merging::takes(job) &&
           has_room_for(context, blocks);
  }
  template <class Cluster, int Runs, int Warps, int Slots>
  static bool start(context& context, gpu::runs_shape<Cluster, Runs, Warps, Slots> shape,
                    arguments_type const& a, std::byte* memory) {
    using merging = merge_runs<decltype(shape)>;
    if constexpr (!IsCounted && merging::is_possible) {
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
      auto* const kernel = &merge_runs_kernel<Job, decltype(shape)>;
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
