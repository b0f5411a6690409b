// SPDX-License-Identifier: MIT
// Launches the sort of few keys in segments that offsets describe: one kernel, and one more if
// segments may exceed a block. Which of them have work is known on the device only.
#ifndef SAM_LAUNCH_SORT_SORT_SEGMENTS_HPP
#define SAM_LAUNCH_SORT_SORT_SEGMENTS_HPP

#include <sam/gpu/sort/segmented/blocks_per_segment.hpp>
#include <sam/gpu/sort/segmented/segment_groups.hpp>
#include <sam/gpu/sort/segmented/sort_by_counts.hpp>
#include <sam/launch/sort/launch_sort.hpp>
#include <sam/launch/sort/tuning.hpp>

namespace sam::inline v0_1::SAM_GPU_WARPS {

template <class Job>
using sort_by_clusters =
    gpu::sort_by_blocks<device, Job, typename sort_tuning<Job>::by_blocks, false>;
template <class Job, class Config>
using sort_by_teams = gpu::sort_by_blocks<device, Job, Config, true>;

template <class Counts>
__global__ void SAM_LAUNCH_BOUNDS(Counts::threads)
    sort_by_counts_kernel(SAM_GRID_CONSTANT typename Counts::arguments const arguments) {
  SAM_IF_TARGET Counts(arguments).run();
}
template <class Groups>
__global__ void SAM_LAUNCH_BOUNDS(Groups::threads, Groups::blocks)
    segment_groups_kernel(SAM_GRID_CONSTANT typename Groups::arguments const arguments) {
  SAM_IF_TARGET Groups(arguments).run();
}
template <class Job>
__global__ void SAM_LAUNCH_BOUNDS(sort_by_clusters<Job>::threads, 1)
    sort_by_clusters_kernel(SAM_GRID_CONSTANT gpu::listed_parts_arguments<Job> const arguments) {
  SAM_IF_TARGET if constexpr (device::has_clusters) sort_by_clusters<Job>(arguments).run();
}
template <class Job, class Config>
__global__ void SAM_LAUNCH_BOUNDS(sort_by_teams<Job, Config>::threads, 1)
    sort_by_teams_kernel(SAM_GRID_CONSTANT gpu::listed_parts_arguments<Job> const arguments) {
  SAM_IF_TARGET sort_by_teams<Job, Config>(arguments).run();
}

/// Queues the kernels for one type of job.
template <class Job, class Offset>
class segment_sorter {
  using traits = gpu::radix_traits<Job>;
  using tuned = sort_tuning<Job>;
  using counts = gpu::sort_by_counts<device, Job, Offset, typename tuned::by_counts>;
  using clusters = sort_by_clusters<Job>;
  using by_blocks = typename tuned::by_blocks;
  /// Groups of which each block has a multiprocessor to itself, smaller ones, and those of short
  /// segments.
  using large = gpu::segment_groups<device, Job, Offset, typename tuned::roomy_window>;
  using small = gpu::segment_groups<device, Job, Offset, typename tuned::group_window>;
  using of_short = gpu::segment_groups<device, Job, Offset, typename tuned::window, false>;
  static constexpr int most_blocks = 16;  // of a cluster
  static constexpr bool has_teams = platform::runs_together && tuned::has_teams;
  using kernel_of_long = void (*)(gpu::listed_parts_arguments<Job>);

 public:
  /// Queues the sort. Returns false if there are too many keys, or if the device has too little
  /// shared memory.
  static bool run(context& context, Job const& job, engine::offsets_of_kernel<Offset> offsets,
                  index_t segments) {
    if (tuned::sorts_by_counts(job.n) && segments <= counts::most_segments && is_apart(job))
      return launch_counts(context, job, offsets, segments), true;
    if constexpr (has_teams)
      if (tuned::sorts_by_teams(job.n, segments, of_short::longest(job)) ||
          (tuned::sorts_groups(job.n, segments, tuned::most_without_clusters) &&
           lacks_room(context, job.n))) {
        auto const run_by = [&]<class Team>(std::type_identity<Team>) {
          auto* const kernel = &sort_by_teams_kernel<Job, Team>;
          int const most = most_parts<Team>(context, kernel, job.n);
          if constexpr (traits::keys_only)
            if (most > 0 && tuned::is_short(job.n, segments, of_short::longest(job)))
              return run_with<of_short, Team>(context, job, offsets, segments, most, kernel);
          return most > 0 && run_with<small, Team>(context, job, offsets, segments, most, kernel);
        };
        if (run_by(std::type_identity<typename tuned::by_team_blocks>{}))
          return true;
        if constexpr (tuned::has_small_teams)
          if (run_by(std::type_identity<typename tuned::by_small_blocks>{}))
            return true;
      }
    return tuned::sorts_groups(job.n, segments) &&
           run_with<large, by_blocks>(context, job, offsets, segments, 1,
                                      &sort_by_clusters_kernel<Job>);
  }

