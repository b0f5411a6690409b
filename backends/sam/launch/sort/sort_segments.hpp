// SPDX-License-Identifier: MIT
// Launches the sort of few keys in segments that offsets describe: one kernel, and one more if
// segments may exceed a block. Which of them have work is known on the device only.
#ifndef SAM_LAUNCH_SORT_SORT_SEGMENTS_HPP
#define SAM_LAUNCH_SORT_SORT_SEGMENTS_HPP

#include <sam/gpu/sort/segmented/cluster_per_segment.hpp>
#include <sam/gpu/sort/segmented/segment_groups.hpp>
#include <sam/launch/sort/launch_sort.hpp>
#include <sam/launch/sort/tuning.hpp>

namespace sam::inline v0_1::SAM_GPU_WARPS {

template <class Job, class Offset>
using segment_groups =
    gpu::segment_groups<device, Job, Offset, typename sort_tuning<Job>::roomy_window>;
template <class Job>
using sort_by_clusters = gpu::sort_by_clusters<device, Job, typename sort_tuning<Job>::by_cluster>;

template <class Job, class Offset>
__global__ void SAM_LAUNCH_BOUNDS(segment_groups<Job, Offset>::threads, 1)
    segment_groups_kernel(SAM_GRID_CONSTANT gpu::group_arguments<Job, Offset> const arguments) {
  SAM_IF_TARGET segment_groups<Job, Offset>(arguments).run();
}

template <class Job>
__global__ void SAM_LAUNCH_BOUNDS(sort_by_clusters<Job>::threads, 1)
    sort_by_clusters_kernel(SAM_GRID_CONSTANT gpu::cluster_segment_arguments<Job> const arguments) {
  SAM_IF_TARGET if constexpr (device::has_clusters) sort_by_clusters<Job>(arguments).run();
}

/// Queues the kernels for one type of job.
template <class Job, class Offset>
class segment_sorter {
  using traits = gpu::radix_traits<Job>;
  using groups = segment_groups<Job, Offset>;
  using clusters = sort_by_clusters<Job>;
  static constexpr int most_blocks = 16;  // of a cluster

 public:
  /// Queues the sort. Returns false if there are too many keys, or if the device has too little
  /// shared memory.
  static bool run(context& context, Job const& job, Offset const* offsets, index_t segments) {
    if (!sort_tuning<Job>::sorts_groups(job.n, segments) ||
        groups::shared_bytes > int(context.shared_bytes()))
      return false;
    bool const may_be_long = job.n > groups::size;
    int of_cluster = 0;
    if (may_be_long) {
      if (!context.has_clusters() || clusters::shared_bytes > int(context.shared_bytes()))
        return false;
      of_cluster = self::blocks_of_cluster(context, &sort_by_clusters_kernel<Job>, most_blocks,
                                           clusters::threads, clusters::shared_bytes);
      if (index_t{of_cluster} * clusters::size < job.n)
        return false;
    }
    range const named(
        [&] { return "sam: sort of segments of " + std::to_string(job.n) + " keys"; });
    gpu::group_arguments<Job, Offset> arguments{job,     offsets, segments, 1,
                                                nullptr, 0,       nullptr,  context.sort_ranking()};
    arguments.group = group_of(context, job.n, segments);
    gpu::cluster_segment_arguments<Job> of_long{};
    if (may_be_long) {
      of_long = arguments_for_long(context, job);
      arguments.long_segments = const_cast<gpu::listed_segment*>(of_long.segments);
      arguments.most_long = of_long.most;
      arguments.shared = of_long.shared;
    }
    auto* const kernel = &segment_groups_kernel<Job, Offset>;
    self::resident_for_sort<groups>(context, kernel);
    self::launch(context, kernel, engine::div_up(segments, arguments.group), groups::threads,
                 groups::shared_bytes, arguments);
    if (may_be_long)
      self::launch(context, &sort_by_clusters_kernel<Job>,
                   of_cluster * clusters_for(context, job.n, of_cluster), clusters::threads,
                   clusters::shared_bytes, of_long, true, of_cluster);
    return true;
  }

  /// Returns an upper bound, in bytes, of the context's memory that `run` needs.
  static index_t workspace(index_t n) {
    return n > groups::size && n <= sort_tuning<Job>::most_in_groups ? layout(n).bytes : 0;
  }

 private:
  /// Returns the segments of a group: few, so that all multiprocessors get some.
  static int group_of(context const& context, index_t n, index_t segments) {
    index_t const items = engine::max_of(sort_tuning<Job>::least_of_group,
                                         engine::div_up(n, context.multiprocessors()));
    return int(engine::max_of(
        1, engine::min_of(groups::most_segments, items * segments / engine::max_of(n, 1))));
  }
  /// Returns the number of clusters: no more than there can be long segments.
  static index_t clusters_for(context const& context, index_t n, int of_cluster) {
    return engine::max_of(
        1, engine::min_of(n / (groups::size + 1), context.multiprocessors() / of_cluster));
  }
  /// The places of the arrays of the kernels for long segments, in bytes from the first on.
  struct layout {
    index_t indices, list, bytes;
    int most;
    explicit layout(index_t n)
        : indices(engine::div_up(n * index_t{sizeof(typename traits::held_key)}, 16) * 16),
          list(indices + (traits::keys_only
                              ? 0
                              : engine::div_up(n * index_t{sizeof(std::uint32_t)}, 16) * 16)),
          bytes(list), most(int(n / (groups::size + 1))) {
      bytes += most * index_t{sizeof(gpu::listed_segment)};
    }
  };
  static gpu::cluster_segment_arguments<Job> arguments_for_long(context& context, Job const& job) {
    layout const at(job.n);
    gpu::cluster_segment_arguments<Job> a{};
    a.job = job;
    a.most = at.most;
    auto* const memory = static_cast<std::byte*>(context.kernel_workspace(std::size_t(at.bytes)));
    a.buffer = reinterpret_cast<typename traits::held_key*>(memory);
    a.original_indices = reinterpret_cast<std::uint32_t*>(memory + at.indices);
    a.segments = reinterpret_cast<gpu::listed_segment*>(memory + at.list);
    a.shared = context.ring_for(0).shared;
    return a;
  }
};

/// Queues a sort of few keys in segments. Returns false, and queues nothing, if another way is
/// faster.
template <class Key, class Value, class Digits, class Offset>
bool queue_sort_of_segments(context& context, sort_job<Key, Value, Digits> const& job,
                            Offset const* offsets, index_t segments) {
  if constexpr (sizeof(Key) > 8)
    return false;
  else
    return segment_sorter<sort_job<Key, Value, Digits>, Offset>::run(context, job, offsets,
                                                                     segments);
}

}  // namespace sam::inline v0_1::SAM_GPU_WARPS

#endif