  /// Returns an upper bound, in bytes, of the context's memory that `run` needs.
  static index_t workspace(context const& context, Job const& job) {
    index_t const n = job.n;
    index_t const by_clusters =
        n > large::size && n <= tuned::most_in_groups ? layout(n, n, large::size, 0).bytes : 0;
    bool const by_teams =
        has_teams &&
        ((traits::keys_only && n >= tuned::least_in_teams && n <= tuned::most_in_teams) ||
         lacks_room(context, n));
    if (!by_teams)
      return by_clusters;
    return max_of(by_clusters,
                  layout(n, tuned::least_of_part, min_of(small::size, of_short::longest(job)),
                         context.multiprocessors())
                      .bytes);
  }

 private:
  static bool is_apart(Job const& job) {
    return job.keys != job.sorted_keys &&
           (job.values == nullptr || job.values != job.sorted_values);
  }
  static void launch_counts(context& context, Job const& job,
                            engine::offsets_of_kernel<Offset> offsets, index_t segments) {
    range const named(
        [&] { return "sam: sort of segments of " + std::to_string(job.n) + " keys by counts"; });
    static_assert(counts::shared_bytes <= 48 << 10);  // else a launch must ask for more
    auto const a = counts::arguments_for(job, offsets, segments, tuned::most_counting_threads);
    self::launch(context, &sort_by_counts_kernel<counts>, counts::blocks_for(a), counts::threads,
                 counts::shared_bytes, a);
  }
  /// True if the device has no shared memory for large groups, or no clusters for segments that
  /// exceed them. Small groups and teams then sort the segments.
  static bool lacks_room(context const& context, index_t n) {
    return n <= tuned::most_without_clusters &&
           (n > large::size ? !context.has_clusters()
                            : large::shared_bytes > int(context.shared_bytes()));
  }
  /// Queues the kernels. `long_kernel` sorts segments that exceed a group, by up to `most` blocks
  /// of a grid, by Team, or, if that is 1, by clusters.
  template <class Groups, class Team>
  static bool run_with(context& context, Job const& job, engine::offsets_of_kernel<Offset> offsets,
                       index_t segments, int most, kernel_of_long long_kernel) {
    if (Groups::shared_bytes > int(context.shared_bytes()))
      return false;
    bool const may_be_long = job.n > Groups::longest(job);
    int of_cluster = 1;
    if (may_be_long && most == 1) {
      if (!context.has_clusters() || clusters::shared_bytes > int(context.shared_bytes()))
        return false;
      of_cluster = self::blocks_of_cluster(context, long_kernel, most_blocks, clusters::threads,
                                           clusters::shared_bytes);
      if (index_t{of_cluster} * clusters::size < job.n)
        return false;
    }
    range const named(
        [&] { return "sam: sort of segments of " + std::to_string(job.n) + " keys"; });
    gpu::group_arguments<Job, Offset> arguments{job, offsets, segments, 1, Groups::longest(job)};
    arguments.group = group_of<Groups>(context, job.n, segments);
    arguments.most_parts = most;
    arguments.of_part =
        int(most > 1 ? min_of(tuned::of_part(job.n, segments, most), sort_by_teams<Job, Team>::size)
                     : job.n);
    arguments.ranks = context.sort_ranking();
    gpu::listed_parts_arguments<Job> of_long{};
    if (may_be_long) {
      of_long = arguments_for_long(context, job, arguments.of_part, arguments.longest,
                                   most > 1 ? most : 0);
      arguments.entries = of_long.entries;
      arguments.most_entries = of_long.most;
      arguments.shared = of_long.shared;
    }
    auto* const kernel = &segment_groups_kernel<Groups>;
    if (most > 1)
      share_all(context, reinterpret_cast<void const*>(kernel), Groups::shared_bytes);
    else
      self::resident_for_sort<Groups>(context, kernel);
    self::launch(context, kernel, engine::div_up(segments, arguments.group), Groups::threads,
                 Groups::shared_bytes, arguments);
    if (may_be_long && most == 1)
      self::launch(context, long_kernel, of_cluster * clusters_for(context, job.n, of_cluster),
                   clusters::threads, clusters::shared_bytes, of_long, true, of_cluster);
    else if (may_be_long && !launch_teams<Team>(context, long_kernel, most, of_long))
      sam::detail::fail<device_error>(platform::name, "the device has lost room for a sort",
                                      std::source_location::current());
    return true;
  }
  /// Sets the largest carve-out for a kernel that runs before teams, whose blocks need it.
  static void share_all(context& context, void const* kernel, int bytes) {
    context.known(kernel, [&] {
      self::allow_shared_bytes(kernel, bytes);
      return self::share(kernel, 100), 0;
    });
  }
  template <class Team>
  static bool launch_teams(context& context, kernel_of_long kernel, int blocks,
                           gpu::listed_parts_arguments<Job> const& arguments) {
    using teams = sort_by_teams<Job, Team>;
    if constexpr (has_teams)
      return self::launch_together(context, kernel, blocks, teams::threads, teams::shared_bytes,
                                   arguments);
    else
      return false;
  }
  /// Returns the blocks of the grid that sorts long segments of n keys in all; 0 if not all of them
  /// can run at the same time, or if some segment could exceed them. The first call for a context
  /// launches them without work: later launches follow kernels that cannot be taken back.
  template <class Team>
  static int most_parts(context& context, kernel_of_long kernel, index_t n) {
    using teams = sort_by_teams<Job, Team>;
    if (!context.runs_together() || teams::shared_bytes > int(context.shared_bytes()))
      return 0;
    auto const blocks =
        int(self::limited(context, context.multiprocessors(), context.multiprocessors()));
    bool const run_together =
        context.measures() || context.known(reinterpret_cast<void const*>(kernel), [&] {
          gpu::listed_parts_arguments<Job> nothing{};
          nothing.shared = context.ring_for(0).shared;
          self::share(reinterpret_cast<void const*>(kernel), 100);
          return int(self::count_resident(context, kernel, teams::threads, teams::shared_bytes) >
                         0 &&
                     launch_teams<Team>(context, kernel, blocks, nothing));
        }) != 0;
    return run_together && blocks > 1 && (teams::has_tiles || index_t{blocks} * teams::size >= n)
               ? blocks
               : 0;
  }
  /// Returns the segments of a group: few, so that all multiprocessors get some.
  template <class Groups>
  static int group_of(context const& context, index_t n, index_t segments) {
    index_t const even =
        max_of(tuned::least_of_group, engine::div_up(n, context.multiprocessors()));
    index_t const items = Groups::blocks == 1 ? even : min_of(even, Groups::window);
    return int(max_of(1, min_of(Groups::most_segments, items * segments / max_of(n, 1))));
  }
  /// Returns the number of clusters: no more than there can be long segments.
  static index_t clusters_for(context const& context, index_t n, int of_cluster) {
    return max_of(1, min_of(n / (large::size + 1), context.multiprocessors() / of_cluster));
  }
  /// The places of the arrays of the kernels for long segments, in bytes from the first on.
  struct layout {
    index_t indices, list, counts, bytes;
    int most;
    layout(index_t n, index_t of_part, index_t longest, int blocks)
        : indices(rounded(n * index_t{sizeof(typename traits::held_key)})),
          list(indices + (traits::keys_only ? 0 : rounded(n * index_t{sizeof(std::uint32_t)}))),
          most(int(n / of_part + n / (longest + 1))) {
      counts = list + rounded(most * index_t{sizeof(gpu::listed_part)});
      bytes = counts + index_t{blocks} * clusters::buckets * index_t{sizeof(std::uint32_t)};
    }
    static index_t rounded(index_t size) { return engine::div_up(size, 16) * 16; }
  };
  static gpu::listed_parts_arguments<Job> arguments_for_long(context& context, Job const& job,
                                                             index_t of_part, index_t longest,
                                                             int blocks) {
    layout const at(job.n, of_part, longest, blocks);
    gpu::listed_parts_arguments<Job> a{};
    a.job = job;
    a.ranks = context.sort_ranking();
    a.most = at.most;
    auto* const memory = static_cast<std::byte*>(context.kernel_workspace(std::size_t(at.bytes)));
    a.buffer = reinterpret_cast<typename traits::held_key*>(memory);
    if constexpr (sort_by_teams<Job, by_blocks>::has_tiles)  // the passes of each segment use one
                                                             // of them
      a.keys_at[1] = reinterpret_cast<typename traits::key*>(memory);
    a.original_indices = reinterpret_cast<std::uint32_t*>(memory + at.indices);
    a.entries = reinterpret_cast<gpu::listed_part*>(memory + at.list);
    a.counts = reinterpret_cast<std::uint32_t*>(memory + at.counts);
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

/// Does so by offsets that are cut.
template <class Key, class Value, class Digits, class Offset>
bool queue_sort_of_cut_segments(context& context, sort_job<Key, Value, Digits> const& job,
                                cut_offsets<Offset> const& offsets, index_t segments) {
  if constexpr (sizeof(Key) > 8)
    return false;
  else
    return segment_sorter<sort_job<Key, Value, Digits>, cut_offsets<Offset>>::run(
        context, job, offsets, segments);
}

}  // namespace sam::inline v0_1::SAM_GPU_WARPS

#endif
